#include "fmu/parameters.hpp"

#include "core/integrators/integrator_types.hpp"
#include "core/math/error.hpp"
#include "core/model/parameters.hpp"
#include "core/model/placement.hpp"

#include <algorithm>
#include <cmath>

namespace tenon::fmu {
namespace {

constexpr double automatic = -1; // of options that the method chooses by itself; no option can be negative

/// The default of the model's own integrator where it has the option: others may have another.
const OptionValue& fallback(const IntegratorOption& option, const SolverSettings& solver) {
    const auto& own = find_integrator(solver.integrator)->options;
    const auto found = std::ranges::find(own, option.name, &IntegratorOption::name);
    return found == own.end() ? option.fallback : found->fallback;
}

double number_of(const Enumeration& enumeration, const std::string& name) {
    for (const Enumeration::Item& item : enumeration.items)
        if (item.name == name)
            return item.value;
    throw Error(ErrorKind::model, "'" + name + "' is not a value of " + enumeration.name);
}

const std::string& name_of(const Enumeration& enumeration, double number) {
    for (const Enumeration::Item& item : enumeration.items)
        if (item.value == number)
            return item.name;
    std::string known;
    for (const Enumeration::Item& item : enumeration.items)
        known += (known.empty() ? "" : ", ") + std::to_string(item.value) + " " + item.name;
    throw Error(ErrorKind::usage, enumeration.name + " has no value " +
                                      std::to_string(static_cast<int>(number)) + "; it has " + known);
}

Enumeration enumeration_of_words(const std::string& name, const std::string& description,
                                 const std::vector<std::string>& words) {
    Enumeration result{name, description, {}};
    for (const std::string& word : words)
        result.items.push_back({static_cast<int>(result.items.size()) + 1, word, ""});
    return result;
}

} // namespace

Parameters::Parameters(const Model& model) {
    const std::vector<tenon::Parameter> all = parameters(model);
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].name.starts_with("solver."))
            continue; // below, with all options that there are
        list_.push_back({all[i].name, all[i].unit == "1" ? "" : all[i].unit, all[i].description,
                         ValueType::real, "", all[i].value, all[i].tunable, all[i].array});
        source_.push_back(i);
    }
    add_world();
    add_solver(model.solver);
    add_options(model.solver);
}

void Parameters::add_world() {
    world_ = list_.size();
    const auto add = [&](const Quantity& whole, auto start) {
        for (std::size_t i = 0; i < whole.elements(); ++i)
            list_.push_back({whole.element_name(i), whole.unit, whole.description, ValueType::real, "",
                             start(i), false, i == 0 ? std::optional(whole) : std::nullopt});
    };
    add({"world_r", {3}, "m", "origin of this FMU's world in the master's world"},
        [](std::size_t) { return 0.0; });
    add({"world_R", {3, 3}, "", "rotation of this FMU's world in the master's, columns are its axes"},
        [](std::size_t i) { return i % 4 == 0 ? 1.0 : 0.0; });
}

void Parameters::add_solver(const SolverSettings& solver) {
    Enumeration integrators{"Integrator", "integrators of Tenon", {}};
    std::vector<std::string> coordinates = {"automatic"};
    for (const IntegratorType& type : integrator_types()) {
        integrators.items.push_back({type.number, type.name, type.summary});
        for (const std::string& c : type.coordinates)
            if (std::find(coordinates.begin(), coordinates.end(), c) == coordinates.end())
                coordinates.push_back(c);
    }
    enumerations_.push_back(std::move(integrators));
    enumerations_.push_back(
        enumeration_of_words("Coordinates", "coordinates of the integrator", coordinates));
    integrator_ = list_.size();
    list_.push_back({"solver.integrator", "", "integrator", ValueType::enumeration, "Integrator",
                     number_of(enumerations_[0], solver.integrator), false});
    coordinates_ = list_.size();
    list_.push_back(
        {"solver.coordinates", "", "coordinates, where the integrator has a choice", ValueType::enumeration,
         "Coordinates",
         number_of(enumerations_[1], solver.coordinates.empty() ? "automatic" : solver.coordinates), false});
    step_ = list_.size();
    list_.push_back({"solver.step", "s", "longest internal step", ValueType::real, "", solver.step, true});
    tolerance_ = list_.size();
    list_.push_back({"solver.tolerance", "", "tolerance of the integrator's equations", ValueType::real, "",
                     solver.tolerance, false});
}

