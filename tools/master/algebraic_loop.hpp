#pragma once
// Inputs and outputs that depend on each other at the start time. The unknowns are the inputs x of the loop that are
// floats; with the outputs y(x) of its FMUs and the wires W between them they have to satisfy
//
//     r(x) = W y(x) - x = 0,      (W dy/dx - 1) dx = -r
//
// which Newton's method does, with the FMUs' directional derivatives where they have them and differences otherwise, and
// shorter steps where a whole one makes things worse. Values of other types in the loop are handed on until they stay.

#include "tools/master/ensemble.hpp"

#include <vector>

namespace tenon::master {

/// `component`: nodes of the port graph. Adds a remark. Throws Error(computation) that names the variables of the loop
/// where it is singular or does not converge.
void solve_loop(Ensemble& ensemble, const std::vector<std::size_t>& component);

} // namespace tenon::master
