#pragma once
// Feedthrough: which connected output depends on which connected input, as the descriptions say, and the loops that come of it.

#include "tools/master/components.hpp"
#include "tools/master/wiring.hpp"

#include <vector>

namespace tenon::master {

/// Dependencies differ: at initialisation also states may follow from inputs.
enum class Phase { initialization, stepping };

/// Nodes are the ports: inputs first, then outputs. Edges lead along wires, and through FMUs from an input to the outputs
/// that depend on it. An FMU that says nothing about an output lets it depend on all inputs.
Successors port_graph(const Wiring& wiring, const Participants& participants, Phase phase);

/// Components of the graph with more than one node or an edge to itself: loops that have to be solved.
bool is_loop(const Successors& graph, const std::vector<std::size_t>& component);

/// For each slot of a float64 input: it has feedthrough to some connected output while stepping.
std::vector<char> feeds_through(const Wiring& wiring, const Participants& participants);

/// Nodes are the participants, edges lead along wires.
Successors participant_graph(const Wiring& wiring, std::size_t participants);

} // namespace tenon::master
