// The natural face of the energy-decaying scheme: rows and forces between start i, inner state j and end f.
//
// Strains s of springs (docs/integrators/energy-decaying.md): with a stiffness k >= 0, that of a spring, or of a law V'' at the
// mean of s_i and s_f where that is positive,
//   s_g = (V(s_f) - V(s_i)) / (s_f - s_i) + k (s_j - s_i) / 2         V'((s_f + s_j) / 2) where V is quadratic
//   F_g = S_g^T s_g,   F_h = -1/3 (S_g - S_h)^T s_g - 1/6 S_h^T k [(s_f - s_i) - alpha (s_j - s_i)]
// S_g, S_h take differences of positions to s_f - s_j and s_j - s_i, so that the work of both, on u_f - u_i and 3 (u_j - u_i), is
//   V(s_f) - V(s_i) + alpha / 2 k (s_j - s_i)^2
// Loads F known at the three points: F_g = (F_f + F_j) / 2,  F_h = -1/6 [(F_f - F_i) - alpha (F_j - F_i)].
// Directors: D^T D = 1 at i and f with a symmetric multiplier L a body, D_g L in the g equation. L follows from the part
// of the residual that the test functions do not see: L = -sym(D_g^-1 R_g); its share in h is 1/2 (D_f - D_i) L.
//
// Plates, rods and points. A director without mass (plate: one, I_z = I_x + I_y; rod: two) has no inertia to balance its
// equation h, and with multipliers that are constant over the step nothing else can: v_j is not determined, what is left of
// the equation does the work 3 (u_j - u_i) R_h, and a stiff bushing makes it large. Such directors keep
//   v_j = v_i,   u_j = u_i
// instead: then their R_h does no work and need not vanish, (u_f - u_i) / h = (v_f + v_i) / 2 is the energy-preserving
// scheme, and the energy balance of all the rest is exact as before. Every rotation that has inertia moves some other
// director, so it is damped as before. A light director is nearly as bad: v_j - v_i grows as 1 / its mass, and so does
// the loss: kept are all below 1e-2 of the body's largest second moment (a plate a tenth as thick as wide). On six machines
// of plates and rods errors and iterations were smaller with light directors kept at a share of 4e-3, mixed at 4e-2.

#include "core/equations/natural_equations.hpp"

#include <algorithm>
#include <limits>

