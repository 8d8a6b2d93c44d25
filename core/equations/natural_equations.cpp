#include "core/equations/natural_equations.hpp"

#include "core/math/rotation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenon {

namespace {

using ConstMat = Eigen::Map<const Mat3>;
using MutMat = Eigen::Map<Mat3>;

/// Second moments below this share of the body's largest belong to directors that the energy-decaying scheme's inner state
/// keeps; why, and why this number: natural_decaying.cpp.
constexpr double light_director = 1e-2;

std::vector<std::pair<int, int>> graph_edges(const Mechanism& mechanism) {
    std::vector<std::pair<int, int>> edges;
    const auto add = [&](int a, int b) {
        if (a >= 0 && b >= 0 && a != b)
            edges.emplace_back(a, b);
    };
    for (const MechanismLink& link : mechanism.links())
        add(link.first, link.second);
    for (const MeasureLoad& load : mechanism.loads().measure)
        add(load.first, load.second);
    for (const WrenchLoad& load : mechanism.loads().wrench)
        add(load.first, load.second);
    for (const GearRow& gear : mechanism.gears()) {
        const int bodies[4] = {gear.first.first, gear.first.second, gear.second.first, gear.second.second};
        for (int i : bodies) {
            for (int j : bodies)
                add(i, j);
        }
    }
    return edges;
}

} // namespace

NaturalEquations::NaturalEquations(const Mechanism& mechanism, const Memory& memory, RigidEquations& rigid,
                                   const std::vector<char>& excluded)
    : mechanism_(mechanism), memory_(memory), rigid_(rigid), n_(mechanism.bodies()), m_(mechanism.rows()),
      couplings_(mechanism.graph_couplings()), excluded_(excluded),
      lu_(mechanism.bodies(), graph_edges(mechanism)), ldlt_(mechanism.bodies(), graph_edges(mechanism)) {
    const auto count = static_cast<std::size_t>(n_);
    start_.resize(count);
    end_.resize(count);
    test_.resize(count);
    k_.resize(count);
    for (const MechanismBody& body : mechanism.body()) {
        second_moment_.push_back(0.5 * body.inertia.trace() * Mat3::Identity() - body.inertia);
        const Eigen::SelfAdjointEigenSolver<Mat3> eigen(second_moment_.back());
        const double largest = eigen.eigenvalues().cwiseAbs().maxCoeff();
        Vec3 lack, light;
        for (int i = 0; i < 3; ++i) {
            light[i] = eigen.eigenvalues()[i] > light_director * largest ? 0.0 : 1.0;
            lack[i] = eigen.eigenvalues()[i] > 1e-10 * largest ? 0.0 : (largest > 0 ? largest : 1.0);
        }
        light_.push_back(eigen.eigenvectors() * light.asDiagonal() * eigen.eigenvectors().transpose());
        massless_.push_back(eigen.eigenvectors() * lack.asDiagonal() * eigen.eigenvectors().transpose());
        const Mat3 E = second_moment_.back() + massless_.back();
        mobility_.push_back((E.trace() * Mat3::Identity() - E).inverse());
    }
    value_ = rate_ = bias_ = row_mass_ = scratch_rows_ = lambda_ = Vector::Zero(m_);
    force_ = difference_ = velocity_ = scratch12_ = point_q_ = point_v_ = Vector::Zero(12 * n_);
    x6_ = scratch6_ = v6_ = a6_ = Vector::Zero(6 * n_);
    row_term_.resize(static_cast<std::size_t>(m_));
    for (const MechanismLink& link : mechanism.links()) {
        for (int r = link.row; r < link.row + link.rows; ++r) {
            row_term_[r].body[0] = link.first;
            row_term_[r].body[1] = link.second;
        }
    }
    first_gear_row_ = m_ - static_cast<int>(mechanism.gears().size());
    for (const GearRow& gear : mechanism.gears()) {
        Term& first = row_term_[gear.row];
        first.body[0] = gear.first.first;
        first.body[1] = gear.first.second;
        GearTerm term;
        term.row = gear.row;
        term.second.body[0] = gear.second.first;
        term.second.body[1] = gear.second.second;
        gear_term_.push_back(term);
    }
    for (const MeasureLoad& load : mechanism.loads().measure) {
        Term term;
        term.body[0] = load.first;
        term.body[1] = load.second;
        load_term_.push_back(term);
    }
    add_wrench_terms();
    connect();
}

