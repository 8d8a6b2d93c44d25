#pragma once
// One `tenon run` or `tenon resume`, from the plan to the summary.

#include "tools/verbs/run_plan.hpp"

#include <functional>
#include <string>
#include <vector>

namespace tenon::verbs {

/// Throws Failure; the summary is written and printed before. Where there is no plan because `make` throws, the summary goes to
/// `json` all the same, unless that is one of the `others`: never write over somebody's work.
void run_planned(const std::function<RunPlan()>& make, const std::string& json,
                 const std::vector<std::string>& others);

} // namespace tenon::verbs
