// Violations of rules about variables and the structure of the model.

#include "tests/description/violations.hpp"

#include "tests/description/samples.hpp"

namespace tenon::fmi {

constexpr auto fmi2 = Version::fmi2, fmi3 = Version::fmi3;

namespace {

/// A second variable that is the first one's alias in FMI 2.0.
std::function<void(Description&)> alias_of(const std::string& name,
                                           const std::function<void(Variable&)>& change) {
    return [=](Description& d) {
        Variable alias = find(d, name);
        alias.name = "other";
        change(alias);
        d.variables.push_back(alias);
    };
}

void add_constants(Description& d, double first, double second) {
    for (const double value : {first, second}) {
        Variable v = find(d, "bob.mass");
        v.name = "c" + std::to_string(d.variables.size());
        v.reference = 7;
        v.causality = Causality::local;
        v.variability = Variability::constant;
        v.start = samples::reals({value});
        d.variables.push_back(v);
    }
}

} // namespace

std::vector<Violation> violations_of_variables() {
    using D = Description;
    const auto not_set = [](Variable& v) {
        v.causality = Causality::local;
        v.initial = Initial::calculated;
        v.start = {};
    };
    return {
        {"variables", fmi2,
         [](D& d) {
             d.variables.clear();
             d.terminals.clear();
             for (auto* list : {&d.outputs, &d.derivatives, &d.initial_unknowns})
                 list->clear();
         }},
        {"name-empty", fmi2, of("bob.mass", [](Variable& v) { v.name.clear(); })},
        {"name-duplicate", fmi2, of("bob.mass", [](Variable& v) { v.name = "bob.weight"; })},
        {"name-duplicate", fmi3, of("tip.f_0", [](Variable& v) { v.aliases[0].name = "time"; })},
        {"name-structured", fmi3, of("bob.mass", [](Variable& v) { v.name = "bob mass"; })},
        {"name-flat", fmi3,
         [](D& d) {
             d.naming_convention = "flat";
             find(d, "bob.mass").name = "bob\tmass";
         }},
        {"name-order", fmi2, [](D& d) { std::swap(find(d, "tip.f_0[1]").name, find(d, "tip.f_0[2]").name); }},
        {"name-order", fmi2, of("solver.limit", [](Variable& v) { v.name = "tip.f_0[4]"; })},
        {"reference-duplicate", fmi3, of("bob.mass", [](Variable& v) { v.reference = 100; })},
        {"alias-settable", fmi2, alias_of("bob.mass", [](Variable& v) { v.min = 1; }), {"alias-start"}},
        {"alias-start", fmi2,
         alias_of("bob.mass",
                  [](Variable& v) {
                      v.causality = Causality::local;
                      v.variability = Variability::continuous;
                  })},
        {"alias-unit", fmi2,
         alias_of("bob.mass",
                  [=](Variable& v) {
                      not_set(v);
                      v.unit = "m";
                  })},
        {"alias-constant", fmi2, [](D& d) { add_constants(d, 1, 2); }},
        {"alias-constant", fmi2,
         [=](D& d) {
             add_constants(d, 1, 1);
             not_set(d.variables.back());
             d.variables.back().variability = Variability::fixed;
         }},
        {"variability-continuous",
         fmi2,
         of("solver.limit", [](Variable& v) { v.variability = Variability::continuous; }),
         {"causality-variability"}},
        {"causality-variability", fmi3,
         of("bob.mass", [](Variable& v) { v.variability = Variability::discrete; })},
        {"initial", fmi2, of("axle.tau", [](Variable& v) { v.initial = Initial::exact; })},
        {"initial", fmi3, of("axle.tau", [](Variable& v) { v.initial = Initial::approx; })},
        {"initial", fmi2, of("bob.mass", [](Variable& v) { v.initial = Initial::approx; })},
        {"initial", fmi3, of("time", [](Variable& v) { v.initial = Initial::exact; })},
        {"independent", fmi3,
         of("time",
            [](Variable& v) {
                v.causality = Causality::local;
                v.initial = Initial::calculated;
                v.unit.clear();
            })},
        {"independent", fmi2,
         [](D& d) {
             d.variables.push_back(find(d, "time"));
             d.variables.back().name = "t";
         }},
        {"independent-type", fmi3,
         of("time",
            [](Variable& v) {
                v.dimensions = {{2, {}}};
            })},
        {"dimension-size",
         fmi3,
         of("tip.f_0",
            [](Variable& v) {
                v.dimensions = {{0, {}}};
            }),
         {"start-count", "joint-shape"}},
        {"dimension-size",
         fmi3,
         of("tip.w_0",
            [](Variable& v) {
                v.dimensions = {{1u << 20, {}}, {1u << 20, {}}};
            }),
         {"joint-shape"}},
        {"dimension-variable", fmi3,
         of("table_size", [](Variable& v) { v.causality = Causality::parameter; })},
        {"dimension-variable", fmi3,
         of("table_size", [](Variable& v) { v.start = std::vector<std::uint64_t>{5}; })},
        {"dimension-variable", fmi3,
         of("table_size",
            [](Variable& v) {
                v.type = Type::int64;
                v.start = std::vector<std::int64_t>{4};
            })},
        {"dimension-variable", fmi3, of("table", [](Variable& v) { v.dimensions[0].variable = 1000; })},
        {"dimension-variable", fmi3,
         [](D& d) {
             find(d, "table").dimensions[0].variable =
                 static_cast<std::size_t>(&find(d, "table") - &d.variables[0]);
         }},
        {"structural-scalar",
         fmi3,
         of("table_size",
            [](Variable& v) {
                v.dimensions = {{1, {}}};
            }),
         {"dimension-variable"}},
        {"derivative", fmi2, of("axle.w", [](Variable& v) { v.derivative_of = 1000; })},
        {"derivative", fmi3, of("tip.v_0", [](Variable& v) { v.derivative_of = 0; })},
        {"derivative", fmi3, of("axle.w", [](Variable& v) { v.derivative_of = 1; })},
        {"derivative", fmi3,
         [](D& d) {
             find(d, "axle.w").derivative_of = static_cast<std::size_t>(&find(d, "axle.w") - &d.variables[0]);
         }},
        {"intermediate-update", fmi3, of("bob.mass", [](Variable& v) { v.intermediate_update = true; })},
        {"clock-interval", fmi3, of("bob.mass", [](Variable& v) { v.interval_variability = "triggered"; })},
        {"clock-interval", fmi3,
         [](D& d) {
             samples::Builder b(fmi3);
             Variable v = b.add("clock", Causality::input);
             v.type = Type::clock;
             v.variability = Variability::discrete;
             v.initial = Initial::none;
             v.interval_variability = "weekly";
             d.variables.push_back(v);
             d.variables.back().reference = 1;
             d.capabilities.event_mode = true;
         }},
        {"clock-causality", fmi3,
         [](D& d) {
             samples::Builder b(fmi3);
             Variable v = b.add("clock", Causality::local);
             v.type = Type::clock;
             v.variability = Variability::discrete;
             v.initial = Initial::none;
             v.interval_variability = "fixed";
             d.variables.push_back(v);
             d.variables.back().reference = 1;
             d.capabilities.event_mode = true;
         }},
    };
}

std::vector<Violation> violations_of_structure() {
    using D = Description;
    const auto dependencies = [](D& d) -> Unknown& {
        return *std::ranges::find_if(d.outputs, [](const Unknown& u) { return !u.dependencies->empty(); });
    };
    const auto position = [](D& d, const std::string& name) {
        return static_cast<std::size_t>(&find(d, name) - d.variables.data());
    };
    return {
        {"structure-bounds", fmi2, [](D& d) { d.outputs[0].variable = 1000; }},
        {"structure-bounds", fmi3, [](D& d) { d.initial_unknowns[0].dependencies = {1000}; }},
        {"outputs", fmi2, [](D& d) { d.outputs.pop_back(); }},
        {"outputs", fmi3, [](D& d) { d.outputs.push_back(d.outputs[0]); }},
        {"outputs", fmi3,
         [](D& d) {
             d.outputs.push_back({0, {}, {}});
         }},
        {"derivatives", fmi2, [](D& d) { d.derivatives.push_back(d.derivatives[0]); }},
        {"derivatives", fmi3,
         [=](D& d) {
             d.derivatives.push_back({position(d, "axle.phi"), {}, {}});
         }},
        {"state-causality", fmi3,
         [=](D& d) { find(d, "der(axle.w)").derivative_of = position(d, "axle.tau"); }},
        {"initial-unknowns", fmi2, [](D& d) { d.initial_unknowns.pop_back(); }},
        {"initial-unknowns", fmi3, [](D& d) { d.initial_unknowns.erase(d.initial_unknowns.begin()); }},
        {"initial-unknowns", fmi3, [](D& d) { d.initial_unknowns.push_back(d.initial_unknowns[0]); }},
        {"initial-unknowns", fmi3,
         [](D& d) {
             d.initial_unknowns.push_back({1, {}, {}});
         }},
        {"initial-unknowns-order", fmi2,
         [](D& d) { std::swap(d.initial_unknowns[0].variable, d.initial_unknowns[1].variable); }},
        {"dependencies-order", fmi2,
         [=](D& d) { std::swap((*dependencies(d).dependencies)[0], (*dependencies(d).dependencies)[1]); }},
        {"dependencies-duplicate", fmi3,
         [=](D& d) { (*dependencies(d).dependencies)[0] = (*dependencies(d).dependencies)[1]; }},
        {"dependencies-known", fmi2, [=](D& d) { d.outputs[0].dependencies = {position(d, "bob.mass")}; }},
        {"dependencies-known", fmi3, [=](D& d) { d.outputs[0].dependencies = {position(d, "tip.R")}; }},
        {"dependencies-known-initially", fmi3,
         [=](D& d) { d.initial_unknowns[0].dependencies = {position(d, "axle.w")}; }},
        {"dependencies-kind-count", fmi2, [=](D& d) { dependencies(d).kinds.pop_back(); }},
        {"dependencies-kind-count", fmi3,
         [](D& d) {
             d.outputs[0].dependencies.reset();
             d.outputs[0].kinds = {"dependent"};
         }},
        {"dependencies-kind", fmi3, [=](D& d) { dependencies(d).kinds[0] = "linear"; }},
        {"dependencies-kind-float", fmi3,
         [=](D& d) {
             d.outputs[0] = {d.outputs[0].variable, std::vector{position(d, "solver.limit")}, {"constant"}};
         }},
        {"dependencies-kind", fmi3,
         [=](D& d) {
             d.initial_unknowns[0].dependencies = {position(d, "bob.mass")};
             d.initial_unknowns[0].kinds = {"tunable"};
         }},
    };
}

} // namespace tenon::fmi