void Parameters::add_options(const SolverSettings& solver) {
    for (const IntegratorType& type : integrator_types())
        for (const IntegratorOption& option : type.options) {
            if (std::any_of(options_.begin(), options_.end(),
                            [&](const Option& o) { return o.name == option.name; }))
                continue;
            const auto given = solver.options.find(option.name);
            const OptionValue value =
                given == solver.options.end() ? fallback(option, solver) : given->second;
            Parameter p{"solver." + option.name, "", option.description, ValueType::real, "", 0, false};
            if (const double* number = std::get_if<double>(&value)) {
                p.start = std::isnan(*number) ? automatic : *number;
                if (std::isnan(std::get<double>(option.fallback)))
                    p.description += " (-1: by itself)";
            } else if (const bool* on = std::get_if<bool>(&value)) {
                p.type = ValueType::boolean;
                p.start = *on ? 1 : 0;
            } else {
                p.type = ValueType::enumeration;
                p.enumeration = option.name;
                p.enumeration[0] =
                    static_cast<char>(std::toupper(static_cast<unsigned char>(p.enumeration[0])));
                enumerations_.push_back(
                    enumeration_of_words(p.enumeration, option.description, option.words));
                p.start = number_of(enumerations_.back(), std::get<std::string>(value));
            }
            options_.push_back({option.name, list_.size()});
            list_.push_back(std::move(p));
        }
}

const Enumeration& Parameters::enumeration(const std::string& name) const {
    return *std::find_if(enumerations_.begin(), enumerations_.end(),
                         [&](const Enumeration& e) { return e.name == name; });
}

void Parameters::apply_solver(SolverSettings& solver, std::span<const double> values) const {
    const std::string& integrator = name_of(enumeration("Integrator"), values[integrator_]);
    const std::string& coordinates = name_of(enumeration("Coordinates"), values[coordinates_]);
    solver.integrator = integrator;
    solver.coordinates = coordinates == "automatic" ? "" : coordinates;
    solver.step = values[step_];
    solver.tolerance = values[tolerance_];
    solver.options.clear(); // an option that the chosen integrator does not have is of no effect
    for (const IntegratorOption& option : find_integrator(integrator)->options) {
        const std::size_t at = std::find_if(options_.begin(), options_.end(), [&](const Option& o) {
                                   return o.name == option.name;
                               })->at;
        const double value = values[at];
        if (list_[at].type == ValueType::enumeration)
            solver.options[option.name] = name_of(enumeration(list_[at].enumeration), value);
        else if (list_[at].type == ValueType::boolean)
            solver.options[option.name] = value != 0;
        else if (!(std::isnan(std::get<double>(option.fallback)) && value == automatic))
            solver.options[option.name] = value;
    }
}

Model Parameters::apply(const Model& model, std::span<const double> values) const {
    Model result = model;
    std::vector<ParameterChange> changes;
    for (std::size_t i = 0; i < source_.size(); ++i)
        if (values[i] != list_[i].start)
            changes.push_back({source_[i], values[i]});
    if (!changes.empty())
        set_parameters(result, changes);
    apply_solver(result.solver, values);
    const auto world = values.subspan(world_, 12);
    bool moved = false;
    for (std::size_t i = 0; i < world.size(); ++i)
        moved = moved || world[i] != list_[world_ + i].start;
    if (moved)
        place(result, Vec3(world[0], world[1], world[2]),
              Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(world.data() + 3));
    return result;
}

} // namespace tenon::fmu
