#include "modelDescription/words.hpp"
#include "tools/system/ssp/writer.hpp"

#include <fmt/format.h>
#include <limits>

namespace tenon::system {
namespace {

bool same(const std::vector<fmi::EnumerationItem>& a, const std::vector<fmi::EnumerationItem>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const auto& x, const auto& y) { return x.name == y.name && x.value == y.value; });
}

void write_base_unit(fmi::XmlWriter& xml, const fmi::BaseUnit& unit) {
    xml.open("ssc:BaseUnit");
    for (std::size_t i = 0; i < unit.exponents.size(); ++i)
        if (unit.exponents[i] != 0)
            xml.number(fmi::base_unit_words[i], unit.exponents[i]);
    if (unit.factor != 1)
        xml.number("factor", unit.factor);
    if (unit.offset != 0)
        xml.number("offset", unit.offset);
    xml.close();
}

std::string hexadecimal(const std::string& bytes) {
    std::string text;
    for (const char byte : bytes)
        text += fmt::format("{:02X}", static_cast<unsigned char>(byte));
    return text;
}

/// <ssv:Real value=".." unit=".."/> and the like, for one element of a variable.
void write_value(fmi::XmlWriter& xml, const VariableIndex& index, const CheckedSystem::Assignment& assignment,
                 std::size_t element, SspDefinitions& definitions) {
    const fmi::Variable& variable = index.variable(assignment.variable);
    if (const auto* numbers = std::get_if<std::vector<double>>(&assignment.values)) {
        xml.open("ssv:Real");
        xml.number("value", (*numbers)[element]);
        xml.optional("unit", definitions.unit(index.unit(assignment.variable)));
    } else if (const auto* texts = std::get_if<std::vector<std::string>>(&assignment.values)) {
        const bool binary = variable.type == fmi::Type::binary;
        xml.open(binary ? "ssv:Binary" : "ssv:String");
        xml.attribute("value", binary ? hexadecimal((*texts)[element]) : (*texts)[element]);
    } else if (const auto* positive = std::get_if<std::vector<std::uint64_t>>(&assignment.values)) {
        xml.open("ssv:Integer");
        xml.number("value", (*positive)[element]);
    } else {
        const std::int64_t value = std::get<std::vector<std::int64_t>>(assignment.values)[element];
        const fmi::TypeDefinition* type = index.enumeration(assignment.variable);
        std::string item;
        if (type && variable.type == fmi::Type::enumeration)
            for (const fmi::EnumerationItem& known : type->items)
                if (known.value == value)
                    item = known.name;
        xml.open(variable.type == fmi::Type::boolean ? "ssv:Boolean"
                 : item.empty()                      ? "ssv:Integer"
                                                     : "ssv:Enumeration");
        if (variable.type == fmi::Type::boolean)
            xml.attribute("value", value ? "true" : "false");
        else if (item.empty())
            xml.number("value", value);
        else
            xml.attribute("value", item);
    }
    xml.close();
}

} // namespace

std::string SspDefinitions::unit(const fmi::Unit& unit) {
    if (unit.name.empty() || !unit.base)
        return {};
    const auto place = units_.emplace(unit.name, *unit.base).first;
    return place->second == *unit.base ? unit.name : std::string();
}

std::string SspDefinitions::enumeration(const fmi::TypeDefinition& type) {
    // SSP's values have 32 bits.
    for (const fmi::EnumerationItem& item : type.items)
        if (item.value < std::numeric_limits<std::int32_t>::min() ||
            item.value > std::numeric_limits<std::int32_t>::max())
            return {};
    if (type.items.empty())
        return {};
    std::string name = type.name;
    for (int number = 2; !same(enumerations_.emplace(name, type.items).first->second, type.items); ++number)
        name = fmt::format("{}_{}", type.name, number);
    return name;
}

void SspDefinitions::write(fmi::XmlWriter& xml, std::string_view enumerations_tag,
                           std::string_view units_tag) const {
    if (!enumerations_.empty()) {
        xml.open(enumerations_tag);
        for (const auto& [name, items] : enumerations_) {
            xml.open("ssc:Enumeration");
            xml.attribute("name", name);
            for (const fmi::EnumerationItem& item : items) {
                xml.open("ssc:Item");
                xml.attribute("name", item.name);
                xml.number("value", item.value);
                xml.close();
            }
            xml.close();
        }
        xml.close();
    }
    if (!units_.empty()) {
        xml.open(units_tag);
        for (const auto& [name, base] : units_) {
            xml.open("ssc:Unit");
            xml.attribute("name", name);
            write_base_unit(xml, base);
            xml.close();
        }
        xml.close();
    }
}

Sizes set_sizes(const fmi::Description& description,
                const std::vector<CheckedSystem::Assignment>& assignments) {
    Sizes sizes;
    for (const CheckedSystem::Assignment& assignment : assignments)
        if (description.variables[assignment.variable].causality == fmi::Causality::structural_parameter)
            if (const auto* size = std::get_if<std::vector<std::uint64_t>>(&assignment.values))
                sizes.emplace(assignment.variable, size->front());
    return sizes;
}

std::string parameter_set(const std::string& name, const VariableIndex& index, const Sizes& sizes,
                          const std::vector<CheckedSystem::Assignment>& assignments) {
    SspDefinitions definitions;
    fmi::XmlWriter xml;
    xml.open("ssv:ParameterSet");
    xml.attribute("xmlns:ssc", "http://ssp-standard.org/SSP1/SystemStructureCommon");
    xml.attribute("xmlns:ssv", "http://ssp-standard.org/SSP1/SystemStructureParameterValues");
    xml.attribute("version", "1.0");
    xml.attribute("name", name);
    xml.open("ssv:Parameters");
    for (const CheckedSystem::Assignment& assignment : assignments) {
        const std::uint64_t count = element_count(index.shape(assignment.variable, sizes));
        for (std::size_t i = 0; i < count; ++i) {
            xml.open("ssv:Parameter");
            xml.attribute("name", index.name({assignment.variable, i}, sizes));
            write_value(xml, index, assignment, i, definitions);
            xml.close();
        }
    }
    xml.close();
    definitions.write(xml, "ssv:Enumerations", "ssv:Units");
    xml.close();
    return xml.take();
}

} // namespace tenon::system
