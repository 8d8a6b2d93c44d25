// Loops with redundant rows: dense blocks of GraphKkt whose rank is known.
//
// How many rows of a machine are redundant is a property of the machine; which of them one could do without changes
// as it moves, and away from the constraints (stages of Runge-Kutta methods) none follows exactly from the others. So no
// row is chosen. The rows of a block, n of which d are redundant, are eliminated together with the best that rank
// n - d offers:
//
//   N ~ W W^T      Cholesky factors with the largest pivot next, stopped after n - d columns
//   W = Q R        Q orthonormal
//   N^+ = T T^T,   T = Q R^-T
//
// lambda = N^+ b is the shortest multiplier that satisfies the rows, as well as they can be satisfied, and depends
// smoothly on the position. What is left of N after n - d pivots is the square of a violation, so the order of pivots
// does not show. Rows of angles are taken times the length L of the machine's levers: one measure for all rows, and
// pivots and norms that do not depend on the orientation of the drawing.
//
// A block contains all loops that share a body somewhere between where they are cut and where they close, so that its
// number is right even where one loop is singular and another holds it (two parallelograms a right angle apart). It is
// eliminated where the last of them closes. Many coupled loops (n_four_bar) are left to blocks of one joint.

#include "core/math/graph_kkt.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tenon {

namespace {
constexpr int most_rows_together = 24;
} // namespace

void GraphKkt::exclude(const std::vector<char>& excluded) {
    excluded_ = excluded;
    in_blocks_ = false;
    analyse();
}

void GraphKkt::collect_loops(const std::vector<char>& excluded) {
    if (!in_blocks_)
        redundant_ = dropped_;
    excluded_ = excluded;
    in_blocks_ = true;
    measure_rows();
    analyse();
}

std::vector<int> GraphKkt::block_deficiency() const {
    std::vector<int> out;
    for (const Block& block : blocks_)
        out.push_back(block.rows - block.rank);
    return out;
}

void GraphKkt::expect(const std::vector<int>& block_deficiency) {
    for (std::size_t i = 0; i < blocks_.size(); ++i)
        blocks_[i].expected = block_deficiency[i];
}

// L: the levers of all rows that have a force, root mean square.
void GraphKkt::measure_rows() {
    double force = 0, torque = 0;
    const auto of_row = [&](int r, const auto& use) {
        use(row_gradient_[r].g1);
        use(row_gradient_[r].g2);
    };
    for (const Link& link : links_) {
        for (int r = link.row; r < link.row + link.rows; ++r) {
            of_row(r, [&](const Vec6& g) {
                if (g.head<3>().squaredNorm() > 0) {
                    force += g.head<3>().squaredNorm();
                    torque += g.tail<3>().squaredNorm();
                }
            });
        }
    }
    const double length = force > 0 && torque > 0 ? std::sqrt(torque / force) : 1.0;
    row_length_.assign(static_cast<std::size_t>(rows_), length);
    for (const Link& link : links_) {
        for (int r = link.row; r < link.row + link.rows; ++r) {
            of_row(r, [&](const Vec6& g) {
                if (g.head<3>().squaredNorm() > 0)
                    row_length_[r] = 1;
            });
        }
    }
    for (const Coupling& c : couplings_) {
        for (std::size_t i = 0; i < c.bodies.size(); ++i) {
            if (coupling_gradient_[c.gradient + static_cast<int>(i)].head<3>().squaredNorm() > 0)
                row_length_[c.row] = 1;
        }
    }
}

// The block of each loop row, named by its first one. Loops of a block are made to close at the same place.
std::vector<int> GraphKkt::gather_blocks(std::vector<LoopRow>& loops) const {
    const int n = static_cast<int>(loops.size());
    std::vector<int> joint(loops.size()), cluster(loops.size()), size(loops.size(), 0);
    for (int k = 0; k < n; ++k)
        joint[k] = k > 0 && loops[k].group == loops[k - 1].group ? joint[k - 1] : k;
    std::vector<char> redundant(loops.size(), 0);
    for (bool moved = true; moved;) {
        moved = false;
        cluster = joint;
        const auto root = [&](int k) {
            while (cluster[k] != k)
                k = cluster[k];
            return k;
        };
        const std::vector<std::vector<int>> passing = passing_loops(loops);
        for (int b = 0; b < bodies_; ++b) {
            int first = -1;
            for (int k : passing[b]) {
                if (loops[k].close == b)
                    continue;
                if (first < 0)
                    first = k;
                const int x = root(first), y = root(k);
                cluster[std::max(x, y)] = std::min(x, y);
            }
        }
        std::vector<int> top(loops.size(), -2);
        std::fill(redundant.begin(), redundant.end(), 0);
        std::fill(size.begin(), size.end(), 0);
        for (int k = 0; k < n; ++k) {
            cluster[k] = root(k);
            const int c = cluster[k];
            ++size[c];
            redundant[c] = redundant[c] || redundant_[loops[k].row] ? 1 : 0;
            top[c] = top[c] == -2 ? loops[k].close : meet(top[c], loops[k].close);
        }
        for (int k = 0; k < n; ++k) {
            const int c = cluster[k];
            if (redundant[c] && loops[k].close != top[c]) {
                loops[k].close = top[c];
                moved = true;
            }
        }
    }
    std::vector<int> block(loops.size());
    for (int k = 0; k < n; ++k) {
        const int c = cluster[k];
        block[k] = redundant[c] && size[c] <= most_rows_together ? c : joint[k];
    }
    return block;
}

