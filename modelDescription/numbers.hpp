#pragma once
// Numbers and lists as the XML schema writes them: whole strings, in no locale, checked for their range.

#include <charconv>
#include <cmath>
#include <concepts>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

namespace tenon::fmi {

enum class Parse { good, malformed, out_of_range };

/// Without XML's white space at both ends.
std::string_view trimmed(std::string_view text);

/// The first word of a list, which is taken off it; empty at the end.
std::string_view next_word(std::string_view& list);

/// The fewest digits that read back as the same number.
std::string digits(double value);

/// A float that is not finite, as the XML schema or printf writes it: "INF", "NaN", "-1.#IND".
bool is_not_finite(std::string_view text);

/// Tools that print 15 digits round the largest double up, beyond what a double can hold; that is meant as the largest.
bool is_rounded_largest(std::string_view text);

/// Finite decimal numbers, or integers; "+" and white space around them are the schema's.
template <typename T> Parse parse_number(std::string_view text, T& value) {
    text = trimmed(text);
    if (text.starts_with('+')) {
        text.remove_prefix(1);
        if (text.starts_with('-'))
            return Parse::malformed;
    } else if (std::unsigned_integral<T> && text.starts_with('-')) {
        const bool is_number = text.size() > 1 && text.find_first_not_of("0123456789", 1) == text.npos;
        value = 0;
        const bool is_zero = text.find_first_not_of('0', 1) == text.npos;
        return !is_number ? Parse::malformed : is_zero ? Parse::good : Parse::out_of_range;
    }
    const std::size_t sign = text.starts_with('-') ? 1 : 0;
    if (text.size() == sign || std::string_view(".0123456789").find(text[sign]) == text.npos)
        return Parse::malformed; // also "nan" and "inf", which from_chars takes
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size() || error == std::errc::invalid_argument)
        return Parse::malformed;
    if (error != std::errc::result_out_of_range)
        return Parse::good;
    if constexpr (std::same_as<T, double>) {
        if (is_rounded_largest(text)) {
            value = std::copysign(std::numeric_limits<double>::max(), sign ? -1.0 : 1.0);
            return Parse::good;
        }
    }
    return Parse::out_of_range;
}

} // namespace tenon::fmi
