#pragma once
// Conversion between the units of two variables, from what their FMUs say the units mean.

#include "modelDescription/description.hpp"

#include <optional>
#include <string>

namespace tenon::system {

/// value -> factor * value + offset
struct Linear {
    double factor = 1, offset = 0;

    bool is_identity() const { return factor == 1 && offset == 0; }
    /// First this, then `next`.
    Linear then(const Linear& next) const {
        if (is_identity())
            return next;
        return {next.factor * factor, next.factor * offset + next.offset};
    }
};

/// Either the conversion, or why there is none: one clause that names both units.
struct Conversion {
    Linear linear;
    std::string problem;
    /// With a problem: the factor between turns and radians, where one of the units is a kind of Hz and that is all that is
    /// between them. FMI has no conversion for it, since a turn is not a unit.
    std::optional<double> turns = {};
};

/// From a value in unit `from` to one in unit `to`. Where one has no name, values pass unchanged, as they do where the names
/// are equal and one of them is not defined. `relative`: differences of values, which the offsets of units do not change.
/// rad counts as a base unit: rad/s is not 1/s.
Conversion conversion(const fmi::Unit& from, const fmi::Unit& to, bool relative);

/// "kg.m/s2" for a message; "1" without exponents.
std::string exponents_text(const fmi::BaseUnit& unit);

} // namespace tenon::system