void GraphKkt::store_blocks() {
    int doubles = 0, most = 0;
    int last = -1;
    for (int i = 0; i < static_cast<int>(pivots_.size()); ++i) {
        if (block_of_pivot_[i] != last) {
            last = block_of_pivot_[i];
            blocks_.push_back({});
            blocks_.back().pivot = i;
        }
        block_of_pivot_[i] = static_cast<int>(blocks_.size()) - 1;
        ++blocks_.back().rows;
    }
    for (Block& block : blocks_) {
        block.neighbours = pivots_[block.pivot + block.rows - 1].neighbours;
        block.store = doubles;
        doubles += block.rows * (block.rows + block.neighbours + 6 + 1);
        most = std::max(most, block.rows);
    }
    block_store_.assign(static_cast<std::size_t>(doubles), 0.0);
    block_order_.assign(static_cast<std::size_t>(most), 0);
    block_N_ = block_W_ = block_R_ = Matrix::Zero(most, most);
}

// T of a block from block_N_ (rows times their lengths); returns the rank. Factors are kept row by row in what follows:
// T(i, k) is T[i * rows + k].
int GraphKkt::decompose(const Block& block) {
    const int n = block.rows;
    Matrix& N = block_N_;
    Matrix& W = block_W_;
    Matrix& R = block_R_;
    int* place = block_order_.data(); // rows in order of pivots
    std::iota(place, place + n, 0);
    int rank = 0;
    for (; rank < n - block.expected; ++rank) {
        int best = -1;
        double largest = 0;
        for (int x = rank; x < n; ++x) {
            const int i = place[x];
            const Pivot& pivot = pivots_[block.pivot + i];
            const double s = row_length_[pivot.row];
            if (N(i, i) > largest && N(i, i) > rank_tolerance * s * s * pivot.scale &&
                pivot.scale > raw_tolerance * pivot.raw) {
                largest = N(i, i);
                best = x;
            }
        }
        if (best < 0)
            break;
        std::swap(place[rank], place[best]);
        const int p = place[rank];
        const double inverse = 1 / std::sqrt(N(p, p));
        for (int x = 0; x < n; ++x)
            W(place[x], rank) = x < rank ? 0.0 : N(place[x], p) * inverse;
        for (int x = rank + 1; x < n; ++x) {
            for (int y = x; y < n; ++y) {
                const int i = place[x], j = place[y];
                N(i, j) -= W(i, rank) * W(j, rank);
                N(j, i) = N(i, j);
            }
        }
    }
    double* T = &block_store_[block.store];
    const auto share = [&](int i) -> double& { return share_[pivots_[block.pivot + i].row]; };
    if (rank == n) {
        // W has the rows of a triangle: T = W^-T.
        for (int k = 0; k < n; ++k) {
            for (int x = 0; x < n; ++x)
                T[place[x] * n + k] = 0;
        }
        for (int x = 0; x < n; ++x) { // column x of W^-1: W(place[a], b) lower
            for (int a = x; a < n; ++a) {
                double s = a == x ? 1.0 : 0.0;
                for (int b = x; b < a; ++b)
                    s -= W(place[a], b) * T[place[x] * n + b];
                T[place[x] * n + a] = s / W(place[a], a);
            }
            share(x) = 0;
        }
    } else {
        for (int k = 0; k < rank; ++k) {
            for (int j = 0; j <= k; ++j)
                R(j, k) = 0;
            for (int pass = 0; pass < 2; ++pass) {
                for (int j = 0; j < k; ++j) {
                    const double c = W.col(j).head(n).dot(W.col(k).head(n));
                    R(j, k) += c;
                    W.col(k).head(n) -= c * W.col(j).head(n);
                }
            }
            R(k, k) = W.col(k).head(n).norm();
            W.col(k).head(n) /= R(k, k);
        }
        for (int i = 0; i < n; ++i) {
            share(i) = 1;
            for (int k = rank - 1; k >= 0; --k) {
                share(i) -= W(i, k) * W(i, k);
                double s = W(i, k);
                for (int j = k + 1; j < rank; ++j)
                    s -= R(k, j) * T[i * n + j];
                T[i * n + k] = s / R(k, k);
            }
        }
    }
    for (int i = 0; i < n; ++i) {
        const double s = row_length_[pivots_[block.pivot + i].row];
        for (int k = 0; k < rank; ++k)
            T[i * n + k] *= s;
    }
    return rank;
}

