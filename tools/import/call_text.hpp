#pragma once
// Values of calls as words of a line, and back (recorded_calls.hpp).

#include "modelDescription/description.hpp"

#include <charconv>
#include <concepts>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace tenon::fmi {

/// In the order of Status.
inline constexpr std::string_view status_words[] = {"ok", "warning", "discard", "error", "fatal"};

/// Calls `work` with a null pointer to the C++ type that Slave::get and set have for values of `type`.
template <class Work> decltype(auto) with_value_type(Type type, Work&& work) {
    using enum Type;
    switch (type) {
    case float32:
        return work(static_cast<float*>(nullptr));
    case float64:
        return work(static_cast<double*>(nullptr));
    case int8:
        return work(static_cast<std::int8_t*>(nullptr));
    case uint8:
        return work(static_cast<std::uint8_t*>(nullptr));
    case int16:
        return work(static_cast<std::int16_t*>(nullptr));
    case uint16:
        return work(static_cast<std::uint16_t*>(nullptr));
    case int32:
        return work(static_cast<std::int32_t*>(nullptr));
    case uint32:
        return work(static_cast<std::uint32_t*>(nullptr));
    case uint64:
        return work(static_cast<std::uint64_t*>(nullptr));
    case boolean:
    case clock:
        return work(static_cast<bool*>(nullptr));
    case string:
    case binary:
        return work(static_cast<std::string*>(nullptr));
    case int64:
    case enumeration:
        break;
    }
    return work(static_cast<std::int64_t*>(nullptr));
}

/// A word without blanks: letters and digits as they are, everything else as % and two hexadecimal digits.
std::string quoted_word(std::string_view text);
/// Nothing where it is no such word.
std::optional<std::string> unquoted_word(std::string_view word);

template <class Value> std::string value_word(const Value& value) {
    if constexpr (std::is_same_v<Value, std::string>)
        return quoted_word(value);
    else if constexpr (std::is_same_v<Value, bool>)
        return value ? "1" : "0";
    else
        return fmt::format("{}", value);
}

template <class Value> bool read_word(std::string_view word, Value& value) {
    if constexpr (std::is_same_v<Value, std::string>) {
        const std::optional<std::string> text = unquoted_word(word);
        value = text.value_or("");
        return text.has_value();
    } else if constexpr (std::is_same_v<Value, bool>) {
        value = word == "1";
        return value || word == "0";
    } else {
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        return error == std::errc() && end == word.data() + word.size();
    }
}

/// Each with a blank before it.
template <class Value> std::string value_words(std::span<const Value> values) {
    std::string text;
    for (const Value& value : values)
        text += " " + value_word(value);
    return text;
}

} // namespace tenon::fmi
