#pragma once
// What an implicit method sees of a machine: constant mass matrix, constraints, forces and their tangents.
//
//   M q'' + J(q)^T lambda = Q(t, q, q'),   Phi(t, q) = 0          (note the sign of lambda)
//
// Coordinates q may obey conditions of their own that no method needs to see (directors stay orthonormal): residuals
// are tested, and increments taken, along motions that respect them. For a user's own equations both are the identity.
//
//   end-point form    evaluate(t, q, v):               J, Phi, Q and tangents at one point
//   discrete form     evaluate_between(t0, q0, t1, q1):  J discrete gradient, J (q1 - q0) = Phi(q1) - Phi(q0) exactly;
//                     conservative forces likewise from the potential; other forces at the mean of positions and
//                     v = (q1 - q0) / (t1 - t0)
//
// A row that restricts velocities has Phi = 0 in the end-point form (its J v is in row_rate), and
// Phi = J (q1 - q0) in the discrete form.

#include "core/math/types.hpp"

#include <string>

namespace tenon {

class ImplicitEquations {
  public:
    virtual ~ImplicitEquations() = default;
    virtual int coordinates() const = 0; ///< numbers in q, v, a and residuals
    virtual int increments() const = 0;  ///< unknowns of Newton's method
    virtual int rows() const = 0;
    virtual bool holonomic(int row) const = 0;

    virtual void evaluate(double t, const Vector& q, const Vector& v) = 0;
    /// Rows alone, end-point form: row_value, row_rate, add_reaction, row_times, base_times with M alone.
    virtual void evaluate_rows(double t, const Vector& q, const Vector& v) = 0;
    /// The point of the last evaluate() or evaluate_rows() at another velocity: forces and row_bias follow, rows stay.
    virtual void change_velocity(const Vector& v) = 0;
    virtual void evaluate_between(double t0, const Vector& q0, double t1, const Vector& q1) = 0;

    // -- results of the last evaluation --
    virtual const Vector& row_value() const = 0; ///< Phi at the (end) point
    virtual const Vector& row_rate() const = 0;  ///< J v + Phi_t, end-point form only
    virtual const Vector& row_bias() = 0;        ///< (J v + Phi_t)' at zero acceleration, end-point form only
    virtual const Vector& force() const = 0;     ///< Q, without what keeps the directors orthonormal
    /// f += J^T mu.
    virtual void add_reaction(const Vector& mu, Vector& f) const = 0;
    /// out = J x.
    virtual void row_times(const Vector& x, Vector& out) const = 0;
    virtual void mass_times(const Vector& x, Vector& out) const = 0;
    /// 1 / (J M^-1 J^T) of each row alone, roughly: the mass a penalty on this row works against.
    virtual const Vector& row_mass() = 0;

    /// T = m M + c C + k K + J^T diag(weight) J_end with C = -dQ/dv, K = -dQ/dq; end-point or discrete form. T, J and J_end
    /// are kept: the functions that say so work with them, wherever the equations have been evaluated since.
    virtual void factor(double m, double c, double k, const Vector& weight) = 0;
    /// test^T (T dx + f + J^T mu) = 0 along admissible motions, T and J as kept. An empty mu stands for none.
    virtual void solve(const Vector& f, const Vector& mu, Vector& dx) = 0;
    /// out = J_end dx of an increment, J_end as kept: the change of row_value() to first order, without the round-off of the
    /// values.
    virtual void row_increment(const Vector& dx, Vector& out) const = 0;
    /// q moved by dx, staying admissible.
    virtual void increment(const Vector& dx, Vector& q) const = 0;
    /// The same, and d += the change of q to full relative accuracy: velocities are differences of positions over the
    /// step, and energy is kept to round-off only if they do not lose digits.
    virtual void increment(const Vector& dx, Vector& q, Vector& d) const {
        increment(dx, q);
        d += dx;
    }
    /// The first guess: q moved by about d (a full vector), admissible; d becomes the change.
    virtual void predict(Vector& q, Vector& d) const { q += d; }
    /// Removes round-off from what coordinates demand of themselves, once per step.
    virtual void tidy(Vector&) const {}
    /// Size of an increment in metres and radians (largest entry).
    virtual double increment_size(const Vector& dx) const {
        return dx.size() == 0 ? 0.0 : dx.lpNorm<Eigen::Infinity>();
    }

