#include "tools/master/components.hpp"

#include <algorithm>
#include <limits>

namespace tenon::master {
namespace {

constexpr std::size_t unseen = std::numeric_limits<std::size_t>::max();

struct Search {
    const Successors& successors;
    std::vector<std::size_t> index, low; ///< order of discovery; lowest index that can be reached
    std::vector<char> open;              ///< on the stack
    std::vector<std::size_t> stack;
    std::vector<std::vector<std::size_t>> found;
    std::size_t count = 0;

    explicit Search(const Successors& s)
        : successors(s), index(s.size(), unseen), low(s.size()), open(s.size(), false) {}

    void enter(std::size_t node) {
        index[node] = low[node] = count++;
        stack.push_back(node);
        open[node] = true;
    }

    void leave(std::size_t node) {
        if (low[node] != index[node])
            return;
        std::vector<std::size_t>& component = found.emplace_back();
        std::size_t member;
        do {
            member = stack.back();
            stack.pop_back();
            open[member] = false;
            component.push_back(member);
        } while (member != node);
        std::ranges::sort(component);
    }

    void run(std::size_t root) {
        struct Visit {
            std::size_t node, edge;
        };
        std::vector<Visit> path{{root, 0}};
        enter(root);
        while (!path.empty()) {
            Visit& visit = path.back();
            if (visit.edge < successors[visit.node].size()) {
                const std::size_t node = visit.node, next = successors[node][visit.edge++];
                if (index[next] == unseen) {
                    enter(next);
                    path.push_back({next, 0});
                } else if (open[next]) {
                    low[node] = std::min(low[node], index[next]);
                }
                continue;
            }
            const std::size_t node = visit.node;
            leave(node);
            path.pop_back();
            if (!path.empty())
                low[path.back().node] = std::min(low[path.back().node], low[node]);
        }
    }
};

} // namespace

std::vector<std::vector<std::size_t>> components(const Successors& successors) {
    Search search(successors);
    // From the last, so that components without a path between them come in the order of their nodes.
    for (std::size_t node = successors.size(); node-- > 0;)
        if (search.index[node] == unseen)
            search.run(node);
    std::ranges::reverse(search.found);
    return std::move(search.found);
}

} // namespace tenon::master
