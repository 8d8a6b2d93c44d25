// The root of modelDescription.xml and what both versions write alike.

#include "modelDescription/writer.hpp"

#include "modelDescription/capability_words.hpp"
#include "modelDescription/message_text.hpp"
#include "modelDescription/words.hpp"
#include "modelDescription/writer_parts.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace tenon::fmi {
namespace {

void write_root_attributes(XmlWriter& xml, const Description& description) {
    const bool fmi2 = description.version == Version::fmi2;
    xml.attribute("fmiVersion", fmi2 ? "2.0" : "3.0");
    xml.attribute("modelName", description.model_name);
    xml.attribute(fmi2 ? "guid" : "instantiationToken", description.token);
    xml.optional("description", description.description);
    xml.optional("author", description.author);
    xml.optional("version", description.model_version);
    xml.optional("copyright", description.copyright);
    xml.optional("license", description.license);
    xml.optional("generationTool", description.generation_tool);
    xml.optional("generationDateAndTime", description.generation_time);
    if (description.naming_convention != "flat")
        xml.attribute("variableNamingConvention", description.naming_convention);
}

void write_capabilities(XmlWriter& xml, Version version, const Capabilities& capabilities) {
    xml.open("CoSimulation");
    xml.attribute("modelIdentifier", capabilities.model_identifier);
    for (const CapabilityFlag& flag : capability_flags(version))
        xml.flag(flag.attribute, capabilities.*flag.flag);
    if (capabilities.max_output_derivative_order != 0)
        xml.number("maxOutputDerivativeOrder", capabilities.max_output_derivative_order);
    if (version == Version::fmi3) {
        if (capabilities.fixed_internal_step)
            xml.number("fixedInternalStepSize", *capabilities.fixed_internal_step);
        if (capabilities.intermediate_input_smoothness != 0)
            xml.number("recommendedIntermediateInputSmoothness", capabilities.intermediate_input_smoothness);
    }
    xml.close();
}

void write_conversion(XmlWriter& xml, double factor, double offset) {
    if (factor != 1)
        xml.number("factor", factor);
    if (offset != 0)
        xml.number("offset", offset);
}

void write_unit(XmlWriter& xml, Version version, const Unit& unit) {
    xml.open("Unit");
    xml.attribute("name", unit.name);
    if (unit.base) {
        xml.open("BaseUnit");
        for (std::size_t i = 0; i < base_unit_words.size(); ++i)
            if (unit.base->exponents[i] != 0)
                xml.number(base_unit_words[i], unit.base->exponents[i]);
        write_conversion(xml, unit.base->factor, unit.base->offset);
        xml.close();
    }
    for (const DisplayUnit& display : unit.display_units) {
        if (display.inverse && version == Version::fmi2)
            cannot_write("display unit", display.name, "FMI 2.0 has no inverse display units");
        xml.open("DisplayUnit");
        xml.attribute("name", display.name);
        write_conversion(xml, display.factor, display.offset);
        xml.flag("inverse", display.inverse);
        xml.close();
    }
    xml.close();
}

void write_units(XmlWriter& xml, const Description& description) {
    if (description.units.empty())
        return;
    xml.open("UnitDefinitions");
    for (const Unit& unit : description.units)
        write_unit(xml, description.version, unit);
    xml.close();
}

void write_type(XmlWriter& xml, Version version, const TypeDefinition& type) {
    if (word(version, type.type).empty() || type.type == Type::clock)
        cannot_write("type", type.name, fmt::format("a type definition of {} cannot be", word(type.type)));
    const std::string tag = std::string(word(version, type.type)) + (version == Version::fmi3 ? "Type" : "");
    xml.open(version == Version::fmi2 ? std::string_view("SimpleType") : tag);
    xml.attribute("name", type.name);
    xml.optional("description", type.description);
    if (version == Version::fmi2)
        xml.open(tag);
    write_quantity(xml, version, type);
    write_items(xml, type);
    if (version == Version::fmi2)
        xml.close();
    xml.close();
}

void write_types(XmlWriter& xml, const Description& description) {
    if (description.types.empty())
        return;
    xml.open("TypeDefinitions");
    for (const TypeDefinition& type : description.types)
        write_type(xml, description.version, type);
    xml.close();
}

void write_log_categories(XmlWriter& xml, const Description& description) {
    if (description.log_categories.empty())
        return;
    xml.open("LogCategories");
    for (const LogCategory& category : description.log_categories) {
        xml.open("Category");
        xml.attribute("name", category.name);
        xml.optional("description", category.description);
        xml.close();
    }
    xml.close();
}

void write_experiment(XmlWriter& xml, const DefaultExperiment& experiment) {
    if (!experiment.start && !experiment.stop && !experiment.tolerance && !experiment.step)
        return;
    xml.open("DefaultExperiment");
    const auto write = [&](std::string_view key, const std::optional<double>& value) {
        if (value)
            xml.number(key, *value);
    };
    write("startTime", experiment.start);
    write("stopTime", experiment.stop);
    write("tolerance", experiment.tolerance);
    write("stepSize", experiment.step);
    xml.close();
}

template <typename Named> Index<std::string_view> names_of(const std::vector<Named>& named) {
    Index<std::string_view> names;
    for (std::size_t i = 0; i < named.size(); ++i)
        names.add(named[i].name, i);
    names.finish();
    return names;
}

} // namespace

void cannot_write(std::string_view what, std::string_view name, std::string_view why) {
    throw std::invalid_argument(fmt::format("{} {} cannot be written: {}", what, quoted(name), why));
}

void check_position(const Description& description, std::size_t variable) {
    if (variable >= description.variables.size())
        throw std::invalid_argument(fmt::format("there is no variable {} to refer to (there are {})",
                                                variable, description.variables.size()));
}

std::string write_description(const Description& description) {
    if (!description.has_co_simulation)
        cannot_write("model", description.model_name, "it is not for Co-Simulation");
    XmlWriter xml;
    xml.open("fmiModelDescription");
    write_root_attributes(xml, description);
    write_capabilities(xml, description.version, description.capabilities);
    write_units(xml, description);
    write_types(xml, description);
    write_log_categories(xml, description);
    write_experiment(xml, description.experiment);
    const WriterContext context{description, names_of(description.types), names_of(description.units)};
    if (description.version == Version::fmi2)
        write_fmi2(xml, context);
    else
        write_fmi3(xml, context);
    xml.close();
    return xml.take();
}

} // namespace tenon::fmi
