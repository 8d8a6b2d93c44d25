#include "core/equations/own_equations.hpp"

namespace tenon {

OwnRates::OwnRates(const OwnEquations& own, double rank_threshold)
    : own_(own), n_(own.coordinates()), m_(own.rows()), q_(Vector::Zero(n_)), v_(q_), force_(q_),
      phi_(Vector::Zero(m_)), phi_t_(phi_), phi_dot_(phi_), bias_(phi_), x_(q_), mass_(Matrix::Zero(n_, n_)),
      jacobian_(Matrix::Zero(m_, n_)), kkt_(n_, m_, rank_threshold) {}

void OwnRates::evaluate_rows(double t, const Vector& q, const Vector& v) {
    t_ = t;
    q_ = q;
    v_ = v;
    mass_.setZero();
    own_.mass(q, mass_);
    if (m_ == 0)
        return;
    phi_.setZero();
    own_.constraint(t, q, phi_);
    for (int row = 0; row < m_; ++row)
        if (!own_.holonomic(row))
            phi_(row) = 0;
    jacobian_.setZero();
    own_.jacobian(t, q, jacobian_);
    phi_dot_.noalias() = jacobian_ * v;
    if (own_.rheonomic()) {
        phi_t_.setZero();
        own_.constraint_rate(t, q, phi_t_);
        phi_dot_ += phi_t_;
    }
}

void OwnRates::evaluate(double t, const Vector& q, const Vector& v) {
    evaluate_rows(t, q, v);
    force_.setZero();
    own_.force(t, q, v, force_);
    x_.setZero();
    own_.gradient(q, x_);
    force_ -= x_;
    if (m_ == 0)
        return;
    bias_.setZero();
    own_.bias(t, q, v, bias_);
}

void OwnRates::factor(Metric metric) {
    if (metric == Metric::mass)
        kkt_.factor(mass_, jacobian_);
    else
        kkt_.factor(jacobian_);
}

void OwnRates::solve(const Vector& f, const Vector& rhs, Vector& a, Vector& lambda) {
    kkt_.solve(f, rhs, a, lambda);
}

double OwnRates::kinetic() const {
    x_.noalias() = mass_ * v_;
    return 0.5 * v_.dot(x_);
}

double OwnRates::potential_rate(const Vector& v) const {
    x_.setZero();
    own_.gradient(q_, x_);
    return x_.dot(v);
}

// v G^T lambda = -Phi_t lambda where G v + Phi_t = 0.
double OwnRates::power(const Vector& lambda) const {
    return own_.power(t_, q_, v_) - (own_.rheonomic() ? phi_t_.dot(lambda) : 0.0);
}

} // namespace tenon
