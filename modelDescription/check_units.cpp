// Rules about units, and about who has them.

#include "modelDescription/check_parts.hpp"
#include "modelDescription/message_text.hpp"
#include "modelDescription/numbers.hpp"
#include "modelDescription/words.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tenon::fmi {
namespace {

void unit_names(Check& check) {
    const std::vector<Unit>& units = check.description.units;
    for (std::size_t i = 0; i < units.size(); ++i)
        if (units[i].name.empty())
            check.report("unit-name", "modelDescription.xml UnitDefinitions",
                         fmt::format("unit number {} has no name", i + 1));
    check.units.repeated([&](std::size_t, std::size_t repeated) {
        check.report("unit-name", place_in_description("unit", units[repeated].name), "it is defined twice");
    });
}

void conversion(Check& check, const std::string& place, double factor, double offset) {
    if (factor == 0 || !std::isfinite(factor))
        check.report("unit-factor", place, fmt::format("factor is {}", digits(factor)));
    if (!std::isfinite(offset))
        check.report("unit-factor", place, fmt::format("offset is {}", digits(offset)));
}

void base_unit(Check& check, const Unit& unit) {
    constexpr int lowest = -128, largest = 127;
    if (!unit.base)
        return;
    const std::string place = place_in_description("unit", unit.name);
    conversion(check, place, unit.base->factor, unit.base->offset);
    for (std::size_t i = 0; i < base_unit_words.size(); ++i)
        if (unit.base->exponents[i] < lowest || unit.base->exponents[i] > largest)
            check.report("unit-exponent", place,
                         fmt::format("the exponent of {} is {} (limits {} and {})", base_unit_words[i],
                                     unit.base->exponents[i], lowest, largest));
}

void display_units(Check& check, const Unit& unit) {
    Index<std::string_view> names;
    for (std::size_t i = 0; i < unit.display_units.size(); ++i) {
        const DisplayUnit& display = unit.display_units[i];
        const std::string place = place_in_description("display unit", display.name);
        names.add(display.name, i);
        conversion(check, place, display.factor, display.offset);
        if (display.name.empty())
            check.report("display-unit-name", place_in_description("unit", unit.name),
                         fmt::format("display unit number {} has no name", i + 1));
        if (display.inverse && display.offset != 0)
            check.report("display-unit-inverse", place,
                         fmt::format("it is inverse and has offset {}", digits(display.offset)));
    }
    names.finish();
    names.repeated([&](std::size_t, std::size_t repeated) {
        check.report(
            "display-unit-name", place_in_description("unit", unit.name),
            fmt::format("display unit {} is defined twice", quoted(unit.display_units[repeated].name)));
    });
}

/// `owner` is a variable, or the place of a type.
template <typename Owner>
void use_of_units(Check& check, const Owner& owner, Type type, std::string_view unit_name,
                  std::string_view display_name) {
    if (!is_float(type)) {
        if (!unit_name.empty() || !display_name.empty())
            check.report("unit-of-float", owner,
                         fmt::format("a {} has unit {}", word(type), quoted(unit_name)));
        return;
    }
    if (unit_name.empty()) {
        if (!display_name.empty())
            check.report("display-unit-alone", owner,
                         fmt::format("it has display unit {} but no unit", quoted(display_name)));
        return;
    }
    if (!check.unit(unit_name))
        check.report("unit-undefined", owner, fmt::format("unit {} is not defined", quoted(unit_name)),
                     "define it in UnitDefinitions");
    else if (!display_name.empty() && !check.display_units.find({unit_name, display_name}))
        check.report("display-unit-undefined", owner,
                     fmt::format("display unit {} is not defined for unit {}", quoted(display_name),
                                 quoted(unit_name)));
}

void units_of_types(Check& check) {
    for (const TypeDefinition& type : check.description.types)
        use_of_units(check, place_in_description("type", type.name), type.type, type.unit, type.display_unit);
}

void units_of_variables(Check& check) {
    for (const Variable& variable : check.description.variables) {
        const bool seconds_of_time =
            variable.causality == Causality::independent && variable.unit == "s" && !check.unit("s");
        if (!seconds_of_time)
            use_of_units(check, variable, variable.type, variable.unit, variable.display_unit);
        for (const AliasName& alias : variable.aliases)
            if (!alias.display_unit.empty() && (variable.unit.empty() || check.unit(variable.unit)))
                use_of_units(check, variable, variable.type, variable.unit, alias.display_unit);
    }
}

/// Once for each unit: the fault is the unit's.
void base_units_of_variables(Check& check) {
    std::vector<bool> reported(check.description.units.size());
    for (const Variable& variable : check.description.variables) {
        const auto found = variable.unit.empty() ? std::nullopt : check.units.find(variable.unit);
        if (!found || check.description.units[*found].base || reported[*found])
            continue;
        reported[*found] = true;
        check.report("unit-base-missing", place_in_description("unit", variable.unit),
                     fmt::format("it has no BaseUnit, but variable {} has it", quoted(variable.name)),
                     "without it nobody can convert the value, nor see that a connection is wrong");
    }
}

} // namespace

void check_units(Check& check) {
    unit_names(check);
    for (const Unit& unit : check.description.units) {
        base_unit(check, unit);
        display_units(check, unit);
    }
    units_of_types(check);
    units_of_variables(check);
    base_units_of_variables(check);
}

} // namespace tenon::fmi
