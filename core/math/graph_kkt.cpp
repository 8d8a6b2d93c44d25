#include "core/math/graph_kkt.hpp"

#include <algorithm>
#include <cmath>

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
constexpr double bend_tolerance = 1e-13;    // of G_p + G_c X against G_p

} // namespace

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
        for (int i = j + 1; i < kept; ++i)
            column -= L(i, j) * K(node, kept_row[i]);
        K(node, kept_row[j]) = column / L(j, j);
    }
    node.free = 6 - kept;
    node.free = std::min(node.free, node.room);
    if (kept == 0) {
        for (int i = 0; i < node.free; ++i)
            S(node, i) = Vec6::Unit(i);
        return;
    }
    // Residual squares of the unit vectors, largest first.
    Vec6 rest = Vec6::Ones();
    for (int j = 0; j < kept; ++j)
        rest -= Q.col(j).cwiseAbs2();
    for (int f = 0; f < node.free; ++f) {
        int best = 0;
        rest.maxCoeff(&best);
        Vec6 s = Vec6::Unit(best);
        for (int pass = 0; pass < 2; ++pass) {
            for (int j = 0; j < kept + f; ++j)
                s -= Q.col(j).dot(s) * Q.col(j);
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
        if (dropped_[node.row + i])
            continue;
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
            for (int k = 0; k < j; ++k)
                d -= L(i, k) * L(j, k);
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
            for (int k = j; k < i; ++k)
                s -= L(i, k) * inverse(k, j);
            inverse(i, j) = s / L(i, i);
        }
    }
    for (int i = 0; i < f; ++i) {
        for (int j = 0; j <= i; ++j) {
            double s = 0;
            for (int k = i; k < f; ++k)
                s += inverse(k, i) * inverse(k, j);
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
        for (int y = x; y < pivot.neighbours; ++y)
            entry_[update_entry_[update++]] -= ratio * entry_[entry[y]];
    }
    if (node == nullptr)
        return;
    const Vec6 c = column_[node->column + (index - column_pivot_[node->column])];
    for (int x = 0; x < pivot.neighbours; ++x)
        column_[neighbour_column_[pivot.neighbour + x]] -= (entry_[entry[x]] * pivot.inverse) * c;
    node->A.noalias() += (pivot.inverse * c) * c.transpose();
}

void GraphKkt::factor_node(Node& node, int body) {
    if (in_blocks_) {
        for (int x = 0; x < node.closing;) {
            Block& block = blocks_[block_of_pivot_[column_pivot_[node.column + x]]];
            eliminate_block(block, &node);
            x += block.rows;
        }
    } else {
        for (int x = 0; x < node.closing; ++x)
            eliminate_pivot(column_pivot_[node.column + x], &node);
    }
    null_space(node);
    if (node.parent >= 0)
        find_bend(node, body);
    const int f = node.free;
    for (int i = 0; i < f; ++i)
        U(node, i).noalias() = node.A * S(node, i);
    invert_free_inertia(node);

    // Y = S^T C, Z = D^-1 Y; N += Y^T Z
    int pair = node.pair;
    for (int x = node.closing; x < node.columns; ++x) {
        const Vec6& c = column_[node.column + x];
        Vec6& z = column_z_[node.column + x];
        Vec6 y;
        for (int i = 0; i < f; ++i)
            y[i] = S(node, i).dot(c);
        double size = 0;
        for (int i = 0; i < f; ++i) {
            z[i] = 0;
            for (int j = 0; j < f; ++j)
                z[i] += Dinv(node, i, j) * y[j];
            size += Dinv(node, i, i);
        }
        pivots_[column_pivot_[node.column + x]].raw += size * c.squaredNorm();
    }
    for (int x = node.closing; x < node.columns; ++x) {
        const Vec6& c = column_[node.column + x];
        Vec6 along;
        for (int i = 0; i < f; ++i)
            along[i] = S(node, i).dot(c);
        for (int y = x; y < node.columns; ++y) {
            const Vec6& z = column_z_[node.column + y];
            double s = 0;
            for (int i = 0; i < f; ++i)
                s += along[i] * z[i];
            entry_[pair_entry_[pair++]] += s;
            if (x == y)
                pivots_[column_pivot_[node.column + x]].scale += s;
        }
    }
    if (node.parent < 0)
        return;
    Node& parent = nodes_[node.parent];
    for (int x = node.closing; x < node.columns; ++x) {
        Vec6 c = column_[node.column + x];
        for (int i = 0; i < f; ++i)
            c -= column_z_[node.column + x][i] * U(node, i);
        column_[column_parent_[node.column + x]] += to_parent(node, body, c);
    }
    Mat6 A = node.A;
    for (int i = 0; i < f; ++i) {
        Vec6 w = Vec6::Zero();
        for (int j = 0; j < f; ++j)
            w += Dinv(node, i, j) * U(node, j);
        A.noalias() -= U(node, i) * w.transpose();
    }
    if (node.bent)
        parent.A.noalias() += bent_[body].transpose() * A * bent_[body];
    else
        add_shifted(node.d, A, parent.A);
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
    for (Vec6& c : column_)
        c.setZero();
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
    for (int b : order_)
        factor_node(nodes_[b], b);
    for (int i = world_pivot_; i < static_cast<int>(pivots_.size());) {
        if (in_blocks_) {
            Block& block = blocks_[block_of_pivot_[i]];
            eliminate_block(block, nullptr);
            i += block.rows;
        } else {
            eliminate_pivot(i++, nullptr);
        }
    }
    deficiency_ = 0;
    for (int r = 0; r < rows_; ++r) {
        if (excluded_[r])
            dropped_[r] = 1;
        deficiency_ += dropped_[r] != 0 ? 1 : 0;
        if (!in_blocks_ || dropped_[r] || pivot_of_row_[r] < 0)
            share_[r] = dropped_[r] != 0 ? 1.0 : 0.0;
    }
    for (const Block& block : blocks_)
        deficiency_ += block.rows - block.rank;
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

} // namespace tenon
