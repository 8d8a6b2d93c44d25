#include "tools/export/describe.hpp"

#include "core/model/unit.hpp"
#include "fmu/log.hpp"
#include "tools/export/describe_terminals.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <numbers>
#include <set>

namespace tenon {
namespace {

/// InitialUnknowns list all parameters they depend on, which is nearly all of them for nearly all: beyond this number of
/// entries the lists are left out, which by the standard means the same.
constexpr std::size_t most_initial_dependencies = 200000;

struct Builder {
    const fmu::Blueprint& blueprint;
    fmi::Description& out;
    /// First index in out.variables of each variable of the interface: 2.0 has one for each element.
    std::vector<std::size_t> first;

    bool arrays;

    bool is_3() const { return out.version == fmi::Version::fmi3; }
    std::size_t count(const fmu::Variable& v) const { return arrays ? 1 : v.elements(); }

    void add_variables();
    void add_units();
    void add_types();
    void add_structure();
    std::vector<std::size_t> indices(const std::vector<std::size_t>& variables) const;
};

fmi::Variable variable(const fmu::Variable& v) {
    fmi::Variable result;
    result.description = v.description;
    result.unit = v.unit;
    if (v.unit == "rad")
        result.display_unit = "deg";
    if (v.unit == "rad/s")
        result.display_unit = "rpm";
    if (v.type == fmu::ValueType::enumeration) {
        result.type = fmi::Type::enumeration;
        result.declared_type = v.enumeration;
    } else if (v.type == fmu::ValueType::boolean) {
        result.type = fmi::Type::boolean;
    }
    switch (v.role) {
    case fmu::Role::time:
        result.causality = fmi::Causality::independent;
        break;
    case fmu::Role::parameter:
        result.causality = fmi::Causality::parameter;
        result.variability = v.tunable ? fmi::Variability::tunable : fmi::Variability::fixed;
        result.initial = fmi::Initial::exact;
        break;
    case fmu::Role::input:
        result.causality = fmi::Causality::input;
        break;
    case fmu::Role::output:
        result.causality = fmi::Causality::output;
        result.initial = fmi::Initial::calculated;
        break;
    }
    return result;
}

fmi::Start start_of(const fmu::Variable& v, std::size_t begin, std::size_t end) {
    if (v.start.empty())
        return {};
    const std::vector<double> values(v.start.begin() + static_cast<std::ptrdiff_t>(begin),
                                     v.start.begin() + static_cast<std::ptrdiff_t>(end));
    if (v.type == fmu::ValueType::real)
        return values;
    return std::vector<std::int64_t>(values.begin(), values.end());
}

void Builder::add_variables() {
    const auto& all = blueprint.interface.variables();
    for (const fmu::Variable& v : all) {
        first.push_back(out.variables.size());
        fmi::Variable base = variable(v);
        if (v.role == fmu::Role::input && is_3())
            base.initial = fmi::Initial::exact;
        if (v.name == "solver.iterations")
            base.variability = fmi::Variability::discrete; // a count
        const bool moves = v.role == fmu::Role::input || v.role == fmu::Role::output;
        base.intermediate_update = is_3() && moves && base.variability == fmi::Variability::continuous;
        for (std::size_t e = 0; e < count(v); ++e) {
            fmi::Variable x = base;
            x.name = arrays ? v.name : v.element_name(e);
            x.reference = static_cast<std::uint32_t>((arrays ? first.size() - 1 : v.slot + e) +
                                                     (is_3() ? fmu::first_reference3 : 0));
            x.start = arrays ? start_of(v, 0, v.elements()) : start_of(v, e, e + 1);
            if (arrays)
                for (const int n : v.dimensions)
                    x.dimensions.push_back({static_cast<std::uint64_t>(n), {}});
            if (v.derivative_of)
                x.derivative_of = first[*v.derivative_of] + e;
            out.variables.push_back(std::move(x));
        }
    }
}

void Builder::add_units() {
    std::set<std::string> names;
    for (const fmi::Variable& v : out.variables)
        if (!v.unit.empty())
            names.insert(v.unit);
    for (const std::string& name : names) {
        fmi::Unit unit{name, {}, {}};
        if (const std::optional<Unit> known = find_unit(name))
            unit.base = fmi::BaseUnit{known->exponents, known->factor, 0};
        if (name == "rad")
            unit.display_units.push_back({"deg", 180 / std::numbers::pi, 0, false});
        if (name == "rad/s")
            unit.display_units.push_back({"rpm", 30 / std::numbers::pi, 0, false});
        out.units.push_back(std::move(unit));
    }
}

void Builder::add_types() {
    for (const fmu::Enumeration& e : blueprint.parameters.enumerations()) {
        fmi::TypeDefinition type;
        type.name = e.name;
        type.type = fmi::Type::enumeration;
        type.description = e.description;
        for (const fmu::Enumeration::Item& item : e.items)
            type.items.push_back({item.name, item.value, item.description});
        out.types.push_back(std::move(type));
    }
}

std::vector<std::size_t> Builder::indices(const std::vector<std::size_t>& variables) const {
    std::vector<std::size_t> result;
    for (const std::size_t i : variables)
        for (std::size_t e = 0; e < count(blueprint.interface.variables()[i]); ++e)
            result.push_back(first[i] + e);
    return result;
}

// Results have feedthrough only as far as accelerations go (fmu/interface.hpp); at the start they follow the
// parameters too.
void Builder::add_structure() {
    const auto& all = blueprint.interface.variables();
    std::vector<std::size_t> parameters;
    std::size_t outputs = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].role == fmu::Role::parameter)
            parameters.push_back(i);
        outputs += all[i].role == fmu::Role::output ? count(all[i]) : 0;
    }
    parameters = indices(parameters);
    const bool listed = outputs * parameters.size() <= most_initial_dependencies;
    std::map<int, std::vector<std::size_t>> by_group;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].role != fmu::Role::output)
            continue;
        const auto [knowns, is_new] = by_group.try_emplace(all[i].group);
        if (is_new)
            knowns->second = indices(blueprint.interface.dependencies(all[i]));
        for (std::size_t e = 0; e < count(all[i]); ++e) {
            fmi::Unknown unknown{first[i] + e, knowns->second, {}};
            out.outputs.push_back(unknown);
            if (listed) {
                unknown.dependencies->insert(unknown.dependencies->end(), parameters.begin(),
                                             parameters.end());
                std::sort(unknown.dependencies->begin(), unknown.dependencies->end());
            } else {
                unknown.dependencies.reset();
            }
            out.initial_unknowns.push_back(std::move(unknown));
        }
    }
}

