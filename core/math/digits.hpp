#pragma once
// Numbers in messages: the fewest digits that read back as the same number.

#include "core/math/types.hpp"

#include <charconv>
#include <string>

namespace tenon {

inline std::string digits(double value) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

inline std::string digits(const Vec3& v) {
    return "[" + digits(v.x()) + ", " + digits(v.y()) + ", " + digits(v.z()) + "]";
}

} // namespace tenon
