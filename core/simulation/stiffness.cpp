#include "core/simulation/stiffness.hpp"

#include "core/math/error.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include <algorithm>
#include <cmath>

namespace tenon {
namespace {

/// Of the machine's length: differences are good to its square, rounding to 1e-16 over it.
constexpr double stiffness_difference = 5e-6;
/// Against the largest stiffness, what differences can tell from none.
constexpr double stiffness_resolution = 1e-8;
/// Accelerations over a length below which nothing is stiff, 1/s^2.
constexpr double no_stiffness = 1e-9;

} // namespace

Stiffness::Stiffness(Neighbourhood& near, const Vector& q, Eigen::Index most)
    : directions_(near.directions(q, static_cast<int>(most))) {
    RigidEquations& eq = near.equations();
    const Eigen::Index d = directions_.cols();
    momentum_.resize(directions_.rows(), d);
    Vector p = Vector::Zero(directions_.rows()), a = p, moved;
    Vector lambda = Vector::Zero(eq.sizes().rows);
    for (Eigen::Index j = 0; j < d; ++j) {
        eq.momentum(directions_.col(j), p);
        momentum_.col(j) = p;
    }
    matrix_.resize(d, d);
    for (Eigen::Index j = 0; j < d; ++j) {
        const Vector n = directions_.col(j);
        const double h = stiffness_difference * near.length() / near.size(n);
        matrix_.col(j).setZero();
        for (const double side : {1.0, -1.0}) {
            moved = q;
            if (!near.move(moved, side * h * n))
                throw Error(ErrorKind::computation,
                            "the joints cannot be closed near the position that was reached; the machine is "
                            "locked or at the end of its reach there");
            near.at_rest(moved, a, lambda);
            matrix_.col(j) -= side / (2 * h) * along(a);
        }
    }
    if (d == 0)
        return;
    const Eigen::SelfAdjointEigenSolver<Matrix> symmetric(0.5 * (matrix_ + matrix_.transpose()));
    modes_ = symmetric.eigenvectors();
    values_ = symmetric.eigenvalues();
    nothing_ = std::max(stiffness_resolution * values_.cwiseAbs().maxCoeff(), no_stiffness);
    least_ = values_[0];
    for (Eigen::Index i = 0; i < d && least_ >= -nothing_ && least_ <= nothing_; ++i)
        least_ = std::abs(values_[i]) > nothing_ ? values_[i] : 0.0;
}

Vector Stiffness::step(const Vector& r, double rounding) const {
    if (values_.size() == 0)
        return Vector::Zero(0);
    const auto invert = [&](const Vector& force, const Vector& stiff) {
        Vector out = force;
        for (Eigen::Index i = 0; i < force.size(); ++i) {
            const double k = std::abs(stiff[i]);
            out[i] = k <= nothing_ && std::abs(force[i]) <= rounding ? 0.0 : force[i] / std::max(k, nothing_);
        }
        return out;
    };
    if (values_[0] < -nothing_)
        return modes_ * invert(modes_.transpose() * r, values_);
    const Eigen::BDCSVD<Matrix> svd(matrix_, Eigen::ComputeThinU | Eigen::ComputeThinV);
    return svd.matrixV() * invert(svd.matrixU().transpose() * r, svd.singularValues());
}

bool Stiffness::neutral(const Vector& dx) const {
    const Vector parts = modes_.transpose() * dx;
    double held = 0;
    for (Eigen::Index i = 0; i < parts.size(); ++i)
        if (std::abs(values_[i]) > nothing_)
            held += parts[i] * parts[i];
    return held <= 1e-4 * parts.squaredNorm();
}

std::vector<std::pair<double, Vector>> Stiffness::soft() const {
    std::vector<std::pair<double, Vector>> found;
    for (Eigen::Index i = 0; i < values_.size() && values_[i] <= nothing_; ++i)
        found.emplace_back(values_[i], modes_.col(i));
    return found;
}

} // namespace tenon
