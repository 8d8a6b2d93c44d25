#pragma once
// A road as the user gives it: a plane, and features that add their heights to it.

#include "core/math/types.hpp"
#include "core/model/choice.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tenon {

struct Road {
    std::string name;
    std::vector<Choice> features;     ///< of types in road_features()
    double friction = 1;              ///< scales the friction of everything that touches it
    Vec3 at = Vec3::Zero();           ///< its origin x = y = z = 0, in the world at t = 0
    Vec3 axis = Vec3(1, 0, 0);        ///< direction of travel, x
    Vec3 normal = Vec3(0, 0, 1);      ///< z
    std::optional<double> start, end; ///< along x; beyond them there is no road
    double length = 0, width = 0;     ///< as it is drawn; 0: as the run needs it

    bool operator==(const Road&) const = default;
};

template <class Visit> void members(Is<Road> auto& road, Visit&& visit) {
    auto& [name, features, friction, at, axis, normal, start, end, length, width] = road;
    visit(name, features, friction, as_point(at), as_direction(axis), as_direction(normal), start, end,
          length, width);
}

} // namespace tenon
