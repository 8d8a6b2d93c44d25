#pragma once
// The model whose drawing is its equilibrium: the same machine with t = 0 at rest.
//
// Points and axes of joints, forces and ports are given in the world at t = 0, so each moves with the body that it belongs to; what
// the registry of forces calls a point or a direction belongs to the force's body, of two bodies to the first, of two points one
// to each. Angles and distances of joints are counted anew from there: what is counted along them (formulas and tables of drivers;
// numbers of a force in a joint whose unit is that of the joint's angle or distance) is moved by what they were. Lengths that
// stand for the distance at t = 0 are written out. Loads in world axes stay as they are.

#include "core/simulation/linearisation.hpp"

namespace tenon {

struct RestModel {
    Model model;
    std::vector<std::string> remarks; ///< what does not mean the same there
};

/// At the position and with the velocities of the machine.
RestModel model_at_rest(StandingMachine& machine);

} // namespace tenon
