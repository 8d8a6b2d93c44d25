#pragma once
// The part of the doubts that numbers alone give rise to, without where things are: degrees for radians, gravity in mm/s2.

#include "core/math/digits.hpp"
#include "core/model/plausibility.hpp"

#include <charconv>

namespace tenon {

/// Four digits for people.
inline std::string about(double value) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 4).ptr;
    return {text, end};
}
inline std::string about(const Vec3& v) {
    return "[" + about(v.x()) + ", " + about(v.y()) + ", " + about(v.z()) + "]";
}

void doubt_units(const Model& model, std::vector<Doubt>& doubts);

} // namespace tenon
