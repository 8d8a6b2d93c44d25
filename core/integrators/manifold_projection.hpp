#pragma once
// Back to the constraints: the smallest displacement with Phi(q) = 0, then the smallest change of velocity with
// G v + Phi_t = 0, in the mass metric or with all coordinates alike.
//
//   repeat   M d = G^T mu, G d = -Phi;  q moved by d          until |Phi| is small
//            M d = G^T nu, G d = -(G v + Phi_t);  v += d

#include "core/equations/explicit_equations.hpp"
#include "core/equations/state.hpp"

namespace tenon {

class ManifoldProjection {
  public:
    void allocate(const ExplicitSizes& sizes);
    /// Newton steps on positions until |Phi| <= `enough`, at most `most`; throws NotConverged where |Phi| stays above
    /// `limit`. Returns the steps taken. Rows and gradients are evaluated at the new q afterwards.
    int positions(ExplicitEquations& equations, double t, Vector& q, const Vector& v, Metric metric, int most,
                  double enough, double limit);
    /// At the point evaluated last; leaves the factors of this point in the equations.
    void velocities(ExplicitEquations& equations, Vector& v, Metric metric);
    /// Consistent accelerations and reactions at (t, q, v) with the factors of this q and the mass metric (factorised
    /// here where `fresh`). Throws NotConverged where they are not finite.
    void accelerations(ExplicitEquations& equations, State& state, bool fresh);

  private:
    Vector zero_, rhs_, delta_, lambda_;
};

} // namespace tenon