    /// The admissible motion x with test^T (T x - p + J^T mu) = 0 at the point of evaluate(), and J x; T and J as kept.
    virtual void solve_motion(const Vector& p, const Vector& mu, Vector& x, Vector& rows) = 0;
    /// v, or a at velocity v, to the nearest admissible one in the mass metric. Own coordinates demand nothing.
    virtual void admit_velocity(Vector&) {}
    virtual void admit_acceleration(const Vector& /*v*/, Vector& /*a*/) {}
    /// The metric of the projections: P = m M + c C + k K at the point of the last evaluation.
    virtual void choose_metric(double m, double c, double k) = 0;
    /// out = P x.
    virtual void base_times(const Vector& x, Vector& out) const = 0;
    /// Whether C = K = 0 at the point of the last evaluate().
    virtual bool mass_alone() const = 0;

    /// Consistent accelerations and multipliers at (t, q, v) from the index-1 equations; v is first projected to
    /// satisfy all rows where `project` is set.
    virtual void consistent(double t, const Vector& q, Vector& v, bool project, Vector& a,
                            Vector& lambda) = 0;

    /// Where rows are redundant, many multipliers do the same: takes the part out of mu that holds itself at (t, q). Sweeps
    /// leave such a part behind, nothing limits it, and a discrete J does not quite balance it.
    virtual void settle_multipliers(double /*t*/, const Vector& /*q*/, Vector& /*mu*/) {}

    virtual double kinetic(const Vector& v) const = 0;
    virtual double potential(double t, const Vector& q) = 0;
    /// Work of inputs, drivers and dissipative forces over the step just evaluated in discrete form, reactions mu.
    virtual double work_between(const Vector& mu) const = 0;
    /// The same as power, end-point form.
    virtual double power(const Vector& lambda) const = 0;

    // -- the energy-decaying scheme: start i, inner state j, end f --
    /// Rows and forces of both equations of the scheme: J_g between (qj, q1), J_h between (q0, qj), Q_g in force(), Q_h in
    /// inner_force(); row_value() is Phi at the end, of velocity rows J_g (q1 - qj) + J_h (qj - q0).
    virtual void evaluate_decaying(double t0, const Vector& q0, const Vector& v0, const Vector& qj,
                                   const Vector& vj, double t1, const Vector& q1, const Vector& v1,
                                   double dissipation) = 0;
    virtual const Vector& inner_force() const = 0;
    /// f += (J_g - J_h)^T mu.
    virtual void add_inner_reaction(const Vector& mu, Vector& f) const = 0;
    /// What the coordinates' own conditions add to (J_g - J_h)^T mu, given the residual of the g equation without them.
    virtual void add_inner_condition(const Vector& residual_g, Vector& f) const = 0;
    /// Takes out of a velocity or displacement what the inner state does not have of its own: coordinates with so little
    /// mass that their equation h cannot hold keep v_j = v_i and u_j = u_i.
    virtual void keep_inner(Vector& /*x*/) const {}
    /// Velocities of coordinates without mass, which no equation of the scheme damps and no energy belongs to: those of the
    /// admissible motion nearest to v.
    virtual void renew_massless(const Vector& /*q*/, Vector& /*v*/) {}
    /// (m M + c C + k K) x = f along what keep_inner() leaves, C and K of the last evaluation.
    virtual void solve_inner(double m, double c, double k, const Vector& f, Vector& x) = 0;
    /// Work of inputs, drivers and dissipative forces over the step just evaluated.
    virtual double work_decaying(const Vector& mu) const = 0;

    virtual std::string row_name(int row) const = 0;
};

} // namespace tenon
