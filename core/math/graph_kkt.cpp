#include "core/math/graph_kkt.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace tenon {

namespace {

// X a for a shift by d: (v + w x d, w).
Vec6 shift(const Vec3& d, const Vec6& a) {
    Vec6 out;
    out.head<3>() = a.head<3>() + a.tail<3>().cross(d);
    out.tail<3>() = a.tail<3>();
    return out;
}

// X^T f: (f, t + d x f).
Vec6 shift_force(const Vec3& d, const Vec6& f) {
    Vec6 out;
    out.head<3>() = f.head<3>();
    out.tail<3>() = f.tail<3>() + d.cross(f.head<3>());
    return out;
}

// A_p += X^T A X, A symmetric with blocks [P Q; Q^T R].
void add_shifted(const Vec3& d, const Mat6& A, Mat6& out) {
    const Mat3 dx = skew(d);
    const Mat3 P = A.topLeftCorner<3, 3>();
    const Mat3 Q = A.topRightCorner<3, 3>();
    const Mat3 R = A.bottomRightCorner<3, 3>();
    const Mat3 Pd = P * dx; // X = [1 -d~; 0 1]
    const Mat3 Qs = Q - Pd; // upper right of X^T A X
    const Mat3 dQ = dx * Q; // d~ Q
    out.topLeftCorner<3, 3>() += P;
    out.topRightCorner<3, 3>() += Qs;
    out.bottomLeftCorner<3, 3>() += Qs.transpose();
    out.bottomRightCorner<3, 3>() += R + dQ + dQ.transpose() - dx * Pd;
}

constexpr double row_tolerance = 1e-9;      // rows of one joint that depend on each other
constexpr double inertia_tolerance = 1e-12; // of D against its parts
constexpr double regularisation = 1e-5;     // of typical D
constexpr double raw_tolerance = 1e-20;     // a loop row that meets no freedom at all
constexpr int max_refinements = 12;
constexpr double bend_tolerance = 1e-13; // of G_p + G_c X against G_p

} // namespace

