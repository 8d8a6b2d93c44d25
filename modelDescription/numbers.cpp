#include "modelDescription/numbers.hpp"

#include <algorithm>

namespace tenon::fmi {
namespace {

constexpr std::string_view white_space = " \t\r\n";

} // namespace

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(white_space);
    if (first == text.npos)
        return {};
    return text.substr(first, text.find_last_not_of(white_space) - first + 1);
}

std::string_view next_word(std::string_view& list) {
    const std::size_t first = list.find_first_not_of(white_space);
    if (first == list.npos)
        return list = {};
    const std::size_t end = std::min(list.find_first_of(white_space, first), list.size());
    const std::string_view word = list.substr(first, end - first);
    list.remove_prefix(end);
    return word;
}

std::string digits(double value) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

bool is_rounded_largest(std::string_view text) {
    // 15 digits of the largest double, 1.7976931348623157e308, rounded up.
    constexpr long double rounded = 1.79769313486232e308L;
    long double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && std::fabs(value) <= rounded;
}

bool is_not_finite(std::string_view text) {
    text = trimmed(text);
    for (const std::string_view known : {"NaN", "nan", "-nan", "INF", "+INF", "-INF", "inf", "-inf",
                                         "Infinity", "-Infinity", "1.#INF", "-1.#INF", "1.#QNAN", "-1.#IND"})
        if (text == known)
            return true;
    double value = 0; // 1e999 is infinite to whoever reads it
    return parse_number(text, value) == Parse::out_of_range;
}

} // namespace tenon::fmi
