// The root of modelDescription.xml; what stands below it is in reader_*.cpp.

#include "modelDescription/reader.hpp"

#include "modelDescription/capability_words.hpp"
#include "modelDescription/identifier.hpp"
#include "modelDescription/reader_parts.hpp"

namespace tenon::fmi {
namespace {

/// "3.0" and "3.0.2", but not "3.01" and "3.0-beta.1".
bool is_release_of(std::string_view version, std::string_view text) {
    if (!text.starts_with(version))
        return false;
    const std::string_view patch = text.substr(version.size());
    return patch.empty() || (patch.size() > 1 && patch.front() == '.' &&
                             patch.find_first_not_of("0123456789", 1) == patch.npos);
}

Version read_version(const Element& root) {
    const std::string_view text = trimmed(root.view("fmiVersion"));
    if (is_release_of("2.0", text))
        return Version::fmi2;
    if (is_release_of("3.0", text))
        return Version::fmi3;
    if (text.empty())
        root.refuse("attribute fmiVersion is missing; it must be 2.0 or 3.0");
    root.refuse(fmt::format("this is FMI {}; FMI 2.0 and 3.0 are read. {}", quoted(text, 20),
                            text.starts_with("1") ? "Export the model again as FMI 2.0 or 3.0"
                                                  : "Export the model again as FMI 3.0"));
}

void read_attributes(const Element& root, Description& description) {
    description.model_name = root.text("modelName");
    description.token = root.text(description.version == Version::fmi2 ? "guid" : "instantiationToken");
    description.description = root.text("description");
    description.author = root.text("author");
    description.model_version = root.text("version");
    description.copyright = root.text("copyright");
    description.license = root.text("license");
    description.generation_tool = root.text("generationTool");
    description.generation_time = root.text("generationDateAndTime");
    description.naming_convention =
        root.has("variableNamingConvention") ? root.text("variableNamingConvention") : "flat";
}

/// The name becomes part of a path and must not lead out of the archive, whichever interface has it.
std::string read_model_identifier(const Element& interface) {
    const std::string_view name = interface.view("modelIdentifier");
    if (!is_file_stem(name))
        interface.refuse(fmt::format("modelIdentifier is {} ({} bytes, limit {}); it must be an identifier "
                                     "of C, and the name of a file at least",
                                     quoted(name), name.size(), model_identifier_limit));
    return std::string(name);
}

void read_log_categories(const Element& root, Description& description) {
    root.child("LogCategories").each("Category", [&](const Element& category) {
        description.log_categories.push_back({category.text("name"), category.text("description")});
    });
}

void read_experiment(const Element& root, Description& description) {
    const Element experiment = root.child("DefaultExperiment");
    const auto number = [&](const char* key) -> std::optional<double> {
        if (!experiment.has(key) || !experiment.view(key).empty())
            return experiment.usable<double>(key);
        experiment.note("number-finite", fmt::format("{} is empty; it is left out", key));
        return {};
    };
    description.experiment = {number("startTime"), number("stopTime"), number("tolerance"),
                              number("stepSize")};
}

} // namespace

void read_capabilities(const Element& root, Description& description) {
    for (const char* tag : {"ModelExchange", "CoSimulation", "ScheduledExecution"})
        root.each(tag, [](const Element& interface) { read_model_identifier(interface); });
    description.has_model_exchange = static_cast<bool>(root.child("ModelExchange"));
    description.has_scheduled_execution =
        description.version == Version::fmi3 && root.child("ScheduledExecution");
    const Element element = root.only_child("CoSimulation");
    description.has_co_simulation = static_cast<bool>(element);
    if (!element)
        return;
    Capabilities& capabilities = description.capabilities;
    capabilities.model_identifier = read_model_identifier(element);
    for (const CapabilityFlag& flag : capability_flags(description.version))
        capabilities.*flag.flag = element.flag(flag.attribute);
    capabilities.max_output_derivative_order = element.usable<int>("maxOutputDerivativeOrder").value_or(0);
    if (description.version == Version::fmi2)
        return;
    capabilities.fixed_internal_step = element.usable<double>("fixedInternalStepSize");
    capabilities.intermediate_input_smoothness =
        element.usable<int>("recommendedIntermediateInputSmoothness").value_or(0);
}

Description read_description(std::string_view xml, FindingList* found) {
    const XmlFile file(xml, "fmiModelDescription", "modelDescription.xml", found);
    const Element root = file.root();
    Description description;
    description.version = read_version(root);
    read_attributes(root, description);
    read_capabilities(root, description);
    read_units(root, description);
    read_log_categories(root, description);
    read_experiment(root, description);
    if (description.version == Version::fmi2)
        read_fmi2(root, description);
    else
        read_fmi3(root, description);
    return description;
}

} // namespace tenon::fmi
