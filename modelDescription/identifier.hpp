#pragma once
// Identifiers of C, as modelIdentifier must be one, and what is taken in their place.

#include <algorithm>
#include <string_view>

namespace tenon::fmi {

inline constexpr std::size_t model_identifier_limit = 128;

constexpr bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr bool is_model_identifier(std::string_view name) {
    return !name.empty() && name.size() <= model_identifier_limit && is_letter(name.front()) &&
           std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

/// Whether a file can be called so, with an ending behind it: what FMUs have besides identifiers of C ("my-model", "3d.v2").
constexpr bool is_file_stem(std::string_view name) {
    return !name.empty() && name.size() <= model_identifier_limit && name.front() != '.' &&
           name.front() != ' ' && std::none_of(name.begin(), name.end(), [](char c) {
               return static_cast<unsigned char>(c) < 0x20 || c == 0x7F || c == '/' || c == '\\' || c == ':';
           });
}

} // namespace tenon::fmi
