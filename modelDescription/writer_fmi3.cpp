// Variables and structure of FMI 3.0. References are value references.

#include "modelDescription/words.hpp"
#include "modelDescription/writer_parts.hpp"

namespace tenon::fmi {
namespace {

std::uint32_t reference(const Description& description, std::size_t variable) {
    check_position(description, variable);
    return description.variables[variable].reference;
}

void refuse_lossy(const Variable& variable) {
    if (variable.clocked)
        cannot_write("variable", variable.name, "a description does not say which clocks it belongs to");
    if (variable.type == Type::clock && variable.interval_variability == "constant")
        cannot_write("clock", variable.name, "a description does not say its interval");
    if (variable.type == Type::clock && !variable.dimensions.empty())
        cannot_write("clock", variable.name, "clocks are not arrays");
}

std::string hexadecimal(std::string_view bytes) {
    constexpr std::string_view hex = "0123456789abcdef";
    std::string text;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        text += {hex[byte >> 4], hex[byte & 15]};
    }
    return text;
}

void write_dimensions(XmlWriter& xml, const Description& description, const Variable& variable) {
    for (const Dimension& dimension : variable.dimensions) {
        xml.open("Dimension");
        if (dimension.variable)
            xml.number("valueReference", reference(description, *dimension.variable));
        else
            xml.number("start", dimension.size);
        xml.close();
    }
}

void write_start_elements(XmlWriter& xml, const Variable& variable) {
    const auto* values = std::get_if<std::vector<std::string>>(&variable.start);
    if (!values)
        return;
    for (const std::string& value : *values) {
        xml.open("Start");
        xml.attribute("value", variable.type == Type::binary ? hexadecimal(value) : value);
        xml.close();
    }
}

void write_aliases(XmlWriter& xml, const Variable& variable) {
    for (const AliasName& alias : variable.aliases) {
        xml.open("Alias");
        xml.attribute("name", alias.name);
        xml.optional("description", alias.description);
        if (is_float(variable.type))
            xml.optional("displayUnit", alias.display_unit);
        xml.close();
    }
}

void write_variable3(XmlWriter& xml, const WriterContext& context, const Variable& variable) {
    refuse_lossy(variable);
    xml.open(word(variable.type));
    write_variable_head(xml, Version::fmi3, variable);
    write_quantity(xml, context, variable);
    write_start(xml, Version::fmi3, variable);
    if (variable.derivative_of)
        xml.number("derivative", reference(context.description, *variable.derivative_of));
    xml.flag("intermediateUpdate", variable.intermediate_update);
    if (variable.type == Type::clock)
        xml.attribute("intervalVariability", variable.interval_variability);
    write_dimensions(xml, context.description, variable);
    write_start_elements(xml, variable);
    write_aliases(xml, variable);
    xml.close();
}

void write_unknowns3(XmlWriter& xml, std::string_view tag, const Description& description,
                     const std::vector<Unknown>& unknowns) {
    for (const Unknown& unknown : unknowns) {
        xml.open(tag);
        xml.number("valueReference", reference(description, unknown.variable));
        if (unknown.dependencies)
            xml.numbers("dependencies", *unknown.dependencies,
                        [&](std::size_t variable) { return reference(description, variable); });
        write_kinds(xml, unknown);
        xml.close();
    }
}

} // namespace

void write_fmi3(XmlWriter& xml, const WriterContext& context) {
    const Description& description = context.description;
    xml.open("ModelVariables");
    for (const Variable& variable : description.variables)
        write_variable3(xml, context, variable);
    xml.close();
    xml.open("ModelStructure");
    write_unknowns3(xml, "Output", description, description.outputs);
    write_unknowns3(xml, "ContinuousStateDerivative", description, description.derivatives);
    write_unknowns3(xml, "InitialUnknown", description, description.initial_unknowns);
    xml.close();
}

} // namespace tenon::fmi