GraphKkt::GraphKkt(int bodies, std::vector<Link> links, std::vector<Coupling> couplings, int rows)
    : bodies_(bodies), rows_(rows), links_(std::move(links)), couplings_(std::move(couplings)),
      excluded_(static_cast<std::size_t>(rows), 0), dropped_(static_cast<std::size_t>(rows), 0) {
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
                if (other < 0 || seen[other]) {
                    continue;
                }
                auto [place, fresh] = best.try_emplace(other, l);
                if (!fresh && links_[l].rows > links_[place->second].rows) {
                    place->second = l;
                }
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
            while (next_root < bodies_ && seen[next_root]) {
                ++next_root;
            }
            if (next_root == bodies_) {
                break;
            }
            seen[next_root] = 1;
            layer.push_back(next_root);
        }
        found.insert(found.end(), layer.begin(), layer.end());
    }
    // Children before parents, subtrees together.
    std::vector<std::vector<int>> children(static_cast<std::size_t>(bodies_));
    std::vector<int> stack;
    for (int b : found) {
        if (nodes_[b].parent >= 0) {
            children[nodes_[b].parent].push_back(b);
        } else {
            stack.push_back(b);
        }
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

void GraphKkt::exclude(const std::vector<char>& excluded) {
    excluded_ = excluded;
    analyse();
}

void GraphKkt::analyse() {
    // Room for what each body keeps of its factors. The rows of a tree joint are independent wherever the joint holds,
    // so its freedom is known.
    int doubles = 0;
    for (int b : order_) {
        Node& node = nodes_[b];
        int held = 0;
        for (int i = 0; i < node.rows; ++i) {
            held += excluded_[node.row + i] ? 0 : 1;
        }
        node.room = 6 - held;
        node.store = doubles;
        doubles += (12 + node.room) * node.room + 6 * node.rows;
        doubles += doubles % 2;
    }
    store_.assign(static_cast<std::size_t>(doubles), 0.0);

    std::vector<int> position(static_cast<std::size_t>(bodies_), 0);
    std::vector<int> depth(static_cast<std::size_t>(bodies_), 0);
    for (int i = 0; i < bodies_; ++i) {
        position[order_[i]] = i;
    }
    for (int i = bodies_ - 1; i >= 0; --i) {
        const int b = order_[i];
        depth[b] = nodes_[b].parent < 0 ? 1 : depth[nodes_[b].parent] + 1;
    }
    const auto meet = [&](int a, int b) {
        while (a != b && a >= 0 && b >= 0) {
            if (depth[a] >= depth[b]) {
                a = nodes_[a].parent;
            } else {
                b = nodes_[b].parent;
            }
        }
        return a == b ? a : -1;
    };

    // Loop rows, the bodies they act on, and where they close.
    struct LoopRow {
        int row, close;
        std::vector<int> bodies;
        std::vector<Direct> direct; // column holds the body for now
        int group;
    };
    std::vector<LoopRow> loops;
    int groups = 0;
    for (std::size_t l = 0; l < links_.size(); ++l) {
        const Link& link = links_[l];
        const int tree_rows = tree_link_[l] ? std::min(link.rows, 6) : 0;
        for (int r = link.row + tree_rows; r < link.row + link.rows; ++r) {
            if (excluded_[r]) {
                continue;
            }
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
        if (excluded_[c.row]) {
            continue;
        }
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

    // Which loops pass a body: from each body they act on up to where they close (inclusive, but for the world).
    const int n = static_cast<int>(loops.size());
    std::vector<std::vector<int>> passing(static_cast<std::size_t>(bodies_));
    for (int k = 0; k < n; ++k) {
        for (int b : loops[k].bodies) {
            for (int c = b; c >= 0; c = nodes_[c].parent) {
                if (std::find(passing[c].begin(), passing[c].end(), k) != passing[c].end()) {
                    break;
                }
                passing[c].push_back(k);
                if (c == loops[k].close) {
                    break;
                }
            }
        }
    }

    // Neighbours: loops that meet at a body. Those that close at bodies go first, in the order of these bodies; those
    // that close at the world by least degree.
    std::vector<std::set<int>> near(static_cast<std::size_t>(n));
    for (const std::vector<int>& here : passing) {
        for (int i : here) {
            for (int j : here) {
                if (i != j) {
                    near[i].insert(j);
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
                if (i != j) {
                    near[i].insert(j);
                }
            }
        }
    };
    std::vector<int> inside;
    std::set<std::pair<int, int>> world; // (degree, loop)
    for (int k = 0; k < n; ++k) {
        if (loops[k].close >= 0) {
            inside.push_back(k);
        }
    }
    std::stable_sort(inside.begin(), inside.end(),
                     [&](int a, int b) { return position[loops[a].close] < position[loops[b].close]; });
    for (int k : inside) {
        take(k);
    }
    world_pivot_ = static_cast<int>(sequence.size());
    for (int k = 0; k < n; ++k) {
        if (loops[k].close < 0) {
            world.emplace(static_cast<int>(near[k].size()), k);
        }
    }
    while (!world.empty()) {
        const int k = world.begin()->second;
        world.erase(world.begin());
        std::vector<std::pair<int, int>> old;
        for (int j : near[k]) {
            world.erase({static_cast<int>(near[j].size()), j});
        }
        const std::set<int> touched = near[k];
        take(k);
        for (int j : touched) {
            world.emplace(static_cast<int>(near[j].size()), j);
        }
    }

    // Entries of the upper triangle of N in elimination order.
    std::vector<int> place(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
        place[sequence[i]] = i;
    }
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
        for (int k : later[sequence[i]]) {
            after.push_back(place[k]);
        }
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
        for (int k : passing[b]) {
            here.push_back(place[k]);
        }
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
}

// Gram-Schmidt, twice, on the rows of G_c: G_c = L Q^T, K = Q L^-1; S completes Q to an orthonormal basis.
void GraphKkt::null_space(Node& node) {
    Mat6 Q;
    Mat6 L = Mat6::Zero();
    int kept = 0;
    int kept_row[6];
    for (int i = 0; i < node.rows; ++i) {
        const RowGradient& row = row_gradient_[node.row + i];
        Vec6 g = node.second ? row.g2 : row.g1;
        const double size = g.norm();
        K(node, i).setZero();
        dropped_[node.row + i] = excluded_[node.row + i];
        if (excluded_[node.row + i]) {
            ++deficiency_;
            continue;
        }
        // A second pass where the first has cancelled digits.
        double before = size, rest = size;
        for (int pass = 0; pass < 2 && (pass == 0 || rest < 0.5 * before); ++pass) {
            before = rest;
            for (int j = 0; j < kept; ++j) {
                const double c = Q.col(j).dot(g);
                L(kept, j) += c;
                g -= c * Q.col(j);
            }
            rest = g.norm();
        }
        if (rest <= row_tolerance * size || size == 0) {
            dropped_[node.row + i] = 1;
            ++deficiency_;
            L.row(kept).setZero();
            continue;
        }
        L(kept, kept) = rest;
        Q.col(kept) = g / rest;
        kept_row[kept++] = i;
    }
    // Columns of L^-1 by back substitution: K L = Q.
    for (int j = kept - 1; j >= 0; --j) {
        Vec6 column = Q.col(j);
        for (int i = j + 1; i < kept; ++i) {
            column -= L(i, j) * K(node, kept_row[i]);
        }
        K(node, kept_row[j]) = column / L(j, j);
    }
    node.free = 6 - kept;
    node.free = std::min(node.free, node.room);
    if (kept == 0) {
        for (int i = 0; i < node.free; ++i) {
            S(node, i) = Vec6::Unit(i);
        }
        return;
    }
    // Residual squares of the unit vectors, largest first.
    Vec6 rest = Vec6::Ones();
    for (int j = 0; j < kept; ++j) {
        rest -= Q.col(j).cwiseAbs2();
    }
    for (int f = 0; f < node.free; ++f) {
        int best = 0;
        rest.maxCoeff(&best);
        Vec6 s = Vec6::Unit(best);
        for (int pass = 0; pass < 2; ++pass) {
            for (int j = 0; j < kept + f; ++j) {
                s -= Q.col(j).dot(s) * Q.col(j);
            }
        }
        s.normalize();
        Q.col(kept + f) = s;
        S(node, f) = s;
        rest -= s.cwiseAbs2();
    }
}

// X - K (G_p + G_c X) where the joint's rows feel a common rigid motion.
void GraphKkt::find_bend(Node& node, int body) {
    node.bent = false;
    for (int i = 0; i < node.rows; ++i) {
        if (dropped_[node.row + i]) {
            continue;
        }
        const RowGradient& row = row_gradient_[node.row + i];
        const Vec6& parent = node.second ? row.g1 : row.g2;
        const Vec6 felt = parent + shift_force(node.d, node.second ? row.g2 : row.g1);
        if (felt.lpNorm<Eigen::Infinity>() > bend_tolerance * parent.lpNorm<Eigen::Infinity>()) {
            if (!node.bent) {
                node.bent = true;
                bent_[body].setIdentity();
                bent_[body].topRightCorner<3, 3>() = -skew(node.d);
            }
            bent_[body].noalias() -= K(node, i) * felt.transpose();
        }
    }
}

Vec6 GraphKkt::to_child(const Node& node, int body, const Vec6& a) const {
    return node.bent ? Vec6(bent_[body] * a) : shift(node.d, a);
}

Vec6 GraphKkt::to_parent(const Node& node, int body, const Vec6& f) const {
    return node.bent ? Vec6(bent_[body].transpose() * f) : shift_force(node.d, f);
}

// D^-1 of D = S^T A S; a pivot of the Cholesky factors that is round-off is regularised.
void GraphKkt::invert_free_inertia(Node& node) {
    const int f = node.free;
    Mat6 L;
    for (int i = 0; i < f; ++i) {
        for (int j = 0; j <= i; ++j) {
            double d = S(node, i).dot(U(node, j));
            for (int k = 0; k < j; ++k) {
                d -= L(i, k) * L(j, k);
            }
            if (i == j) {
                const double parts = S(node, i).cwiseAbs2().dot(node.A.diagonal());
                if (!(d > inertia_tolerance * parts)) {
                    d = std::max(d, 0.0) + regularisation * (typical_ > 0 ? typical_ : 1.0);
                    regularised_ = true;
                }
                L(i, i) = std::sqrt(d);
            } else {
                L(i, j) = d / L(j, j);
            }
        }
    }
    if (f == 1) {
        Dinv(node, 0, 0) = 1 / (L(0, 0) * L(0, 0));
        return;
    }
    Mat6 inverse; // of L, lower
    for (int j = 0; j < f; ++j) {
        for (int i = j; i < f; ++i) {
            double s = i == j ? 1.0 : 0.0;
            for (int k = j; k < i; ++k) {
                s -= L(i, k) * inverse(k, j);
            }
            inverse(i, j) = s / L(i, i);
        }
    }
    for (int i = 0; i < f; ++i) {
        for (int j = 0; j <= i; ++j) {
            double s = 0;
            for (int k = i; k < f; ++k) {
                s += inverse(k, i) * inverse(k, j);
            }
            Dinv(node, i, j) = s;
            Dinv(node, j, i) = s;
        }
    }
}

// Row k: N_kk lambda_k + sum_j N_kj lambda_j + c_k^T a = b_k, a the acceleration of the body it closes at.
void GraphKkt::eliminate_pivot(int index, Node* node) {
    Pivot& pivot = pivots_[index];
    const double n = entry_[pivot.diagonal];
    if (!(n > rank_tolerance * pivot.scale) || !(pivot.scale > raw_tolerance * pivot.raw)) {
        pivot.inverse = 0;
        dropped_[pivot.row] = 1;
        ++deficiency_;
        return;
    }
    dropped_[pivot.row] = 0;
    pivot.inverse = 1 / n;
    const int* entry = neighbour_entry_.data() + pivot.neighbour; // may be the end
    int update = pivot.update;
    for (int x = 0; x < pivot.neighbours; ++x) {
        const double ratio = entry_[entry[x]] * pivot.inverse;
        for (int y = x; y < pivot.neighbours; ++y) {
            entry_[update_entry_[update++]] -= ratio * entry_[entry[y]];
        }
    }
    if (node == nullptr) {
        return;
    }
    const Vec6 c = column_[node->column + (index - column_pivot_[node->column])];
    for (int x = 0; x < pivot.neighbours; ++x) {
        column_[neighbour_column_[pivot.neighbour + x]] -= (entry_[entry[x]] * pivot.inverse) * c;
    }
    node->A.noalias() += (pivot.inverse * c) * c.transpose();
}

void GraphKkt::factor_node(Node& node, int body) {
    for (int x = 0; x < node.closing; ++x) {
        eliminate_pivot(column_pivot_[node.column + x], &node);
    }
    null_space(node);
    if (node.parent >= 0) {
        find_bend(node, body);
    }
    const int f = node.free;
    for (int i = 0; i < f; ++i) {
        U(node, i).noalias() = node.A * S(node, i);
    }
    invert_free_inertia(node);

    // Y = S^T C, Z = D^-1 Y; N += Y^T Z
    int pair = node.pair;
    for (int x = node.closing; x < node.columns; ++x) {
        const Vec6& c = column_[node.column + x];
        Vec6& z = column_z_[node.column + x];
        Vec6 y;
        for (int i = 0; i < f; ++i) {
            y[i] = S(node, i).dot(c);
        }
        double size = 0;
        for (int i = 0; i < f; ++i) {
            z[i] = 0;
            for (int j = 0; j < f; ++j) {
                z[i] += Dinv(node, i, j) * y[j];
            }
            size += Dinv(node, i, i);
        }
        pivots_[column_pivot_[node.column + x]].raw += size * c.squaredNorm();
    }
    for (int x = node.closing; x < node.columns; ++x) {
        const Vec6& c = column_[node.column + x];
        for (int y = x; y < node.columns; ++y) {
            const Vec6& z = column_z_[node.column + y];
            double s = 0;
            for (int i = 0; i < f; ++i) {
                s += S(node, i).dot(c) * z[i];
            }
            entry_[pair_entry_[pair++]] += s;
            if (x == y) {
                pivots_[column_pivot_[node.column + x]].scale += s;
            }
        }
    }
    if (node.parent < 0) {
        return;
    }
    Node& parent = nodes_[node.parent];
    for (int x = node.closing; x < node.columns; ++x) {
        Vec6 c = column_[node.column + x];
        for (int i = 0; i < f; ++i) {
            c -= column_z_[node.column + x][i] * U(node, i);
        }
        column_[column_parent_[node.column + x]] += to_parent(node, body, c);
    }
    Mat6 A = node.A;
    for (int i = 0; i < f; ++i) {
        Vec6 w = Vec6::Zero();
        for (int j = 0; j < f; ++j) {
            w += Dinv(node, i, j) * U(node, j);
        }
        A.noalias() -= U(node, i) * w.transpose();
    }
    if (node.bent) {
        parent.A.noalias() += bent_[body].transpose() * A * bent_[body];
    } else {
        add_shifted(node.d, A, parent.A);
    }
}

void GraphKkt::factor(const BodyMass* mass, const Vec3* position, const RowGradient* rows,
                      const Vec6* coupling_gradients) {
    mass_ = mass;
    row_gradient_ = rows;
    coupling_gradient_ = coupling_gradients;
    regularised_ = false;
    deficiency_ = 0;
    for (int b = 0; b < bodies_; ++b) {
        Node& node = nodes_[b];
        node.A.setZero();
        node.A.diagonal().head<3>().setConstant(mass[b].mass);
        node.A.bottomRightCorner<3, 3>() = mass[b].inertia;
        node.d = node.parent < 0 ? position[b] : Vec3(position[b] - position[node.parent]);
    }
    std::fill(entry_.begin(), entry_.end(), 0.0);
    for (Vec6& c : column_) {
        c.setZero();
    }
    for (Pivot& pivot : pivots_) {
        pivot.scale = 0;
        pivot.raw = 0;
    }
    // A row that meets no freedom at all leaves round-off in its pivot: what it would be on free bodies is the measure.
    const double typical = typical_ > 0 ? typical_ : 1.0;
    for (const Direct& d : direct_) {
        const Vec6& g = d.side == 0   ? coupling_gradients[d.gradient]
                        : d.side == 1 ? rows[d.row].g1
                                      : rows[d.row].g2;
        column_[d.column] += g;
        pivots_[column_pivot_[d.column]].raw += g.squaredNorm() / typical;
    }
    for (int b : order_) {
        factor_node(nodes_[b], b);
    }
    for (int i = world_pivot_; i < static_cast<int>(pivots_.size()); ++i) {
        eliminate_pivot(i, nullptr);
    }
    for (int r = 0; r < rows_; ++r) {
        if (excluded_[r] && !dropped_[r]) {
            dropped_[r] = 1;
        }
    }
    deficiency_ = 0;
    for (char d : dropped_) {
        deficiency_ += d != 0 ? 1 : 0;
    }
}

void GraphKkt::calibrate() {
    double sum = 0;
    int count = 0;
    for (Node& node : nodes_) {
        for (int i = 0; i < node.free; ++i) {
            const double d = S(node, i).dot(U(node, i));
            const double parts = S(node, i).cwiseAbs2().dot(node.A.diagonal());
            if (d > inertia_tolerance * parts) {
                sum += d;
                ++count;
            }
        }
    }
    typical_ = count == 0 ? 1.0 : sum / count;
}

void GraphKkt::solve_once(const Vector& f, const Vector& rhs, Vector& a, Vector& lambda) {
    lambda.setZero();
    for (Pivot& pivot : pivots_) {
        pivot.b = rhs[pivot.row];
        pivot.lambda = 0;
    }
    for (int b = 0; b < bodies_; ++b) {
        nodes_[b].F = f.segment<6>(6 * b);
    }
    // Leaves to root: u0 and what is left for the parent.
    const auto eliminate = [&](int index) {
        const Pivot& pivot = pivots_[index];
        const double share = pivot.b * pivot.inverse;
        for (int x = 0; x < pivot.neighbours; ++x) {
            pivots_[neighbour_[pivot.neighbour + x]].b -=
                entry_[neighbour_entry_[pivot.neighbour + x]] * share;
        }
        return share;
    };
    for (int b : order_) {
        Node& node = nodes_[b];
        for (int x = 0; x < node.closing; ++x) {
            node.F += eliminate(column_pivot_[node.column + x]) * column_[node.column + x];
        }
        node.k.setZero();
        for (int i = 0; i < node.rows; ++i) {
            if (!dropped_[node.row + i]) {
                node.k += rhs[node.row + i] * K(node, i);
            }
        }
        Vec6 g = node.F;
        g.noalias() -= node.A * node.k;
        Vec6 s;
        for (int i = 0; i < node.free; ++i) {
            s[i] = S(node, i).dot(g);
        }
        for (int i = 0; i < node.free; ++i) {
            node.u[i] = 0;
            for (int j = 0; j < node.free; ++j) {
                node.u[i] += Dinv(node, i, j) * s[j];
            }
        }
        for (int x = node.closing; x < node.columns; ++x) {
            double sum = column_[node.column + x].dot(node.k);
            for (int i = 0; i < node.free; ++i) {
                sum += column_z_[node.column + x][i] * s[i];
            }
            pivots_[column_pivot_[node.column + x]].b -= sum;
        }
        if (node.parent >= 0) {
            for (int i = 0; i < node.free; ++i) {
                g -= node.u[i] * U(node, i);
            }
            nodes_[node.parent].F += to_parent(node, b, g);
        }
    }
    const int n = static_cast<int>(pivots_.size());
    for (int i = world_pivot_; i < n; ++i) {
        eliminate(i);
    }
    const auto resolve = [&](int index, double extra) {
        Pivot& pivot = pivots_[index];
        double sum = pivot.b - extra;
        for (int x = 0; x < pivot.neighbours; ++x) {
            sum -= entry_[neighbour_entry_[pivot.neighbour + x]] *
                   pivots_[neighbour_[pivot.neighbour + x]].lambda;
        }
        pivot.lambda = sum * pivot.inverse;
        lambda[pivot.row] = pivot.lambda;
    };
    for (int i = n - 1; i >= world_pivot_; --i) {
        resolve(i, 0);
    }
    // Root to leaves.
    for (int o = bodies_ - 1; o >= 0; --o) {
        const int b = order_[o];
        Node& node = nodes_[b];
        Vec6 in = Vec6::Zero();
        if (node.parent >= 0) {
            in = to_child(node, b, nodes_[node.parent].a);
        }
        Vec6 t;
        for (int i = 0; i < node.free; ++i) {
            t[i] = U(node, i).dot(in);
        }
        node.a = in + node.k;
        Vec6 F = node.F;
        for (int x = node.closing; x < node.columns; ++x) {
            F += pivots_[column_pivot_[node.column + x]].lambda * column_[node.column + x];
        }
        for (int i = 0; i < node.free; ++i) {
            double u = node.u[i];
            for (int j = 0; j < node.free; ++j) {
                u -= Dinv(node, i, j) * t[j];
            }
            for (int x = node.closing; x < node.columns; ++x) {
                u += column_z_[node.column + x][i] * pivots_[column_pivot_[node.column + x]].lambda;
            }
            node.a += u * S(node, i);
        }
        a.segment<6>(6 * b) = node.a;
        const Vec6 lack = node.A * node.a - F;
        for (int i = 0; i < node.rows; ++i) {
            if (!dropped_[node.row + i]) {
                lambda[node.row + i] = K(node, i).dot(lack);
            }
        }
        for (int x = node.closing - 1; x >= 0; --x) {
            resolve(column_pivot_[node.column + x], column_[node.column + x].dot(node.a));
        }
    }
}

void GraphKkt::residual(const Vector& f, const Vector& rhs, const Vector& a, const Vector& lambda, Vector& rf,
                        Vector& rr) const {
    for (int b = 0; b < bodies_; ++b) {
        rf.segment<3>(6 * b) = f.segment<3>(6 * b) - mass_[b].mass * a.segment<3>(6 * b);
        rf.segment<3>(6 * b + 3) = f.segment<3>(6 * b + 3) - mass_[b].inertia * a.segment<3>(6 * b + 3);
    }
    rr = rhs;
    const auto add = [&](int body, int row, const Vec6& g) {
        if (body >= 0) {
            rf.segment<6>(6 * body) += lambda[row] * g;
            rr[row] -= g.dot(a.segment<6>(6 * body));
        }
    };
    for (const Link& link : links_) {
        for (int r = link.row; r < link.row + link.rows; ++r) {
            add(link.first, r, row_gradient_[r].g1);
            add(link.second, r, row_gradient_[r].g2);
        }
    }
    for (const Coupling& c : couplings_) {
        for (std::size_t i = 0; i < c.bodies.size(); ++i) {
            add(c.bodies[i], c.row, coupling_gradient_[c.gradient + static_cast<int>(i)]);
        }
    }
    for (int r = 0; r < rows_; ++r) {
        if (dropped_[r]) {
            rr[r] = 0;
        }
    }
}

void GraphKkt::solve(const Vector& f, const Vector& rhs, Vector& a, Vector& lambda) {
    solve_once(f, rhs, a, lambda);
    unresolved_ = -1;
    if (!regularised_) {
        return;
    }
    double last = 1e300;
    for (int i = 0; i < max_refinements; ++i) {
        residual(f, rhs, a, lambda, rf_, rr_);
        solve_once(rf_, rr_, da_, dl_);
        a += da_;
        lambda += dl_;
        const double change = da_.lpNorm<Eigen::Infinity>();
        const double size = a.lpNorm<Eigen::Infinity>();
        if (change <= 1e-14 * size || (change > 0.5 * last && change <= 1e-9 * size)) {
            return;
        }
        last = change;
    }
    if (last > 1e-6 * a.lpNorm<Eigen::Infinity>()) {
        Eigen::Index worst = 0;
        da_.cwiseAbs().maxCoeff(&worst);
        unresolved_ = static_cast<int>(worst) / 6;
    }
}

} // namespace tenon
