#pragma once
// What the options of a run mean for the master: which variables it records, and where its FMUs live.

#include "tools/master/master.hpp"
#include "tools/verbs/run_plan.hpp"

namespace tenon::verbs {

/// All but the log. The plan must live as long as the master.
master::MasterOptions master_options(const RunPlan& plan, const system::CheckedSystem& system);

/// Failure(usage) for a pattern of `--vars` that matches no variable.
void require_matches(const std::vector<std::string>& vars, const master::Master& master);
/// Failure(usage) where there are to be checkpoints and an FMU cannot write its state.
void require_states(const RunPlan& plan, const master::Master& master);

} // namespace tenon::verbs
