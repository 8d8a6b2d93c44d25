#pragma once
// What a finding means for a run. The rules of the description say how the standard sees it; an error of `tenon check` is what breaks a
// run or makes its numbers wrong, and nothing else: an FMU that runs well in every tool must be able to pass.

#include "modelDescription/checker.hpp"

#include <string_view>

namespace tenon::check {

/// The severity of a finding with its rule and its place; never higher than it was.
fmi::Severity weighed(const fmi::Finding& finding);

/// A dynamic check of what no master does in a run: its findings are notes, a crash and a hang, too.
bool is_of_robustness(std::string_view check);

} // namespace tenon::check
