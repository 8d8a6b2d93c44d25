#include "tools/master/schemes/quasi_newton.hpp"

#include <cmath>

namespace tenon::master {

QuasiNewton::QuasiNewton(std::size_t size) {
    const auto n = static_cast<Eigen::Index>(size);
    inverse_ = -Eigen::MatrixXd::Identity(n, n);
    last_x_ = last_residual_ = step_ = Eigen::VectorXd::Zero(n);
}

bool QuasiNewton::forget() {
    if (!has_learned_)
        return false;
    inverse_ = -Eigen::MatrixXd::Identity(inverse_.rows(), inverse_.cols());
    has_learned_ = has_last_ = false;
    return true;
}

void QuasiNewton::set_inverse(const Eigen::MatrixXd& inverse, bool has_learned) {
    inverse_ = inverse;
    has_last_ = false;
    has_learned_ = has_learned;
}

void QuasiNewton::learn(const Eigen::VectorXd& dx, const Eigen::VectorXd& dr) {
    const Eigen::VectorXd predicted = inverse_ * dr;
    const double denominator = dx.dot(predicted);
    // Nothing can be learned from a step across which the residual has not changed in its direction.
    constexpr double least = 1e-10;
    if (!(std::abs(denominator) > least * dx.norm() * predicted.norm()))
        return;
    const Eigen::RowVectorXd row = dx.transpose() * inverse_;
    inverse_.noalias() += (dx - predicted) * (row / denominator);
    has_learned_ = true;
}

void QuasiNewton::next(std::span<double> x, std::span<const double> residual) {
    const auto n = static_cast<Eigen::Index>(x.size());
    const Eigen::Map<Eigen::VectorXd> at(x.data(), n);
    const Eigen::Map<const Eigen::VectorXd> r(residual.data(), n);
    if (has_last_)
        learn(at - last_x_, r - last_residual_);
    last_x_ = at;
    last_residual_ = r;
    has_last_ = true;
    step_.noalias() = inverse_ * r;
    Eigen::Map<Eigen::VectorXd>(x.data(), n) -= step_;
}

} // namespace tenon::master
