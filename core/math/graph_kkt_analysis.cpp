// The symbolic part of GraphKkt: spanning tree, loops, order of elimination, where everything is stored.

#include "core/math/graph_kkt.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace tenon {

GraphKkt::GraphKkt(int bodies, std::vector<Link> links, std::vector<Coupling> couplings, int rows)
    : bodies_(bodies), rows_(rows), links_(std::move(links)), couplings_(std::move(couplings)),
      excluded_(static_cast<std::size_t>(rows), 0), dropped_(static_cast<std::size_t>(rows), 0),
      share_(static_cast<std::size_t>(rows), 0.0) {
    rf_.resize(6 * bodies);
    da_.resize(6 * bodies);
    rr_.resize(rows);
    dl_.resize(rows);
    bent_.resize(static_cast<std::size_t>(bodies));
    build_tree();
    analyse();
}

// Breadth first from the world, then from a body of every part that floats; among the joints that reach a body from
// the same layer the one with most rows, which leaves least to eliminate.
void GraphKkt::build_tree() {
    nodes_.assign(static_cast<std::size_t>(bodies_), Node{});
    tree_link_.assign(links_.size(), 0);
    std::vector<std::vector<int>> at(static_cast<std::size_t>(bodies_ + 1));
    for (int l = 0; l < static_cast<int>(links_.size()); ++l) {
        if (links_[l].rows > 0) {
            at[links_[l].first + 1].push_back(l);
            at[links_[l].second + 1].push_back(l);
        }
    }
    std::vector<char> seen(static_cast<std::size_t>(bodies_), 0);
    std::vector<int> found;
    std::vector<int> layer = {-1};
    int next_root = 0;
    while (true) {
        std::map<int, int> best; // body -> link
        for (int b : layer) {
            for (int l : at[b + 1]) {
                const int other = links_[l].first == b ? links_[l].second : links_[l].first;
                if (other < 0 || seen[other])
                    continue;
                auto [place, fresh] = best.try_emplace(other, l);
                if (!fresh && links_[l].rows > links_[place->second].rows)
                    place->second = l;
            }
        }
        layer.clear();
        for (const auto& [body, l] : best) {
            Node& node = nodes_[body];
            node.link = l;
            node.second = links_[l].second == body;
            node.parent = node.second ? links_[l].first : links_[l].second;
            node.row = links_[l].row;
            node.rows = std::min(links_[l].rows, 6);
            tree_link_[l] = 1;
            seen[body] = 1;
            layer.push_back(body);
        }
        if (layer.empty()) {
            while (next_root < bodies_ && seen[next_root])
                ++next_root;
            if (next_root == bodies_)
                break;
            seen[next_root] = 1;
            layer.push_back(next_root);
        }
        found.insert(found.end(), layer.begin(), layer.end());
    }
    // Children before parents, subtrees together.
    std::vector<std::vector<int>> children(static_cast<std::size_t>(bodies_));
    std::vector<int> stack;
    for (int b : found) {
        if (nodes_[b].parent >= 0)
            children[nodes_[b].parent].push_back(b);
        else
            stack.push_back(b);
    }
    order_.clear();
    while (!stack.empty()) {
        const int b = stack.back();
        stack.pop_back();
        order_.push_back(b);
        stack.insert(stack.end(), children[b].begin(), children[b].end());
    }
    std::reverse(order_.begin(), order_.end());
}

int GraphKkt::meet(int a, int b) const {
    while (a != b && a >= 0 && b >= 0) {
        if (depth_[a] >= depth_[b])
            a = nodes_[a].parent;
        else
            b = nodes_[b].parent;
    }
    return a == b ? a : -1;
}

// Which loops pass a body: from each body they act on up to where they close (inclusive, but for the world).
std::vector<std::vector<int>> GraphKkt::passing_loops(const std::vector<LoopRow>& loops) const {
    std::vector<std::vector<int>> passing(static_cast<std::size_t>(bodies_));
    for (int k = 0; k < static_cast<int>(loops.size()); ++k) {
        for (int b : loops[k].bodies) {
            for (int c = b; c >= 0; c = nodes_[c].parent) {
                if (std::find(passing[c].begin(), passing[c].end(), k) != passing[c].end())
                    break;
                passing[c].push_back(k);
                if (c == loops[k].close)
                    break;
            }
        }
    }
    return passing;
}

