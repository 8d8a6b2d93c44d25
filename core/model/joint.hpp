#pragma once
// A joint as the user gives it: points and axes in the world at t = 0. What each type forbids is in joint_*.cpp.

#include "core/math/types.hpp"

#include <optional>
#include <string>

namespace tenon {

/// Regularised Coulomb and viscous friction along a joint's free motion (angle or distance s):
/// effort = -(coulomb tanh(s'/speed) + viscous s').
struct Friction {
    double coulomb = 0;  ///< N m or N
    double viscous = 0;  ///< N m s/rad or N s/m
    double speed = 1e-2; ///< rad/s or m/s over which Coulomb friction is smoothed
};

/// Only the members that the joint's type names in docs/contract.md section 2 are used.
struct Joint {
    std::string name;
    std::string type; ///< a name in joint_types()
    int first = -1;   ///< body index or `world`
    int second = -1;
    Vec3 at = Vec3::Zero();
    Vec3 axis = Vec3::UnitZ();
    Vec3 axis2 = Vec3::UnitX();
    Vec3 point1 = Vec3::Zero(); ///< distance: on the first body
    Vec3 point2 = Vec3::Zero();
    std::optional<double> length; ///< distance: absent means the distance at t = 0
    double pitch = 0;             ///< screw: metres per turn
    int joint1 = -1;              ///< gear: indices of joints that come before this one or after
    int joint2 = -1;
    double ratio = 1;
    Vec3 normal = Vec3::UnitZ(); ///< rolling: normal of the ground, pointing to the wheel's side
    double radius = 0;
    Friction friction;
};

} // namespace tenon
