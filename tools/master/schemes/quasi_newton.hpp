#pragma once
// Broyden's method for r(x) = 0, where r(x) = g(x) - x and g is a fixed-point map. It keeps an approximation G of the
// inverse of dr/dx:
//
//     x+ = x - G r,     G+ = G + (dx - G dr) dx' G / (dx' G dr)
//
// and starts from G = -1, which is the fixed-point iteration. What it has learned in one step serves the next.
// C. G. Broyden, A class of methods for solving nonlinear simultaneous equations, Math. Comp. 19 (1965), "good" update.

#include <Eigen/Core>

#include <span>

namespace tenon::master {

class QuasiNewton {
  public:
    explicit QuasiNewton(std::size_t size);

    /// A new problem, near the last one.
    void begin() { has_last_ = false; }
    /// The next x from the last one and its residual.
    void next(std::span<double> x, std::span<const double> residual);
    /// Back to the fixed-point iteration. False where it is that already.
    bool forget();

    /// What it has learned, for checkpoints.
    bool has_learned() const { return has_learned_; }
    const Eigen::MatrixXd& inverse() const { return inverse_; }
    void set_inverse(const Eigen::MatrixXd& inverse, bool has_learned);

  private:
    void learn(const Eigen::VectorXd& dx, const Eigen::VectorXd& dr);

    Eigen::MatrixXd inverse_;
    Eigen::VectorXd last_x_, last_residual_, step_;
    bool has_last_ = false, has_learned_ = false;
};

} // namespace tenon::master
