#pragma once
// What a method that evaluates accelerations sees of a machine, in whatever coordinates:
//
//   q = q0 (+) u,  u' = rate(q, u, v)          positions q, displacements u, velocities v
//   M(q) v' = Q(t, q, v) + G(t, q)^T lambda    forces and constraint reactions
//   G v' = -bias(t, q, v)                      acceleration form of all rows
//
// Rows are holonomic (position residual Phi(t, q), velocity residual G v + Phi_t) or restrict velocities only; the
// position residual of the latter is zero. Rigid bodies and a user's own equations stand behind this interface.

#include "core/math/types.hpp"

#include <string>

namespace tenon {

/// What a correction of positions or velocities is smallest in: the mass matrix, or all coordinates alike.
enum class Metric { mass, unit };

struct ExplicitSizes {
    int q = 0;    ///< numbers that store a position
    int u = 0;    ///< numbers of a displacement
    int v = 0;    ///< velocities, accelerations, forces
    int rows = 0; ///< constraints
};

class ExplicitEquations {
  public:
    virtual ~ExplicitEquations() = default;
    virtual ExplicitSizes sizes() const = 0;

    /// q = q0 (+) u.
    virtual void displace(const Vector& q0, const Vector& u, Vector& q) const = 0;
    /// u' at q = q0 (+) u for velocity v.
    virtual void rate(const Vector& q, const Vector& u, const Vector& v, Vector& ud) const = 0;
    /// Moves q by a displacement made of velocities (delta = v times a time) and restores what the coordinates
    /// themselves demand (orthonormal directors).
    virtual void correct(Vector& q, const Vector& delta) const = 0;

    /// Evaluates rows and forces; everything below speaks of this point.
    virtual void evaluate(double t, const Vector& q, const Vector& v) = 0;
    /// Rows only (position and velocity residuals, G): cheaper, for projections.
    virtual void evaluate_rows(double t, const Vector& q, const Vector& v) = 0;
    virtual const Vector& force() const = 0;             ///< Q, gyroscopic terms included
    virtual const Vector& position_residual() const = 0; ///< Phi
    virtual const Vector& velocity_residual() const = 0; ///< G v + Phi_t
    virtual const Vector& bias() const = 0;

    /// Factorises [M -G^T; G 0] with the mass matrix or the identity for M. Rows that follow from others do no harm.
    virtual void factor(Metric metric) = 0;
    /// M a = f + G^T lambda, G a = rhs (f and rhs may be the vectors above; a and lambda may not alias them).
    virtual void solve(const Vector& f, const Vector& rhs, Vector& a, Vector& lambda) = 0;
    /// out = G x at the point evaluated last.
    virtual void row_times(const Vector& x, Vector& out) const = 0;
    /// p = M v.
    virtual void momentum(const Vector& v, Vector& p) const = 0;
    /// Rows that the last factorisation found to follow from the others.
    virtual int rank_deficiency() const = 0;

    virtual double kinetic() const = 0;   ///< at the velocities of evaluate()
    virtual double potential() const = 0; ///< at the positions of evaluate()
    /// V' for velocities v at the positions of evaluate(): what conservative forces take out.
    virtual double potential_rate(const Vector& v) const = 0;
    /// Power of inputs, drivers and dissipative forces, given the reactions.
    virtual double power(const Vector& lambda) const = 0;

    /// The joint, driver or equation a row belongs to, for messages.
    virtual std::string row_name(int row) const = 0;
};

} // namespace tenon
