#pragma once
// A user's own equations of motion in C++, in any coordinates, for every integrator of the project:
//
//   M(q) v' = F(t, q, v) - dV/dq + G^T lambda,   q' = v
//   rows: Phi(t, q) = 0 with G = dPhi/dq, or (nonholonomic) G(t, q) v + g(t, q) = 0
//
// Derive from OwnEquations and give `coordinates` and `mass`, with rows also `rows`, `constraint` and `jacobian`; all
// else has a default. What a default takes from central differences (about ten digits) can be given exactly instead.
// Then put a face in front of it:
//
//   class Pendulum : public OwnEquations { ... };
//   Pendulum pendulum;
//   OwnRates rates(pendulum);          // for methods that evaluate accelerations
//   OwnResiduals residuals(pendulum);  // for implicit methods; needs a constant mass matrix
//
// The two faces are separate because multipliers have opposite signs in them: M a = Q + G^T lambda there, and
// M a + G^T lambda = Q here, as in the papers.

#include "core/equations/explicit_equations.hpp"
#include "core/equations/implicit_equations.hpp"
#include "core/math/dense_kkt.hpp"

#include <algorithm>
#include <cmath>

namespace tenon {

/// Vectors and matrices handed out for filling have their size and are zero. Defaults that take differences allocate.
class OwnEquations {
  public:
    virtual ~OwnEquations() = default;

    virtual int coordinates() const = 0;
    virtual int rows() const { return 0; }
    /// Whether a row restricts positions; of others only `jacobian` and `constraint_rate` count.
    virtual bool holonomic(int /*row*/) const { return true; }
    virtual std::string row_name(int row) const { return "row " + std::to_string(row + 1); }

    virtual void mass(const Vector& q, Matrix& m) const = 0;
    /// Implicit methods need a mass matrix that does not depend on q: say so here.
    virtual bool constant_mass() const { return false; }

    /// F: everything but M v', what the potential gives and reactions; with a mass matrix that depends on q this
    /// includes the inertial terms dT/dq - M' v.
    virtual void force(double t, const Vector& q, const Vector& v, Vector& f) const;
    /// dF/dq and dF/dv; false (default): central differences. Used in iteration matrices only.
    virtual bool force_tangents(double t, const Vector& q, const Vector& v, Matrix& df_dq,
                                Matrix& df_dv) const;
    /// Power of F without inertial terms. Default: F v + v M' v / 2 with M' from central differences along v.
    virtual double power(double t, const Vector& q, const Vector& v) const;

    virtual double potential(const Vector& /*q*/) const { return 0; }
    /// dV/dq. Default: central differences.
    virtual void gradient(const Vector& q, Vector& g) const;
    /// d2V/dq2; false (default): central differences of the gradient. Used in iteration matrices only.
    virtual bool hessian(const Vector& q, Matrix& h) const;

    /// Phi. Must be given where there are rows.
    virtual void constraint(double t, const Vector& q, Vector& phi) const;
    /// G. Must be given where there are rows.
    virtual void jacobian(double t, const Vector& q, Matrix& g) const;
    /// Whether a row depends on time; if not, `constraint_rate` is not asked for.
    virtual bool rheonomic() const { return false; }
    /// dPhi/dt, and g of nonholonomic rows. Default: central differences of Phi.
    virtual void constraint_rate(double t, const Vector& q, Vector& rate) const;
    /// (G v + Phi_t)' at zero acceleration. Default: central differences along the motion.
    virtual void bias(double t, const Vector& q, const Vector& v, Vector& b) const;

    /// Whether all rows are at most quadratic in q: then G at the mean of two positions is an exact discrete gradient.
    virtual bool quadratic_rows() const { return false; }
    /// The same for V.
    virtual bool quadratic_potential() const { return false; }
};

/// The step of a central difference at x: its error, about the step squared, balances round-off over the step.
inline double difference_step(double x) { return 6e-6 * std::max(1.0, std::abs(x)); }

/// Own equations as methods that evaluate accelerations see them.
class OwnRates : public ExplicitEquations {
  public:
    explicit OwnRates(const OwnEquations& own, double rank_threshold = DenseKkt::default_threshold);

    ExplicitSizes sizes() const override { return {n_, n_, n_, m_}; }
    void displace(const Vector& q0, const Vector& u, Vector& q) const override { q = q0 + u; }
    void rate(const Vector&, const Vector&, const Vector& v, Vector& ud) const override { ud = v; }
    void correct(Vector& q, const Vector& delta) const override { q += delta; }

    void evaluate(double t, const Vector& q, const Vector& v) override;
    void evaluate_rows(double t, const Vector& q, const Vector& v) override;
    const Vector& force() const override { return force_; }
    const Vector& position_residual() const override { return phi_; }
    const Vector& velocity_residual() const override { return phi_dot_; }
    const Vector& bias() const override { return bias_; }

    void factor(Metric metric) override;
    void solve(const Vector& f, const Vector& rhs, Vector& a, Vector& lambda) override;
    void row_times(const Vector& x, Vector& out) const override {
        if (m_ > 0)
            out.noalias() = jacobian_ * x;
    }
    void momentum(const Vector& v, Vector& p) const override { p.noalias() = mass_ * v; }
    int rank_deficiency() const override { return m_ - kkt_.rank(); }

