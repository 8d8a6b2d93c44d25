#pragma once
// Numbers in messages: the fewest digits that read back as the same number.

#include "core/math/types.hpp"

#include <charconv>
#include <cstdio>
#include <string>

namespace tenon {

inline std::string digits(double value) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

/// Three digits, for messages.
inline std::string rounded(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

inline std::string digits(const Vec3& v) {
    return "[" + digits(v.x()) + ", " + digits(v.y()) + ", " + digits(v.z()) + "]";
}

} // namespace tenon
