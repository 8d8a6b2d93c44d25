#include "tools/system/units.hpp"

#include "tools/io/errors.hpp"

#include <array>
#include <cmath>

namespace tenon::master {
namespace {

std::string quoted(const fmi::Unit& unit) { return "'" + printable(unit.name) + "'"; }

/// "'kN' (kg.m/s2)"
std::string explained(const fmi::Unit& unit) {
    return quoted(unit) + " (" + exponents_text(*unit.base) + ")";
}

Conversion refused(std::string problem) { return {{}, std::move(problem)}; }

} // namespace

std::string exponents_text(const fmi::BaseUnit& unit) {
    constexpr std::array<const char*, 8> symbols = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
    std::string above, below;
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        const int exponent = unit.exponents[i];
        if (exponent == 0)
            continue;
        std::string& side = exponent > 0 ? above : below;
        side += (exponent > 0 ? (above.empty() ? "" : ".") : "/") + std::string(symbols[i]);
        if (std::abs(exponent) > 1)
            side += std::to_string(std::abs(exponent));
    }
    return (above.empty() ? "1" : above) + below;
}

Conversion conversion(const fmi::Unit& from, const fmi::Unit& to, bool relative) {
    if (from.name.empty() || to.name.empty())
        return {};
    if (!from.base || !to.base) {
        if (from.name == to.name)
            return {};
        const fmi::Unit& unknown = from.base ? to : from;
        return refused("unit " + quoted(from) + " cannot be converted to " + quoted(to) + ": " +
                       quoted(unknown) + " is not defined");
    }
    const fmi::BaseUnit &a = *from.base, &b = *to.base;
    if (a.exponents != b.exponents)
        return refused("unit " + explained(from) + " cannot be converted to " + explained(to));
    // Equal units must not cost a rounding.
    if (a == b || (relative && a.factor == b.factor))
        return {};
    const Linear linear{a.factor / b.factor, relative ? 0 : (a.offset - b.offset) / b.factor};
    if (!std::isfinite(linear.factor) || !std::isfinite(linear.offset) || linear.factor == 0)
        return refused("unit " + quoted(from) + " cannot be converted to " + quoted(to) +
                       ": their factors are too far apart");
    return {linear, {}};
}

} // namespace tenon::master
