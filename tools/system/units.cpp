#include "tools/system/units.hpp"

#include "tools/files/errors.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace tenon::system {
namespace {

std::string quoted(const fmi::Unit& unit) { return "'" + printable(unit.name) + "'"; }

/// "'kN' (kg.m/s2)"
std::string explained(const fmi::Unit& unit) {
    return quoted(unit) + " (" + exponents_text(*unit.base) + ")";
}

std::optional<double> turns_between(const fmi::Unit& from, const fmi::Unit& to) {
    std::array<int, 8> difference{};
    for (std::size_t i = 0; i < difference.size(); ++i)
        difference[i] = to.base->exponents[i] - from.base->exponents[i];
    constexpr std::array<int, 8> radians = {0, 0, 0, 0, 0, 0, 0, 1}, turns = {0, 0, 0, 0, 0, 0, 0, -1};
    constexpr double turn = 2 * std::numbers::pi;
    const double scale = from.base->factor / to.base->factor;
    if (from.name.ends_with("Hz") && difference == radians)
        return scale * turn;
    if (to.name.ends_with("Hz") && difference == turns)
        return scale / turn;
    return {};
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
        return {{},
                "unit " + explained(from) + " cannot be converted to " + explained(to),
                turns_between(from, to)};
    // Equal units must not cost a rounding.
    if (a == b || (relative && a.factor == b.factor))
        return {};
    const Linear linear{a.factor / b.factor, relative ? 0 : (a.offset - b.offset) / b.factor};
    if (!std::isfinite(linear.factor) || !std::isfinite(linear.offset) || linear.factor == 0)
        return refused("unit " + quoted(from) + " cannot be converted to " + quoted(to) +
                       ": their factors are too far apart");
    return {linear, {}};
}

} // namespace tenon::system
