// Explicit equations of motion with embedded correction of constraints and energy (Braun, Goldfarb 2009, 2012).
//
// With M = R^T R, C = G R^-1 and its pseudo-inverse C^+ (here: one solve with the mass metric)
//   q' = v + R^-1 C^+ (-(G v + Phi_t) - Delta_q)                                                       (16)
//   v' = a + R^-1 C^+ (-bias - G a - Delta_v) + R^-1 e (res / e.e),   e = N R v                    (17) + (20)
//   res = -V'(q') + power - Delta_e - v.M a_c         a_c the constrained acceleration, N R v: v along the constraints
//
// form, all with the classical Runge-Kutta method:
//   post    Delta = 0 in the stages; then q to the constraints by Newton, v by projection, and v scaled along the
//           constraints so that E = E0 + work: a quadratic equation, solved exactly                     order 4
//   start   Delta / h from the violation at the start of the step, the same in all stages, subtracted after (20)
//           has been applied with Delta_e = 0                                                            order 4
//   stage   Delta = violation / h anew in every stage, as printed                                          order 2
// energy = false leaves (20) out. Near rest (20) has no direction: it is skipped where e.e is below `rest` times the
// largest seen so far.
//
// Errata used: Delta_v, not A_v, is Phi'/h; b_e needs the corrected q' of (16), the energy error v itself.

#include "core/integrators/integrator.hpp"
#include "core/integrators/manifold_projection.hpp"
#include "core/integrators/runge_kutta.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace tenon {

namespace {

constexpr double rest_post = 1e-10; // of the largest e.e: `post` and `start` do not depend on it
constexpr double rest_stage = 1e-2; // `stage` does, see docs/integrators/explicit-correction.md
constexpr int newton_steps = 6;     // on positions, `post`; one is the rule
constexpr double newton_enough = 1e-12;

class ExplicitCorrection final : public Integrator {
  public:
    explicit ExplicitCorrection(const Settings& settings)
        : form_(settings.word("form")), energy_(settings.flag("energy")), tolerance_(settings.tolerance) {}

    bool implicit() const override { return false; }

    void attach(const Face& face) override {
        equations_ = face.rates;
        const ExplicitSizes sizes = equations_->sizes();
        rk_.allocate(sizes);
        projection_.allocate(sizes);
        rhs_ = lambda_ = Vector::Zero(sizes.rows);
        zero_ = dv_ = corrected_ = tangent_ = momentum_ = shift_v_ = shift_q_ = Vector::Zero(sizes.v);
    }

    // memory: energy at the start less work, largest e.e so far, whether a driver has jumped
    void start(State& state) override {
        state.a.setZero(equations_->sizes().v);
        state.lambda.setZero(equations_->sizes().rows);
        projection_.accelerations(*equations_, state, true);
        state.memory.setZero(3);
        state.memory[0] = equations_->kinetic() + equations_->potential() - state.work;
        state.memory[1] = 2 * equations_->kinetic();
    }

    // A prescribed motion that jumps changes the energy by no work anyone could count: the account starts anew.
    void inputs_changed(State& state) override {
        projection_.accelerations(*equations_, state, true);
        const Vector& phi = equations_->position_residual();
        if (phi.size() > 0 && phi.lpNorm<Eigen::Infinity>() > tolerance_)
            state.memory[2] = 1;
    }

    int step(State& state, double h) override {
        ExplicitEquations& eq = *equations_;
        const bool at_start = form_ == "start";
        const bool at_stage = form_ == "stage";
        if (at_start)
            prepare_shift(state);
        rk_.step(eq, state, h,
                 [&](double t, const Vector& q, const Vector& u, const Vector& v, Stage& stage, int i) {
                     // The first stage of `post` starts on the constraints with the acceleration found there.
                     if (i == 0 && !at_start && !at_stage) {
                         eq.rate(q, u, v, stage.ud);
                         stage.a = state.a;
                         stage.power = state.power;
                         return;
                     }
                     eq.evaluate(t, q, v);
                     eq.factor(Metric::mass);
                     rhs_ = -eq.velocity_residual();
                     if (at_stage)
                         rhs_ -= eq.position_residual() / h;
                     eq.solve(zero_, rhs_, dv_, lambda_);
                     corrected_ = v + dv_; // q' of (16)
                     rhs_ = -eq.bias();
                     if (at_stage)
                         rhs_ -= eq.velocity_residual() / h;
                     eq.solve(eq.force(), rhs_, stage.a, lambda_);
                     stage.power = eq.power(lambda_);
                     if (energy_ && (at_start || at_stage)) {
                         const double lack =
                             at_stage ? (eq.kinetic() + eq.potential() - state.memory[0] - state.work) / h
                                      : 0.0;
                         if (correct_power(state, v, stage, lack) && i == 0)
                             state.account.corrected -= h * lack;
                     }
                     if (at_start) {
                         corrected_ -= shift_q_ / h;
                         stage.a -= shift_v_ / h;
                     }
                     eq.rate(q, u, corrected_, stage.ud);
                 });
        int iterations = 1;
        if (form_ == "post") {
            iterations = projection_.positions(eq, state.time, state.q, state.v, Metric::mass, newton_steps,
                                               newton_enough, tolerance_);
            projection_.velocities(eq, state.v, Metric::mass);
            if (energy_ && state.memory[2] == 0)
                restore_energy(state);
        } else {
            dv_.setZero();
            eq.correct(state.q, dv_);
        }
        projection_.accelerations(eq, state, form_ != "post");
        if (state.memory[2] != 0) {
            state.memory[0] = eq.kinetic() + eq.potential() - state.work;
            state.memory[2] = 0;
        }
        return std::max(iterations, 1);
    }

