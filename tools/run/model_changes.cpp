#include "tools/run/model_changes.hpp"

#include "core/integrators/integrator_types.hpp"
#include "core/math/error.hpp"
#include "core/model/forces/force_types.hpp"
#include "core/model/joints/joint_types.hpp"
#include "core/model/parameters.hpp"
#include "core/model/suggest.hpp"
#include "core/model/validate.hpp"
#include "tools/model_file/model_format.hpp"
#include "tools/run/names.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace tenon::run {
namespace {

constexpr std::string_view solver_prefix = "solver.";

OptionValue parse_option(const IntegratorOption& option, const std::string& text) {
    const std::string what = fmt::format("--set solver.{}", option.name);
    if (std::holds_alternative<double>(option.fallback)) {
        const double value = parse_number(text, what);
        if (value < option.least || value > option.most)
            throw Error(ErrorKind::usage, fmt::format("{} must be from {} to {} (it is {})", what,
                                                      option.least, option.most, text));
        return value;
    }
    if (std::holds_alternative<bool>(option.fallback)) {
        if (text == "true" || text == "1")
            return true;
        if (text == "false" || text == "0")
            return false;
        throw Error(ErrorKind::usage, fmt::format("{} must be true or false (it is '{}')", what, text));
    }
    if (std::find(option.words.begin(), option.words.end(), text) == option.words.end())
        throw Error(ErrorKind::usage,
                    fmt::format("{} has no '{}'; {}", what, text, suggestion(text, option.words)));
    return text;
}

/// Of the integrator in use: its option of that name, or null.
const IntegratorOption* find_option(const Model& model, const std::string& name) {
    const IntegratorType* type = find_integrator(model.solver.integrator);
    if (!type || !name.starts_with(solver_prefix))
        return nullptr;
    const auto found =
        std::find_if(type->options.begin(), type->options.end(), [&](const IntegratorOption& option) {
            return option.name == std::string_view(name).substr(solver_prefix.size());
        });
    return found == type->options.end() ? nullptr : &*found;
}

/// The coordinates of the integrator in use.
void choose_coordinates(Model& model, const std::string& word) {
    const IntegratorType* type = find_integrator(model.solver.integrator);
    if (type &&
        std::find(type->coordinates.begin(), type->coordinates.end(), word) == type->coordinates.end())
        throw Error(ErrorKind::usage, fmt::format("integrator '{}' has no coordinates '{}'; {}", type->name,
                                                  word, suggestion(word, type->coordinates)));
    model.solver.coordinates = word;
}

std::vector<std::string> input_names(const Model& model) {
    std::vector<std::string> names;
    for (const Alias& alias : model.inputs)
        names.push_back(alias.name);
    for (const Driver& driver : model.drivers)
        if (driver.input)
            names.push_back(driver.name);
    for (const Force& force : model.forces)
        if (has_inputs(force))
            for (const ForceInput& input : type_of(force).inputs)
                for (int i = 1; i <= input.size; ++i)
                    names.push_back(input.size == 1 ? fmt::format("{}.{}", force.name, input.suffix)
                                                    : fmt::format("{}.{}[{}]", force.name, input.suffix, i));
    for (const Port& port : model.ports)
        for (const char* effort : {"f_0", "t_0"})
            for (int i = 1; i <= 3; ++i)
                names.push_back(fmt::format("{}.{}[{}]", port.name, effort, i));
    for (const Flange& flange : model.flanges) {
        const bool turns = type_of(model.joints.at(static_cast<std::size_t>(flange.joint))).has_angle;
        names.push_back(fmt::format("{}.{}", flange.name, turns ? "tau" : "f"));
    }
    return names;
}

/// Everything that --set takes, for suggestions.
std::vector<std::string> all_names(const Model& model, const std::vector<std::string>& inputs) {
    std::vector<std::string> names;
    for (Parameter& parameter : parameters(model))
        names.push_back(std::move(parameter.name));
    names.insert(names.end(), {"solver.integrator", "solver.coordinates"});
    if (const IntegratorType* type = find_integrator(model.solver.integrator))
        for (const IntegratorOption& option : type->options)
            names.push_back("solver." + option.name);
    names.insert(names.end(), inputs.begin(), inputs.end());
    return names;
}

/// Why there is no such name, for the message: an option of another integrator, an element that is left out, a typing
/// error.
std::string unknown_name_hint(const Model& model, const std::string& name,
                              const std::vector<std::string>& names) {
    std::vector<std::string> owners;
    for (const IntegratorType& type : integrator_types())
        for (const IntegratorOption& option : type.options)
            if (std::string(solver_prefix) + option.name == name)
                owners.push_back(type.name);
    if (!owners.empty())
        return fmt::format("the integrator is {}, and that option belongs to {}", model.solver.integrator,
                           fmt::join(owners, ", "));
    for (const std::string& known : names)
        if (known.ends_with("." + name) || known == name + "[1]")
            return fmt::format("did you mean '{}'?", known);
    return suggestion(name, names);
}

/// The error of the core, said of the option that caused it.
template <class Function> void as_usage(const std::string& option, Function&& function) {
    try {
        function();
    } catch (const Error& error) {
        throw Error(ErrorKind::usage, fmt::format("{}: {}", option, error.what()));
    }
}

} // namespace

