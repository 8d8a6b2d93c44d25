// Own equations under the energy-decaying scheme: start i, inner state j (at the start's time), end f.
//
// G_g and G_h are the discrete gradients of V between j and f and between i and j, F is everything else:
//   Q_g = -G_g + (F_f + F_j) / 2
//   Q_h = (G_g - G_h) / 3 - alpha/6 (dV/dq_j - dV/dq_i) - 1/6 [(F_f - F_i) - alpha (F_j - F_i)]
// The work (u_f - u_i) Q_g + 3 (u_j - u_i) Q_h of what comes from V is
// V_i - V_f - alpha/2 (u_j - u_i).(dV/dq_j - dV/dq_i), a loss wherever V is convex. For quadratic V this is the paper's
// formula for strains that are linear in u.

#include "core/equations/own_equations.hpp"

namespace tenon {

void OwnResiduals::evaluate_decaying(double t0, const Vector& q0, const Vector& v0, const Vector& qj,
                                     const Vector& vj, double t1, const Vector& q1, const Vector& v1,
                                     double dissipation) {
    t_ = t1;
    q_ = 0.5 * (qj + q1);
    v_ = v1;
    d_ = q1 - q0;

    // F: first at i and j, f1_ = F_i and force_ = F_j, then at f.
    f1_.setZero();
    own_.force(t0, q0, v0, f1_);
    force_.setZero();
    own_.force(t0, qj, vj, force_);
    f0_.setZero();
    own_.force(t1, q1, v1, f0_);
    inner_force_ = (-1.0 / 6) * (f0_ - f1_ - dissipation * (force_ - f1_));
    force_ = 0.5 * (f0_ + force_);
    f0_ = qj - q0;
    work_ = d_.dot(force_) + 3 * f0_.dot(inner_force_);

    discrete_gradient(qj, q1, f0_);
    force_ -= f0_;
    discrete_gradient(q0, qj, f1_);
    inner_force_ += (f0_ - f1_) / 3;
    f1_.setZero();
    own_.gradient(qj, f1_);
    f0_.setZero();
    own_.gradient(q0, f0_);
    inner_force_ -= (dissipation / 6) * (f1_ - f0_);
    if (m_ == 0)
        return;

    discrete_rows(t0, qj, t1, q1, jacobian_);
    discrete_rows(t0, q0, t0, qj, inner_jacobian_);
    f0_ = q1 - qj;
    phi0_.noalias() = jacobian_ * f0_;
    f0_ = qj - q0;
    phi0_.noalias() += inner_jacobian_ * f0_;
    finish_rows(t0, q0, t1, q1);
}

void OwnResiduals::add_inner_reaction(const Vector& mu, Vector& f) const {
    if (m_ == 0)
        return;
    f.noalias() += jacobian_.transpose() * mu;
    f.noalias() -= inner_jacobian_.transpose() * mu;
}

void OwnResiduals::solve_inner(double m, double c, double k, const Vector& f, Vector& x) {
    find_base(m, c, k);
    tangent_.compute(base_);
    x = tangent_.solve(f);
}

} // namespace tenon