  private:
    /// v along the constraints: v less the smallest change that takes G v to zero. Returns e.e = tangent.M tangent.
    double find_tangent(State& state, const Vector& v) {
        ExplicitEquations& eq = *equations_;
        eq.momentum(v, momentum_);
        rhs_.setZero();
        eq.solve(momentum_, rhs_, tangent_, lambda_);
        eq.momentum(tangent_, momentum_);
        const double square = tangent_.dot(momentum_);
        state.memory[1] = std::max(state.memory[1], square);
        return square;
    }

    /// (20): adds to the acceleration what lets the power balance close, `lack` = Delta_e; false near rest.
    bool correct_power(State& state, const Vector& v, Stage& stage, double lack) {
        ExplicitEquations& eq = *equations_;
        const double square = find_tangent(state, v);
        if (square <= (form_ == "stage" ? rest_stage : rest_post) * state.memory[1])
            return false;
        eq.momentum(v, momentum_);
        const double res = -eq.potential_rate(corrected_) + stage.power - lack - momentum_.dot(stage.a);
        stage.a += (res / square) * tangent_;
        return true;
    }

    /// `start`: d_q and d_v of the violation at the beginning of the step.
    void prepare_shift(State& state) {
        ExplicitEquations& eq = *equations_;
        eq.evaluate(state.time, state.q, state.v);
        eq.factor(Metric::mass);
        rhs_ = eq.position_residual();
        eq.solve(zero_, rhs_, shift_q_, lambda_);
        rhs_ = eq.velocity_residual();
        eq.solve(zero_, rhs_, shift_v_, lambda_);
        if (!energy_)
            return;
        const double excess = eq.kinetic() + eq.potential() - state.memory[0] - state.work;
        const double square = find_tangent(state, state.v);
        if (square > rest_post * state.memory[1]) {
            eq.momentum(state.v, momentum_);
            const double rest = excess - momentum_.dot(shift_v_) - eq.potential_rate(shift_q_);
            shift_v_ += (rest / square) * tangent_;
            state.account.corrected -= excess;
        }
    }

    /// `post`: K(v + s tangent) = E0 + work - V; the root next to zero.
    void restore_energy(State& state) {
        ExplicitEquations& eq = *equations_;
        eq.evaluate(state.time, state.q, state.v);
        const double excess = eq.kinetic() + eq.potential() - state.memory[0] - state.work;
        const double square = find_tangent(state, state.v); // momentum_ = M tangent
        const double half = state.v.dot(momentum_);         // = square where no driver moves
        const double root = half * half - 2 * square * excess;
        if (square <= rest_post * state.memory[1] || root < 0 || half <= 0)
            return;
        const double s = -2 * excess / (half + std::sqrt(root));
        if (std::abs(s) < 0.5) {
            state.v += s * tangent_;
            state.account.corrected -= excess;
        }
    }

    std::string form_;
    bool energy_;
    double tolerance_;
    ExplicitEquations* equations_ = nullptr;
    RungeKutta4 rk_;
    ManifoldProjection projection_;
    Vector rhs_, lambda_, zero_, dv_, corrected_, tangent_, momentum_, shift_q_, shift_v_;
};

} // namespace

std::unique_ptr<Integrator> make_explicit_correction(const Settings& settings) {
    return std::make_unique<ExplicitCorrection>(settings);
}

} // namespace tenon
