#pragma once
// The start state: on the constraints, positions then velocities, and which rows follow from the others.

#include "core/equations/rigid_equations.hpp"
#include "core/simulation/simulation.hpp"

namespace tenon {

/// Limits of docs/contract.md section 2 on what assembly may correct.
inline constexpr double closing_limit = 1e-2;                       // m
inline constexpr double closing_limit_angle = 0.017453292519943295; // rad, one degree
inline constexpr double closing_limit_velocity = 1e-2;              // m/s, rad/s

/// Finds q and v of the chart of `equations` at time t and excludes redundant rows in its solver. `step` is the
/// length of the steps to come. Throws Error(model) that names joint and gap, or the body that has no inertia.
StartReport assemble(const Model& model, RigidEquations& equations, double t, double step, Vector& q,
                     Vector& v, std::vector<char>& excluded);

/// `k` with the velocities that the model gives its bodies, whose frames may be elsewhere by now.
std::vector<Kinematics> given_velocities(const Model& model, const Mechanism& mechanism,
                                         std::vector<Kinematics> k);

} // namespace tenon
