#pragma once
// Identifiers of C, as modelIdentifier must be one.

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

} // namespace tenon::fmi
