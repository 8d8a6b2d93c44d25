#pragma once
// A joint as the user gives it: points and axes in the world at t = 0. What each type forbids is in joints/<type>.cpp.

#include "core/math/types.hpp"
#include "core/model/members.hpp"

#include <optional>
#include <string>

namespace tenon {

/// Regularised Coulomb and viscous friction along a joint's free motion (angle or distance s):
/// effort = -(coulomb tanh(s'/speed) + viscous s').
struct Friction {
    double coulomb = 0;  ///< N m or N
    double viscous = 0;  ///< N m s/rad or N s/m
    double speed = 1e-2; ///< rad/s or m/s over which Coulomb friction is smoothed

    bool operator==(const Friction&) const = default;
};

template <class Visit> void members(Is<Friction> auto& friction, Visit&& visit) {
    auto& [coulomb, viscous, speed] = friction;
    visit(coulomb, viscous, speed);
}

/// Only the members that the keys of the joint's type name are used (joints/joint_keys.cpp).
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

    bool operator==(const Joint&) const = default;
};

template <class Visit> void members(Is<Joint> auto& joint, Visit&& visit) {
    auto& [name, type, first, second, at, axis, axis2, point1, point2, length, pitch, joint1, joint2, ratio,
           normal, radius, friction] = joint;
    visit(name, type, first, second, as_point(at), as_direction(axis), as_direction(axis2), as_point(point1),
          as_point(point2), length, pitch, joint1, joint2, ratio, as_direction(normal), radius, friction);
}

} // namespace tenon
