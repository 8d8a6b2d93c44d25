#include "core/integrators/augmented_lagrangian_step.hpp"

#include <algorithm>
#include <cmath>

namespace tenon {

namespace {

constexpr double far_increment =
    2e-2; // in the first iteration, metres and radians: the point of the factors was too far away
constexpr double slow_rate = 0.05; // of increments, from one iteration to the next
constexpr double rest_of_tolerance =
    1e-3;                            // that increments still to come may have, as this one and its rate say
constexpr double stalled = 0.5; // of increments: below the tolerance it is rounding that they show
constexpr int most_corrections = 30; // of a projection
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
    if (!bounded_ && iteration == most_ && size < creep * tolerance_ && size_of(phi_) < tolerance_)
        return true;
    if (exactness_ == Exactness::tolerance)
        return size < tolerance_ && size_of(phi_) < tolerance_ &&
               (size * size < rest_of_tolerance * tolerance_ * last_size_ || size > stalled * last_size_);
    // To round-off: until increments are, or no longer shrink.
    const double scale = 1 + size_of(x_);
    const bool small = size < tolerance_ * scale;
    return size < round_off * scale || (small && iteration > 3 && size > 0.9 * last_size_) ||
           (small && iteration == most_);
}

void AugmentedLagrangianStep::fail() const {
    Eigen::Index row = -1;
    const double violation = m_ == 0 ? 0.0 : phi_.cwiseAbs().maxCoeff(&row);
    if (violation > tolerance_) {
        throw NotConverged{"position residual", violation, tolerance_, static_cast<int>(row)};
    }
    throw NotConverged{"last increment", std::max(size_, last_size_), tolerance_, -1};
}

void AugmentedLagrangianStep::begin(State& state, double h) {
    ImplicitEquations& eq = *equations_;
    eq.tidy(state.q);
    x_ = state.q;
    d_ = h * state.v + (0.5 * h * h) * state.a;
    eq.predict(x_, d_);
    lambda_ = state.lambda;
    eq.settle_multipliers(state.time, state.q, lambda_);
    size_ = 1;
    unconverged_ = 0;
}

bool AugmentedLagrangianStep::accepts(int iteration) {
    if (iteration == 0)
        return false;
    if (converged(size_, iteration))
        return true;
    if (!bounded_ || iteration < most_)
        return false;
    unconverged_ = size_;
    return true;
}

void AugmentedLagrangianStep::iterate(int iteration, double m, double c, double k) {
    ImplicitEquations& eq = *equations_;
    eq.mass_times(a_, f_);
    eq.add_reaction(lambda_, f_);
    f_ -= eq.force();
    mu_ = sigma_.cwiseProduct(phi_);
    const bool far = iteration == 1 ? size_ > far_increment : size_ > slow_rate * last_size_;
    if (iteration == 0 || far || exactness_ == Exactness::round_off)
        eq.factor(m, c, k, sigma_);
    eq.solve(f_, mu_, dx_);
    eq.row_increment(dx_, change_);
    lambda_ += mu_ + sigma_.cwiseProduct(change_);
    last_size_ = size_;
    size_ = eq.increment_size(dx_);
    if (!std::isfinite(size_))
        fail();
    eq.increment(dx_, x_, d_);
}

int AugmentedLagrangianStep::trapezoidal(State& state, double h) {
    ImplicitEquations& eq = *equations_;
    const double t = state.time + h;
    begin(state, h);
    for (int i = 0; i <= most_; ++i) {
        v_ = (2 / h) * d_ - state.v;
        a_ = (4 / (h * h)) * d_ - (4 / h) * state.v - state.a;
        eq.evaluate(t, x_, v_);
        find_violation(h, true);
        if (i == 0) {
            choose_penalty(h);
            sigma_ = alpha_;
        } else if (accepts(i)) {
            state.work += 0.5 * h * (state.power + eq.power(lambda_));
            state.power = eq.power(lambda_);
            state.q = x_;
            state.v = v_;
            state.a = a_;
            state.lambda = lambda_;
            state.time = t;
            at_end_ = true;
            return i;
        }
        iterate(i, 4 / (h * h), 2 / h, 1);
    }
    fail();
}

int AugmentedLagrangianStep::midpoint(State& state, double h) {
    ImplicitEquations& eq = *equations_;
    const double t = state.time + h;
    begin(state, h);
    for (int i = 0; i <= most_; ++i) {
        v_ = (2 / h) * d_ - state.v;
        a_ = (v_ - state.v) / h;
        eq.evaluate_between(state.time, state.q, t, x_);
        find_violation(h, false);
        if (i == 0) {
            choose_penalty(h);
            sigma_ = 0.5 * alpha_;
        } else if (accepts(i)) {
            state.work += eq.work_between(lambda_);
            state.q = x_;
            state.v = v_;
            state.a = a_;
            state.lambda = lambda_;
            state.time = t;
            at_end_ = false;
            return i;
        }
        iterate(i, 2 / (h * h), 1 / h, 0.5);
    }
    fail();
}

void AugmentedLagrangianStep::project_motion(Vector& x, int most, double enough) {
    ImplicitEquations& eq = *equations_;
    sigma_.setZero(); // the multiplier that the penalty holds on to
    lambda_.setZero();
    double size = 0, last = 0;
    int sweeps = 1;
    for (int i = 0; i < most_corrections; ++i) {
        mu_ = -lambda_;
        p_ = base_;
        eq.add_reaction(mu_, p_);
        mu_ += alpha_.cwiseProduct(phi_) + sigma_;
        eq.solve_motion(p_, mu_, d_, change_);
        lambda_ += mu_ + alpha_.cwiseProduct(change_);
        x += d_;
        eq.row_times(d_, mu_);
        phi_ += mu_; // violation now
        last = size;
        size = size_of(d_);
        if (sweeps < most)
            sigma_ = lambda_;
        if ((sweeps == most || size_of(phi_) <= enough) && size <= 1e3 * enough)
            break;
        sweeps = std::min(sweeps + 1, most);
        eq.base_times(d_, p_);
        base_ -= p_;
        if (i > 0 && size > slow_rate * last)
            factor_metric(); // what is kept is of too far away
    }
    sigma_ = lambda_;
}

void AugmentedLagrangianStep::factor_metric() {
    equations_->factor(metric_mass_, metric_damping_, metric_stiffness_, alpha_);
}

void AugmentedLagrangianStep::project(State& state, double h, int most, bool accelerate) {
    ImplicitEquations& eq = *equations_;
    const bool tangent = metric_ == ProjectionMetric::tangent;
    metric_mass_ = 4 / (h * h);
    metric_damping_ = tangent ? 2 / h : 0;
    metric_stiffness_ = tangent ? 1 : 0;
    if (!at_end_ && tangent)
        eq.evaluate(state.time, state.q, state.v);
    else if (!at_end_)
        eq.evaluate_rows(state.time, state.q, state.v);
    eq.choose_metric(metric_mass_, metric_damping_, metric_stiffness_);
    if (!at_end_ || (!tangent && !eq.mass_alone()))
        factor_metric();
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
    eq.change_velocity(state.v);
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