const Vector& NaturalEquations::row_bias() {
    // The rigid bias less what the centripetal acceleration of the directors contributes to it.
    kinematics(point_q_, point_v_, k_);
    rigid_.evaluate_rows_at(t1_, k_);
    const auto centripetal = [&](const Term& term) {
        double sum = 0;
        for (int i = 0; i < 2; ++i) {
            const int b = term.body[i];
            for (int d = 0; b >= 0 && d < 3; ++d)
                sum += term.g[i].segment<3>(3 + 3 * d).dot(k_[b].w.cross(k_[b].w.cross(k_[b].D.col(d))));
        }
        return sum;
    };
    for (int r = 0; r < m_; ++r)
        bias_[r] = rigid_.bias()[r] - centripetal(row_term_[r]);
    for (const GearTerm& gear : gear_term_)
        bias_[gear.row] -= centripetal(gear.second);
    return bias_;
}

void NaturalEquations::add_reaction(const Vector& mu, Vector& f) const {
    for (int r = 0; r < m_; ++r)
        add_term(row_term_[r], mu[r], f);
    for (const GearTerm& gear : gear_term_)
        add_term(gear.second, mu[gear.row], f);
}

void NaturalEquations::row_times(const Vector& x, Vector& out) const {
    for (int r = 0; r < m_; ++r)
        out[r] = row_times(r, x);
}

void NaturalEquations::mass_times(const Vector& x, Vector& out) const {
    for (int b = 0; b < n_; ++b) {
        out.segment<3>(12 * b) = mechanism_.body()[b].mass * x.segment<3>(12 * b);
        MutMat(out.data() + 12 * b + 3).noalias() = ConstMat(x.data() + 12 * b + 3) * second_moment_[b];
    }
}

const Vector& NaturalEquations::row_mass() {
    // Mobility of a row over its bodies, each with its mass and its mean inertia; bodies without either do not count.
    double heaviest = 0, stiffest = 0;
    for (const MechanismBody& body : mechanism_.body()) {
        heaviest = std::max(heaviest, body.mass);
        stiffest = std::max(stiffest, body.inertia.trace() / 3);
    }
    for (int r = 0; r < m_; ++r) {
        double mobility = 0;
        const Term& term = row_term_[r];
        for (int i = 0; i < 2; ++i) {
            if (term.body[i] < 0)
                continue;
            const MechanismBody& body = mechanism_.body()[term.body[i]];
            const double mass = std::max(body.mass, 1e-3 * heaviest);
            const double arm = term.trial[i].head<3>().norm() > 0 ? term.trial[i].tail<3>().squaredNorm() /
                                                                        term.trial[i].head<3>().squaredNorm()
                                                                  : 0.0;
            const double inertia = std::max({body.inertia.trace() / 3, 1e-3 * stiffest, mass * arm * 1e-3});
            mobility += term.trial[i].head<3>().squaredNorm() / std::max(mass, 1e-300);
            if (inertia > 0)
                mobility += term.trial[i].tail<3>().squaredNorm() / inertia;
        }
        row_mass_[r] = excluded_[r] ? 0.0 : (mobility > 0 ? 1 / mobility : 1.0);
    }
    return row_mass_;
}

void NaturalEquations::increment(const Vector& dx, Vector& q) const {
    for (int b = 0; b < n_; ++b) {
        q.segment<3>(12 * b) += dx.segment<3>(6 * b);
        MutMat D(q.data() + 12 * b + 3);
        D = Mat3(exp_so3(dx.segment<3>(6 * b + 3)) * D);
    }
}

void NaturalEquations::increment(const Vector& dx, Vector& q, Vector& d) const {
    for (int b = 0; b < n_; ++b) {
        q.segment<3>(12 * b) += dx.segment<3>(6 * b);
        d.segment<3>(12 * b) += dx.segment<3>(6 * b);
        MutMat D(q.data() + 12 * b + 3);
        const Mat3 change = exp_so3_minus_identity(dx.segment<3>(6 * b + 3)) * D;
        D += change;
        MutMat(d.data() + 12 * b + 3) += change;
    }
}

