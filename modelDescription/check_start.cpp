// Rules about start values.

#include "modelDescription/check_parts.hpp"
#include "modelDescription/message_text.hpp"
#include "modelDescription/numbers.hpp"
#include "modelDescription/standard.hpp"
#include "modelDescription/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tenon::fmi {
namespace {

bool has_start(const Variable& variable) { return !std::holds_alternative<std::monostate>(variable.start); }

void presence(Check& check, const Variable& variable) {
    if (needs_start(variable) && !has_start(variable))
        check.report("start-missing", variable,
                     variable.initial == Initial::none
                         ? fmt::format("causality {} needs a start value", word(variable.causality))
                         : fmt::format("causality {} with initial {} needs a start value",
                                       word(variable.causality), word(variable.initial)));
    if (forbids_start(variable) && has_start(variable))
        check.report("start-forbidden", variable,
                     fmt::format("a variable with causality {} and initial {} has no start value",
                                 word(variable.causality),
                                 variable.initial == Initial::none ? "(none)" : word(variable.initial)));
}

bool fits_type(Version version, Type type, const std::vector<double>& values) {
    const double largest =
        type == Type::float32 ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
    return is_float(type) && std::ranges::all_of(values, [&](double v) { return std::fabs(v) <= largest; }) &&
           (version == Version::fmi3 || type == Type::float64);
}

template <std::integral Value> bool fits_type(Version version, Type type, const std::vector<Value>& values) {
    const bool right_kind =
        std::is_signed_v<Value> ? is_signed(type) || type == Type::boolean : is_unsigned(type);
    const IntegerRange range = integer_range(version, type);
    return right_kind && std::ranges::all_of(values, [&](Value v) {
               return std::cmp_greater_equal(v, range.lowest) && std::cmp_less_equal(v, range.largest);
           });
}

bool fits_type(Version, Type type, const std::vector<std::string>&) {
    return type == Type::string || type == Type::binary;
}

bool fits_type(Version, Type, std::monostate) { return true; }

bool type_of_values(Check& check, const Variable& variable) {
    const bool fits = std::visit(
        [&](const auto& values) { return fits_type(check.description.version, variable.type, values); },
        variable.start);
    if (!fits)
        check.report(
            "start-type", variable,
            fmt::format("a start value is no {}, too large for one, or not finite", word(variable.type)));
    return fits;
}

void number_of_values(Check& check, const Variable& variable) {
    const std::size_t count = std::visit(
        []<typename Values>(const Values& values) -> std::size_t {
            if constexpr (std::is_same_v<Values, std::monostate>)
                return 0;
            else
                return values.size();
        },
        variable.start);
    if (has_start(variable) && count != 1 && count != variable.elements())
        check.report("start-count", variable,
                     fmt::format("{} start values for {} elements", count, variable.elements()),
                     "give one value for all elements, or one for each");
}

template <typename Value>
void range_of(Check& check, const Variable& variable, const std::vector<Value>& values) {
    for (const Value value : values) {
        const auto number = static_cast<double>(value);
        if ((variable.min && number < *variable.min) || (variable.max && number > *variable.max)) {
            check.report("start-range", variable,
                         fmt::format("start {} is not between min {} and max {}", digits(number),
                                     variable.min ? digits(*variable.min) : "(none)",
                                     variable.max ? digits(*variable.max) : "(none)"));
            return; // one is enough of an array
        }
    }
}

void range_of_values(Check& check, const Variable& variable) {
    std::visit(
        [&]<typename Values>(const Values& values) {
            if constexpr (!std::is_same_v<Values, std::monostate> &&
                          !std::is_same_v<Values, std::vector<std::string>>)
                range_of(check, variable, values);
        },
        variable.start);
}

void values_are_items(Check& check, const Variable& variable) {
    const auto* values = std::get_if<std::vector<std::int64_t>>(&variable.start);
    const TypeDefinition* type =
        variable.type == Type::enumeration ? check.type(variable.declared_type) : nullptr;
    if (!values || !type || type->type != Type::enumeration)
        return;
    for (const std::int64_t value : *values)
        if (!check.items.find({type->name, value})) {
            check.report("start-item", variable,
                         fmt::format("start {} is not an item of type {}", value, quoted(type->name)));
            return;
        }
}

} // namespace

void check_start(Check& check, const Variable& variable) {
    presence(check, variable);
    number_of_values(check, variable);
    if (!type_of_values(check, variable))
        return; // the others would say the same again
    range_of_values(check, variable);
    values_are_items(check, variable);
}

} // namespace tenon::fmi
