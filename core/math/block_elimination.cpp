#include "core/math/block_elimination.hpp"

#include <algorithm>
#include <set>

namespace tenon {

BlockElimination eliminate_by_least_degree(int nodes, const std::vector<std::pair<int, int>>& edges) {
    std::vector<std::set<int>> near(static_cast<std::size_t>(nodes));
    for (const auto& [i, j] : edges) {
        if (i != j) {
            near[i].insert(j);
            near[j].insert(i);
        }
    }
    std::set<std::pair<int, int>> queue;
    for (int i = 0; i < nodes; ++i)
        queue.emplace(static_cast<int>(near[i].size()), i);
    BlockElimination out;
    std::vector<std::vector<int>> later(static_cast<std::size_t>(nodes));
    out.place.assign(static_cast<std::size_t>(nodes), 0);
    while (!queue.empty()) {
        const int k = queue.begin()->second;
        queue.erase(queue.begin());
        out.place[k] = static_cast<int>(out.order.size());
        out.order.push_back(k);
        later[k].assign(near[k].begin(), near[k].end());
        for (int i : later[k]) {
            queue.erase({static_cast<int>(near[i].size()), i});
        }
        for (int i : later[k]) {
            near[i].erase(k);
            for (int j : later[k]) {
                if (i != j)
                    near[i].insert(j);
            }
        }
        for (int i : later[k])
            queue.emplace(static_cast<int>(near[i].size()), i);
    }
    for (int node : out.order) {
        std::vector<int> after;
        for (int k : later[node])
            after.push_back(out.place[k]);
        std::sort(after.begin(), after.end());
        out.after.push_back(std::move(after));
    }
    return out;
}

} // namespace tenon