void NaturalEquations::predict(Vector& q, Vector& d) const {
    for (int b = 0; b < n_; ++b) {
        q.segment<3>(12 * b) += d.segment<3>(12 * b);
        MutMat D(q.data() + 12 * b + 3);
        MutMat change(d.data() + 12 * b + 3);
        // The rotation nearest to D + change, and its difference from D.
        Mat3 turned = D + change;
        if (change.norm() > 1) {
            change *= 1 / change.norm();
            turned = D + change;
        }
        Vec3 turn = Vec3::Zero();
        for (int i = 0; i < 3; ++i)
            turn += 0.5 * D.col(i).cross(turned.col(i));
        change = exp_so3_minus_identity(turn) * D;
        D += change;
    }
}

void NaturalEquations::tidy(Vector& q) const {
    for (int b = 0; b < n_; ++b) {
        MutMat map(q.data() + 12 * b + 3);
        Mat3 D = map;
        orthonormalise(D);
        map = D;
    }
}

void NaturalEquations::admit_velocity(Vector& v) {
    kinematics(point_q_, v, k_);
    for (int b = 0; b < n_; ++b) {
        v6_.segment<3>(6 * b) = k_[b].v;
        v6_.segment<3>(6 * b + 3) = k_[b].w;
    }
    velocity_from_rigid(point_q_, v6_, v);
}

// a = N alpha + c, c_i = w x (w x d_i).
void NaturalEquations::admit_acceleration(const Vector& v, Vector& a) {
    kinematics(point_q_, v, k_);
    scratch12_.setZero();
    for (int b = 0; b < n_; ++b) {
        for (int d = 0; d < 3; ++d)
            scratch12_.segment<3>(12 * b + 3 + 3 * d) = k_[b].w.cross(k_[b].w.cross(k_[b].D.col(d)));
    }
    a -= scratch12_;
    admit_velocity(a);
    a += scratch12_;
}

void NaturalEquations::consistent(double t, const Vector& q, Vector& v, bool project, Vector& a,
                                  Vector& lambda) {
    kinematics(q, v, k_);
    rigid_.evaluate_at(t, k_);
    rigid_.factor(Metric::mass);
    if (project) {
        scratch6_.setZero();
        lambda_ = -rigid_.velocity_residual();
        rigid_.solve(scratch6_, lambda_, a6_, scratch_rows_);
        for (int b = 0; b < n_; ++b) {
            k_[b].v += a6_.segment<3>(6 * b);
            k_[b].w += a6_.segment<3>(6 * b + 3);
            v6_.segment<3>(6 * b) = k_[b].v;
            v6_.segment<3>(6 * b + 3) = k_[b].w;
        }
        velocity_from_rigid(q, v6_, v);
        rigid_.evaluate_at(t, k_);
    }
    lambda_ = -rigid_.bias();
    rigid_.solve(rigid_.force(), lambda_, a6_, scratch_rows_);
    lambda = -scratch_rows_;
    velocity_from_rigid(q, a6_, a);
    for (int b = 0; b < n_; ++b) {
        for (int d = 0; d < 3; ++d)
            a.segment<3>(12 * b + 3 + 3 * d) += k_[b].w.cross(k_[b].w.cross(k_[b].D.col(d)));
    }
}

// mu' with G^T mu' = G^T mu, the shortest that GraphKkt finds: 0 = -G^T mu + G^T mu' where G a = 0.
void NaturalEquations::settle_multipliers(double t, const Vector& q, Vector& mu) {
    if (!rigid_.kkt().expects_redundancy())
        return;
    scratch6_.setZero();
    rigid_.evaluate_rows(t, q, scratch6_);
    rigid_.factor(Metric::mass);
    for (int r = 0; r < first_gear_row_; ++r) {
        for (int i = 0; i < 2; ++i) {
            if (row_term_[r].body[i] >= 0) {
                const RowGradient& g = rigid_.gradient(r);
                scratch6_.segment<6>(6 * row_term_[r].body[i]) -= mu[r] * (i == 0 ? g.g1 : g.g2);
            }
        }
    }
    for (const GraphKkt::Coupling& c : couplings_) {
        for (std::size_t i = 0; i < c.bodies.size(); ++i) {
            if (c.bodies[i] >= 0)
                scratch6_.segment<6>(6 * c.bodies[i]) -=
                    mu[c.row] * rigid_.coupling_gradient(c.gradient + static_cast<int>(i));
        }
    }
    lambda_.setZero();
    rigid_.solve(scratch6_, lambda_, a6_, scratch_rows_);
    mu = scratch_rows_;
}

