#pragma once
// The fastest oscillation that the springs of a machine make, at one position: what a step must resolve, or damp.
//
//   s = elongations of all springs and bushings, G their gradients, k their stiffness
//   s'' = -G A G^T k s      A: accelerations per force of the machine with its joints, one solution of GraphKkt
//
// The largest eigenvalue of G A G^T k is omega^2 (geometric stiffness of loaded springs left out).

#include "core/equations/rigid_equations.hpp"

#include <string>

namespace tenon {

struct FastestSpring {
    double frequency = 0; ///< omega, rad/s; 0 where no spring can move anything
    std::string force;    ///< the force with the largest share of the energy in that oscillation
};

/// At the kinematics that `rigid` evaluated last, time t. Factorises `rigid` anew, in the mass metric.
FastestSpring fastest_spring(RigidEquations& rigid, const Memory& memory, double t);

} // namespace tenon
