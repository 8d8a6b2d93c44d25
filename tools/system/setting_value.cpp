#include "tools/system/setting_value.hpp"

#include "core/math/digits.hpp"
#include "core/model/suggest.hpp"
#include "modelDescription/words.hpp"
#include "tools/files/errors.hpp"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <type_traits>

namespace tenon::system {
namespace {

/// Whole numbers up to here are exact in a double.
constexpr double exact_limit = 9007199254740992.0;

std::string described(const SettingScalar& value) {
    if (const auto* text = std::get_if<std::string>(&value))
        return "a text (\"" + printable(*text) + "\")";
    if (const auto* truth = std::get_if<bool>(&value))
        return *truth ? "true" : "false";
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        return std::to_string(*whole);
    return digits(std::get<double>(value));
}

std::optional<double> number(const SettingScalar& value) {
    if (const auto* real = std::get_if<double>(&value))
        return *real;
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        return static_cast<double>(*whole);
    return {};
}

std::optional<std::int64_t> whole_number(const SettingScalar& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        return *whole;
    const auto* real = std::get_if<double>(&value);
    if (!real || std::trunc(*real) != *real || !(std::abs(*real) <= exact_limit))
        return {};
    return static_cast<std::int64_t>(*real);
}

std::string outside(double value, const fmi::Variable& variable) {
    if (variable.min && value < *variable.min)
        return fmt::format("is below its least value ({}, least {})", digits(value), digits(*variable.min));
    if (variable.max && value > *variable.max)
        return fmt::format("is above its largest value ({}, largest {})", digits(value),
                           digits(*variable.max));
    return {};
}

std::string store_float(const SettingScalar& value, const Linear& linear, const fmi::Variable& variable,
                        double& place) {
    const std::optional<double> given = number(value);
    if (!given)
        return fmt::format("must be a number, not {}", described(value));
    const double converted = linear.is_identity() ? *given : linear.factor * *given + linear.offset;
    const double largest = variable.type == fmi::Type::float32
                               ? static_cast<double>(std::numeric_limits<float>::max())
                               : std::numeric_limits<double>::max();
    if (!(std::abs(converted) <= largest))
        return fmt::format("must be finite ({}, largest {})", digits(converted), digits(largest));
    place = converted;
    return outside(converted, variable);
}

std::string store_integer(const SettingScalar& value, const Linear& linear, const fmi::Variable& variable,
                          std::size_t element, fmi::Start& values) {
    const std::optional<std::int64_t> whole = whole_number(value);
    const fmi::IntegerRange range = fmi::integer_range(fmi::Version::fmi3, variable.type);
    if (!linear.is_identity())
        return fmt::format("is of type {}, which takes no factor, offset or conversion of units",
                           fmi::word(variable.type));
    if (!whole)
        return fmt::format("must be a whole number, not {}", described(value));
    if (*whole < range.lowest || (*whole > 0 && static_cast<std::uint64_t>(*whole) > range.largest))
        return fmt::format("does not fit into {} ({}, from {} to {})", fmi::word(variable.type), *whole,
                           range.lowest, range.largest);
    if (auto* positive = std::get_if<std::vector<std::uint64_t>>(&values))
        (*positive)[element] = static_cast<std::uint64_t>(*whole);
    else
        std::get<std::vector<std::int64_t>>(values)[element] = *whole;
    return outside(static_cast<double>(*whole), variable);
}

std::string store_enumeration(const SettingScalar& value, const fmi::TypeDefinition* type,
                              std::int64_t& place) {
    std::vector<std::string> names;
    const auto* text = std::get_if<std::string>(&value);
    const std::optional<std::int64_t> whole = whole_number(value);
    if (!text && !whole)
        return fmt::format("must be the name or the number of an item, not {}", described(value));
    if (type)
        for (const fmi::EnumerationItem& item : type->items) {
            if (text ? item.name == *text : item.value == *whole) {
                place = item.value;
                return {};
            }
            names.push_back(item.name);
        }
    else if (whole) {
        place = *whole;
        return {};
    }
    return fmt::format("has no item {}; {}", text ? "'" + printable(*text) + "'" : std::to_string(*whole),
                       suggestion(text ? *text : std::string(), names));
}

std::string store_boolean(const SettingScalar& value, std::int64_t& place) {
    const auto* truth = std::get_if<bool>(&value);
    if (!truth)
        return fmt::format("must be true or false, not {}", described(value));
    place = *truth;
    return {};
}

/// Binary values are given as hexadecimal digits.
std::string store_binary(const std::string& text, std::string& place) {
    const auto nibble = [](char c) {
        constexpr std::string_view hex = "0123456789abcdef";
        return hex.find(static_cast<char>(c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c));
    };
    std::string bytes;
    for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
        const std::size_t high = nibble(text[i]), low = nibble(text[i + 1]);
        if (high == std::string_view::npos || low == std::string_view::npos)
            return "must be pairs of hexadecimal digits";
        bytes += static_cast<char>(high * 16 + low);
    }
    if (text.size() % 2 != 0)
        return "must be pairs of hexadecimal digits";
    place = std::move(bytes);
    return {};
}

} // namespace