double NaturalEquations::kinetic(const Vector& v) const {
    double sum = 0;
    for (int b = 0; b < n_; ++b) {
        const ConstMat V(v.data() + 12 * b + 3);
        sum += mechanism_.body()[b].mass * v.segment<3>(12 * b).squaredNorm() +
               (V * second_moment_[b]).cwiseProduct(V).sum();
    }
    return 0.5 * sum;
}

double NaturalEquations::potential(double t, const Vector& q) {
    double sum = 0;
    set_frames(q, end_);
    for (int b = 0; b < n_; ++b)
        sum -= mechanism_.body()[b].mass * mechanism_.loads().gravity.dot(end_[b].r);
    for (const MeasureLoad& load : mechanism_.loads().measure)
        sum += load.potential(load.measure->value(frame(end_, load.first), frame(end_, load.second),
                                                  memory_.near(load.slot, t)));
    return sum;
}

double NaturalEquations::work_between(const Vector& mu) const {
    double sum = load_work_;
    for (const DriverRow& driver : mechanism_.drivers())
        sum -= mu[driver.row] * (mechanism_.driver_signal(driver, t1_, memory_).value -
                                 mechanism_.driver_signal(driver, t0_, memory_).value);
    return sum;
}

double NaturalEquations::power(const Vector& lambda) const {
    double sum = load_power_;
    for (const DriverRow& driver : mechanism_.drivers())
        sum -= lambda[driver.row] * mechanism_.driver_signal(driver, t1_, memory_).rate;
    return sum;
}

void NaturalEquations::velocity_from_rigid(const Vector& q, const Vector& v6, Vector& v) const {
    for (int b = 0; b < n_; ++b) {
        const Vec3 w = v6.segment<3>(6 * b + 3);
        v.segment<3>(12 * b) = v6.segment<3>(6 * b);
        for (int d = 3; d < 12; d += 3)
            v.segment<3>(12 * b + d) = w.cross(q.segment<3>(12 * b + d));
    }
}

void NaturalEquations::kinematics(const Vector& q, const Vector& v, std::vector<Kinematics>& k) const {
    k.resize(static_cast<std::size_t>(n_));
    for (int b = 0; b < n_; ++b) {
        k[b].r = q.segment<3>(12 * b);
        k[b].D = ConstMat(q.data() + 12 * b + 3);
        k[b].v = v.segment<3>(12 * b);
        // Angular momentum sum E_ij d_i x d_j' = inertia w; directors without mass (thin rods) count like the others.
        const Mat3 E = second_moment_[b] + massless_[b];
        const Mat3 P = ConstMat(v.data() + 12 * b + 3) * E;
        Vec3 momentum = Vec3::Zero();
        for (int d = 0; d < 3; ++d)
            momentum += k[b].D.col(d).cross(P.col(d));
        k[b].w = k[b].D * (mobility_[b] * (k[b].D.transpose() * momentum));
    }
}

double NaturalEquations::velocity_violation(double t, const Vector& q, const Vector& v) {
    if (!rows_at_point_ || t != t1_ || q != point_q_) {
        set_point(t, q, v);
        evaluate_row_terms(false);
        rows_at_point_ = true;
    }
    row_times(v, scratch_rows_);
    for (const DriverRow& driver : mechanism_.drivers())
        scratch_rows_[driver.row] -= mechanism_.driver_signal(driver, t, memory_).rate;
    return m_ == 0 ? 0.0 : scratch_rows_.lpNorm<Eigen::Infinity>();
}

} // namespace tenon