fmi::Capabilities capabilities(fmi::Version version, const Model& model) {
    fmi::Capabilities c;
    c.model_identifier = model_identifier(model.name);
    c.get_and_set_state = c.serialize_state = true;
    c.directional_derivatives = true;
    c.variable_step = true;
    c.max_output_derivative_order = 1;
    if (version == fmi::Version::fmi2) {
        c.no_memory_management = true;
        c.interpolates_inputs = true;
    } else {
        c.adjoint_derivatives = c.per_element_dependencies = true;
        c.intermediate_update = c.return_early_after_intermediate_update = true;
    }
    return c;
}

} // namespace

std::string model_identifier(const std::string& name) {
    constexpr std::size_t longest = 40; // paths on Windows end at 260 characters
    std::string id;
    for (const char c : name)
        id += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    if (id.empty() || std::isdigit(static_cast<unsigned char>(id[0])) != 0)
        id.insert(0, 1, 'm');
    return id.substr(0, longest);
}

fmi::Description describe(const fmu::Blueprint& blueprint, fmi::Version version, bool arrays) {
    const Model& model = blueprint.model;
    fmi::Description out;
    out.version = version;
    out.model_name = model.name;
    out.token = blueprint.token + (version == fmi::Version::fmi3 && !arrays ? fmu::scalars_mark : "");
    out.description = model.description;
    out.generation_tool = "Tenon " TENON_VERSION;
    out.has_co_simulation = true;
    out.capabilities = capabilities(version, model);
    for (const fmu::CategoryName& category : fmu::log_categories)
        out.log_categories.push_back({category.name, category.description});
    out.experiment.start = 0;
    out.experiment.stop = model.solver.stop > 0 ? model.solver.stop : 1.0;
    out.experiment.tolerance = model.solver.tolerance;
    out.experiment.step = model.solver.step;
    Builder builder{blueprint, out, {}, arrays};
    builder.add_variables();
    builder.add_units();
    builder.add_types();
    builder.add_structure();
    out.terminals = describe_terminals(blueprint, arrays);
    return out;
}

} // namespace tenon
