// Variables and structure of FMI 2.0. References are positions from 1, in ascending order.

#include "modelDescription/words.hpp"
#include "modelDescription/writer_parts.hpp"

#include <algorithm>
#include <numeric>

namespace tenon::fmi {
namespace {

void refuse_fmi3_features(const Variable& variable) {
    const auto refuse = [&](std::string_view why) { cannot_write("variable", variable.name, why); };
    if (fmi2_word(variable.type).empty())
        refuse("FMI 2.0 has no such type");
    if (!variable.dimensions.empty())
        refuse("FMI 2.0 has no arrays; its elements must be variables of their own");
    if (variable.causality == Causality::structural_parameter)
        refuse("FMI 2.0 has no structural parameters");
    if (!variable.aliases.empty())
        refuse("aliases of FMI 2.0 are variables of their own");
    if (variable.clocked || variable.intermediate_update)
        refuse("FMI 2.0 has neither clocks nor intermediate updates");
}

void write_variable2(XmlWriter& xml, const WriterContext& context, const Variable& variable) {
    refuse_fmi3_features(variable);
    xml.open("ScalarVariable");
    write_variable_head(xml, Version::fmi2, variable);
    xml.open(fmi2_word(variable.type));
    write_quantity(xml, context, variable);
    write_start(xml, Version::fmi2, variable);
    if (variable.derivative_of) {
        check_position(context.description, *variable.derivative_of);
        xml.number("derivative", *variable.derivative_of + 1);
    }
    xml.close();
    xml.close();
}

/// Ascending dependencies, their kinds with them.
Unknown sorted(const Unknown& unknown) {
    Unknown result = unknown;
    if (!unknown.dependencies)
        return result;
    const std::vector<std::size_t>& dependencies = *unknown.dependencies;
    std::vector<std::size_t> order(dependencies.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return dependencies[i]; });
    for (std::size_t i = 0; i < order.size(); ++i) {
        (*result.dependencies)[i] = dependencies[order[i]];
        if (unknown.kinds.size() == order.size())
            result.kinds[i] = unknown.kinds[order[i]];
    }
    return result;
}

void write_unknown(XmlWriter& xml, const Description& description, const Unknown& given) {
    const Unknown unknown = sorted(given);
    const auto number = [&](std::size_t variable) {
        check_position(description, variable);
        return variable + 1;
    };
    xml.open("Unknown");
    xml.number("index", number(unknown.variable));
    if (unknown.dependencies)
        xml.numbers("dependencies", *unknown.dependencies, number);
    write_kinds(xml, unknown);
    xml.close();
}

void write_unknowns2(XmlWriter& xml, std::string_view tag, const Description& description,
                     const std::vector<Unknown>& unknowns) {
    if (unknowns.empty())
        return;
    std::vector<const Unknown*> order;
    order.reserve(unknowns.size());
    for (const Unknown& unknown : unknowns)
        order.push_back(&unknown);
    std::ranges::stable_sort(order, {}, &Unknown::variable);
    xml.open(tag);
    for (const Unknown* unknown : order)
        write_unknown(xml, description, *unknown);
    xml.close();
}

} // namespace

void write_fmi2(XmlWriter& xml, const WriterContext& context) {
    const Description& description = context.description;
    xml.open("ModelVariables");
    for (const Variable& variable : description.variables)
        write_variable2(xml, context, variable);
    xml.close();
    xml.open("ModelStructure");
    write_unknowns2(xml, "Outputs", description, description.outputs);
    write_unknowns2(xml, "Derivatives", description, description.derivatives);
    write_unknowns2(xml, "InitialUnknowns", description, description.initial_unknowns);
    xml.close();
}

} // namespace tenon::fmi