void choose_integrator(Model& model, const std::string& name) {
    const IntegratorType* type = find_integrator(name);
    if (!type) {
        std::vector<std::string> names;
        for (const IntegratorType& known : integrator_types())
            names.push_back(known.name);
        throw Error(ErrorKind::usage,
                    fmt::format("unknown integrator '{}'; {}", name, suggestion(name, names)));
    }
    if (name == model.solver.integrator)
        return;
    model.solver.integrator = name;
    std::erase_if(model.solver.options,
                  [&](const auto& given) { return !find_option(model, "solver." + given.first); });
    if (std::find(type->coordinates.begin(), type->coordinates.end(), model.solver.coordinates) ==
        type->coordinates.end())
        model.solver.coordinates.clear();
}

std::vector<InputValue> apply(const ModelChanges& changes, Model& model) {
    std::vector<Assignment> assignments;
    for (const std::string& text : changes.set)
        assignments.push_back(parse_assignment(text));

    // The integrator first: which options there are depends on it.
    for (const Assignment& a : assignments)
        if (a.name == "solver.integrator")
            choose_integrator(model, a.value);
    if (!changes.integrator.empty())
        choose_integrator(model, changes.integrator);

    const std::vector<std::string> inputs = input_names(model);
    const std::vector<std::string> names = all_names(model, inputs);
    std::vector<InputValue> values;
    for (const Assignment& a : assignments) {
        const std::string what = fmt::format("--set {}", a.name);
        if (a.name == "solver.integrator")
            continue;
        if (std::find(names.begin(), names.end(), a.name) == names.end())
            throw Error(ErrorKind::usage, fmt::format("unknown name in --set '{}={}'; {}", a.name, a.value,
                                                      unknown_name_hint(model, a.name, names)));
        if (a.name == "solver.coordinates")
            choose_coordinates(model, a.value);
        else if (const IntegratorOption* option = find_option(model, a.name))
            model.solver.options[option->name] = parse_option(*option, a.value);
        else if (a.name == "solver.step")
            model.solver.step = parse_positive(a.value, what);
        else if (a.name == "solver.stop")
            model.solver.stop = parse_nonnegative(a.value, what);
        else if (a.name == "solver.tolerance")
            model.solver.tolerance = parse_positive(a.value, what);
        else if (std::find(inputs.begin(), inputs.end(), a.name) != inputs.end())
            values.push_back({a.name, parse_number(a.value, what)});
        else
            as_usage(what, [&, value = parse_number(a.value, what)] { set_parameter(model, a.name, value); });
    }
    if (changes.accept_divergence)
        model.solver.options["accept_divergence"] = true;
    if (changes.step)
        model.solver.step = *changes.step;
    if (changes.stop)
        model.solver.stop = *changes.stop;
    as_usage("with the options given", [&] {
        validate(model);
        resolve_settings(model.solver);
    });
    return values;
}

void set_inputs(Simulation& simulation, const std::vector<InputValue>& values) {
    const std::vector<Input>& inputs = simulation.inputs();
    std::map<std::string, std::string> given; // the place that is set, and by which name
    for (const InputValue& value : values) {
        const auto found =
            std::find_if(inputs.begin(), inputs.end(), [&](const Input& v) { return v.name == value.name; });
        if (found == inputs.end())
            throw Error(ErrorKind::usage, fmt::format("'{}' is not an input of the model", value.name));
        std::string place = value.name;
        for (const Alias& alias : simulation.model().inputs)
            if (alias.name == value.name)
                place = alias.variable;
        if (const auto [before, is_new] = given.emplace(place, value.name);
            !is_new && before->second != value.name)
            throw Error(ErrorKind::usage, fmt::format("--set {} and --set {} are the same input; give one",
                                                      before->second, value.name));
        simulation.set_input(static_cast<int>(found - inputs.begin()), value.value);
    }
}

} // namespace tenon::run
