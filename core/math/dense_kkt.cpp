#include "core/math/dense_kkt.hpp"

#include "core/math/error.hpp"

#include <algorithm>
#include <limits>

namespace tenon {

DenseKkt::DenseKkt(int n, int m, double threshold)
    : n_(n), m_(m), threshold_(threshold), mass_(n), ct_(n, m), u_(m, std::min(n, m)), v_(n, std::min(n, m)),
      s_(std::min(n, m)), y_(n), z_(m), x_(std::min(n, m)) {
    // Eigen's decompositions of empty matrices read through null pointers.
    if (s_.size() > 0)
        svd_ = Eigen::JacobiSVD<Matrix>(n, m, Eigen::ComputeThinU | Eigen::ComputeThinV);
}

void DenseKkt::factor(const Matrix& mass, const Matrix& jacobian) {
    unit_ = n_ == 0;
    finite_ = mass.allFinite() && jacobian.allFinite();
    rank_ = 0;
    if (!finite_ || unit_)
        return;
    mass_.compute(mass);
    if (mass_.info() != Eigen::Success)
        throw Error(ErrorKind::computation, "the mass matrix is not positive definite");
    if (m_ == 0)
        return;
    ct_ = jacobian.transpose();
    mass_.matrixL().solveInPlace(ct_);
    decompose();
}

void DenseKkt::factor(const Matrix& jacobian) {
    unit_ = true;
    finite_ = jacobian.allFinite();
    rank_ = 0;
    if (!finite_ || s_.size() == 0)
        return;
    ct_ = jacobian.transpose();
    decompose();
}

void DenseKkt::decompose() {
    svd_.compute(ct_);
    s_ = svd_.singularValues();
    u_ = svd_.matrixV();
    v_ = svd_.matrixU();
    while (rank_ < s_.size() && s_(rank_) > threshold_ * s_(0))
        ++rank_;
}

void DenseKkt::solve(const Vector& f, const Vector& w, Vector& a, Vector& lambda) {
    a.resize(n_);
    lambda.resize(m_);
    if (!finite_) {
        a.setConstant(std::numeric_limits<double>::quiet_NaN());
        lambda.setConstant(std::numeric_limits<double>::quiet_NaN());
        return;
    }
    y_ = f;
    if (!unit_)
        mass_.matrixL().solveInPlace(y_);
    lambda.setZero();
    if (rank_ > 0) {
        z_ = w;
        z_.noalias() -= ct_.transpose() * y_;
        auto x = x_.head(rank_);
        x.noalias() = u_.leftCols(rank_).transpose() * z_;
        x.array() /= s_.head(rank_).array();
        y_.noalias() += v_.leftCols(rank_) * x;
        x.array() /= s_.head(rank_).array();
        lambda.noalias() = u_.leftCols(rank_) * x;
    }
    a = y_;
    if (!unit_)
        mass_.matrixU().solveInPlace(a);
}

} // namespace tenon