namespace tenon {

namespace {
using ConstMat = Eigen::Map<const Mat3>;
using MutMat = Eigen::Map<Mat3>;
} // namespace

void NaturalEquations::add_point_loads(double t, const std::vector<Frame>& frames, const Vector& v,
                                       Vector& force) const {
    NaturalRow row;
    for (const MeasureLoad& load : mechanism_.loads().measure) {
        if (!load.dissipates())
            continue;
        load.measure->natural(frame(frames, load.first), frame(frames, load.second),
                              memory_.near(load.slot, t), row);
        double rate = 0;
        if (load.first >= 0)
            rate += row.g1.dot(v.segment<12>(12 * load.first));
        if (load.second >= 0)
            rate += row.g2.dot(v.segment<12>(12 * load.second));
        const double s = load.law ? load.measure->value(frame(frames, load.first), frame(frames, load.second),
                                                        memory_.near(load.slot, t))
                                  : 0.0;
        const double effort = load.at(s, rate, given(load, t, memory_)).loss;
        if (load.first >= 0)
            force.segment<12>(12 * load.first) += effort * row.g1;
        if (load.second >= 0)
            force.segment<12>(12 * load.second) += effort * row.g2;
    }
    Vec3 push, torque;
    for (const AppliedLoad& load : mechanism_.loads().applied) {
        if (load.body < 0)
            continue;
        applied_wrench(load, t, memory_, push, torque);
        const Mat3& D = frames[load.body].D;
        if (load.body_axes) {
            push = D * push;
            torque = D * torque;
        }
        force.segment<3>(12 * load.body) += push;
        for (int i = 0; i < 3; ++i)
            force.segment<3>(12 * load.body + 3 + 3 * i) +=
                load.point[i] * push + 0.5 * torque.cross(D.col(i));
    }
    add_wrenches(t, frames, v, force);
}

void NaturalEquations::evaluate_decaying(double t0, const Vector& q0, const Vector& v0, const Vector& qj,
                                         const Vector& vj, double t1, const Vector& q1, const Vector& v1,
                                         double dissipation) {
    if (inner_row_term_.empty()) { // the first time: room to work in
        inner_row_term_ = row_term_;
        inner_gear_term_ = gear_term_;
        first_ = inner_ = end_;
        inner_force_ = load_f_ = load_g_ = difference_j_ = Vector::Zero(12 * n_);
        for (Vector& f : point_load_)
            f = Vector::Zero(12 * n_);
    }
    t0_ = t0;
    t1_ = t1;
    h_ = t1 - t0;
    end_point_ = rows_at_point_ = false;
    set_frames(q0, first_);
    set_frames(qj, inner_);
    set_frames(q1, end_);
    for (int b = 0; b < n_; ++b)
        test_[b] = mean(inner_[b], end_[b]);
    // J_h between i and j: the same evaluation with other ends; what it tests with does not matter.
    std::swap(end_, inner_);
    start_ = first_;
    difference_ = qj - q0;
    difference_j_ = difference_;
    evaluate_row_terms(true);
    std::swap(row_term_, inner_row_term_);
    std::swap(gear_term_, inner_gear_term_);
    scratch_rows_ = value_;
    std::swap(end_, inner_);
    // J_g between j and f.
    start_ = inner_;
    difference_ = q1 - qj;
    evaluate_row_terms(true);
    for (int r = 0; r < m_; ++r) {
        if (!mechanism_.row_holonomic(r))
            value_[r] += scratch_rows_[r];
    }

    force_.setZero();
    inner_force_.setZero();
    NaturalRow g, h, end;
    for (std::size_t i = 0; i < mechanism_.loads().measure.size(); ++i) {
        const MeasureLoad& load = mechanism_.loads().measure[i];
        Term& term = load_term_[i];
        const Frame &i1 = frame(first_, load.first), &i2 = frame(first_, load.second);
        const Frame &j1 = frame(inner_, load.first), &j2 = frame(inner_, load.second);
        const Frame &f1 = frame(end_, load.first), &f2 = frame(end_, load.second);
        const double near0 = memory_.near(load.slot, t0), near1 = memory_.near(load.slot, t1);
        const double si = load.measure->value(i1, i2, near0);
        const double sj = load.measure->value(j1, j2, near0);
        load.measure->natural(f1, f2, near1, end);
        load.measure->discrete(j1, j2, f1, f2, near0, near1, g);
        load.measure->discrete(i1, i2, j1, j2, near0, near0, h);
        term.g[0] = g.g1;
        term.g[1] = g.g2;
        reduce(term, end);
        const double sf = end.value;
        term.stiffness = load.stiffness;
        term.damping = load.at(sf, term_times(term, v1), 0).damping;
        double secant = load.stiffness, stress = load.stiffness * (0.5 * (sf + sj) - load.free);
        if (load.law) {
            const LoadEffort step = load.between(si, sf, 0, 0);
            term.stiffness = step.stiffness;
            secant = std::max(0.0, load.at(0.5 * (si + sf), 0, 0).stiffness);
            stress = 0.5 * secant * (sj - si) - step.elastic;
        }
        const double jump = secant * (sf - si - dissipation * (sj - si)) / 6;
        if (load.first >= 0) {
            force_.segment<12>(12 * load.first) -= stress * g.g1;
            inner_force_.segment<12>(12 * load.first) += (stress / 3) * (g.g1 - h.g1) + jump * h.g1;
        }
        if (load.second >= 0) {
            force_.segment<12>(12 * load.second) -= stress * g.g2;
            inner_force_.segment<12>(12 * load.second) += (stress / 3) * (g.g2 - h.g2) + jump * h.g2;
        }
    }
    for (int b = 0; b < n_; ++b)
        force_.segment<3>(12 * b) += mechanism_.body()[b].mass * mechanism_.loads().gravity;
    // Applied and dissipative loads at i, j, f; j is at the start, too.
    for (Vector& f : point_load_)
        f.setZero();
    add_point_loads(t0, first_, v0, point_load_[0]);
    add_point_loads(t0, inner_, vj, point_load_[1]);
    add_point_loads(t1, end_, v1, point_load_[2]);
    keep_wrench_points(end_, v1);
    load_g_ = 0.5 * (point_load_[2] + point_load_[1]);
    load_f_ =
        (-1.0 / 6) * (point_load_[2] - point_load_[0] - dissipation * (point_load_[1] - point_load_[0]));
    force_ += load_g_;
    inner_force_ += load_f_;
    difference_ += difference_j_; // u_f - u_i
}

void NaturalEquations::add_inner_reaction(const Vector& mu, Vector& f) const {
    const auto add = [&](const Term& g, const Term& h, double effort) {
        for (int i = 0; i < 2; ++i) {
            if (g.body[i] >= 0)
                f.segment<12>(12 * g.body[i]) += effort * (g.g[i] - h.g[i]);
        }
    };
    for (int r = 0; r < m_; ++r)
        add(row_term_[r], inner_row_term_[r], mu[r]);
    for (std::size_t i = 0; i < gear_term_.size(); ++i)
        add(gear_term_[i].second, inner_gear_term_[i].second, mu[gear_term_[i].row]);
}

void NaturalEquations::add_inner_condition(const Vector& residual_g, Vector& f) const {
    for (int b = 0; b < n_; ++b) {
        const Mat3 A = test_[b].D.inverse() * ConstMat(residual_g.data() + 12 * b + 3);
        const Mat3 L = -0.5 * (A + A.transpose());
        MutMat(f.data() + 12 * b + 3) += 0.5 * (end_[b].D - first_[b].D) * L;
    }
}

void NaturalEquations::keep_inner(int body, double* x) const {
    if (!(mechanism_.body()[body].mass > 0))
        Eigen::Map<Vec3>(x).setZero();
    MutMat directors(x + 3);
    directors -= Mat3(directors * light_[body]);
}

void NaturalEquations::keep_inner(Vector& x) const {
    for (int b = 0; b < n_; ++b)
        keep_inner(b, x.data() + 12 * b);
}

void NaturalEquations::renew_massless(const Vector& q, Vector& v) {
    kinematics(q, v, k_);
    for (int b = 0; b < n_; ++b) {
        if (massless_[b].isZero(0))
            continue;
        const Mat3 projector = massless_[b] * (massless_[b].trace() / massless_[b].squaredNorm());
        MutMat directors(v.data() + 12 * b + 3);
        const Mat3 rigid = skew(k_[b].w) * ConstMat(q.data() + 12 * b + 3);
        directors += Mat3((rigid - Mat3(directors)) * projector);
    }
}

void NaturalEquations::solve_inner(double m, double c, double k, const Vector& f, Vector& x) {
    if (inner_lu_ == nullptr) { // the first time
        std::vector<std::pair<int, int>> edges;
        for (const Term& term : load_term_) {
            if (term.body[0] >= 0 && term.body[1] >= 0)
                edges.emplace_back(term.body[0], term.body[1]);
        }
        for (const WrenchLoad& load : mechanism_.loads().wrench) {
            if (load.first >= 0 && load.second >= 0)
                edges.emplace_back(load.first, load.second);
        }
        inner_lu_ = std::make_unique<BlockLuOf<12>>(n_, edges);
    }
    BlockLuOf<12>& lu = *inner_lu_;
    lu.set_zero();
    x = f;
    keep_inner(x);
    for (int b = 0; b < n_; ++b) {
        const double mass = mechanism_.body()[b].mass;
        auto& block = lu.block(b, b);
        block.diagonal().head<3>().setConstant(m * (mass > 0 ? mass : 1.0));
        // Light directors: any regular block, their part of the right-hand side is zero.
        const double trace = second_moment_[b].trace();
        const Mat3 E = m * (second_moment_[b] + light_[b] * (trace > 0 ? trace : 1.0));
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j)
                block.block<3, 3>(3 + 3 * i, 3 + 3 * j).diagonal().setConstant(E(i, j));
        }
    }
    Vec12 own[2];
    for (const Term& term : load_term_) {
        const double factor = k * term.stiffness + c * term.damping;
        if (factor == 0)
            continue;
        for (int i = 0; i < 2; ++i) {
            if (term.body[i] >= 0) {
                own[i] = term.g[i];
                keep_inner(term.body[i], own[i].data());
            }
        }
        for (int i = 0; i < 2; ++i) {
            for (int j = 0; j < 2; ++j) {
                if (term.body[i] >= 0 && term.body[j] >= 0)
                    lu.block(term.body[i], term.body[j]).noalias() += (factor * own[i]) * own[j].transpose();
            }
        }
    }
    factor_inner_wrenches(c, k, lu);
    if (!lu.factor()) {
        x.setConstant(std::numeric_limits<double>::quiet_NaN()); // the iteration ends there
        return;
    }
    lu.solve(x);
}

double NaturalEquations::work_decaying(const Vector& mu) const {
    double sum = difference_.dot(load_g_) + 3 * difference_j_.dot(load_f_);
    for (const DriverRow& driver : mechanism_.drivers())
        sum -= mu[driver.row] * (mechanism_.driver_signal(driver, t1_, memory_).value -
                                 mechanism_.driver_signal(driver, t0_, memory_).value);
    return sum;
}

} // namespace tenon
