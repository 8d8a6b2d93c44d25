#pragma once
// Where a model can be joined to others: frames on bodies (ports) and joints seen as one-dimensional flanges.

#include "core/math/types.hpp"

#include <string>

namespace tenon {

struct Port {
    std::string name;
    int body = -1;
    Vec3 at = Vec3::Zero();           ///< world at t = 0
    Mat3 rotation = Mat3::Identity(); ///< port to world at t = 0
};

struct Flange {
    std::string name;
    int joint = -1; ///< revolute or prismatic
};

} // namespace tenon
