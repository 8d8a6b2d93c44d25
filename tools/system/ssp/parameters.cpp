#include "tools/system/ssp/parameters.hpp"

#include "modelDescription/words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace tenon::system {
namespace {

/// Unit exponents beyond these are meaningless.
constexpr int least_exponent = -128, largest_exponent = 127;

fmi::BaseUnit read_base_unit(const Element& element) {
    fmi::BaseUnit unit;
    for (std::size_t i = 0; i < fmi::base_unit_words.size(); ++i) {
        const std::string key(fmi::base_unit_words[i]);
        unit.exponents[i] = element.number<int>(key.c_str()).value_or(0);
        if (unit.exponents[i] < least_exponent || unit.exponents[i] > largest_exponent)
            element.refuse(fmt::format("exponent {} is out of range ({}, limits {} and {})", key,
                                       unit.exponents[i], least_exponent, largest_exponent));
    }
    unit.factor = element.number<double>("factor").value_or(1);
    unit.offset = element.number<double>("offset").value_or(0);
    if (unit.factor == 0)
        element.refuse("factor must not be 0");
    return unit;
}

enum class Form { real, whole, truth, text };

std::optional<Form> form_of(std::string_view type) {
    if (type == "Real" || type == "Float64" || type == "Float32")
        return Form::real;
    if (type == "Boolean")
        return Form::truth;
    if (type == "String" || type == "Enumeration" || type == "Binary")
        return Form::text;
    const std::optional<fmi::Type> integer = fmi::from_word<fmi::Type>(fmi::type_words, type);
    const bool known = integer && (fmi::is_signed(*integer) || fmi::is_unsigned(*integer));
    return type == "Integer" || known ? std::optional(Form::whole) : std::nullopt;
}

/// A double where it is exact.
SettingValue whole_value(std::int64_t value) {
    constexpr std::int64_t exact = std::int64_t(1) << 53;
    return value >= -exact && value <= exact ? SettingValue(static_cast<double>(value)) : SettingValue(value);
}

SettingValue read_scalar(const Element& type, Form form, std::string_view text) {
    switch (form) {
    case Form::real:
        return type.number<double>("value", text);
    case Form::whole:
        return whole_value(type.number<std::int64_t>("value", text));
    case Form::truth:
        return type.boolean("value", text);
    case Form::text:
        break;
    }
    return std::string(text);
}

/// Of SSP 2.0: white space between the values, or a Value element for each text.
SettingValue read_array(const Element& type, Form form, std::uint64_t count) {
    std::vector<std::string> texts;
    if (form == Form::text) {
        each_child(type, "Value", [&](const Element& value) { texts.push_back(value.text("value")); });
        if (texts.empty())
            texts.push_back(type.text("value"));
    } else {
        std::string_view list = type.view("value");
        for (std::string_view word = fmi::next_word(list); !word.empty(); word = fmi::next_word(list))
            texts.emplace_back(word);
    }
    if (texts.size() != count)
        type.refuse(fmt::format("{} values for {} elements", texts.size(), count));
    if (form == Form::text)
        return texts;
    std::vector<double> numbers;
    std::vector<bool> truths;
    for (const std::string& text : texts) {
        const SettingValue value = read_scalar(type, form, text);
        if (const auto* truth = std::get_if<bool>(&value))
            truths.push_back(*truth);
        else if (const auto* number = std::get_if<double>(&value))
            numbers.push_back(*number);
        else
            type.refuse(
                fmt::format("value {} is too large for an array here (limit 2^53)", fmi::quoted(text)));
    }
    return form == Form::truth ? SettingValue(truths) : SettingValue(numbers);
}

SettingValue read_value(const Element& parameter, const Element& type, Form form) {
    bool is_array = false;
    std::uint64_t count = 1;
    each_child(parameter, "Dimension", [&](const Element& dimension) {
        constexpr std::uint64_t most = 1'000'000;
        const auto size = dimension.required<std::uint64_t>("size");
        is_array = true;
        if (size != 0 && count > most / size)
            dimension.refuse(fmt::format("too many elements (limit {})", most));
        count *= size;
    });
    if (is_array)
        return read_array(type, form, count);
    if (!type.has("value")) {
        const std::optional<Element> value = child(type, "Value");
        if (form != Form::text || !value)
            type.refuse("attribute value is missing");
        return value->text("value");
    }
    return read_scalar(type, form, type.view("value"));
}

/// The value after a mapping of booleans, integers or enumeration items; linear transformations wait for the unit.
SettingValue mapped_value(const SettingValue& value, const std::vector<MapEntry>& map) {
    const auto text_of = [](const SettingValue& v) -> std::string {
        if (const auto* truth = std::get_if<bool>(&v))
            return *truth ? "true" : "false";
        if (const auto* text = std::get_if<std::string>(&v))
            return *text;
        const auto* number = std::get_if<double>(&v);
        return number && std::trunc(*number) == *number ? fmt::format("{:.0f}", *number) : "";
    };
    const auto same = [](const std::string& a, const std::string& b) {
        const auto truth = [](const std::string& t) { return t == "1" ? "true" : t == "0" ? "false" : t; };
        return a == b || truth(a) == truth(b);
    };
    const bool is_truth = std::holds_alternative<bool>(value),
               is_number = std::holds_alternative<double>(value);
    for (const MapEntry& entry : map) {
        const std::string given = text_of(value);
        if (given.empty() || !(is_truth ? same(given, entry.source) : given == entry.source))
            continue;
        if (is_truth)
            return entry.target == "true" || entry.target == "1";
        double number = 0;
        if (is_number && fmi::parse_number(entry.target, number) == fmi::Parse::good)
            return number;
        return entry.target;
    }
    return value;
}

} // namespace

