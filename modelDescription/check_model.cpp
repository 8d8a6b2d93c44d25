// Rules about the model as a whole: identity, interface types, capability flags, experiment, log categories.

#include "modelDescription/check_parts.hpp"
#include "modelDescription/identifier.hpp"
#include "modelDescription/message_text.hpp"
#include "modelDescription/numbers.hpp"
#include "modelDescription/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tenon::fmi {
namespace {

const char* const file = "modelDescription.xml";
const char* const interface = "modelDescription.xml CoSimulation";

void has_model_name(Check& check) {
    if (check.description.model_name.empty())
        check.report("model-name", file, "modelName is empty");
}

void has_token(Check& check) {
    if (check.description.token.empty())
        check.report("token", file, fmt::format("{} is empty", check.fmi2 ? "guid" : "instantiationToken"),
                     "the binary compares it to tell whether it belongs to this description");
}

void has_interface(Check& check) {
    const Description& d = check.description;
    if (!d.has_co_simulation && !d.has_model_exchange && !d.has_scheduled_execution)
        check.report("interface", file,
                     "there is neither ModelExchange nor CoSimulation nor ScheduledExecution");
}

void model_identifier(Check& check) {
    constexpr std::size_t recommended = 40;
    const std::string& name = check.description.capabilities.model_identifier;
    if (!check.description.has_co_simulation)
        return;
    if (!is_model_identifier(name))
        check.report("model-identifier", interface,
                     fmt::format("modelIdentifier is {} ({} characters, limit {})", quoted(name), name.size(),
                                 model_identifier_limit),
                     "use letters, digits and _, and begin with no digit");
    else if (name.size() > recommended)
        check.report("model-identifier-long", interface,
                     fmt::format("modelIdentifier {} has {} characters (limit {})", quoted(name), name.size(),
                                 recommended),
                     "paths on Windows are at most 260 characters long");
}

void naming_convention(Check& check) {
    const std::string& name = check.description.naming_convention;
    if (name != "flat" && name != "structured")
        check.report("naming-convention", file, fmt::format("variableNamingConvention is {}", quoted(name)),
                     "write flat or structured");
}

void generation_time(Check& check) {
    constexpr std::string_view pattern = "dddd-dd-ddTdd:dd:ddZ";
    const std::string& time = check.description.generation_time;
    const bool fits = std::ranges::equal(
        time, pattern, [](char c, char wanted) { return wanted == 'd' ? is_digit(c) : c == wanted; });
    if (!time.empty() && !fits)
        check.report("generation-time", file, fmt::format("generationDateAndTime is {}", quoted(time)),
                     "write it like 2025-01-31T23:59:59Z");
}

void flag_implications(Check& check) {
    const Capabilities& can = check.description.capabilities;
    if (can.serialize_state && !can.get_and_set_state)
        check.report("flag-serialize", interface, "it can serialize its state, but not get and set it");
    if (can.return_early_after_intermediate_update && !can.intermediate_update)
        check.report("flag-early-return", interface,
                     "canReturnEarlyAfterIntermediateUpdate is true, providesIntermediateUpdate is false");
    if (can.evaluate_discrete_states && !can.event_mode)
        check.report("flag-discrete-states", interface,
                     "providesEvaluateDiscreteStates is true, hasEventMode is false");
}

void flags_of_variables(Check& check) {
    const Description& d = check.description;
    for (const Variable& variable : d.variables) {
        if (variable.type == Type::clock && d.has_co_simulation && !d.capabilities.event_mode)
            check.report("flag-clocks", variable, "it is a clock, but hasEventMode is false");
        if (variable.intermediate_update && !d.capabilities.intermediate_update)
            check.report("flag-intermediate-variables", variable,
                         "intermediateUpdate is true, but providesIntermediateUpdate is false");
    }
}

void flag_numbers(Check& check) {
    const Capabilities& can = check.description.capabilities;
    if (can.max_output_derivative_order < 0)
        check.report(
            "flag-number", interface,
            fmt::format("maxOutputDerivativeOrder is {} (limit 0)", can.max_output_derivative_order));
    if (can.fixed_internal_step && !(*can.fixed_internal_step > 0 && std::isfinite(*can.fixed_internal_step)))
        check.report(
            "flag-number", interface,
            fmt::format("fixedInternalStepSize is {}, not more than 0", digits(*can.fixed_internal_step)));
}

void flags_of_fmi2(Check& check) {
    if (!check.fmi2)
        return;
    if (!check.description.capabilities.no_memory_management)
        check.report("flag-memory", interface, "canNotUseMemoryManagementFunctions is false",
                     "an FMU that allocates through malloc or new must say true");
    if (check.description.capabilities.runs_asynchronously)
        check.report("flag-asynchronous", interface, "canRunAsynchronuously is true",
                     "few importers can wait for a pending step");
}

void experiment(Check& check) {
    const DefaultExperiment& e = check.description.experiment;
    const char* const place = "modelDescription.xml DefaultExperiment";
    if (e.stop && !(*e.stop > e.start.value_or(0)))
        check.report("experiment-stop", place,
                     fmt::format("stopTime {} is not after startTime {}", digits(*e.stop),
                                 digits(e.start.value_or(0))));
    const auto positive = [&](const char* key, const std::optional<double>& value) {
        if (value && !(*value > 0 && std::isfinite(*value)))
            check.report("experiment-step", place,
                         fmt::format("{} is {}, not more than 0", key, digits(*value)));
    };
    positive("stepSize", e.step);
    positive("tolerance", e.tolerance);
}

void log_categories(Check& check) {
    const std::vector<LogCategory>& categories = check.description.log_categories;
    Index<std::string_view> names;
    for (std::size_t i = 0; i < categories.size(); ++i) {
        const std::string& name = categories[i].name;
        names.add(name, i);
        if (name.empty())
            check.report("log-category", "modelDescription.xml LogCategories",
                         fmt::format("category number {} has no name", i + 1));
        if (!check.fmi2 && (name == "logAll" || name == "logStatusPending"))
            check.report("log-category-version", place_in_description("log category", name),
                         "FMI 3.0 has no such category",
                         "FMI 2.0 has it; other names are for everybody to choose");
    }
    names.finish();
    names.repeated([&](std::size_t, std::size_t repeated) {
        check.report("log-category", place_in_description("log category", categories[repeated].name),
                     "this name is used twice");
    });
}

void features_of_fmi3(Check& check, const Variable& variable) {
    const auto report = [&](std::string_view what) {
        check.report("version-feature", variable, fmt::format("FMI 2.0 has no {}", what),
                     "export it as FMI 3.0");
    };
    if (fmi2_word(variable.type).empty())
        report(word(variable.type));
    if (variable.causality == Causality::structural_parameter)
        report("structural parameters");
    if (!variable.dimensions.empty())
        report("arrays; the elements must be variables of their own");
    if (!variable.aliases.empty())
        report("Alias; aliases are variables with the same value reference");
    if (variable.intermediate_update || variable.clocked)
        report("intermediate updates and clocks");
}

void version_features(Check& check) {
    if (!check.fmi2)
        return;
    if (check.description.has_scheduled_execution)
        check.report("version-feature", file, "FMI 2.0 has no ScheduledExecution");
    for (const Variable& variable : check.description.variables)
        features_of_fmi3(check, variable);
}

constexpr void (*model_rules[])(Check&) = {
    has_model_name,  has_token,         has_interface,      model_identifier, naming_convention,
    generation_time, flag_implications, flags_of_variables, flag_numbers,     flags_of_fmi2,
    experiment,      log_categories,    version_features};

} // namespace

void check_model(Check& check) {
    for (const auto rule : model_rules)
        rule(check);
}

} // namespace tenon::fmi
