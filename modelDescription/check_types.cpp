// Rules about types, the variables that declare them, and the limits that both may have.

#include "modelDescription/check_parts.hpp"
#include "modelDescription/message_text.hpp"
#include "modelDescription/numbers.hpp"
#include "modelDescription/words.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tenon::fmi {
namespace {

void type_names(Check& check) {
    const std::vector<TypeDefinition>& types = check.description.types;
    for (std::size_t i = 0; i < types.size(); ++i) {
        if (types[i].name.empty())
            check.report("type-name", "modelDescription.xml TypeDefinitions",
                         fmt::format("type number {} has no name", i + 1));
        else if (check.variables.find(types[i].name))
            check.report("type-variable-clash", place_in_description("type", types[i].name),
                         "a variable has the same name");
    }
    check.types.repeated([&](std::size_t, std::size_t repeated) {
        check.report("type-name", place_in_description("type", types[repeated].name), "it is defined twice");
    });
}

void enumeration_items(Check& check, const TypeDefinition& type) {
    const std::string place = place_in_description("type", type.name);
    if (type.type == Type::enumeration && type.items.empty())
        check.report("enumeration-items", place, "the enumeration has no items");
    Index<std::string_view> names;
    Index<std::int64_t> values;
    for (std::size_t i = 0; i < type.items.size(); ++i) {
        names.add(type.items[i].name, i);
        values.add(type.items[i].value, i);
    }
    names.finish();
    values.finish();
    names.repeated([&](std::size_t, std::size_t i) {
        check.report("enumeration-items", place,
                     fmt::format("two items are named {}", quoted(type.items[i].name)));
    });
    values.repeated([&](std::size_t, std::size_t i) {
        check.report("enumeration-items", place, fmt::format("two items have value {}", type.items[i].value));
    });
}

/// `owner` is a variable, or the place of a type.
template <typename Owner>
void bounds(Check& check, const Owner& owner, const std::optional<double>& min,
            const std::optional<double>& max, const std::optional<double>& nominal) {
    const bool finite = std::isfinite(min.value_or(0)) && std::isfinite(max.value_or(0));
    if (!finite || (min && max && *min > *max))
        check.report(
            "bounds", owner,
            fmt::format("min is {} and max {}", min ? digits(*min) : "absent", max ? digits(*max) : "absent"),
            finite ? "" : "leave out what has no limit");
    if (nominal && !(*nominal > 0 && std::isfinite(*nominal)))
        check.report("nominal", owner, fmt::format("nominal is {}, not more than 0", digits(*nominal)));
}

void declared_type(Check& check, const Variable& variable) {
    if (variable.declared_type.empty()) {
        if (variable.type == Type::enumeration)
            check.report("enumeration-type", variable, "it has no declaredType, so nobody knows its items");
        return;
    }
    const TypeDefinition* type = check.type(variable.declared_type);
    if (!type)
        check.report("declared-type-undefined", variable,
                     fmt::format("type {} is not defined", quoted(variable.declared_type)),
                     "define it in TypeDefinitions");
    else if (type->type != variable.type)
        check.report("declared-type-mismatch", variable,
                     fmt::format("it is a {}, but type {} is a {}", word(variable.type),
                                 quoted(variable.declared_type), word(type->type)));
}

} // namespace

void check_types(Check& check) {
    type_names(check);
    for (const TypeDefinition& type : check.description.types) {
        enumeration_items(check, type);
        bounds(check, place_in_description("type", type.name), type.min, type.max, type.nominal);
    }
    for (const Variable& variable : check.description.variables) {
        declared_type(check, variable);
        bounds(check, variable, variable.min, variable.max, variable.nominal);
    }
}

} // namespace tenon::fmi
