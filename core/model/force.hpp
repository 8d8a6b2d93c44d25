#pragma once
// Loads and elastic elements as the user gives them. What each type does is in core/equations/loads.cpp.

#include "core/math/types.hpp"
#include "core/model/signal.hpp"

#include <array>
#include <optional>
#include <string>

namespace tenon {

enum class ForceType { spring_damper, torsion_spring, bushing, force, torque };

struct Force {
    std::string name;
    ForceType type = ForceType::force;
    int first = -1; ///< spring_damper, bushing: bodies; force, torque: `second` is the body
    int second = -1;
    int joint = -1;             ///< torsion_spring
    Vec3 point1 = Vec3::Zero(); ///< spring_damper: world at t = 0
    Vec3 point2 = Vec3::Zero();
    Vec3 at = Vec3::Zero(); ///< bushing, force: world at t = 0
    double stiffness = 0;
    double damping = 0;
    std::optional<double> free_length; ///< absent: the distance at t = 0
    double free_angle = 0;
    std::array<double, 6> stiffness6{}; ///< bushing: x y z translation, then rotation, along `axes`
    Mat3 axes = Mat3::Identity(); ///< bushing: its axes in the world at t = 0, carried by the first body
    std::array<double, 6> damping6{};
    Vec3 vector = Vec3::Zero(); ///< force or torque
    bool body_axes = false;
    std::array<Table, 3>
        table;          ///< force, torque over time: one spline per component, replaces `vector` unless empty
    bool input = false; ///< `vector` is an input of the model, `<name>.f[1..3]` or `<name>.t[1..3]`
};

} // namespace tenon
