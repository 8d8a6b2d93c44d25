#pragma once
// Where a machine is at rest: positions on the joints at which no body accelerates.
//
//   r(x) = N^T Q = 0                 forces along the independent directions of motion x (neighbourhood.hpp), velocities zero,
//                                    drivers where they are at this time, inputs at their start values
//   K = -dr/dx                       stiffness against the mass, 1/s^2, by central differences
//
// Newton's method, damped. With K's symmetric part U diag(k) U^T:
//   all k > 0     dx = K^+ r         also where K is not symmetric (follower forces, tyres)
//   some k < 0    dx = U |k|^+ U^T r so that the machine goes downhill and not to the top of a hill
// Directions without stiffness and without force stay as they are (a vehicle on a plain; N^T M N = 1, so every step is the
// shortest in the mass metric); without stiffness but with a force the machine falls, by steps that grow, until something
// takes hold of it. A step is at most some of the machine's length long, and shortened where the force has turned against it.
//
// Dynamic relaxation, where Newton's method gets stuck and for machines with more than most_dense_directions: a motion from rest with
// steps below the stability limit 2 / sqrt(largest k), all velocities zeroed wherever the kinetic energy has passed a peak.

#include "core/simulation/neighbourhood.hpp"

#include <string_view>
#include <vector>

namespace tenon {

/// Above it no stiffness matrix is made: relaxation only, and nothing is said about stability.
inline constexpr int most_dense_directions = 300;

/// A direction in which the machine does not stay by itself.
struct RestingMode {
    double stiffness = 0;        ///< against the mass, 1/s^2
    std::vector<BodyMove> moves; ///< by body; the largest shift, or turn times the machine's length, is 1
};

enum class Stability { stable, neutral, unstable, unknown };

struct EquilibriumReport {
    int degrees_of_freedom = 0;
    int iterations = 0;  ///< of Newton's method
    int relaxations = 0; ///< steps of relaxation
    double force = 0;    ///< largest force on a body that is not balanced, N
    double torque = 0;   ///< N m
    int body = -1;       ///< whose
    double weight = 0;   ///< of the machine, N
    double potential = 0;
    std::vector<BodyMove> moves; ///< of every body, from the start position
    Stability stability = Stability::unknown;
    double least_stiffness =
        0; ///< smallest k, 1/s^2; of directions that are not neutral where the machine is stable in them
    std::vector<RestingMode> unstable; ///< softest first
    std::vector<RestingMode> neutral;
};

/// Moves q, which is on the joints, to the equilibrium. Throws Error(computation) that names the body and the force that nothing holds.
/// `newton_only`: no relaxation where Newton's method gets stuck, for a machine whose original it has brought to rest.
EquilibriumReport find_equilibrium(RigidEquations& equations, Memory& memory, double t, Vector& q,
                                   bool newton_only = false);

/// The same for a machine that differs a little from one that is at rest. From q it makes the moves of that one, and only then looks
/// for rest; along directions without stiffness it is held, whatever force there is. Throws Error(computation) as above.
void hold_at_equilibrium(RigidEquations& equations, Memory& memory, double t,
                         const std::vector<BodyMove>& moves, Vector& q);

/// v of the chart at q: the velocities that the model gives its bodies, as far as the joints let them be there.
void rest_with_velocities(const Mechanism& mechanism, RigidEquations& equations, Memory& memory, Vector& q,
                          Vector& v);

/// "stable", ...
std::string_view name_of(Stability stability);

} // namespace tenon
