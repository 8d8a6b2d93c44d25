#pragma once
// The stiffness of a machine at rest along its independent directions of motion, against the mass:
//
//   K_ij = -d(N_i^T M a) / dx_j      N and M at the position, a at the position N_j h away; central differences
//
// At an equilibrium this is the whole stiffness, that of loaded joints included: M a = Q + G^T lambda. Elsewhere it depends on
// how N is carried along, which a Newton step forgives.

#include "core/simulation/neighbourhood.hpp"

#include <utility>
#include <vector>

namespace tenon {

class Stiffness {
  public:
    /// At q, on the joints; at most `most` directions. Throws Error(computation) where the machine cannot be moved there.
    Stiffness(Neighbourhood& near, const Vector& q, Eigen::Index most);

    const Matrix& directions() const { return directions_; }
    const Matrix& matrix() const { return matrix_; }
    /// N^T M a.
    Vector along(const Vector& a) const { return momentum_.transpose() * a; }

    /// Newton's step for forces r; along neutral directions with less than `rounding` it is zero.
    Vector step(const Vector& r, double rounding) const;
    /// Whether a step is along neutral directions, but for a hundredth.
    bool neutral(const Vector& dx) const;
    /// What is no stiffness.
    double nothing() const { return nothing_; }
    /// The smallest that is something, or the smallest at all where that is negative; zero for a machine without any.
    double least() const { return least_; }
    /// Directions with negative stiffness or none, softest first.
    std::vector<std::pair<double, Vector>> soft() const;

  private:
    Matrix directions_, momentum_, matrix_;
    Matrix modes_; ///< of the symmetric part
    Vector values_;
    double nothing_ = 0, least_ = 0;
};

} // namespace tenon
