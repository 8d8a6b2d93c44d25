#pragma once
// A choice among several laws or shapes, each with keys of its own: { type = "bump", start = 5, height = 0.1 }.

#include "core/model/members.hpp"

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tenon {

/// A number, a list, or rows of numbers.
using ChoiceValue = std::variant<double, std::vector<double>, std::vector<std::vector<double>>>;

struct Choice {
    std::string type; ///< empty: none was made
    std::map<std::string, ChoiceValue, std::less<>> values;

    bool has(std::string_view key) const { return values.contains(key); }
    double number(std::string_view key, double fallback = 0) const;
    /// Empty where the key is absent or of another kind.
    std::vector<double> list(std::string_view key) const;
    std::vector<std::vector<double>> rows(std::string_view key) const;

    bool operator==(const Choice&) const = default;
};

template <class Visit> void members(Is<Choice> auto& choice, Visit&& visit) {
    auto& [type, values] = choice;
    visit(type, values);
}

} // namespace tenon
