#pragma once
// The order in which the nodes of a graph are eliminated from a symmetric pattern of blocks, and what that fills in.

#include <utility>
#include <vector>

namespace tenon {

struct BlockElimination {
    std::vector<int> order, place;       ///< the node at a place, and the place of a node
    std::vector<std::vector<int>> after; ///< by place: the later places that its elimination couples, sorted
};

/// Least degree first; of equals the first node.
BlockElimination eliminate_by_least_degree(int nodes, const std::vector<std::pair<int, int>>& edges);

} // namespace tenon
