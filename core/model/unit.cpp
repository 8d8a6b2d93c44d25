#include "core/model/unit.hpp"

#include "core/math/error.hpp"

#include <charconv>
#include <numbers>

namespace tenon {
namespace {

struct Symbol {
    std::string_view name;
    std::array<int, 8> exponents; // kg m s A K mol cd rad
    double factor;
    bool prefixed; // takes n u m c k M G
};

constexpr double pi = std::numbers::pi;
constexpr Symbol symbols[] = {
    {"1", {}, 1, false},
    {"%", {}, 0.01, false},
    {"kg", {1}, 1, false},
    {"g", {1}, 1e-3, true},
    {"t", {1}, 1e3, false},
    {"m", {0, 1}, 1, true},
    {"s", {0, 0, 1}, 1, true},
    {"min", {0, 0, 1}, 60, false},
    {"h", {0, 0, 1}, 3600, false},
    {"A", {0, 0, 0, 1}, 1, true},
    {"K", {0, 0, 0, 0, 1}, 1, false},
    {"rad", {0, 0, 0, 0, 0, 0, 0, 1}, 1, true},
    {"deg", {0, 0, 0, 0, 0, 0, 0, 1}, pi / 180, false},
    {"rev", {0, 0, 0, 0, 0, 0, 0, 1}, 2 * pi, false},
    {"rpm", {0, 0, -1, 0, 0, 0, 0, 1}, pi / 30, false},
    {"Hz", {0, 0, -1}, 1, true},
    {"N", {1, 1, -2}, 1, true},
    {"J", {1, 2, -2}, 1, true},
    {"W", {1, 2, -3}, 1, true},
    {"Pa", {1, -1, -2}, 1, true},
    {"bar", {1, -1, -2}, 1e5, false},
    {"V", {1, 2, -3, -1}, 1, true},
};

struct Prefix {
    char name;
    double factor;
};
constexpr Prefix prefixes[] = {{'n', 1e-9}, {'u', 1e-6}, {'m', 1e-3}, {'c', 1e-2},
                               {'k', 1e3},  {'M', 1e6},  {'G', 1e9}};

std::optional<Unit> find_symbol(std::string_view name) {
    for (const Symbol& symbol : symbols)
        if (symbol.name == name)
            return Unit{symbol.exponents, symbol.factor};
    for (const Prefix& prefix : prefixes)
        for (const Symbol& symbol : symbols)
            if (symbol.prefixed && name.size() == symbol.name.size() + 1 && name.front() == prefix.name &&
                name.substr(1) == symbol.name)
                return Unit{symbol.exponents, prefix.factor * symbol.factor};
    return {};
}

} // namespace

std::optional<Unit> find_unit(std::string_view name) {
    Unit unit;
    int sign = 1;
    while (true) {
        const std::size_t end = std::min(name.find_first_of("./"), name.size());
        std::string_view term = name.substr(0, end);
        int exponent = 1;
        const std::size_t digits = term.find_first_of("-0123456789");
        if (term != "1" && digits != std::string_view::npos) {
            const auto [stop, error] =
                std::from_chars(term.data() + digits, term.data() + term.size(), exponent);
            if (error != std::errc() || stop != term.data() + term.size() || exponent < -9 || exponent > 9)
                return {};
            term = term.substr(0, digits);
        }
        const std::optional<Unit> symbol = find_symbol(term);
        if (!symbol)
            return {};
        exponent *= sign;
        for (std::size_t i = 0; i < unit.exponents.size(); ++i)
            unit.exponents[i] += exponent * symbol->exponents[i];
        for (int i = 0; i < exponent; ++i)
            unit.factor *= symbol->factor;
        for (int i = 0; i < -exponent; ++i)
            unit.factor /= symbol->factor;
        if (end == name.size())
            return unit;
        sign = name[end] == '/' ? -1 : 1;
        name.remove_prefix(end + 1);
    }
}

double conversion(std::string_view from, std::string_view to, const std::string& element) {
    const auto known = [&](std::string_view name) {
        const std::optional<Unit> unit = find_unit(name);
        if (!unit)
            throw Error(ErrorKind::model,
                        "'" + element + "': unit '" + std::string(name) +
                            "' is not understood; units are written like m, mm, N.m, rad/s, deg, kg.m2",
                        element);
        return *unit;
    };
    const Unit a = known(from), b = known(to);
    if (!a.same_quantity(b))
        throw Error(ErrorKind::model,
                    "'" + element + "': unit '" + std::string(from) + "' does not measure the same as '" +
                        std::string(to) + "'; leave it out or give one that does",
                    element);
    return a.factor / b.factor;
}

} // namespace tenon
