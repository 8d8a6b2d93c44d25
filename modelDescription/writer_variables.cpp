// What the variables of FMI 2.0 and 3.0 have in common.

#include "modelDescription/standard.hpp"
#include "modelDescription/words.hpp"
#include "modelDescription/writer_parts.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tenon::fmi {
namespace {

/// An integer type's bound, which is a double here: 2^63 and 2^64 stand for the largest integer below them.
void write_integer_bound(XmlWriter& xml, std::string_view key, Version version, Type type, double bound,
                         std::string_view name) {
    const IntegerRange range = integer_range(version, type);
    if (bound != std::trunc(bound) || bound < static_cast<double>(range.lowest) ||
        bound > static_cast<double>(range.largest))
        cannot_write("variable or type", name,
                     fmt::format("its {} {} is no {}", key, bound, word(version, type)));
    if (bound >= static_cast<double>(range.largest))
        xml.number(key, range.largest);
    else if (bound < 0)
        xml.number(key, static_cast<std::int64_t>(bound));
    else
        xml.number(key, static_cast<std::uint64_t>(bound));
}

void write_bound(XmlWriter& xml, std::string_view key, Version version, Type type,
                 const std::optional<double>& bound, std::string_view name) {
    if (!bound)
        return;
    if (type == Type::float64)
        xml.number(key, *bound);
    else if (type == Type::float32)
        xml.number(key, static_cast<float>(*bound));
    else
        write_integer_bound(xml, key, version, type, *bound, name);
}

/// What the variable's type says already, and need not be said again.
TypeDefinition inherited_from(const WriterContext& context, const Variable& variable) {
    const auto found = context.types.find(variable.declared_type);
    if (variable.declared_type.empty() || !found || context.description.types[*found].type != variable.type)
        return {};
    TypeDefinition type = context.description.types[*found];
    if (type.unit != variable.unit)
        type.display_unit.clear();
    return type;
}

template <typename Value> Value unless_equal(const Value& value, const Value& inherited) {
    return value == inherited ? Value{} : value;
}

bool has_quantity(Type type) { return is_float(type) || is_signed(type) || is_unsigned(type); }

template <typename Parsed> void write_values(XmlWriter& xml, const auto& values) {
    xml.numbers("start", values, [](auto value) { return static_cast<Parsed>(value); });
}

void check_integers(Version version, const Variable& variable, const auto& values) {
    const IntegerRange range = integer_range(version, variable.type);
    for (const auto value : values)
        if (std::cmp_less(value, range.lowest) || std::cmp_greater(value, range.largest))
            cannot_write("variable", variable.name,
                         fmt::format("start {} is no {}", value, word(version, variable.type)));
}

} // namespace

void write_quantity(XmlWriter& xml, Version version, const TypeDefinition& type) {
    if (!has_quantity(type.type))
        return;
    xml.optional("quantity", type.quantity);
    if (is_float(type.type)) {
        xml.optional("unit", type.unit);
        xml.optional("displayUnit", type.display_unit);
        xml.flag("relativeQuantity", type.relative_quantity);
    }
    if (type.type == Type::enumeration && version == Version::fmi2)
        return; // its limits are its items
    write_bound(xml, "min", version, type.type, type.min, type.name);
    write_bound(xml, "max", version, type.type, type.max, type.name);
    if (is_float(type.type))
        write_bound(xml, "nominal", version, type.type, type.nominal, type.name);
}

void write_quantity(XmlWriter& xml, const WriterContext& context, const Variable& variable) {
    const Version version = context.description.version;
    xml.optional("declaredType", variable.declared_type);
    if (!has_quantity(variable.type))
        return;
    const TypeDefinition type = inherited_from(context, variable);
    xml.optional("quantity", unless_equal(variable.quantity, type.quantity));
    if (is_float(variable.type)) {
        // Seconds are the unit of time without saying so; saying so needs the unit to be defined.
        const bool implied =
            variable.causality == Causality::independent && variable.unit == "s" && !context.units.find("s");
        if (!implied)
            xml.optional("unit", unless_equal(variable.unit, type.unit));
        xml.optional("displayUnit", unless_equal(variable.display_unit, type.display_unit));
        if (variable.relative_quantity != type.relative_quantity)
            xml.attribute("relativeQuantity", variable.relative_quantity ? "true" : "false");
    }
    write_bound(xml, "min", version, variable.type, unless_equal(variable.min, type.min), variable.name);
    write_bound(xml, "max", version, variable.type, unless_equal(variable.max, type.max), variable.name);
    if (is_float(variable.type))
        write_bound(xml, "nominal", version, variable.type, unless_equal(variable.nominal, type.nominal),
                    variable.name);
}

void write_items(XmlWriter& xml, const TypeDefinition& type) {
    for (const EnumerationItem& item : type.items) {
        xml.open("Item");
        xml.attribute("name", item.name);
        xml.number("value", item.value);
        xml.optional("description", item.description);
        xml.close();
    }
}

void write_variable_head(XmlWriter& xml, Version version, const Variable& variable) {
    xml.attribute("name", variable.name);
    xml.number("valueReference", variable.reference);
    xml.optional("description", variable.description);
    if (variable.causality != Causality::local)
        xml.attribute("causality", word(variable.causality));
    if (version == Version::fmi2 ||
        variable.variability != default_variability(version, variable.type, variable.causality))
        xml.attribute("variability", word(variable.variability));
    const bool input_of_fmi2 = version == Version::fmi2 && variable.causality == Causality::input;
    if (variable.initial != default_initial(version, variable) && !input_of_fmi2)
        xml.optional("initial", word(variable.initial));
}

void write_start(XmlWriter& xml, Version version, const Variable& variable) {
    if (const auto* reals = std::get_if<std::vector<double>>(&variable.start)) {
        if (variable.type == Type::float64)
            return write_values<double>(xml, *reals);
        if (variable.type == Type::float32)
            return write_values<float>(xml, *reals);
    } else if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&variable.start)) {
        check_integers(version, variable, *integers);
        if (variable.type == Type::boolean)
            return write_values<bool>(xml, *integers);
        if (is_signed(variable.type))
            return write_values<std::int64_t>(xml, *integers);
    } else if (const auto* naturals = std::get_if<std::vector<std::uint64_t>>(&variable.start)) {
        check_integers(version, variable, *naturals);
        if (is_unsigned(variable.type))
            return write_values<std::uint64_t>(xml, *naturals);
    } else if (const auto* texts = std::get_if<std::vector<std::string>>(&variable.start)) {
        if (variable.type == Type::string && version == Version::fmi2 && texts->size() == 1)
            return xml.attribute("start", texts->front());
        if (version == Version::fmi3 && (variable.type == Type::string || variable.type == Type::binary))
            return;
    } else {
        return;
    }
    cannot_write("variable", variable.name,
                 fmt::format("its start values are none of a {}", word(version, variable.type)));
}

void write_kinds(XmlWriter& xml, const Unknown& unknown) {
    std::string kinds;
    for (const std::string& kind : unknown.kinds)
        kinds += (kinds.empty() ? "" : " ") + kind;
    xml.optional("dependenciesKind", kinds);
}

} // namespace tenon::fmi