    double kinetic() const override;
    double potential() const override { return own_.potential(q_); }
    double potential_rate(const Vector& v) const override;
    double power(const Vector& lambda) const override;
    std::string row_name(int row) const override { return own_.row_name(row); }

    /// As weighted by the metric of the last factorisation.
    const Vector& singular_values() const { return kkt_.singular_values(); }

  private:
    const OwnEquations& own_;
    int n_, m_;
    double t_ = 0;
    Vector q_, v_, force_, phi_, phi_t_, phi_dot_, bias_;
    mutable Vector x_; // room to work in
    Matrix mass_, jacobian_;
    DenseKkt kkt_;
};

/// Own equations as implicit methods see them. Throws Error(model) where the mass matrix is not constant.
///
/// Discrete form over a step from (t0, q0) to (t1, q1), d = q1 - q0, mean position qm:
///   J   = G(qm) + (Phi(q1) - Phi(q0) - G(qm) d) d^T / d^T d,   the correction only where rows are not quadratic
///         (Gonzalez 1996); rheonomic rows: the mean of this at t0 and at t1
///   Q   = F(tm, qm, d/h) - the same discrete gradient of V
///   K   = -dF/dq + d2V/dq2 and C = -dF/dv at qm, not of the corrections
class OwnResiduals : public ImplicitEquations {
  public:
    explicit OwnResiduals(const OwnEquations& own);

    int coordinates() const override { return n_; }
    int increments() const override { return n_; }
    int rows() const override { return m_; }
    bool holonomic(int row) const override { return own_.holonomic(row); }

    void evaluate(double t, const Vector& q, const Vector& v) override;
    void evaluate_rows(double t, const Vector& q, const Vector& v) override;
    void change_velocity(const Vector& v) override;
    void evaluate_between(double t0, const Vector& q0, double t1, const Vector& q1) override;

    const Vector& row_value() const override { return phi_; }
    const Vector& row_rate() const override { return phi_dot_; }
    const Vector& row_bias() override;
    const Vector& force() const override { return force_; }
    void add_reaction(const Vector& mu, Vector& f) const override;
    void row_times(const Vector& x, Vector& out) const override;
    void row_increment(const Vector& dx, Vector& out) const override;
    void mass_times(const Vector& x, Vector& out) const override { out.noalias() = mass_ * x; }
    const Vector& row_mass() override;

    void factor(double m, double c, double k, const Vector& weight) override;
    void solve(const Vector& f, const Vector& mu, Vector& dx) override;
    void increment(const Vector& dx, Vector& q) const override { q += dx; }
    void solve_motion(const Vector& p, const Vector& mu, Vector& x, Vector& rows) override;
    void choose_metric(double m, double c, double k) override { find_base(m, c, k); }
    void base_times(const Vector& x, Vector& out) const override { out.noalias() = base_ * x; }
    bool mass_alone() const override { return false; } // nobody says

    void consistent(double t, const Vector& q, Vector& v, bool project, Vector& a, Vector& lambda) override;

    double kinetic(const Vector& v) const override;
    double potential(double, const Vector& q) override { return own_.potential(q); }
    double work_between(const Vector& mu) const override;
    double power(const Vector& lambda) const override;

    void evaluate_decaying(double t0, const Vector& q0, const Vector& v0, const Vector& qj, const Vector& vj,
                           double t1, const Vector& q1, const Vector& v1, double dissipation) override;
    const Vector& inner_force() const override { return inner_force_; }
    void add_inner_reaction(const Vector& mu, Vector& f) const override;
    void add_inner_condition(const Vector&, Vector&) const override {}
    void solve_inner(double m, double c, double k, const Vector& f, Vector& x) override;
    double work_decaying(const Vector& mu) const override { return work_between(mu); }

    std::string row_name(int row) const override { return own_.row_name(row); }

  private:
    void positions(double t, const Vector& q, Vector& phi) const;
    void add_discrete_rows(double share, double t, const Vector& q0, const Vector& q1, Matrix& out);
    void discrete_rows(double t0, const Vector& q0, double t1, const Vector& q1, Matrix& out);
    void discrete_gradient(const Vector& q0, const Vector& q1, Vector& out);
    void finish_rows(double t0, const Vector& q0, double t1, const Vector& q1);
    void find_base(double m, double c, double k);
    void evaluate_forces();
    void difference_force_tangents();
    void difference_hessian();

    const OwnEquations& own_;
    int n_, m_;
    double t_ = 0; // where forces and their tangents are taken
    Vector q_, v_;
    Vector d_;         // q1 - q0
    double work_ = 0;  // of F over the step
    Vector rheonomic_; // Phi(t1, q1) - Phi(t0, q0) - J d
    Vector force_, inner_force_, phi_, phi_t_, phi_dot_, bias_, row_mass_;
    Matrix mass_, jacobian_, inner_jacobian_, end_jacobian_;
    Matrix damping_, stiffness_, base_, matrix_;
    Vector f0_, f1_, phi0_, phi1_, mean_; // room to work in, likewise the next
    mutable Vector x_;
    Matrix trial_;
    Matrix kept_test_, kept_trial_; // rows as factorised
    Eigen::LLT<Matrix> mass_factor_;
    Eigen::PartialPivLU<Matrix> tangent_;
    DenseKkt kkt_;
};

} // namespace tenon
