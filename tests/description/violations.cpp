// Violations of rules about the model, units and types.

#include "tests/description/violations.hpp"

#include "tests/description/samples.hpp"

#include <limits>

namespace tenon::fmi {

constexpr auto fmi2 = Version::fmi2, fmi3 = Version::fmi3;

Variable& find(Description& description, const std::string& name) {
    const auto found = std::ranges::find(description.variables, name, &Variable::name);
    if (found == description.variables.end())
        throw std::out_of_range(name);
    return *found;
}

std::function<void(Description&)> of(const std::string& name, const std::function<void(Variable&)>& change) {
    return [=](Description& d) { change(find(d, name)); };
}

std::vector<Violation> violations_of_the_model() {
    using D = Description;
    return {
        {"model-name", fmi2, [](D& d) { d.model_name.clear(); }},
        {"token", fmi2, [](D& d) { d.token.clear(); }},
        {"token", fmi3, [](D& d) { d.token.clear(); }},
        {"interface", fmi3, [](D& d) { d.has_co_simulation = false; }},
        {"model-identifier", fmi2, [](D& d) { d.capabilities.model_identifier = "a-b"; }},
        {"model-identifier", fmi2, [](D& d) { d.capabilities.model_identifier = std::string(129, 'a'); }},
        {"model-identifier-long", fmi3, [](D& d) { d.capabilities.model_identifier = std::string(41, 'a'); }},
        {"naming-convention", fmi3, [](D& d) { d.naming_convention = "loose"; }},
        {"generation-time", fmi3, [](D& d) { d.generation_time = "2025-01-31 12:00"; }},
        {"flag-serialize", fmi2, [](D& d) { d.capabilities.get_and_set_state = false; }},
        {"flag-early-return", fmi3,
         [](D& d) {
             d.capabilities.intermediate_update = false;
             find(d, "tip.v_0").intermediate_update = false;
         }},
        {"flag-discrete-states", fmi3, [](D& d) { d.capabilities.evaluate_discrete_states = true; }},
        {"flag-clocks", fmi3,
         of("solver.energy",
            [](Variable& v) {
                v.type = Type::clock;
                v.causality = Causality::input;
                v.variability = Variability::discrete;
                v.initial = Initial::none;
                v.start = {};
                v.interval_variability = "triggered";
            })},
        {"flag-intermediate-variables", fmi3,
         [](D& d) {
             d.capabilities.intermediate_update = d.capabilities.return_early_after_intermediate_update =
                 false;
         }},
        {"flag-number", fmi3, [](D& d) { d.capabilities.max_output_derivative_order = -1; }},
        {"flag-number", fmi3, [](D& d) { d.capabilities.fixed_internal_step = 0; }},
        {"flag-memory", fmi2, [](D& d) { d.capabilities.no_memory_management = false; }},
        {"flag-asynchronous", fmi2, [](D& d) { d.capabilities.runs_asynchronously = true; }},
        {"experiment-stop", fmi2, [](D& d) { d.experiment.stop = 0; }},
        {"experiment-stop", fmi2,
         [](D& d) {
             d.experiment.start.reset();
             d.experiment.stop = -1;
         }},
        {"experiment-step", fmi2, [](D& d) { d.experiment.step = 0; }},
        {"experiment-step", fmi3, [](D& d) { d.experiment.tolerance = -1e-6; }},
        {"log-category", fmi3, [](D& d) { d.log_categories[1].name = d.log_categories[0].name; }},
        {"log-category", fmi3, [](D& d) { d.log_categories[1].name.clear(); }},
        {"log-category-version", fmi3, [](D& d) { d.log_categories[1].name = "logAll"; }},
        {"version-feature", fmi2, [](D& d) { d.has_scheduled_execution = true; }},
        {"version-feature", fmi2, of("solver.limit", [](Variable& v) { v.type = Type::int16; })},
        {"version-feature", fmi2,
         of("bob.mass", [](Variable& v) { v.causality = Causality::structural_parameter; })},
        {"version-feature", fmi2,
         of("bob.mass",
            [](Variable& v) {
                v.dimensions = {{1, {}}};
            })},
        {"version-feature", fmi2,
         of("bob.mass",
            [](Variable& v) {
                v.aliases = {{"other", "", ""}};
            })},
        {"version-feature", fmi2, of("bob.weight", [](Variable& v) { v.clocked = true; }), {}},
    };
}

std::vector<Violation> violations_of_units_and_types() {
    using D = Description;
    const double nan = std::numeric_limits<double>::quiet_NaN(),
                 inf = std::numeric_limits<double>::infinity();
    return {
        {"unit-name", fmi3,
         [](D& d) {
             d.units.push_back({"", {}, {}});
         }},
        {"unit-name", fmi2, [](D& d) { d.units.push_back(d.units[0]); }},
        {"unit-factor", fmi3, [](D& d) { d.units[0].base->factor = 0; }},
        {"unit-factor", fmi3, [=](D& d) { d.units[4].display_units[0].offset = nan; }},
        {"unit-exponent", fmi3, [](D& d) { d.units[0].base->exponents[3] = -129; }},
        {"unit-base-missing", fmi2, [](D& d) { d.units[0].base.reset(); }},
        {"unit-undefined", fmi2, of("bob.mass", [](Variable& v) { v.unit = "lb"; })},
        {"unit-undefined", fmi3, [](D& d) { d.types[1].unit = "lb"; }},
        {"unit-of-float", fmi3, of("solver.limit", [](Variable& v) { v.unit = "m"; })},
        {"display-unit-name", fmi3,
         [](D& d) {
             d.units[4].display_units.push_back({"", 1, 0, false});
         }},
        {"display-unit-name", fmi3,
         [](D& d) {
             d.units[4].display_units.push_back({"deg", 1, 0, false});
         }},
        {"display-unit-inverse", fmi3,
         [](D& d) {
             d.units[4].display_units.push_back({"1/rad", 1, 1, true});
         }},
        {"display-unit-undefined", fmi2, of("bob.mass", [](Variable& v) { v.display_unit = "g"; })},
        {"display-unit-undefined", fmi3, [](D& d) { d.types[1].display_unit = "gon"; }},
        {"display-unit-undefined", fmi3,
         of("tip.f_0", [](Variable& v) { v.aliases[0].display_unit = "kN"; })},
        {"display-unit-alone", fmi2,
         of("bob.mass",
            [](Variable& v) {
                v.unit.clear();
                v.display_unit = "g";
            })},
        {"type-name", fmi3, [](D& d) { d.types.push_back({}); }},
        {"type-name", fmi2, [](D& d) { d.types.push_back(d.types[1]); }},
        {"type-variable-clash", fmi3, [](D& d) { d.types.emplace_back().name = "bob.mass"; }},
        {"declared-type-undefined", fmi2, of("bob.mass", [](Variable& v) { v.declared_type = "Mass"; })},
        {"declared-type-mismatch", fmi3, of("small", [](Variable& v) { v.declared_type = "Angle"; })},
        {"enumeration-type", fmi2, of("solver.integrator", [](Variable& v) { v.declared_type.clear(); })},
        {"enumeration-items", fmi3, [](D& d) { d.types[0].items.clear(); }, {"start-item"}},
        {"enumeration-items", fmi2, [](D& d) { d.types[0].items[1].name = d.types[0].items[0].name; }},
        {"enumeration-items", fmi2, [](D& d) { d.types[0].items[0].value = 2; }},
        {"bounds", fmi2, of("bob.weight", [](Variable& v) { v.min = 2, v.max = 1; })},
        {"bounds", fmi3, [=](D& d) { d.types[1].max = inf; }},
        {"nominal", fmi2, of("bob.mass", [](Variable& v) { v.nominal = 0; })},
    };
}

std::vector<Violation> violations_of_start_values() {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto integers = [](std::int64_t value) { return Start(std::vector{value}); };
    return {
        {"start-missing", fmi2, of("bob.mass", [](Variable& v) { v.start = {}; })},
        {"start-missing", fmi2, of("axle.tau", [](Variable& v) { v.start = {}; })},
        {"start-missing", fmi3, of("tip.f_0", [](Variable& v) { v.start = {}; })},
        {"start-missing", fmi3, of("axle.phi", [](Variable& v) { v.start = {}; })},
        {"start-forbidden", fmi2, of("axle.w", [](Variable& v) { v.start = samples::reals({0}); })},
        {"start-forbidden", fmi3, of("time", [](Variable& v) { v.start = samples::reals({0}); })},
        {"start-type", fmi2, of("bob.mass", [=](Variable& v) { v.start = integers(1); })},
        {"start-type", fmi2, of("bob.mass", [=](Variable& v) { v.start = samples::reals({nan}); })},
        {"start-type", fmi3, of("small", [](Variable& v) { v.start = samples::reals({1e39}); })},
        {"start-type", fmi3, of("i8", [=](Variable& v) { v.start = integers(128); })},
        {"start-type", fmi3, of("u8", [=](Variable& v) { v.start = integers(1); })},
        {"start-type", fmi2, of("solver.energy", [=](Variable& v) { v.start = integers(2); })},
        {"start-type", fmi2, of("title", [=](Variable& v) { v.start = integers(2); })},
        {"start-count", fmi3,
         of("tip.f_0",
            [](Variable& v) {
                v.start = samples::reals({0, 0});
            })},
        {"start-count", fmi2, of("bob.mass", [](Variable& v) { v.start = samples::reals({}); })},
        {"start-range", fmi2, of("bob.mass", [](Variable& v) { v.start = samples::reals({-1}); })},
        {"start-range", fmi3, of("i8", [=](Variable& v) { v.min = -127; })},
        {"start-item", fmi2, of("solver.integrator", [=](Variable& v) { v.start = integers(3); })},
    };
}

} // namespace tenon::fmi
