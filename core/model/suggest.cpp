#include "core/model/suggest.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

namespace tenon {
namespace {

/// Longer words are not compared: the cost is the product of the lengths, and nobody means them.
constexpr std::size_t longest_word = 200;

/// Damerau-Levenshtein distance (optimal string alignment), upper and lower case alike.
std::size_t distance(std::string_view a, std::string_view b) {
    const auto same = [](char x, char y) {
        return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
    };
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = last[j - 1] + (same(a[i - 1], b[j - 1]) ? 0 : 1);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, change});
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        std::swap(before, last);
        std::swap(last, row);
    }
    return last[b.size()];
}

} // namespace

std::string nearest_name(std::string_view given, std::span<const std::string> names) {
    if (given.empty() || given.size() > longest_word)
        return {};
    std::size_t least = std::max<std::size_t>(1, (given.size() + 2) / 3) + 1;
    const std::string* nearest = nullptr;
    for (const std::string& name : names) {
        const std::size_t longer = std::max(name.size(), given.size());
        if (longer > longest_word || longer - std::min(name.size(), given.size()) >= least)
            continue;
        if (const std::size_t d = distance(given, name); d < least) {
            least = d;
            nearest = &name;
        }
    }
    return nearest ? *nearest : std::string();
}

std::string suggestion(std::string_view given, std::span<const std::string> names, std::size_t shown) {
    if (const std::string nearest = nearest_name(given, names); !nearest.empty())
        return "did you mean '" + nearest + "'?";
    if (names.empty())
        return "there are none";
    std::string text = "known: ";
    for (std::size_t i = 0; i < std::min(shown, names.size()); ++i)
        text += (i ? ", " : "") + names[i];
    return names.size() > shown ? text + ", ..." : text;
}

} // namespace tenon
