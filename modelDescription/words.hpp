#pragma once
// The words that FMI's XML has for the enumerations of a description, and what the types are like.

#include "modelDescription/description.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace tenon::fmi {

// In the order of the enumerations.
inline constexpr std::array<std::string_view, 15> type_words{
    "Float32", "Float64", "Int8",    "UInt8",  "Int16",  "UInt16",      "Int32", "UInt32",
    "Int64",   "UInt64",  "Boolean", "String", "Binary", "Enumeration", "Clock"};
inline constexpr std::array<std::string_view, 7> causality_words{
    "structuralParameter", "parameter", "calculatedParameter", "input", "output", "local", "independent"};
inline constexpr std::array<std::string_view, 5> variability_words{"constant", "fixed", "tunable", "discrete",
                                                                   "continuous"};
inline constexpr std::array<std::string_view, 4> initial_words{"", "exact", "approx", "calculated"};
inline constexpr std::array<std::string_view, 5> dependency_kind_words{"dependent", "constant", "fixed",
                                                                       "tunable", "discrete"};
inline constexpr std::array<std::string_view, 6> interval_words{"constant", "fixed",     "tunable",
                                                                "changing", "countdown", "triggered"};
inline constexpr std::array<std::string_view, 8> base_unit_words{"kg", "m",   "s",  "A",
                                                                 "K",  "mol", "cd", "rad"};

constexpr std::string_view word(Type type) { return type_words[static_cast<std::size_t>(type)]; }
constexpr std::string_view word(Causality value) { return causality_words[static_cast<std::size_t>(value)]; }
constexpr std::string_view word(Variability value) {
    return variability_words[static_cast<std::size_t>(value)];
}
constexpr std::string_view word(Initial value) { return initial_words[static_cast<std::size_t>(value)]; }

/// The enumerator that has this word; nothing where none has.
template <typename Enumeration, std::size_t size>
constexpr std::optional<Enumeration> from_word(const std::array<std::string_view, size>& words,
                                               std::string_view text) {
    for (std::size_t i = 0; i < size; ++i)
        if (words[i] == text)
            return static_cast<Enumeration>(i);
    return {};
}

/// The element of FMI 2.0 for a type; empty where 2.0 has none.
constexpr std::string_view fmi2_word(Type type) {
    switch (type) {
    case Type::float64:
        return "Real";
    case Type::int32:
        return "Integer";
    case Type::boolean:
    case Type::string:
    case Type::enumeration:
        return word(type);
    default:
        return {};
    }
}

constexpr std::string_view word(Version version, Type type) {
    return version == Version::fmi2 ? fmi2_word(type) : word(type);
}

constexpr bool is_float(Type type) { return type == Type::float32 || type == Type::float64; }

constexpr bool is_unsigned(Type type) {
    return type == Type::uint8 || type == Type::uint16 || type == Type::uint32 || type == Type::uint64;
}

/// Held as int64 in a Start.
constexpr bool is_signed(Type type) {
    return type == Type::int8 || type == Type::int16 || type == Type::int32 || type == Type::int64 ||
           type == Type::enumeration;
}

/// What an integer of the type can be.
struct IntegerRange {
    std::int64_t lowest;
    std::uint64_t largest;
};

constexpr IntegerRange integer_range(Version version, Type type) {
    const auto range_of = []<typename T>(T) {
        return IntegerRange{static_cast<std::int64_t>(std::numeric_limits<T>::min()),
                            static_cast<std::uint64_t>(std::numeric_limits<T>::max())};
    };
    switch (type) {
    case Type::int8:
        return range_of(std::int8_t{});
    case Type::uint8:
        return range_of(std::uint8_t{});
    case Type::int16:
        return range_of(std::int16_t{});
    case Type::uint16:
        return range_of(std::uint16_t{});
    case Type::int32:
        return range_of(std::int32_t{});
    case Type::uint32:
        return range_of(std::uint32_t{});
    case Type::uint64:
        return range_of(std::uint64_t{});
    case Type::boolean:
        return {0, 1};
    case Type::enumeration: // an fmi2Integer in FMI 2.0
        return version == Version::fmi2 ? range_of(std::int32_t{}) : range_of(std::int64_t{});
    default:
        return range_of(std::int64_t{});
    }
}

} // namespace tenon::fmi
