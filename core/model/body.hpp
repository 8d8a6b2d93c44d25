#pragma once
// A rigid body as the user gives it: body frame in the world at t = 0, mass properties in the body frame.

#include "core/math/types.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tenon {

/// Index of the world among the bodies of joints, forces and ports.
inline constexpr int world = -1;

/// For drawing only; the numbers are those of the model file.
struct Shape {
    std::string type; ///< box, cylinder, sphere, rod, wheel, mesh; empty: none given
    std::vector<double> size;
    double radius = 0;
    double length = 0;
    std::vector<double> axis;
    std::string file;
    std::string color;
};

struct Body {
    std::string name;
    double mass = 0;
    Vec3 com = Vec3::Zero();          ///< centre of mass, body frame
    Mat3 inertia = Mat3::Zero();      ///< tensor about the centre of mass, body axes
    Vec3 position = Vec3::Zero();     ///< origin of the body frame at t = 0, world
    Mat3 rotation = Mat3::Identity(); ///< body to world at t = 0
    std::optional<Vec3> velocity; ///< of the body frame's origin; absent: at rest unless a driver moves it
    std::optional<Vec3> angular_velocity; ///< world axes
    Shape shape;
};

} // namespace tenon
