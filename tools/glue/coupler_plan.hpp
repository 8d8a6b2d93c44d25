#pragma once
// Couplers for the joints of a system: FMUs of springs and dampers that do the joints' work in tools that know no joints.
//
// How stiff they may be follows from the compliance of the FMUs at the start, G = sum B H B^T over all joints together, and the
// step h. Such tools pass values on once per step, so that a force answers to a motion that is one step old:
//
//     stiffness_i = k / (h^2 g_i),   damping_i = d / (h g_i),   g_i = sqrt(G_ii) sum_j |G_ij| / sqrt(G_jj),   k = 0.05, d = 0.35
//
// With such g the units of the rows do not matter, diag(1/g) G has no eigenvalue above 1, and for every eigenvalue s in (0, 1] the
// recursion of one mode over a step,
//     x' = x + v + a/2, v' = v + a, a = -s (k x_before + d v_before)      (in units of h)
// is stable; it still is at s = 2, which is left for poses in which the machine is more compliant than at its start.

#include "tools/master/master.hpp"
#include "tools/system/ssp/coupler.hpp"
#include "tools/system/system.hpp"

#include <vector>

namespace tenon::glue {

/// One a joint; those that cannot have one say why. The FMUs are instantiated and initialised for it, as `options` says.
std::vector<system::SspCoupler> plan_couplers(const system::CheckedSystem& system,
                                              const master::MasterOptions& options = {});

} // namespace tenon::glue
