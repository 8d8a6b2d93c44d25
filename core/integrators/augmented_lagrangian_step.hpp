#pragma once
// What the implicit methods share: penalties, the two Newton iterations with multiplier sweeps, the projections.

#include "core/equations/implicit_equations.hpp"
#include "core/integrators/integrator.hpp"

namespace tenon {

/// How far an iteration goes: until increments and violations are below the tolerance, or to round-off.
enum class Exactness { tolerance, round_off };

/// The metric P that the projections are orthogonal in.
///   mass      P = 4/h^2 M: v is the admissible velocity nearest to v* in kinetic energy, and |v|_M <= |v*|_M, whatever
///             springs and dampers do
///   tangent   P = 4/h^2 M + 2/h C + K, the tangent without its rows (Dopico et al. 2007): |v|_P falls, the kinetic
///             energy need not
enum class ProjectionMetric { mass, tangent };

/// "mass" or "tangent", the option `metric`.
ProjectionMetric projection_metric(const std::string& word);

/// T and the rows J_k that it was made of are kept from one iteration to the next, and for the projections, as long as that
/// converges fast; residuals are always those of the newest point. With r the residual without alpha Phi, an iteration is
///
///   T dx = -r - J_k^T alpha Phi,   x moved by dx,   lambda += alpha (Phi + J_k dx)
///
/// which is Newton's method on r = 0, Phi = 0 for x and lambda together: what is kept costs the rate at which x has moved since. (With J for
/// J_k the penalty would multiply that by the root of its size.)
class AugmentedLagrangianStep {
  public:
    static constexpr int usual_iterations = 30;

    /// `penalty` NaN: chosen from the masses that rows act on. `metric` is that of project().
    AugmentedLagrangianStep(double penalty, double tolerance, Exactness exactness,
                            ProjectionMetric metric = ProjectionMetric::mass);

    void attach(ImplicitEquations& equations);
    /// Consistent accelerations and multipliers.
    void start(State& state);

    /// At most so many iterations a step; a step that has not converged by then is accepted as it is.
    void bound_iterations(int most) {
        most_ = most;
        bounded_ = true;
    }
    /// The last increment of the last step where it was accepted so, 0 where it had converged.
    double unconverged() const { return unconverged_; }

    /// Trapezoidal rule (Dopico et al., eqs of 1.1), x = q_{n+1}:
    ///   v = 2/h (x - q) - v_n,  a = 4/h^2 (x - q) - 4/h v_n - a_n
    ///   r = M a + J^T lambda - Q,   T = 4/h^2 M + 2/h C + K + J^T alpha J
    int trapezoidal(State& state, double h);

    /// Mid-point rule with discrete gradients J_m, Q_m:
    ///   r = M (v - v_n) / h + J_m^T lambda - Q_m,   T = 2/h^2 M + 1/h C + 1/2 K + J_m^T alpha/2 J;   alpha/2 for alpha above
    int midpoint(State& state, double h);

    /// Velocity projection after a step of length h (accelerations too where `accelerate`):
    ///   T v = P v* - J^T (alpha Phi_t + sigma),  sigma += alpha (J v + Phi_t),   T = P + J^T alpha J
    ///   T a = P a* - J^T (alpha bias + sigma)
    /// solved for the difference from an admissible v0 (a0), T (v - v0) = P (v* - v0) - J^T (alpha (J v0 + Phi_t) + sigma):
    /// the penalty then multiplies the violation only, and costs no digits of v.
    /// at most `most` times each, until the violation is far below the tolerance or round-off. Solved by corrections of the residual of
    /// these equations with T as kept from trapezoidal(); factorised anew after midpoint(), and where P = 4/h^2 M and T has C or K in it.
    void project(State& state, double h, int most, bool accelerate);

  private:
    void choose_penalty(double h);
    /// Violations; rows on velocities count as h/2 J v in the end-point form.
    void find_violation(double h, bool end_point);
    /// The first guess of a step.
    void begin(State& state, double h);
    /// One iteration at the point of the last evaluation, T = m M + c C + k K + J^T sigma J.
    void iterate(int iteration, double m, double c, double k);
    /// Whether the step ends here.
    bool accepts(int iteration);
    /// One of the two projections: x is v or a, already admissible; base_ = P (x* - x), phi_ = its violation.
    /// Leaves the multiplier of the whole change in sigma_.
    void project_motion(Vector& x, int most, double enough);
    void factor_metric();
    bool converged(double size, int iteration) const;
    [[noreturn]] void fail() const;

    double penalty_, tolerance_;
    Exactness exactness_;
    ProjectionMetric metric_;
    ImplicitEquations* equations_ = nullptr;
    int n_ = 0, m_ = 0;
    int most_ = usual_iterations;
    bool bounded_ = false;
    double unconverged_ = 0;
    bool at_end_ = false; ///< the last evaluation was at the end of the step
    double metric_mass_ = 0, metric_damping_ = 0, metric_stiffness_ = 0;
    Vector alpha_, lambda_, mu_, phi_, sigma_, change_;
    Vector x_, d_, v_, a_, f_, dx_, p_, base_;
    double size_ = 0, last_size_ = 0; ///< of increments
};

} // namespace tenon
