// Solutions with the factors of GraphKkt: leaves to root, root to leaves, and refinement where D was regularised.

#include "core/math/graph_kkt.hpp"

namespace tenon {

namespace {
constexpr int max_refinements = 12;
} // namespace

void GraphKkt::solve_once(const Vector& f, const Vector& rhs, Vector& a, Vector& lambda) {
    lambda.setZero();
    for (Pivot& pivot : pivots_) {
        pivot.b = rhs[pivot.row];
        pivot.lambda = 0;
    }
    for (int b = 0; b < bodies_; ++b)
        nodes_[b].F = f.segment<6>(6 * b);
    // Leaves to root: u0 and what is left for the parent.
    const auto eliminate = [&](int index) {
        const Pivot& pivot = pivots_[index];
        const double share = pivot.b * pivot.inverse;
        for (int x = 0; x < pivot.neighbours; ++x)
            pivots_[neighbour_[pivot.neighbour + x]].b -=
                entry_[neighbour_entry_[pivot.neighbour + x]] * share;
        return share;
    };
    for (int b : order_) {
        Node& node = nodes_[b];
        if (in_blocks_) {
            for (int x = 0; x < node.closing;) {
                const Block& block = blocks_[block_of_pivot_[column_pivot_[node.column + x]]];
                forward_block(block, &node);
                x += block.rows;
            }
        } else {
            for (int x = 0; x < node.closing; ++x)
                node.F += eliminate(column_pivot_[node.column + x]) * column_[node.column + x];
        }
        node.k.setZero();
        for (int i = 0; i < node.rows; ++i) {
            if (!dropped_[node.row + i])
                node.k += rhs[node.row + i] * K(node, i);
        }
        Vec6 g = node.F;
        g.noalias() -= node.A * node.k;
        Vec6 s;
        for (int i = 0; i < node.free; ++i)
            s[i] = S(node, i).dot(g);
        for (int i = 0; i < node.free; ++i) {
            node.u[i] = 0;
            for (int j = 0; j < node.free; ++j)
                node.u[i] += Dinv(node, i, j) * s[j];
        }
        for (int x = node.closing; x < node.columns; ++x) {
            double sum = column_[node.column + x].dot(node.k);
            for (int i = 0; i < node.free; ++i)
                sum += column_z_[node.column + x][i] * s[i];
            pivots_[column_pivot_[node.column + x]].b -= sum;
        }
        if (node.parent >= 0) {
            for (int i = 0; i < node.free; ++i)
                g -= node.u[i] * U(node, i);
            nodes_[node.parent].F += to_parent(node, b, g);
        }
    }
    const int n = static_cast<int>(pivots_.size());
    const int blocks = static_cast<int>(blocks_.size());
    const int world_block = world_pivot_ < n && in_blocks_ ? block_of_pivot_[world_pivot_] : blocks;
    for (int i = world_block; i < blocks; ++i)
        forward_block(blocks_[i], nullptr);
    for (int i = world_pivot_; i < n && !in_blocks_; ++i)
        eliminate(i);
    const auto resolve = [&](int index, double extra) {
        Pivot& pivot = pivots_[index];
        double sum = pivot.b - extra;
        for (int x = 0; x < pivot.neighbours; ++x)
            sum -= entry_[neighbour_entry_[pivot.neighbour + x]] *
                   pivots_[neighbour_[pivot.neighbour + x]].lambda;
        pivot.lambda = sum * pivot.inverse;
        lambda[pivot.row] = pivot.lambda;
    };
    for (int i = blocks - 1; i >= world_block; --i)
        resolve_block(blocks_[i], nullptr, lambda);
    for (int i = n - 1; i >= world_pivot_ && !in_blocks_; --i)
        resolve(i, 0);
    // Root to leaves.
    for (int o = bodies_ - 1; o >= 0; --o) {
        const int b = order_[o];
        Node& node = nodes_[b];
        Vec6 in = Vec6::Zero();
        if (node.parent >= 0)
            in = to_child(node, b, nodes_[node.parent].a);
        Vec6 t;
        for (int i = 0; i < node.free; ++i)
            t[i] = U(node, i).dot(in);
        node.a = in + node.k;
        Vec6 F = node.F;
        for (int x = node.closing; x < node.columns; ++x)
            F += pivots_[column_pivot_[node.column + x]].lambda * column_[node.column + x];
        for (int i = 0; i < node.free; ++i) {
            double u = node.u[i];
            for (int j = 0; j < node.free; ++j)
                u -= Dinv(node, i, j) * t[j];
            for (int x = node.closing; x < node.columns; ++x)
                u += column_z_[node.column + x][i] * pivots_[column_pivot_[node.column + x]].lambda;
            node.a += u * S(node, i);
        }
        a.segment<6>(6 * b) = node.a;
        const Vec6 lack = node.A * node.a - F;
        for (int i = 0; i < node.rows; ++i) {
            if (!dropped_[node.row + i])
                lambda[node.row + i] = K(node, i).dot(lack);
        }
        for (int x = node.closing - 1; x >= 0 && in_blocks_;) {
            const Block& block = blocks_[block_of_pivot_[column_pivot_[node.column + x]]];
            resolve_block(block, &node.a, lambda);
            x -= block.rows;
        }
        for (int x = node.closing - 1; x >= 0 && !in_blocks_; --x)
            resolve(column_pivot_[node.column + x], column_[node.column + x].dot(node.a));
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
        for (std::size_t i = 0; i < c.bodies.size(); ++i)
            add(c.bodies[i], c.row, coupling_gradient_[c.gradient + static_cast<int>(i)]);
    }
    for (int r = 0; r < rows_; ++r) {
        if (dropped_[r])
            rr[r] = 0;
    }
}

void GraphKkt::solve(const Vector& f, const Vector& rhs, Vector& a, Vector& lambda) {
    solve_once(f, rhs, a, lambda);
    unresolved_ = -1;
    if (!regularised_)
        return;
    double last = 1e300;
    for (int i = 0; i < max_refinements; ++i) {
        residual(f, rhs, a, lambda, rf_, rr_);
        solve_once(rf_, rr_, da_, dl_);
        a += da_;
        lambda += dl_;
        const double change = da_.lpNorm<Eigen::Infinity>();
        const double size = a.lpNorm<Eigen::Infinity>();
        if (change <= 1e-14 * size || (change > 0.5 * last && change <= 1e-9 * size))
            return;
        last = change;
    }
    if (last > 1e-6 * a.lpNorm<Eigen::Infinity>()) {
        Eigen::Index worst = 0;
        da_.cwiseAbs().maxCoeff(&worst);
        unresolved_ = static_cast<int>(worst) / 6;
    }
}

} // namespace tenon
