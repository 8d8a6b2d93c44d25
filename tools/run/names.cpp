#include "tools/run/names.hpp"

#include "core/math/error.hpp"
#include "core/model/suggest.hpp"

#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace tenon::run {
namespace {

[[noreturn]] void refuse(std::string_view what, std::string_view text, std::string_view wanted) {
    throw Error(ErrorKind::usage, fmt::format("{} must be {} (it is '{}')", what, wanted, text));
}

} // namespace

double parse_number(std::string_view text, std::string_view what) {
    std::string_view digits = text;
    if (digits.starts_with('+') && !digits.starts_with("+-"))
        digits.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value))
        refuse(what, text, "a finite number");
    return value;
}

double parse_positive(std::string_view text, std::string_view what) {
    const double value = parse_number(text, what);
    if (!(value > 0))
        refuse(what, text, "above 0");
    return value;
}

double parse_nonnegative(std::string_view text, std::string_view what) {
    const double value = parse_number(text, what);
    if (!(value >= 0))
        refuse(what, text, "0 or more");
    return value;
}

long parse_count(std::string_view text, std::string_view what) {
    long value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 1)
        refuse(what, text, "a whole number of at least 1");
    return value;
}

Assignment parse_assignment(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
        throw Error(ErrorKind::usage,
                    fmt::format("--set wants name=value (it is '{}'); for example --set crank.mass=2", text));
    return {text.substr(0, equals), text.substr(equals + 1)};
}

bool matches(std::string_view pattern, std::string_view name) {
    // The usual two pointers: on a mismatch the last star takes one character more.
    std::size_t p = 0, n = 0, star = std::string_view::npos, after_star = 0;
    while (n < name.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            after_star = n;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
            ++p;
            ++n;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            n = ++after_star;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

std::vector<std::string> single_patterns(const std::vector<std::string>& lists) {
    std::vector<std::string> patterns;
    for (const std::string& list : lists) {
        patterns.emplace_back();
        bool in_brackets = false;
        for (const char c : list) {
            if (c == '[' || c == ']')
                in_brackets = c == '[';
            if (c == ',' && !in_brackets)
                patterns.emplace_back();
            else
                patterns.back() += c;
        }
    }
    return patterns;
}

std::vector<std::string> split_list(std::string_view list, char separator) {
    std::vector<std::string> words;
    for (std::size_t from = 0; from <= list.size();) {
        const std::size_t comma = std::min(list.find(separator, from), list.size());
        const std::string_view word = list.substr(from, comma - from);
        const std::size_t first = std::min(word.find_first_not_of(" \t"), word.size());
        words.emplace_back(word.substr(first, word.find_last_not_of(" \t") + 1 - first));
        from = comma + 1;
    }
    return words;
}

std::vector<std::size_t> select(const std::vector<std::string>& patterns,
                                const std::vector<std::string>& names) {
    std::vector<bool> chosen(names.size(), patterns.empty());
    const auto choose = [&](std::string_view pattern) {
        bool any = false;
        for (std::size_t i = 0; i < names.size(); ++i)
            if (matches(pattern, names[i]))
                chosen[i] = any = true;
        if (!any)
            throw Error(ErrorKind::usage, fmt::format("no variable matches --vars '{}'; {}", pattern,
                                                      suggestion(pattern, names)));
    };
    for (const std::string& pattern : single_patterns(patterns))
        choose(pattern);
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < names.size(); ++i)
        if (chosen[i])
            indices.push_back(i);
    return indices;
}

} // namespace tenon::run
