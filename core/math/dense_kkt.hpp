#pragma once
// Dense KKT systems, weighted by the mass matrix and with any rank of the constraints:
//
//   M a = f + G^T lambda,   G a = w
//
// With M = R^T R and C = G R^-1 = U S V^T (singular values S_i <= eps S_1 count as zero):
//
//   R a    = y0 + V S^-1 U^T (w - C y0),   y0 = R^-T f
//   lambda = U S^-2 U^T (w - C y0)
//
// that is, a meets the constraints as well as they can be met, least in the norm of M, and lambda is the shortest of
// all multipliers that do so. Working on C and not on C C^T keeps the threshold from being squared.
// Braun and Goldfarb, eqs 16-17; eps = 1e-10 leaves nearly dependent rows alone and takes out repeated ones.

#include "core/math/types.hpp"

namespace tenon {

class DenseKkt {
  public:
    static constexpr double default_threshold = 1e-10;

    /// Allocates for n velocities and m rows; m may be 0.
    DenseKkt(int n, int m, double threshold = default_threshold);

    /// Throws Error(computation) where M is finite but not positive definite. Numbers that are not finite make every
    /// solution NaN.
    void factor(const Matrix& mass, const Matrix& jacobian);
    /// The same with M = identity.
    void factor(const Matrix& jacobian);
    /// a and lambda may not alias f and w; they are resized where needed.
    void solve(const Vector& f, const Vector& w, Vector& a, Vector& lambda);

    /// Rows that count, as of the last factorisation.
    int rank() const { return rank_; }
    /// Of C, falling.
    const Vector& singular_values() const { return s_; }
    void set_threshold(double threshold) { threshold_ = threshold; }

  private:
    void decompose();

    int n_, m_;
    double threshold_;
    bool unit_ = true;
    bool finite_ = true;
    int rank_ = 0;
    Eigen::LLT<Matrix> mass_; // M = L L^T, R = L^T
    Matrix ct_;               // C^T = L^-1 G^T, n x m
    Eigen::JacobiSVD<Matrix> svd_;
    Matrix u_, v_; // m x k and n x k, k = min(n, m)
    Vector s_, y_, z_, x_;
};

} // namespace tenon
