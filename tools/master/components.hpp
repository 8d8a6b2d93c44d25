#pragma once
// Strongly connected components of a directed graph.

#include <cstddef>
#include <vector>

namespace tenon::master {

/// For each node the nodes that its edges lead to.
using Successors = std::vector<std::vector<std::size_t>>;

/// Tarjan's algorithm, without recursion. Components in the order of the edges: none leads back to an earlier one. The
/// nodes of each are in ascending order.
std::vector<std::vector<std::size_t>> components(const Successors& successors);

} // namespace tenon::master