SspUnits read_units(const Element& root) {
    SspUnits units;
    if (const std::optional<Element> list = child(root, "Units"))
        each_child(*list, "Unit", [&](const Element& unit) {
            if (const std::optional<Element> base = child(unit, "BaseUnit"))
                units.emplace(required_text(unit, "name"), read_base_unit(*base));
        });
    return units;
}

SspTransformation read_transformation(const Element& element) {
    constexpr std::array<std::string_view, 3> mappings = {
        "BooleanMappingTransformation", "IntegerMappingTransformation", "EnumerationMappingTransformation"};
    SspTransformation result;
    if (const std::optional<Element> linear = child(element, "LinearTransformation")) {
        result.factor = linear->number<double>("factor").value_or(1);
        result.offset = linear->number<double>("offset").value_or(0);
    }
    for (const std::string_view name : mappings)
        if (const std::optional<Element> mapping = child(element, name))
            each_child(*mapping, "MapEntry", [&](const Element& entry) {
                result.map.push_back({required_text(entry, "source"), required_text(entry, "target")});
            });
    return result;
}

std::vector<Setting> read_parameter_set(const Element& set, std::size_t source) {
    const SspUnits units = read_units(set);
    const std::optional<Element> list = child(set, "Parameters");
    std::vector<Setting> result;
    std::set<std::string> names;
    if (!list)
        return result;
    each_child(*list, "Parameter", [&](const Element& parameter) {
        Setting setting;
        setting.variable = required_text(parameter, "name");
        setting.line = parameter.line();
        setting.source = source;
        setting.optional = true;
        if (!names.insert(setting.variable).second)
            parameter.refuse("the name stands twice in its set");
        bool found = false;
        parameter.each([&](const Element& type) {
            const std::optional<Form> form = form_of(local_name(type));
            if (!form || found)
                return;
            found = true;
            setting.value = read_value(parameter, type, *form);
            setting.unit = *form == Form::real ? type.text("unit") : "";
            if (const auto unit = units.find(setting.unit); unit != units.end())
                setting.base = unit->second;
        });
        if (!found)
            parameter.refuse("it has no value (Real, Integer, Boolean, String, Enumeration, ...)");
        result.push_back(std::move(setting));
    });
    return result;
}

std::vector<Setting> map_parameters(const Element& mapping, const std::vector<Setting>& values) {
    std::map<std::string_view, const Setting*> by_name;
    for (const Setting& value : values)
        by_name.emplace(value.variable, &value);
    std::vector<Setting> result;
    std::set<std::string> targets;
    each_child(mapping, "MappingEntry", [&](const Element& entry) {
        const std::string source = required_text(entry, "source"), target = required_text(entry, "target");
        const SspTransformation transformation = read_transformation(entry);
        if (!targets.insert(target).second)
            entry.refuse(fmt::format("two entries have the target {}", fmi::quoted(target)));
        const auto found = by_name.find(source);
        if (found == by_name.end())
            return;
        Setting setting = *found->second;
        setting.variable = target;
        setting.value = mapped_value(setting.value, transformation.map);
        setting.factor = transformation.factor;
        setting.offset = transformation.offset;
        setting.convert_units = !entry.flag("suppressUnitConversion");
        result.push_back(std::move(setting));
    });
    return result;
}

} // namespace tenon::system
