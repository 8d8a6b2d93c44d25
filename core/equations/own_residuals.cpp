#include "core/equations/own_equations.hpp"

#include "core/math/error.hpp"

namespace tenon {

OwnResiduals::OwnResiduals(const OwnEquations& own)
    : own_(own), n_(own.coordinates()), m_(own.rows()), q_(Vector::Zero(n_)), v_(q_), d_(q_),
      rheonomic_(Vector::Zero(m_)), force_(q_), inner_force_(q_), phi_(rheonomic_), phi_t_(phi_),
      phi_dot_(phi_), bias_(phi_), row_mass_(phi_), mass_(Matrix::Zero(n_, n_)),
      jacobian_(Matrix::Zero(m_, n_)), inner_jacobian_(jacobian_), end_jacobian_(jacobian_), damping_(mass_),
      stiffness_(mass_), base_(mass_), matrix_(mass_), f0_(q_), f1_(q_), phi0_(phi_), phi1_(phi_), mean_(q_),
      x_(q_), trial_(jacobian_), kept_test_(jacobian_), kept_trial_(jacobian_), mass_factor_(n_),
      tangent_(n_), kkt_(n_, m_) {
    if (!own.constant_mass())
        throw Error(ErrorKind::model,
                    "an implicit method needs a constant mass matrix: these equations do not say "
                    "that theirs is (OwnEquations::constant_mass)");
    own_.mass(q_, mass_);
    mass_factor_.compute(mass_);
    if (mass_factor_.info() != Eigen::Success)
        throw Error(ErrorKind::model, "the mass matrix of own equations is not positive definite");
}

void OwnResiduals::positions(double t, const Vector& q, Vector& phi) const {
    phi.setZero();
    own_.constraint(t, q, phi);
    for (int row = 0; row < m_; ++row)
        if (!own_.holonomic(row))
            phi(row) = 0;
}

void OwnResiduals::evaluate(double t, const Vector& q, const Vector& v) {
    evaluate_rows(t, q, v);
    evaluate_forces();
}

void OwnResiduals::change_velocity(const Vector& v) {
    v_ = v;
    evaluate_forces();
}

void OwnResiduals::evaluate_forces() {
    force_.setZero();
    own_.force(t_, q_, v_, force_);
    f0_.setZero();
    own_.gradient(q_, f0_);
    force_ -= f0_;
}

void OwnResiduals::evaluate_rows(double t, const Vector& q, const Vector& v) {
    t_ = t;
    q_ = q;
    v_ = v;
    if (m_ == 0)
        return;
    positions(t, q, phi_);
    jacobian_.setZero();
    own_.jacobian(t, q, jacobian_);
    end_jacobian_ = jacobian_;
    phi_dot_.noalias() = jacobian_ * v;
    if (own_.rheonomic()) {
        phi_t_.setZero();
        own_.constraint_rate(t, q, phi_t_);
        phi_dot_ += phi_t_;
    }
}

const Vector& OwnResiduals::row_bias() {
    bias_.setZero();
    if (m_ > 0)
        own_.bias(t_, q_, v_, bias_);
    return bias_;
}

// out += share (G(t, qm) + (Phi(t, q1) - Phi(t, q0) - G(t, qm) d) d^T / d^T d). Rows that restrict velocities have no
// Phi and stay G(t, qm).
void OwnResiduals::add_discrete_rows(double share, double t, const Vector& q0, const Vector& q1,
                                     Matrix& out) {
    mean_ = 0.5 * (q0 + q1);
    trial_.setZero();
    own_.jacobian(t, mean_, trial_);
    if (!own_.quadratic_rows()) {
        mean_ = q1 - q0;
        const double dd = mean_.squaredNorm();
        positions(t, q0, phi0_);
        positions(t, q1, phi1_);
        for (int row = 0; row < m_ && dd > 0; ++row)
            if (own_.holonomic(row)) {
                const double rest = phi1_(row) - phi0_(row) - trial_.row(row).dot(mean_);
                trial_.row(row) += (rest / dd) * mean_.transpose();
            }
    }
    out += share * trial_;
}

void OwnResiduals::discrete_rows(double t0, const Vector& q0, double t1, const Vector& q1, Matrix& out) {
    out.setZero();
    if (own_.rheonomic() && t1 != t0) {
        add_discrete_rows(0.5, t0, q0, q1, out);
        add_discrete_rows(0.5, t1, q0, q1, out);
    } else {
        add_discrete_rows(1.0, t0, q0, q1, out);
    }
}

void OwnResiduals::discrete_gradient(const Vector& q0, const Vector& q1, Vector& out) {
    mean_ = 0.5 * (q0 + q1);
    out.setZero();
    own_.gradient(mean_, out);
    if (own_.quadratic_potential())
        return;
    mean_ = q1 - q0;
    const double dd = mean_.squaredNorm();
    if (dd > 0)
        out += ((own_.potential(q1) - own_.potential(q0) - out.dot(mean_)) / dd) * mean_;
}

void OwnResiduals::evaluate_between(double t0, const Vector& q0, double t1, const Vector& q1) {
    t_ = 0.5 * (t0 + t1);
    q_ = 0.5 * (q0 + q1);
    d_ = q1 - q0;
    v_ = d_ / (t1 - t0);
    force_.setZero();
    own_.force(t_, q_, v_, force_);
    work_ = force_.dot(d_);
    discrete_gradient(q0, q1, f0_);
    force_ -= f0_;
    if (m_ == 0)
        return;
    discrete_rows(t0, q0, t1, q1, jacobian_);
    phi0_.noalias() = jacobian_ * d_;
    finish_rows(t0, q0, t1, q1);
}

// phi0_ holds what the discrete Jacobians make of the motion over the step.
void OwnResiduals::finish_rows(double t0, const Vector& q0, double t1, const Vector& q1) {
    end_jacobian_.setZero();
    own_.jacobian(t1, q1, end_jacobian_);
    positions(t1, q1, phi_);
    rheonomic_.setZero();
    if (own_.rheonomic()) {
        mean_ = 0.5 * (q0 + q1);
        phi_t_.setZero();
        own_.constraint_rate(0.5 * (t0 + t1), mean_, phi_t_);
        positions(t0, q0, phi1_);
        rheonomic_ = phi_ - phi1_ - phi0_;
    }
    for (int row = 0; row < m_; ++row)
        if (!own_.holonomic(row)) {
            end_jacobian_.row(row) = jacobian_.row(row);
            rheonomic_(row) = (t1 - t0) * phi_t_(row);
            phi_(row) = phi0_(row) + rheonomic_(row);
        }
}

void OwnResiduals::add_reaction(const Vector& mu, Vector& f) const {
    if (m_ > 0)
        f.noalias() += jacobian_.transpose() * mu;
}

void OwnResiduals::row_times(const Vector& x, Vector& out) const {
    if (m_ > 0)
        out.noalias() = jacobian_ * x;
}

void OwnResiduals::row_increment(const Vector& dx, Vector& out) const {
    if (m_ > 0)
        out.noalias() = kept_trial_ * dx;
}

const Vector& OwnResiduals::row_mass() {
    for (int row = 0; row < m_; ++row) {
        x_ = jacobian_.row(row).transpose();
        mass_factor_.matrixL().solveInPlace(x_);
        const double mobility = x_.squaredNorm();
        row_mass_(row) = mobility > 0 ? 1 / mobility : 1.0; // a row without any motion needs no penalty
    }
    return row_mass_;
}

// Here and below damping_ and stiffness_ are -dF/dv and -dF/dq + d2V/dq2.
void OwnResiduals::difference_force_tangents() {
    const auto column = [this](Vector& x, Eigen::Index i, Matrix& out) {
        const double at = x(i), s = difference_step(at);
        x(i) = at + s;
        f1_.setZero();
        own_.force(t_, q_, v_, f1_);
        x(i) = at - s;
        f0_.setZero();
        own_.force(t_, q_, v_, f0_);
        x(i) = at;
        out.col(i) = (f1_ - f0_) / (2 * s);
    };
    for (Eigen::Index i = 0; i < n_; ++i) {
        column(q_, i, stiffness_);
        column(v_, i, damping_);
    }
}

void OwnResiduals::difference_hessian() {
    for (Eigen::Index i = 0; i < n_; ++i) {
        const double at = q_(i), s = difference_step(at);
        q_(i) = at + s;
        f1_.setZero();
        own_.gradient(q_, f1_);
        q_(i) = at - s;
        f0_.setZero();
        own_.gradient(q_, f0_);
        q_(i) = at;
        matrix_.col(i) = (f1_ - f0_) / (2 * s);
    }
}

// base_ = m M + c C + k K
void OwnResiduals::find_base(double m, double c, double k) {
    base_ = m * mass_;
    if (c != 0 || k != 0) {
        stiffness_.setZero();
        damping_.setZero();
        if (!own_.force_tangents(t_, q_, v_, stiffness_, damping_))
            difference_force_tangents();
        matrix_.setZero();
        if (!own_.hessian(q_, matrix_))
            difference_hessian();
        base_ -= c * damping_ + k * stiffness_;
        base_ += k * matrix_;
    }
}

void OwnResiduals::factor(double m, double c, double k, const Vector& weight) {
    find_base(m, c, k);
    matrix_ = base_;
    if (m_ > 0) {
        trial_ = end_jacobian_;
        for (int row = 0; row < m_; ++row)
            trial_.row(row) *= weight(row);
        matrix_.noalias() += jacobian_.transpose() * trial_;
    }
    tangent_.compute(matrix_);
    kept_test_ = jacobian_;
    kept_trial_ = end_jacobian_;
}

void OwnResiduals::solve(const Vector& f, const Vector& mu, Vector& dx) {
    x_ = -f;
    if (mu.size() > 0)
        x_.noalias() -= kept_test_.transpose() * mu;
    dx = tangent_.solve(x_);
}

void OwnResiduals::solve_motion(const Vector& p, const Vector& mu, Vector& x, Vector& rows) {
    x_ = -p;
    solve(x_, mu, x);
    row_increment(x, rows);
}

void OwnResiduals::consistent(double t, const Vector& q, Vector& v, bool project, Vector& a, Vector& lambda) {
    evaluate(t, q, v);
    kkt_.factor(mass_, jacobian_);
    if (project && m_ > 0) {
        mass_times(v, x_);
        phi1_ = -phi_t_;
        kkt_.solve(x_, phi1_, f1_, lambda);
        v = f1_;
        evaluate(t, q, v);
    }
    phi1_ = -row_bias();
    kkt_.solve(force_, phi1_, a, lambda);
    lambda = -lambda;
}

double OwnResiduals::kinetic(const Vector& v) const {
    x_.noalias() = mass_ * v;
    return 0.5 * v.dot(x_);
}

// K1 - K0 + V1 - V0 = F d - mu J d, and J d = -rheonomic_ where the rows are met at both ends.
double OwnResiduals::work_between(const Vector& mu) const {
    return work_ + (m_ > 0 ? mu.dot(rheonomic_) : 0.0);
}

double OwnResiduals::power(const Vector& lambda) const {
    return own_.power(t_, q_, v_) + (own_.rheonomic() ? phi_t_.dot(lambda) : 0.0);
}

} // namespace tenon
