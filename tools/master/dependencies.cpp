#include "tools/master/dependencies.hpp"

#include <algorithm>
#include <optional>

namespace tenon::master {
namespace {

/// The entry of a variable; null where there is none.
const fmi::Unknown* entry(const std::vector<fmi::Unknown>& unknowns, std::size_t variable) {
    const auto found = std::ranges::find(unknowns, variable, &fmi::Unknown::variable);
    return found == unknowns.end() ? nullptr : &*found;
}

/// Whether an output depends on `input`; `unknown` is its entry in the model structure.
bool depends(const fmi::Unknown* unknown, std::size_t input) {
    if (!unknown || !unknown->dependencies)
        return true;
    return std::ranges::find(*unknown->dependencies, input) != unknown->dependencies->end();
}

/// Nothing is calculated from inputs that has its own start value, or that is a parameter.
bool is_given(const fmi::Variable& variable, Phase phase) {
    if (phase == Phase::initialization && variable.initial == fmi::Initial::exact)
        return true;
    return variable.causality == fmi::Causality::parameter ||
           variable.causality == fmi::Causality::structural_parameter ||
           variable.variability == fmi::Variability::constant ||
           (phase == Phase::stepping && variable.variability == fmi::Variability::fixed);
}

} // namespace

Successors port_graph(const Wiring& wiring, const Participants& participants, Phase phase) {
    const std::vector<Port>&inputs = wiring.inputs(), &outputs = wiring.outputs();
    Successors graph(inputs.size() + outputs.size());
    for (const Wiring::Wire& wire : wiring.wires())
        graph[inputs.size() + wire.from].push_back(wire.to);
    std::size_t first = 0; // the ports of one participant are next to each other
    for (std::size_t o = 0; o < outputs.size(); ++o) {
        const Port& output = outputs[o];
        const fmi::Description& description = *participants[output.participant]->description;
        if (is_given(description.variables[output.variable], phase))
            continue;
        const fmi::Unknown* unknown =
            entry(phase == Phase::initialization ? description.initial_unknowns : description.outputs,
                  output.variable);
        while (first < inputs.size() && inputs[first].participant < output.participant)
            ++first;
        for (std::size_t i = first; i < inputs.size() && inputs[i].participant == output.participant; ++i)
            if (depends(unknown, inputs[i].variable))
                graph[i].push_back(inputs.size() + o);
    }
    return graph;
}

bool is_loop(const Successors& graph, const std::vector<std::size_t>& component) {
    const std::size_t node = component.front();
    return component.size() > 1 || std::ranges::find(graph[node], node) != graph[node].end();
}

std::vector<char> feeds_through(const Wiring& wiring, const Participants& participants) {
    const Successors graph = port_graph(wiring, participants, Phase::stepping);
    std::vector<char> result(wiring.continuous().size(), false);
    for (std::size_t i = 0; i < wiring.inputs().size(); ++i)
        if (const Port& port = wiring.inputs()[i]; port.block == Port::shared && !graph[i].empty())
            std::fill_n(result.begin() + static_cast<std::ptrdiff_t>(port.first), port.count, true);
    return result;
}

Successors participant_graph(const Wiring& wiring, std::size_t participants) {
    Successors graph(participants);
    for (const Wiring::Wire& wire : wiring.wires())
        graph[wire.what->from_fmu].push_back(wire.what->to_fmu);
    for (std::vector<std::size_t>& edges : graph) {
        std::ranges::sort(edges);
        edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    }
    return graph;
}

} // namespace tenon::master
