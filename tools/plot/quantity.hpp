#pragma once
// What a variable is, as far as its name and unit tell: which curves share a panel, and what its axis is called.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::plot {

struct Variable {
    std::string name, unit;
};

/// "v_0" of "crank.v_0[2]"; the whole name where there is no dot.
std::string_view quantity(std::string_view name);

/// A measure of how wrong something is, whose size matters and not its course: constraint.position, pin.gap, residual, error.
bool says_violation(std::string_view name);

/// Variables of equal key are drawn in one panel: those of a unit, those without one of the same quantity, all violations.
std::string panel_key(const Variable& variable);

/// "velocity [m/s]", "constraint violation", "[Pa]": what stands beside the axis of a panel with these variables.
std::string panel_label(std::span<const Variable> variables);

/// A unit as it is printed: "N·m" for "N.m", "m/s²" for "m/s2".
std::string unit_text(std::string_view unit);

/// What somebody who names no variables most likely wants to see: energies, violations, the first angles and distances; or else
/// the first few of all. In the order of `names`.
std::vector<std::string> usual_variables(std::span<const std::string> names);

} // namespace tenon::plot