void GraphKkt::analyse() {
    // Room for what each body keeps of its factors. The rows of a tree joint are independent wherever the joint holds,
    // so its freedom is known.
    int doubles = 0;
    for (int b : order_) {
        Node& node = nodes_[b];
        int held = 0;
        for (int i = 0; i < node.rows; ++i)
            held += excluded_[node.row + i] ? 0 : 1;
        node.room = 6 - held;
        node.store = doubles;
        doubles += (12 + node.room) * node.room + 6 * node.rows;
        doubles += doubles % 2;
    }
    store_.assign(static_cast<std::size_t>(doubles), 0.0);

    std::vector<int> position(static_cast<std::size_t>(bodies_), 0);
    depth_.assign(static_cast<std::size_t>(bodies_), 0);
    for (int i = 0; i < bodies_; ++i)
        position[order_[i]] = i;
    for (int i = bodies_ - 1; i >= 0; --i) {
        const int b = order_[i];
        depth_[b] = nodes_[b].parent < 0 ? 1 : depth_[nodes_[b].parent] + 1;
    }

    // Loop rows, the bodies they act on, and where they close.
    std::vector<LoopRow> loops;
    int groups = 0;
    for (std::size_t l = 0; l < links_.size(); ++l) {
        const Link& link = links_[l];
        const int tree_rows = tree_link_[l] ? std::min(link.rows, 6) : 0;
        for (int r = link.row + tree_rows; r < link.row + link.rows; ++r) {
            if (excluded_[r])
                continue;
            LoopRow loop{r, meet(link.first, link.second), {}, {}, groups};
            if (link.first >= 0) {
                loop.bodies.push_back(link.first);
                loop.direct.push_back({link.first, r, 1, 0});
            }
            if (link.second >= 0) {
                loop.bodies.push_back(link.second);
                loop.direct.push_back({link.second, r, 2, 0});
            }
            loops.push_back(std::move(loop));
        }
        ++groups;
    }
    for (const Coupling& c : couplings_) {
        if (excluded_[c.row])
            continue;
        LoopRow loop{c.row, c.bodies.empty() ? -1 : c.bodies.front(), {}, {}, groups++};
        for (std::size_t i = 0; i < c.bodies.size(); ++i) {
            loop.close = meet(loop.close, c.bodies[i]);
            if (c.bodies[i] >= 0) {
                loop.bodies.push_back(c.bodies[i]);
                loop.direct.push_back({c.bodies[i], c.row, 0, c.gradient + static_cast<int>(i)});
            }
        }
        loops.push_back(std::move(loop));
    }

    const int n = static_cast<int>(loops.size());
    std::vector<int> block(static_cast<std::size_t>(n)); // by loop row
    std::iota(block.begin(), block.end(), 0);
    if (in_blocks_)
        block = gather_blocks(loops);
    std::vector<std::vector<int>> mates(
        static_cast<std::size_t>(n)); // of a block, at the place of its number
    for (int k = 0; k < n; ++k)
        mates[block[k]].push_back(k);
    const std::vector<std::vector<int>> passing = passing_loops(loops);

    // Neighbours: loops that meet at a body. Those that close at bodies go first, in the order of these bodies; those
    // that close at the world by least degree. Where there are blocks, a loop that closes at a body does not meet there:
    // that would only tie blocks together that have nothing in common.
    std::vector<std::set<int>> near(static_cast<std::size_t>(n));
    for (int b = 0; b < bodies_; ++b) {
        for (int i : passing[b]) {
            for (int j : passing[b]) {
                if (i != j && !(in_blocks_ && (loops[i].close == b || loops[j].close == b)))
                    near[i].insert(j);
            }
        }
    }
    for (const std::vector<int>& rows : mates) { // all have the same neighbours
        std::set<int> all(rows.begin(), rows.end());
        for (int k : rows)
            all.insert(near[k].begin(), near[k].end());
        for (std::size_t i = 0; rows.size() > 1 && i < rows.size(); ++i) {
            for (int j : all) {
                if (j != rows[i]) {
                    near[rows[i]].insert(j);
                    near[j].insert(rows[i]);
                }
            }
        }
    }
    std::vector<int> sequence;
    std::vector<std::vector<int>> later(static_cast<std::size_t>(n));
    const auto take = [&](int k) {
        sequence.push_back(k);
        later[k].assign(near[k].begin(), near[k].end());
        for (int i : later[k]) {
            near[i].erase(k);
            for (int j : later[k]) {
                if (i != j)
                    near[i].insert(j);
            }
        }
    };
    std::vector<int> inside;
    std::set<std::pair<int, int>> world; // (degree, loop)
    for (int k = 0; k < n; ++k) {
        if (loops[k].close >= 0)
            inside.push_back(k);
    }
    std::stable_sort(inside.begin(), inside.end(), [&](int a, int b) {
        const int pa = position[loops[a].close], pb = position[loops[b].close];
        return pa != pb ? pa < pb : in_blocks_ && block[a] < block[b];
    });
    for (int k : inside)
        take(k);
    world_pivot_ = static_cast<int>(sequence.size());
    for (int k = 0; k < n; ++k) {
        if (loops[k].close < 0)
            world.emplace(static_cast<int>(near[k].size()), k);
    }
    while (!world.empty()) {
        const std::vector<int>& rows = mates[block[world.begin()->second]];
        std::set<int> touched;
        for (int k : rows) {
            world.erase({static_cast<int>(near[k].size()), k});
            touched.insert(near[k].begin(), near[k].end());
        }
        for (int k : rows)
            touched.erase(k);
        for (int j : touched) {
            world.erase({static_cast<int>(near[j].size()), j});
        }
        for (int k : rows)
            take(k);
        for (int j : touched)
            world.emplace(static_cast<int>(near[j].size()), j);
    }

    // Entries of the upper triangle of N in elimination order.
    std::vector<int> place(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i)
        place[sequence[i]] = i;
    pivots_.assign(static_cast<std::size_t>(n), Pivot{});
    pivot_of_row_.assign(static_cast<std::size_t>(rows_), -1);
    std::map<std::pair<int, int>, int> index;
    int entries = 0;
    neighbour_.clear();
    neighbour_entry_.clear();
    update_entry_.clear();
    for (int i = 0; i < n; ++i) {
        Pivot& pivot = pivots_[i];
        pivot.row = loops[sequence[i]].row;
        pivot_of_row_[pivot.row] = i;
        pivot.diagonal = entries;
        index[{i, i}] = entries++;
        std::vector<int> after;
        for (int k : later[sequence[i]])
            after.push_back(place[k]);
        std::sort(after.begin(), after.end());
        pivot.neighbour = static_cast<int>(neighbour_.size());
        pivot.neighbours = static_cast<int>(after.size());
        for (int j : after) {
            neighbour_.push_back(j);
            neighbour_entry_.push_back(entries);
            index[{i, j}] = entries++;
        }
    }
    for (Pivot& pivot : pivots_) {
        pivot.update = static_cast<int>(update_entry_.size());
        for (int x = 0; x < pivot.neighbours; ++x) {
            for (int y = x; y < pivot.neighbours; ++y) {
                update_entry_.push_back(
                    index.at({neighbour_[pivot.neighbour + x], neighbour_[pivot.neighbour + y]}));
            }
        }
    }
    entry_.assign(static_cast<std::size_t>(entries), 0.0);

    // Columns of each body, those that close here first.
    column_pivot_.clear();
    column_parent_.clear();
    pair_entry_.clear();
    direct_.clear();
    std::map<std::pair<int, int>, int> column_of; // (body, pivot) -> column
    for (int b : order_) {
        Node& node = nodes_[b];
        std::vector<int> here;
        for (int k : passing[b])
            here.push_back(place[k]);
        std::sort(here.begin(), here.end(), [&](int i, int j) {
            const bool ci = loops[sequence[i]].close == b;
            const bool cj = loops[sequence[j]].close == b;
            return ci != cj ? ci : i < j;
        });
        node.column = static_cast<int>(column_pivot_.size());
        node.columns = static_cast<int>(here.size());
        node.closing = 0;
        for (int i : here) {
            column_of[{b, i}] = static_cast<int>(column_pivot_.size());
            column_pivot_.push_back(i);
            node.closing += loops[sequence[i]].close == b ? 1 : 0;
        }
        node.pair = static_cast<int>(pair_entry_.size());
        for (int x = node.closing; x < node.columns; ++x) {
            for (int y = x; y < node.columns; ++y) {
                pair_entry_.push_back(index.at({std::min(here[x], here[y]), std::max(here[x], here[y])}));
            }
        }
    }
    column_parent_.assign(column_pivot_.size(), -1);
    for (int b : order_) {
        const Node& node = nodes_[b];
        for (int x = node.closing; x < node.columns && node.parent >= 0; ++x) {
            column_parent_[node.column + x] = column_of.at({node.parent, column_pivot_[node.column + x]});
        }
    }
    neighbour_column_.assign(neighbour_.size(), -1);
    for (int i = 0; i < world_pivot_; ++i) {
        const int close = loops[sequence[i]].close;
        for (int x = 0; x < pivots_[i].neighbours; ++x) {
            neighbour_column_[pivots_[i].neighbour + x] =
                column_of.at({close, neighbour_[pivots_[i].neighbour + x]});
        }
    }
    for (int k = 0; k < n; ++k) {
        for (Direct d : loops[k].direct) {
            d.column = column_of.at({d.column, place[k]});
            direct_.push_back(d);
        }
    }
    std::sort(direct_.begin(), direct_.end(),
              [](const Direct& a, const Direct& b) { return a.column < b.column; });
    column_.assign(column_pivot_.size(), Vec6::Zero());
    column_z_.assign(column_pivot_.size(), Vec6::Zero());
    blocks_.clear();
    block_of_pivot_.clear();
    if (in_blocks_) {
        for (int i = 0; i < n; ++i)
            block_of_pivot_.push_back(block[sequence[i]]);
        store_blocks();
    }
}

} // namespace tenon
