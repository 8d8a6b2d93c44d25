// Energy-decaying scheme (Bauchau 2003, eqs 23-28): start i, inner state j at the start, end f.
//
//   g:  M (v_f - v_i) / h + J_g^T lambda = Q_g
//   h:  M (v_j - v_i) / h - 1/3 (J_g - J_h)^T lambda = Q_h
//   (u_f - u_i) / h = (v_f + v_j) / 2,   3 (u_j - u_i) / h = -1/2 [(v_f - v_i) - alpha (v_j - v_i)],   Phi(u_f) = 0
//   J_g between u_j and u_f, J_h between u_i and u_j (discrete gradients); Phi(u_j) is not zero
//
// E_f = E_i + work - alpha/2 (|v_j - v_i|_M^2 + elastic jump): monotone. rho(infinity) = (1 - alpha) / (1 + alpha),
// alpha = `dissipation`. Order 3 in displacement (4 for alpha = 0); velocities and multipliers of order 3 after the
// projection that results go through. Linear momentum is kept, angular momentum to third order.
// Coordinates without mass or nearly so (directors of plates and rods) keep v_j = v_i and u_j = u_i (keep_inner).
// Where stiff springs turn with a part u_j leaves the circle by (Omega h)^2 / 6, which the spring resists: the loss is then
// of first order. That is the scheme's nature: docs/integrators/energy-decaying.md.
// Sweeps: Newton on u_f with the tangent of g, then one on v_j with the tangent of h.

#include "core/equations/implicit_equations.hpp"
#include "core/integrators/integrator.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace tenon {

namespace {

constexpr int decaying_iterations = 60;
constexpr double decaying_penalty = 1e6; // this and the next as in augmented_lagrangian_step.cpp
constexpr double decaying_creep = 100;

class EnergyDecaying final : public Integrator {
  public:
    explicit EnergyDecaying(const Settings& settings)
        : alpha_(settings.number("dissipation")), tolerance_(settings.tolerance) {}

    bool implicit() const override { return true; }
    bool dissipates() const override { return alpha_ > 0; }

    void attach(const Face& face) override {
        equations_ = face.residuals;
        const int n = equations_->coordinates();
        weight_ = lambda_ = change_ = Vector::Zero(equations_->rows());
        x_ = d_ = vf_ = vj_ = uj_ = f_ = inner_ = a_ = Vector::Zero(n);
        dx_ = Vector::Zero(equations_->increments());
    }

    void start(State& state) override {
        state.a = Vector::Zero(x_.size());
        state.lambda = Vector::Zero(lambda_.size());
        equations_->consistent(state.time, state.q, state.v, false, state.a, state.lambda);
    }

    int step(State& state, double h) override {
        ImplicitEquations& eq = *equations_;
        const double t = state.time + h;
        x_ = state.q;
        d_ = h * state.v + (0.5 * h * h) * state.a;
        eq.predict(x_, d_);
        lambda_ = state.lambda;
        vj_ = state.v;
        double size = 1, last = 1; // increments; to round-off, or until they no longer shrink
        for (int i = 0; i <= decaying_iterations; ++i) {
            find_inner(state, h);
            eq.evaluate_decaying(state.time, state.q, state.v, uj_, vj_, t, x_, vf_, alpha_);
            const double scale = 1 + x_.lpNorm<Eigen::Infinity>();
            const bool small = size < tolerance_ * scale;
            if (i > 0 && (size < 2e-15 * scale || (small && i > 3 && size > 0.9 * last) ||
                          (i == decaying_iterations && (small || creeps(size))))) {
                state.work += eq.work_decaying(lambda_);
                state.a = (vf_ - state.v) / h;
                state.q = x_;
                state.v = vf_;
                state.lambda = lambda_;
                state.time = t;
                eq.tidy(state.q);
                eq.renew_massless(state.q, state.v);
                return i;
            }
            if (i == 0)
                weight_ = (decaying_penalty * 2 / (h * h)) * eq.row_mass();
            // g along admissible motions: T dx = -f, multipliers of that solution
            lambda_ += weight_.cwiseProduct(eq.row_value());
            a_ = (vf_ - state.v) / h;
            eq.mass_times(a_, f_);
            eq.add_reaction(lambda_, f_);
            f_ -= eq.force();
            eq.factor(2 / (h * h), 1 / h, 1.0 / 3, weight_);
            eq.solve(f_, none_, dx_);
            eq.increment(dx_, x_, d_);
            eq.row_increment(dx_, change_);
            change_ = weight_.cwiseProduct(change_);
            lambda_ += change_;
            eq.settle_multipliers(t, x_, lambda_);
            // h at the new x: (M / h + (1 + alpha) / 6 C + (alpha + 1/2) h / 12 K) dv_j = -R_h,
            // the coordinates' own conditions included
            find_inner(state, h);
            eq.evaluate_decaying(state.time, state.q, state.v, uj_, vj_, t, x_, vf_, alpha_);
            a_ = (vf_ - state.v) / h;
            eq.mass_times(a_, f_);
            eq.add_reaction(lambda_, f_);
            f_ -= eq.force();
            inner_.setZero();
            eq.add_inner_reaction(lambda_, inner_);
            eq.add_inner_condition(f_, inner_);
            inner_ = eq.inner_force() + inner_ / 3;
            a_ = (vj_ - state.v) / h;
            eq.mass_times(a_, f_);
            inner_ -= f_;
            eq.solve_inner(1 / h, (1 + alpha_) / 6, h * (alpha_ + 0.5) / 12, inner_, a_);
            vj_ += a_;
            last = size;
            size = eq.increment_size(dx_) + 0.5 * h * a_.lpNorm<Eigen::Infinity>();
            if (!std::isfinite(size))
                break;
        }
        throw NotConverged{"last increment", std::max(size, last), tolerance_, -1};
    }

  private:
    /// v_f and u_j of d_ = u_f - u_i and v_j.
    void find_inner(const State& state, double h) {
        vf_ = (2 / h) * d_ - vj_;
        uj_ = (-h / 6) * (vf_ - state.v - alpha_ * (vj_ - state.v));
        equations_->keep_inner(uj_);
        uj_ += state.q;
    }

    /// As in augmented_lagrangian_step.cpp: joints are closed, and what they hardly hold is left to creep.
    bool creeps(double size) const {
        return size < decaying_creep * tolerance_ && equations_->row_value().size() > 0 &&
               equations_->row_value().lpNorm<Eigen::Infinity>() < tolerance_;
    }

    double alpha_, tolerance_;
    ImplicitEquations* equations_ = nullptr;
    const Vector none_; // of multipliers beside those in f_
    Vector weight_, lambda_, change_, x_, d_, vf_, vj_, uj_, f_, inner_, a_, dx_;
};

} // namespace

std::unique_ptr<Integrator> make_energy_decaying(const Settings& settings) {
    return std::make_unique<EnergyDecaying>(settings);
}

} // namespace tenon
