#pragma once
// A rigid body as the user gives it: body frame in the world at t = 0, mass properties in the body frame.

#include "core/math/types.hpp"
#include "core/model/members.hpp"

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

    bool operator==(const Shape&) const = default;
};

template <class Visit> void members(Is<Shape> auto& shape, Visit&& visit) {
    auto& [type, size, radius, length, axis, file, color] = shape; // in the body frame
    visit(type, size, radius, length, axis, file, color);
}

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

    bool operator==(const Body&) const = default;
};

template <class Visit> void members(Is<Body> auto& body, Visit&& visit) {
    auto& [name, mass, com, inertia, position, rotation, velocity, angular_velocity, shape] = body;
    visit(name, mass, com, inertia, as_point(position), as_axes(rotation), as_direction(velocity),
          as_direction(angular_velocity), shape);
}

} // namespace tenon