std::vector<SettingScalar> scalars_of(const SettingValue& value) {
    struct Visitor {
        std::vector<SettingScalar> operator()(const std::vector<double>& v) const {
            return {v.begin(), v.end()};
        }
        std::vector<SettingScalar> operator()(const std::vector<bool>& v) const {
            std::vector<SettingScalar> result;
            for (const bool truth : v)
                result.emplace_back(truth);
            return result;
        }
        std::vector<SettingScalar> operator()(const std::vector<std::string>& v) const {
            return {v.begin(), v.end()};
        }
        std::vector<SettingScalar> operator()(double v) const { return {v}; }
        std::vector<SettingScalar> operator()(bool v) const { return {v}; }
        std::vector<SettingScalar> operator()(const std::string& v) const { return {v}; }
        std::vector<SettingScalar> operator()(std::int64_t v) const { return {v}; }
    };
    return std::visit(Visitor(), value);
}

fmi::Start zeros(fmi::Type type, std::uint64_t count) {
    if (fmi::is_float(type))
        return std::vector<double>(count);
    if (type == fmi::Type::string || type == fmi::Type::binary)
        return std::vector<std::string>(count);
    if (fmi::is_unsigned(type))
        return std::vector<std::uint64_t>(count);
    return std::vector<std::int64_t>(count);
}

std::optional<fmi::Start> start_values(const fmi::Variable& variable, std::uint64_t count) {
    const auto filled = [&](const auto& given) -> std::optional<fmi::Start> {
        if constexpr (std::is_same_v<std::decay_t<decltype(given)>, std::monostate>) {
            return zeros(variable.type, count);
        } else {
            if (given.size() == count)
                return given;
            // A single start value stands for all elements.
            if (given.size() == 1)
                return std::decay_t<decltype(given)>(count, given.front());
            return {};
        }
    };
    return std::visit(filled, variable.start);
}

std::string store(const SettingScalar& value, const Linear& linear, const fmi::Variable& variable,
                  const fmi::TypeDefinition* items, std::size_t element, fmi::Start& values) {
    if (fmi::is_float(variable.type))
        return store_float(value, linear, variable, std::get<std::vector<double>>(values)[element]);
    if (variable.type == fmi::Type::enumeration)
        return store_enumeration(value, items, std::get<std::vector<std::int64_t>>(values)[element]);
    if (fmi::is_signed(variable.type) || fmi::is_unsigned(variable.type))
        return store_integer(value, linear, variable, element, values);
    if (variable.type == fmi::Type::boolean)
        return store_boolean(value, std::get<std::vector<std::int64_t>>(values)[element]);
    if (variable.type == fmi::Type::clock)
        return "is a clock, which cannot be set";
    const auto* text = std::get_if<std::string>(&value);
    if (!text)
        return fmt::format("must be a text, not {}", described(value));
    std::string& place = std::get<std::vector<std::string>>(values)[element];
    if (variable.type == fmi::Type::binary)
        return store_binary(*text, place);
    place = *text;
    return {};
}

} // namespace tenon::system
