#pragma once
// Units of measurement by name: "m", "N.m", "kg.m2", "rad/s2", "kN", "deg", "rpm".

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace tenon {

/// value in base units = factor * value. Exponents of kg m s A K mol cd rad, in FMI's order.
struct Unit {
    std::array<int, 8> exponents{};
    double factor = 1;

    bool same_quantity(const Unit& other) const { return exponents == other.exponents; }
};

/// Symbols with an exponent ("s2", "s-2"), joined by `.` and `/`; `/` divides by the next symbol only. The symbols
/// are those of mechanics, with the prefixes n u m c k M G where they are usual; "1" is the pure number.
/// Nothing where the name is not understood.
std::optional<Unit> find_unit(std::string_view name);

/// What a number in unit `from` must be multiplied with to be in unit `to`. Throws Error(model) that blames `element` where
/// one is not understood or they measure different things.
double conversion(std::string_view from, std::string_view to, const std::string& element);

} // namespace tenon
