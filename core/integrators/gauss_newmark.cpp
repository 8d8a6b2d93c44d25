// Tseng and Hulbert's gluing iteration (2001) inside one machine, with Newmark's method or generalised alpha.
//
//   am = (2 rho - 1)/(rho + 1), af = rho/(rho + 1), gamma = 1/2 - am + af, beta = (1 - am + af)^2 / 4;
//   rho = 1: Newmark, am = af = 0, gamma = 1/2, beta free (option, 1/4)
//   (1 - am) A_{n+1} + am A_n = (1 - af) a_{n+1} + af a_n                    A: algorithmic acceleration
//   q_{n+1} = q + h v + h^2 ((1/2 - beta) A_n + beta A_{n+1}),  v_{n+1} = v + h ((1 - gamma) A_n + gamma A_{n+1})
//
// Predict a_{n+1} = a_n; then repeat until accelerations, velocities and positions agree with their constraints:
//   Gauss (32)    a + da: the constrained acceleration at (q, v), M-weighted: da = M^-1 Q ... with Phi'' taken at a + da
//   dq = h^2 beta' da,  dv = h gamma' da,   beta' = beta (1 - af)/(1 - am), gamma' likewise
//   positions     dq <- P dq - A^+ Phi      orthogonal projection, all coordinates alike
//   velocities    dv <- dv - A^+ (A (v + dv) + Phi_t) with A at q + dq
// The projection of eq. 27 in place of (32) diverges (tests show it with the predicted factor). Order 2.
// The iteration matrix is M: forces that depend stiffly on q or v limit the step.

#include "core/equations/explicit_equations.hpp"
#include "core/integrators/integrator.hpp"
#include "core/integrators/manifold_projection.hpp"

#include <cmath>
#include <limits>
#include <memory>

namespace tenon {

namespace {

constexpr int newmark_iterations = 50;

class GaussNewmark final : public Integrator {
  public:
    explicit GaussNewmark(const Settings& settings) : tolerance_(settings.tolerance) {
        const double rho = settings.number("rho");
        const double given = settings.number("beta");
        damps_ = rho < 1;
        if (rho < 1) {
            am_ = (2 * rho - 1) / (rho + 1);
            af_ = rho / (rho + 1);
        }
        gamma_ = 0.5 - am_ + af_;
        beta_ = rho < 1 || std::isnan(given) ? 0.25 * (1 - am_ + af_) * (1 - am_ + af_) : given;
    }

    bool implicit() const override { return false; }
    bool dissipates() const override { return damps_; }

    void attach(const Face& face) override {
        equations_ = face.rates;
        const ExplicitSizes sizes = equations_->sizes();
        projection_.allocate(sizes);
        rhs_ = lambda_ = scratch_ = Vector::Zero(sizes.rows);
        q_ = Vector::Zero(sizes.q);
        zero_ = v_ = a_ = da_ = dq_ = dv_ = algorithmic_ = Vector::Zero(sizes.v);
    }

    // memory: algorithmic acceleration
    void start(State& state) override {
        state.a.setZero(equations_->sizes().v);
        state.lambda.setZero(equations_->sizes().rows);
        projection_.accelerations(*equations_, state, true);
        state.memory = state.a;
    }

    int step(State& state, double h) override {
        ExplicitEquations& eq = *equations_;
        const double t = state.time + h;
        const double beta1 = beta_ * (1 - af_) / (1 - am_);
        const double gamma1 = gamma_ * (1 - af_) / (1 - am_);
        a_ = state.a;
        algorithmic_ = ((1 - af_) * a_ + af_ * state.a - am_ * state.memory) / (1 - am_);
        dq_ = h * state.v + (h * h) * ((0.5 - beta_) * state.memory + beta_ * algorithmic_);
        v_ = state.v + h * ((1 - gamma_) * state.memory + gamma_ * algorithmic_);
        q_ = state.q;
        eq.correct(q_, dq_);
        for (int i = 0; i <= newmark_iterations; ++i) {
            eq.evaluate(t, q_, v_);
            eq.factor(Metric::mass);
            rhs_ = -eq.bias();
            eq.solve(eq.force(), rhs_, da_, lambda_);
            da_ -= a_;
            const double gap = size(eq.position_residual()), slip = size(eq.velocity_residual());
            // Residuals of eq. 28: r_dyn = P (Q - M a) = P M da, P orthogonal along the constraints, against a fraction of
            // the forces (centrifugal ones are large and do not matter there; what is left adds up over the steps), and
            // r_acc = A a + bias = -A da. Near singular positions da itself stalls across the constraints.
            eq.momentum(a_, dq_);
            const double forces =
                1e-2 * size(dq_) + 1e-3 * size(eq.force()) + std::numeric_limits<double>::min();
            eq.momentum(da_, dv_);
            eq.factor(Metric::unit);
            rhs_.setZero();
            eq.solve(dv_, rhs_, dq_, scratch_);
            const double change = size(dq_);
            eq.row_times(da_, scratch_);
            const double acc = size(scratch_);
            if (!std::isfinite(size(da_) + change + gap + slip))
                break;
            const double speed = 1 + size(v_), load = 1 + size(a_);
            if (change <= tolerance_ * forces && acc <= tolerance_ * load && gap <= tolerance_ &&
                slip <= tolerance_ * speed) {
                algorithmic_ = ((1 - af_) * a_ + af_ * state.a - am_ * state.memory) / (1 - am_);
                const double power = eq.power(lambda_);
                state.work += 0.5 * h * (state.power + power);
                state.power = power;
                state.memory = algorithmic_;
                state.q = q_;
                state.v = v_;
                state.a = a_;
                state.lambda = lambda_;
                state.time = t;
                return i;
            }
            // Gauss: da_; then orthogonal projections of the changes it makes.
            dv_ = (h * h * beta1) * da_;
            rhs_ = -eq.position_residual();
            eq.solve(dv_, rhs_, dq_, lambda_);
            eq.correct(q_, dq_);
            v_ += (h * gamma1) * da_;
            a_ += da_;
            eq.evaluate_rows(t, q_, v_);
            eq.factor(Metric::unit);
            rhs_ = -eq.velocity_residual();
            eq.solve(zero_, rhs_, dv_, lambda_);
            v_ += dv_;
        }
        throw NotConverged{"change of accelerations", size(da_), tolerance_, -1};
    }

  private:
    static double size(const Vector& x) { return x.size() == 0 ? 0.0 : x.lpNorm<Eigen::Infinity>(); }

    double tolerance_;
    bool damps_ = false;
    double am_ = 0, af_ = 0, gamma_ = 0.5, beta_ = 0.25;
    ExplicitEquations* equations_ = nullptr;
    ManifoldProjection projection_;
    Vector q_, v_, a_, da_, dq_, dv_, algorithmic_, rhs_, lambda_, scratch_, zero_;
};

} // namespace

std::unique_ptr<Integrator> make_gauss_newmark(const Settings& settings) {
    return std::make_unique<GaussNewmark>(settings);
}

} // namespace tenon
