#pragma once
// The constrained equations of a graph of bodies, solved without any knowledge of the graph, in long double:
//
//   min 1/2 a.M a - f.a   subject to   G a = rhs,          reactions M a - f = G^T lambda
//
// G = U S V^T gives a = V1 S1^-1 U1^T rhs + Z z with V1 of the singular values that count and Z the rest of V; z solves
// Z^T M Z z = Z^T (f - M a_1). M may be singular: with M regular this is M^-1/2 times the pseudo-inverse solution of
// M^-1/2; with massless bodies it is the same minimum, as long as Z^T M Z is regular.

#include "core/math/graph_kkt.hpp"

#include <vector>

namespace tenon::tests {

using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using LongVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

struct GraphSystem {
    std::vector<BodyMass> mass;
    std::vector<Vec3> position;
    std::vector<GraphKkt::Link> links;
    std::vector<RowGradient> row; ///< those of couplings are not used
    std::vector<GraphKkt::Coupling> couplings;
    std::vector<Vec6> coupling_gradient;

    int bodies() const { return static_cast<int>(mass.size()); }
    int rows() const { return static_cast<int>(row.size()); }

    int add_body(double m, const Mat3& inertia, const Vec3& at) {
        mass.push_back({m, inertia});
        position.push_back(at);
        return bodies() - 1;
    }
    /// Rows g (a_second - a_first carried along): each column of `wrench` acts on `second` at point `at`.
    void add_joint(int first, int second, const Vec3& at,
                   const Eigen::Matrix<double, 6, Eigen::Dynamic>& wrench) {
        links.push_back({first, second, rows(), static_cast<int>(wrench.cols())});
        for (Eigen::Index i = 0; i < wrench.cols(); ++i) {
            row.push_back({-at_body(first, at, wrench.col(i)), at_body(second, at, wrench.col(i))});
        }
    }
    void add_revolute(int first, int second, const Vec3& at, const Vec3& axis) {
        Eigen::Matrix<double, 6, Eigen::Dynamic> w = Eigen::Matrix<double, 6, Eigen::Dynamic>::Zero(6, 5);
        w.topLeftCorner(3, 3).setIdentity();
        const Vec3 e1 = axis.unitOrthogonal();
        w.col(3).tail(3) = e1;
        w.col(4).tail(3) = axis.cross(e1);
        add_joint(first, second, at, w);
    }
    void add_spherical(int first, int second, const Vec3& at) {
        Eigen::Matrix<double, 6, Eigen::Dynamic> w = Eigen::Matrix<double, 6, Eigen::Dynamic>::Zero(6, 3);
        w.topLeftCorner(3, 3).setIdentity();
        add_joint(first, second, at, w);
    }
    /// A row between any bodies; a body may be named twice, the world has no gradient that counts.
    void add_coupling(const std::vector<int>& at, const std::vector<Vec6>& gradients) {
        couplings.push_back({rows(), static_cast<int>(coupling_gradient.size()), at});
        coupling_gradient.insert(coupling_gradient.end(), gradients.begin(), gradients.end());
        row.push_back({Vec6::Constant(NAN), Vec6::Constant(NAN)});
    }
    GraphKkt solver() const { return {bodies(), links, couplings, rows()}; }
    void factor(GraphKkt& kkt) const {
        kkt.factor(mass.data(), position.data(), row.data(), coupling_gradient.data());
    }

    LongMatrix mass_matrix() const {
        LongMatrix M = LongMatrix::Zero(6 * bodies(), 6 * bodies());
        for (int b = 0; b < bodies(); ++b) {
            for (int i = 0; i < 3; ++i)
                M(6 * b + i, 6 * b + i) = mass[b].mass;
            M.block(6 * b + 3, 6 * b + 3, 3, 3) = mass[b].inertia.cast<long double>();
        }
        return M;
    }
    LongMatrix jacobian() const {
        LongMatrix G = LongMatrix::Zero(rows(), 6 * bodies());
        const auto add = [&](int r, int body, const Vec6& g) {
            if (body >= 0)
                G.block(r, 6 * body, 1, 6) += g.transpose().cast<long double>();
        };
        for (const GraphKkt::Link& link : links) {
            for (int r = link.row; r < link.row + link.rows; ++r) {
                add(r, link.first, row[r].g1);
                add(r, link.second, row[r].g2);
            }
        }
        for (const GraphKkt::Coupling& c : couplings) {
            for (std::size_t i = 0; i < c.bodies.size(); ++i)
                add(c.row, c.bodies[i], coupling_gradient[static_cast<std::size_t>(c.gradient) + i]);
        }
        return G;
    }

  private:
    Vec6 at_body(int body, const Vec3& at, const Vec6& wrench) const {
        const Vec3 arm = body < 0 ? at : Vec3(at - position[body]);
        Vec6 out;
        out << wrench.head<3>(), wrench.tail<3>() + arm.cross(wrench.head<3>());
        return out;
    }
};

struct Referee {
    Vector a, reaction; ///< accelerations, G^T lambda
    int rank = 0;
    double gap = 0;          ///< smallest singular value that counts over the largest
    double free_inertia = 0; ///< smallest over largest eigenvalue of Z^T M Z, 1 where nothing is free
};

inline Referee referee(const LongMatrix& M, const LongMatrix& G, const Vector& f, const Vector& rhs,
                       long double threshold = 1e-10L) {
    Referee out;
    const Eigen::Index n = M.rows();
    LongVector a = LongVector::Zero(n);
    LongMatrix Z = LongMatrix::Identity(n, n);
    if (G.rows() > 0) {
        // Full V also where there are fewer rows than velocities.
        const Eigen::JacobiSVD<LongMatrix, Eigen::FullPivHouseholderQRPreconditioner> svd(
            G.transpose(), Eigen::ComputeFullU | Eigen::ComputeFullV);
        const LongVector s = svd.singularValues();
        while (out.rank < s.size() && s[out.rank] > threshold * s[0])
            ++out.rank;
        out.gap = out.rank == 0 ? 0.0 : static_cast<double>(s[out.rank - 1] / s[0]);
        const LongVector y = svd.matrixV().leftCols(out.rank).transpose() * rhs.cast<long double>();
        a = svd.matrixU().leftCols(out.rank) * y.cwiseQuotient(s.head(out.rank));
        Z = svd.matrixU().rightCols(n - out.rank);
    }
    const LongMatrix inertia = Z.transpose() * M * Z;
    out.free_inertia = 1;
    if (inertia.rows() > 0) {
        const LongVector e = Eigen::SelfAdjointEigenSolver<LongMatrix>(inertia).eigenvalues();
        out.free_inertia = static_cast<double>(e[0] / e[e.size() - 1]);
        a += Z * inertia.ldlt().solve(Z.transpose() * (f.cast<long double>() - M * a));
    }
    out.reaction = (M * a - f.cast<long double>()).cast<double>();
    out.a = a.cast<double>();
    return out;
}

} // namespace tenon::tests
