#pragma once
// Where a model can be joined to others: frames on bodies (ports) and joints seen as one-dimensional flanges.

#include "core/math/types.hpp"
#include "core/model/members.hpp"

#include <string>

namespace tenon {

struct Port {
    std::string name;
    int body = -1;
    Vec3 at = Vec3::Zero();           ///< world at t = 0
    Mat3 rotation = Mat3::Identity(); ///< port to world at t = 0

    bool operator==(const Port&) const = default;
};

template <class Visit> void members(Is<Port> auto& port, Visit&& visit) {
    auto& [name, body, at, rotation] = port;
    visit(name, body, as_point(at), as_axes(rotation));
}

struct Flange {
    std::string name;
    int joint = -1; ///< of a type that the registry calls a flange

    bool operator==(const Flange&) const = default;
};

template <class Visit> void members(Is<Flange> auto& flange, Visit&& visit) {
    auto& [name, joint] = flange;
    visit(name, joint);
}

} // namespace tenon