// N lambda + B lambda_later + C^T a = b, a the acceleration of the body the block closes at.
void GraphKkt::eliminate_block(Block& block, Node* node) {
    const int n = block.rows, m = block.neighbours;
    for (int i = 0; i < n; ++i) {
        const Pivot& pivot = pivots_[block.pivot + i];
        const double s = row_length_[pivot.row];
        block_N_(i, i) = s * s * entry_[pivot.diagonal];
        for (int j = i + 1; j < n; ++j)
            block_N_(i, j) = block_N_(j, i) = s * row_length_[pivots_[block.pivot + j].row] *
                                              entry_[neighbour_entry_[pivot.neighbour + j - i - 1]];
        dropped_[pivot.row] = 0;
    }
    block.rank = decompose(block);
    const int rank = block.rank;
    const double* T = &block_store_[block.store];
    double* Y = &block_store_[block.store + n * n];          // Y(k, x) at k * m + x
    double* CT = &block_store_[block.store + n * n + n * m]; // column k at 6 * k
    for (int k = 0; k < rank; ++k) {
        for (int x = 0; x < m; ++x)
            Y[k * m + x] = 0;
    }
    for (int i = 0; i < n; ++i) {
        const Pivot& pivot = pivots_[block.pivot + i];
        const int* entry = neighbour_entry_.data() + pivot.neighbour + (n - 1 - i);
        for (int k = 0; k < rank; ++k) {
            for (int x = 0; x < m; ++x)
                Y[k * m + x] += T[i * n + k] * entry_[entry[x]];
        }
    }
    const Pivot& final = pivots_[block.pivot + n - 1];
    int update = final.update;
    for (int x = 0; x < m; ++x) {
        for (int y = x; y < m; ++y) {
            double sum = 0;
            for (int k = 0; k < rank; ++k)
                sum += Y[k * m + x] * Y[k * m + y];
            entry_[update_entry_[update++]] -= sum;
        }
    }
    if (node == nullptr)
        return;
    const int column = node->column + (block.pivot - column_pivot_[node->column]);
    for (int k = 0; k < rank; ++k) {
        Vec6 c = Vec6::Zero();
        for (int i = 0; i < n; ++i)
            c += T[i * n + k] * column_[column + i];
        Eigen::Map<Vec6>(CT + 6 * k) = c;
        for (int x = 0; x < m; ++x)
            column_[neighbour_column_[final.neighbour + x]] -= Y[k * m + x] * c;
        node->A.noalias() += c * c.transpose();
    }
}

// T^T b, and what it leaves for later blocks and for the body.
void GraphKkt::forward_block(const Block& block, Node* node) {
    const int n = block.rows, m = block.neighbours;
    const double* T = &block_store_[block.store];
    const double* Y = T + n * n;
    const double* CT = Y + n * m;
    double* z = &block_store_[block.store + n * (n + m + 6)];
    const int* later = neighbour_.data() + pivots_[block.pivot + n - 1].neighbour;
    for (int k = 0; k < block.rank; ++k) {
        z[k] = 0;
        for (int i = 0; i < n; ++i)
            z[k] += T[i * n + k] * pivots_[block.pivot + i].b;
        for (int x = 0; x < m; ++x)
            pivots_[later[x]].b -= Y[k * m + x] * z[k];
        if (node != nullptr)
            node->F += z[k] * Eigen::Map<const Vec6>(CT + 6 * k);
    }
}

// lambda = T (T^T b - T^T B lambda_later - (C T)^T a)
void GraphKkt::resolve_block(const Block& block, const Vec6* a, Vector& lambda) {
    const int n = block.rows, m = block.neighbours;
    const double* T = &block_store_[block.store];
    const double* Y = T + n * n;
    const double* CT = Y + n * m;
    double* z = &block_store_[block.store + n * (n + m + 6)];
    const int* later = neighbour_.data() + pivots_[block.pivot + n - 1].neighbour;
    for (int k = 0; k < block.rank; ++k) {
        for (int x = 0; x < m; ++x)
            z[k] -= Y[k * m + x] * pivots_[later[x]].lambda;
        if (a != nullptr)
            z[k] -= Eigen::Map<const Vec6>(CT + 6 * k).dot(*a);
    }
    for (int i = 0; i < n; ++i) {
        Pivot& pivot = pivots_[block.pivot + i];
        pivot.lambda = 0;
        for (int k = 0; k < block.rank; ++k)
            pivot.lambda += T[i * n + k] * z[k];
        lambda[pivot.row] = pivot.lambda;
    }
}

} // namespace tenon
