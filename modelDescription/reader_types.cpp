// Units, types, and what variables take over from their types.

#include "modelDescription/reader_parts.hpp"

#include <utility>

namespace tenon::fmi {
namespace {

/// Nothing where no unit can be converted with it.
std::optional<double> read_factor(const Element& element) {
    if (!element.has("factor"))
        return 1;
    std::optional<double> factor = element.usable<double>("factor");
    if (factor == 0)
        element.note("unit-factor", "factor is 0; a unit cannot be converted with it");
    return factor == 0 ? std::nullopt : factor;
}

/// Nothing where it is not known what the unit means.
std::optional<BaseUnit> read_base_unit(const Element& element) {
    constexpr int lowest = -128, largest = 127;
    BaseUnit base;
    for (std::size_t i = 0; i < base_unit_words.size(); ++i) {
        const int exponent = element.number<int>(base_unit_words[i].data()).value_or(0);
        if (exponent < lowest || exponent > largest)
            element.refuse(fmt::format("the exponent of {} is {} (limits {} and {})", base_unit_words[i],
                                       exponent, lowest, largest));
        base.exponents[i] = exponent;
    }
    const std::optional<double> factor = read_factor(element);
    base.factor = factor.value_or(1);
    base.offset = element.usable<double>("offset").value_or(0);
    return factor ? std::optional(base) : std::nullopt;
}

Unit read_unit(const Element& element, Version version) {
    Unit unit;
    unit.name = element.text("name");
    if (const Element base = element.child("BaseUnit"))
        unit.base = read_base_unit(base);
    element.each("DisplayUnit", [&](const Element& display) {
        const std::optional<double> factor = read_factor(display);
        if (factor)
            unit.display_units.push_back({display.text("name"), *factor,
                                          display.usable<double>("offset").value_or(0),
                                          version == Version::fmi3 && display.flag("inverse")});
    });
    return unit;
}

std::optional<double> read_bound(const Element& element, const char* key, Version version, Type type) {
    if (!element.has(key))
        return {};
    if (type == Type::float64)
        return element.usable<double>(key);
    if (type == Type::float32)
        return element.usable<float>(key);
    const IntegerRange range = integer_range(version, type);
    const auto bound = [&](const auto value) -> std::optional<double> {
        if (!value)
            return {};
        if (std::cmp_less(*value, range.lowest) || std::cmp_greater(*value, range.largest)) {
            element.note("number-range", fmt::format("{} is {} (limits {} and {}); it is left out", key,
                                                     *value, range.lowest, range.largest));
            return {};
        }
        return static_cast<double>(*value);
    };
    return is_unsigned(type) ? bound(element.usable<std::uint64_t>(key))
                             : bound(element.usable<std::int64_t>(key));
}

template <typename Quantity>
void read_quantity_of(const Element& element, Version version, Quantity& quantity) {
    const bool number = is_float(quantity.type) || is_signed(quantity.type) || is_unsigned(quantity.type);
    if (!number)
        return;
    quantity.quantity = element.text("quantity");
    quantity.min = read_bound(element, "min", version, quantity.type);
    quantity.max = read_bound(element, "max", version, quantity.type);
    if (!is_float(quantity.type))
        return;
    quantity.unit = element.text("unit");
    quantity.display_unit = element.text("displayUnit");
    quantity.relative_quantity = element.flag("relativeQuantity");
    quantity.nominal = read_bound(element, "nominal", version, quantity.type);
}

void inherit(const Element& element, const TypeDefinition& type, Variable& variable) {
    if (variable.unit.empty())
        variable.unit = type.unit;
    // A display unit belongs to a unit: it is not the variable's where the variable has another unit.
    if (variable.display_unit.empty() && variable.unit == type.unit)
        variable.display_unit = type.display_unit;
    if (variable.quantity.empty())
        variable.quantity = type.quantity;
    if (!element.has("relativeQuantity"))
        variable.relative_quantity = type.relative_quantity;
    if (!variable.min)
        variable.min = type.min;
    if (!variable.max)
        variable.max = type.max;
    if (!variable.nominal)
        variable.nominal = type.nominal;
}

} // namespace

void read_units(const Element& root, Description& description) {
    root.child("UnitDefinitions").each("Unit", [&](const Element& element) {
        description.units.push_back(read_unit(element, description.version));
    });
}

void read_quantity(const Element& element, Version version, TypeDefinition& type) {
    read_quantity_of(element, version, type);
}

void read_quantity(const Element& element, Version version, Variable& variable) {
    read_quantity_of(element, version, variable);
}

void read_items(const Element& element, Version version, TypeDefinition& type) {
    element.each("Item", [&](const Element& item) {
        const auto value = version == Version::fmi2 ? item.required<std::int32_t>("value")
                                                    : item.required<std::int64_t>("value");
        type.items.push_back({item.text("name"), value, item.text("description")});
    });
}

Index<std::string_view> index_of(const std::vector<TypeDefinition>& types) {
    Index<std::string_view> names;
    for (std::size_t i = 0; i < types.size(); ++i)
        names.add(types[i].name, i);
    names.finish();
    return names;
}

void read_type_of_variable(const Element& element, const std::vector<TypeDefinition>& types,
                           const Index<std::string_view>& names, Variable& variable) {
    variable.declared_type = element.text("declaredType");
    if (!variable.declared_type.empty())
        if (const auto found = names.find(variable.declared_type))
            if (types[*found].type == variable.type)
                inherit(element, types[*found], variable);
    if (variable.causality == Causality::independent && variable.unit.empty() && is_float(variable.type))
        variable.unit = "s";
}

} // namespace tenon::fmi
