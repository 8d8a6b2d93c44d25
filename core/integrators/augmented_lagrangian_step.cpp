#include "core/integrators/augmented_lagrangian_step.hpp"

#include <algorithm>
#include <cmath>

namespace tenon {

namespace {

constexpr int max_iterations = 30;
constexpr double automatic_penalty =
    1e6; // times the mass of a row over (h/2)^2: a sweep divides violations by this
constexpr double round_off = 2e-15;
constexpr double creep =
    100; // times the tolerance: increments that the last sweep may leave where joints are closed
constexpr double projection_round_off = 1e-13;

double size_of(const Vector& x) { return x.size() == 0 ? 0.0 : x.lpNorm<Eigen::Infinity>(); }

} // namespace

ProjectionMetric projection_metric(const std::string& word) {
    return word == "tangent" ? ProjectionMetric::tangent : ProjectionMetric::mass;
}

AugmentedLagrangianStep::AugmentedLagrangianStep(double penalty, double tolerance, Exactness exactness,
                                                 ProjectionMetric metric)
    : penalty_(penalty), tolerance_(tolerance), exactness_(exactness), metric_(metric) {}

void AugmentedLagrangianStep::attach(ImplicitEquations& equations) {
    equations_ = &equations;
    n_ = equations.coordinates();
    m_ = equations.rows();
    alpha_ = lambda_ = mu_ = phi_ = sigma_ = change_ = Vector::Zero(m_);
    x_ = d_ = v_ = a_ = f_ = p_ = base_ = Vector::Zero(n_);
    dx_ = Vector::Zero(equations.increments());
}

void AugmentedLagrangianStep::start(State& state) {
    state.a = Vector::Zero(n_);
    state.lambda = Vector::Zero(m_);
    equations_->consistent(state.time, state.q, state.v, false, state.a, state.lambda);
    equations_->evaluate(state.time, state.q, state.v);
    state.power = equations_->power(state.lambda);
}

void AugmentedLagrangianStep::choose_penalty(double h) {
    if (std::isnan(penalty_))
        alpha_ = (automatic_penalty * 4 / (h * h)) * equations_->row_mass();
    else
        alpha_.setConstant(penalty_);
}

void AugmentedLagrangianStep::find_violation(double h, bool end_point) {
    phi_ = equations_->row_value();
    if (end_point) {
        for (int r = 0; r < m_; ++r) {
            if (!equations_->holonomic(r))
                phi_[r] = 0.5 * h * equations_->row_rate()[r];
        }
    }
}

bool AugmentedLagrangianStep::converged(double size, int iteration) const {
    // Beside a singular position sweeps close the joints and creep along what they hardly hold, at any step.
    if (iteration == max_iterations && size < creep * tolerance_ && size_of(phi_) < tolerance_)
        return true;
    if (exactness_ == Exactness::tolerance)
        return size < tolerance_ && size_of(phi_) < tolerance_;
    // To round-off: until increments are, or no longer shrink.
    const double scale = 1 + size_of(x_);
    const bool small = size < tolerance_ * scale;
    return size < round_off * scale || (small && iteration > 3 && size > 0.9 * last_size_) ||
           (small && iteration == max_iterations);
}

void AugmentedLagrangianStep::fail(double size) const {
    Eigen::Index row = -1;
    const double violation = m_ == 0 ? 0.0 : phi_.cwiseAbs().maxCoeff(&row);
    if (violation > tolerance_) {
        throw NotConverged{"position residual", violation, tolerance_, static_cast<int>(row)};
    }
    throw NotConverged{"last increment", std::max(size, last_size_), tolerance_, -1};
}

int AugmentedLagrangianStep::trapezoidal(State& state, double h) {
    ImplicitEquations& eq = *equations_;
    const double t = state.time + h;
    x_ = state.q;
    d_ = h * state.v + (0.5 * h * h) * state.a;
    eq.predict(x_, d_);
    lambda_ = state.lambda;
    eq.settle_multipliers(state.time, state.q, lambda_);
    double size = 1;
    for (int i = 0; i <= max_iterations; ++i) {
        v_ = (2 / h) * d_ - state.v;
        a_ = (4 / (h * h)) * d_ - (4 / h) * state.v - state.a;
        eq.evaluate(t, x_, v_);
        find_violation(h, true);
        if (i == 0) {
            choose_penalty(h);
        } else {
            lambda_ += alpha_.cwiseProduct(phi_);
            if (converged(size, i)) {
                // The multiplier of the last solution: penalty times violation would bring in its round-off.
                lambda_ = mu_ + alpha_.cwiseProduct(change_);
                state.work += 0.5 * h * (state.power + eq.power(lambda_));
                state.power = eq.power(lambda_);
                state.q = x_;
                state.v = v_;
                state.a = a_;
                state.lambda = lambda_;
                state.time = t;
                eq.tidy(state.q);
                return i;
            }
        }
        mu_ = lambda_ + alpha_.cwiseProduct(phi_);
        eq.mass_times(a_, f_);
        eq.add_reaction(mu_, f_);
        f_ -= eq.force();
        eq.factor(4 / (h * h), 2 / h, 1, alpha_);
        eq.solve(f_, dx_);
        eq.row_increment(dx_, change_);
        last_size_ = size;
        size = eq.increment_size(dx_);
        if (!std::isfinite(size))
            break;
        eq.increment(dx_, x_, d_);
    }
    fail(size);
}

int AugmentedLagrangianStep::midpoint(State& state, double h) {
    ImplicitEquations& eq = *equations_;
    const double t = state.time + h;
    x_ = state.q;
    d_ = h * state.v + (0.5 * h * h) * state.a;
    eq.predict(x_, d_);
    lambda_ = state.lambda;
    eq.settle_multipliers(state.time, state.q, lambda_);
    double size = 1;
    for (int i = 0; i <= max_iterations; ++i) {
        v_ = (2 / h) * d_ - state.v;
        eq.evaluate_between(state.time, state.q, t, x_);
        find_violation(h, false);
        if (i == 0) {
            choose_penalty(h);
        } else {
            lambda_ += 0.5 * alpha_.cwiseProduct(phi_);
            if (converged(size, i)) {
                lambda_ = mu_ + 0.5 * alpha_.cwiseProduct(change_);
                state.work += eq.work_between(lambda_);
                state.a = (v_ - state.v) / h;
                state.q = x_;
                state.v = v_;
                state.lambda = lambda_;
                state.time = t;
                eq.tidy(state.q);
                return i;
            }
        }
        mu_ = lambda_ + 0.5 * alpha_.cwiseProduct(phi_);
        a_ = (v_ - state.v) / h;
        eq.mass_times(a_, f_);
        eq.add_reaction(mu_, f_);
        f_ -= eq.force();
        sigma_ = 0.5 * alpha_;
        eq.factor(2 / (h * h), 1 / h, 0.5, sigma_);
        eq.solve(f_, dx_);
        eq.row_increment(dx_, change_);
        last_size_ = size;
        size = eq.increment_size(dx_);
        if (!std::isfinite(size))
            break;
        eq.increment(dx_, x_, d_);
    }
    fail(size);
}

void AugmentedLagrangianStep::project_motion(Vector& x, int most, double enough) {
    ImplicitEquations& eq = *equations_;
    sigma_.setZero();
    x_ = x;
    for (int i = 0; i < most; ++i) {
        mu_ = -(alpha_.cwiseProduct(phi_) + sigma_);
        p_ = base_;
        eq.add_reaction(mu_, p_);
        eq.solve_motion(p_, d_);
        x = x_ + d_;
        eq.row_times(d_, mu_);
        mu_ += phi_; // violation now
        sigma_ += alpha_.cwiseProduct(mu_);
        if (size_of(mu_) <= enough)
            return;
    }
}

void AugmentedLagrangianStep::project(State& state, double h, int most, bool accelerate) {
    ImplicitEquations& eq = *equations_;
    eq.evaluate(state.time, state.q, state.v);
    const double share = metric_ == ProjectionMetric::tangent ? 1 : 0; // of C and K in P
    eq.factor(4 / (h * h), share * 2 / h, share, alpha_);
    v_ = state.v;
    eq.row_times(state.v, mu_);
    phi_ = eq.row_rate() - mu_; // Phi_t
    eq.admit_velocity(state.v);
    v_ -= state.v;
    eq.base_times(v_, base_);
    eq.row_times(state.v, mu_);
    phi_ += mu_;
    project_motion(state.v, most, std::max(projection_round_off, 1e-3 * tolerance_) * (1 + size_of(state.v)));
    // M (v - v*) = -(h/2)^2 J^T sigma: drivers take part in this impulse, and their share is work.
    mu_.setZero();
    state.work += 0.25 * h * h * (eq.power(sigma_) - eq.power(mu_));
    if (!accelerate)
        return;
    eq.evaluate(state.time, state.q, state.v);
    phi_ = eq.row_bias();
    const double scale = 1 + size_of(phi_);
    a_ = state.a;
    eq.admit_acceleration(state.v, state.a);
    a_ -= state.a;
    eq.base_times(a_, base_);
    eq.row_times(state.a, mu_);
    phi_ += mu_;
    project_motion(state.a, most, std::max(projection_round_off, 0.1 * tolerance_) * scale);
    // The next step starts from the projected acceleration, whose multipliers are lambda + (h/2)^2 sigma.
    mu_ = state.lambda + (0.25 * h * h) * sigma_;
    state.power = eq.power(mu_);
}

} // namespace tenon
