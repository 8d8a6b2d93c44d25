#pragma once
// Is this UTF-8? (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.)

#include <cstddef>
#include <string_view>

namespace tenon {

/// Bytes of the first character of `text`, which is not empty; 0 where it is not a valid one.
inline std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
    };
    const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
    const unsigned first = byte(0), second = byte(1);
    if (first < 0x80)
        return 1;
    if (first >= 0xC2 && first < 0xE0)
        return follows(1) ? 2 : 0;
    if (first >= 0xE0 && first < 0xF0) {
        const bool overlong = first == 0xE0 && second < 0xA0, surrogate = first == 0xED && second > 0x9F;
        return follows(1) && follows(2) && !overlong && !surrogate ? 3 : 0;
    }
    if (first >= 0xF0 && first < 0xF5) {
        const bool overlong = first == 0xF0 && second < 0x90, too_large = first == 0xF4 && second > 0x8F;
        return follows(1) && follows(2) && follows(3) && !overlong && !too_large ? 4 : 0;
    }
    return 0;
}

/// Where `text` stops being UTF-8; its size where it never does.
inline std::size_t utf8_valid_prefix(std::string_view text) {
    std::size_t i = 0;
    while (i < text.size()) {
        const std::size_t length = utf8_length(text.substr(i));
        if (length == 0)
            return i;
        i += length;
    }
    return i;
}

} // namespace tenon
