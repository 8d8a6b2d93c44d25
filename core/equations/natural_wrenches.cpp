// Wrenches between bodies on the natural face (wrench_term.hpp).

#include "core/equations/natural_equations.hpp"

#include "core/math/rotation.hpp"

namespace tenon {
namespace {

using ConstMat = Eigen::Map<const Mat3>;

/// Steps of the differences: far above the round-off of a stiff contact, far below what bends it.
constexpr double least_length = 1e-7, least_speed = 1e-6;

/// Forces on r and the directors for a wrench about the centre of mass.
Vec12 on_directors(const Vec6& wrench, const Mat3& D) {
    Vec12 f;
    f.head<3>() = wrench.head<3>();
    for (int i = 0; i < 3; ++i)
        f.segment<3>(3 + 3 * i) = 0.5 * wrench.tail<3>().cross(D.col(i));
    return f;
}

/// The rigid motion of a change of (r, d1, d2, d3), as far as power is concerned.
template <class Derived> Vec6 motion_along(const Eigen::MatrixBase<Derived>& x, const Mat3& D) {
    Vec6 y;
    y.head<3>() = x.template head<3>();
    y.tail<3>().setZero();
    for (int i = 0; i < 3; ++i)
        y.tail<3>() += 0.5 * D.col(i).cross(Vec3(x.template segment<3>(3 + 3 * i)));
    return y;
}

/// k moved by a small step of one of its twelve freedoms: r, orientation, v, w.
Kinematics moved(const Kinematics& k, int freedom) {
    Kinematics m = k;
    const int i = freedom % 3;
    switch (freedom / 3) {
    case 0:
        m.r[i] += least_length;
        break;
    case 1:
        m.D += exp_so3_minus_identity(least_length * Vec3::Unit(i)) * k.D;
        break;
    case 2:
        m.v[i] += least_speed;
        break;
    default:
        m.w[i] += least_speed;
    }
    return m;
}

} // namespace

void NaturalEquations::add_wrench_terms() {
    for (const WrenchLoad& load : mechanism_.loads().wrench) {
        WrenchTerm term;
        term.body[0] = load.first;
        term.body[1] = load.second;
        for (int i = 0; i < 4; ++i) {
            const int a = term.body[i / 2], b = term.body[i % 2];
            term.block[i] = a >= 0 && b >= 0 ? lu_.index(a, b) : -1;
            term.stiffness[i].setZero();
            term.damping[i].setZero();
        }
        wrench_term_.push_back(term);
    }
}

WrenchMotion NaturalEquations::motion_of(int body, const std::vector<Frame>& frames, const Vector& v) const {
    WrenchMotion m;
    if (body < 0)
        return m;
    m.directors = frames[body].D;
    m.k.r = frames[body].r;
    m.k.D = m.directors;
    orthonormalise(m.k.D);
    const Vec6 y = motion_along(v.segment<12>(12 * body), m.directors);
    m.k.v = y.head<3>();
    m.k.w = y.tail<3>();
    return m;
}

void NaturalEquations::evaluate_wrenches(const Vector& v) {
    const double t = 0.5 * (t0_ + t1_);
    keep_wrench_points(test_, v);
    for (std::size_t i = 0; i < wrench_term_.size(); ++i) {
        WrenchTerm& term = wrench_term_[i];
        const WrenchLoad& load = mechanism_.loads().wrench[i];
        term.t = t;
        const Touch touch = load.wrench->at(term.motion[0].k, term.motion[1].k, memory_.lags(load, t));
        term.acts = touch.acts;
        if (!touch.acts)
            continue;
        for (int b = 0; b < 2; ++b) {
            if (term.body[b] < 0)
                continue;
            const Vec6 wrench = (b == 0 ? -1.0 : 1.0) * touch.about(term.motion[b].k.r);
            const Vec12 f = on_directors(wrench, term.motion[b].directors);
            force_.segment<12>(12 * term.body[b]) += f;
            const double power = f.dot(v.segment<12>(12 * term.body[b]));
            load_power_ += power;
            load_work_ += power * h_;
        }
    }
}

void NaturalEquations::add_wrenches(double t, const std::vector<Frame>& frames, const Vector& v,
                                    Vector& force) const {
    for (const WrenchLoad& load : mechanism_.loads().wrench) {
        const WrenchMotion m1 = motion_of(load.first, frames, v), m2 = motion_of(load.second, frames, v);
        const Touch touch = load.wrench->at(m1.k, m2.k, memory_.lags(load, t));
        if (!touch.acts)
            continue;
        if (load.first >= 0)
            force.segment<12>(12 * load.first) -= on_directors(touch.about(m1.k.r), m1.directors);
        if (load.second >= 0)
            force.segment<12>(12 * load.second) += on_directors(touch.about(m2.k.r), m2.directors);
    }
}

void NaturalEquations::keep_wrench_points(const std::vector<Frame>& frames, const Vector& v) {
    for (WrenchTerm& term : wrench_term_) {
        term.t = t1_;
        term.acts = true; // to be found out
        term.fresh = false;
        for (int b = 0; b < 2; ++b) {
            const int body = term.body[b];
            WrenchMotion& m = term.motion[b];
            m = motion_of(body, frames, v);
            if (body < 0)
                continue;
            const Mat3 Y = end_[body].D * m.directors.transpose();
            const Mat3 Z = end_[body].D * ConstMat(v.data() + 12 * body + 3).transpose();
            m.turn = 0.5 * (Y.trace() * Mat3::Identity() - Y);
            m.drift = 0.5 * (Z - Z.trace() * Mat3::Identity());
        }
    }
}

void NaturalEquations::find_wrench_tangents() {
    for (std::size_t n = 0; n < wrench_term_.size(); ++n) {
        WrenchTerm& term = wrench_term_[n];
        if (term.fresh)
            continue;
        term.fresh = true;
        const WrenchLoad& load = mechanism_.loads().wrench[n];
        const Lags lags = memory_.lags(load, term.t);
        const Kinematics& k1 = term.motion[0].k;
        const Kinematics& k2 = term.motion[1].k;
        const Touch here = term.acts ? load.wrench->at(k1, k2, lags) : Touch{};
        term.pushed = here.acts;
        if (!here.acts)
            continue;
        const Vec6 on1 = here.about(k1.r), on2 = here.about(k2.r);
        for (int j = 0; j < 2; ++j) {
            if (term.body[j] < 0)
                continue;
            Eigen::Matrix<double, 6, 12> change[2]; // of the wrench on i, by the freedoms of j
            for (int freedom = 0; freedom < 12; ++freedom) {
                const Kinematics m = moved(j == 0 ? k1 : k2, freedom);
                const Touch there = load.wrench->at(j == 0 ? m : k1, j == 1 ? m : k2, lags);
                const double step = freedom < 6 ? least_length : least_speed;
                const Vec6 w1 = there.about(j == 0 ? m.r : k1.r), w2 = there.about(j == 1 ? m.r : k2.r);
                change[0].col(freedom) = (w1 - on1) / step; // on the first body it is the opposite: -d of it
                change[1].col(freedom) = (on2 - w2) / step;
            }
            for (int i = 0; i < 2; ++i) {
                Mat6& K = term.stiffness[2 * i + j];
                Mat6& C = term.damping[2 * i + j];
                K = change[i].leftCols<6>();
                K.rightCols<3>() += change[i].rightCols<3>() * term.motion[j].drift;
                C.leftCols<3>() = change[i].middleCols<3>(6);
                C.rightCols<3>() = change[i].rightCols<3>() * term.motion[j].turn;
            }
        }
    }
}

// Tested at the directors of the residual, like every force: sum d_i x 1/2 (T x d_i) = 1/2 (tr(D D^T) 1 - D D^T) T.
void NaturalEquations::factor_wrenches(double c, double k) {
    find_wrench_tangents();
    for (const WrenchTerm& term : wrench_term_) {
        if (!term.pushed)
            continue;
        for (int i = 0; i < 4; ++i) {
            if (term.block[i] < 0)
                continue;
            Mat6 block = k * term.stiffness[i] + c * term.damping[i];
            const Mat3& D = test_[term.body[i / 2]].D;
            const Mat3 X = D * D.transpose();
            block.bottomRows<3>() =
                Eigen::Matrix<double, 3, 6>(0.5 * (X.trace() * Mat3::Identity() - X) * block.bottomRows<3>());
            lu_.at(term.block[i]) += block;
        }
    }
}

void NaturalEquations::wrench_base_times(const Vector& x, Vector& out) const {
    for (const WrenchTerm& term : wrench_term_) {
        if (!term.pushed)
            continue;
        for (int i = 0; i < 4; ++i) {
            if (term.block[i] < 0)
                continue;
            const int a = i / 2, b = i % 2;
            const Vec6 y = motion_along(x.segment<12>(12 * term.body[b]), term.motion[b].directors);
            const Vec6 wrench = k_factor_ * (term.stiffness[i] * y) + c_factor_ * (term.damping[i] * y);
            out.segment<12>(12 * term.body[a]) += on_directors(wrench, term.motion[a].directors);
        }
    }
}

void NaturalEquations::factor_inner_wrenches(double c, double k, BlockLuOf<12>& lu) {
    find_wrench_tangents();
    // y = P x is motion_along, and on_directors is P^T; rows of P are kept to what the inner state has of its own.
    const auto motion_rows = [&](int body, const Mat3& D) {
        Eigen::Matrix<double, 6, 12> P = Eigen::Matrix<double, 6, 12>::Zero();
        P.topLeftCorner<3, 3>().setIdentity();
        for (int i = 0; i < 3; ++i)
            P.block<3, 3>(3, 3 + 3 * i) = 0.5 * skew(D.col(i));
        for (int r = 0; r < 6; ++r) {
            Vec12 row = P.row(r).transpose();
            keep_inner(body, row.data());
            P.row(r) = row.transpose();
        }
        return P;
    };
    for (const WrenchTerm& term : wrench_term_) {
        if (!term.pushed)
            continue;
        Eigen::Matrix<double, 6, 12> P[2];
        for (int b = 0; b < 2; ++b)
            if (term.body[b] >= 0)
                P[b] = motion_rows(term.body[b], term.motion[b].directors);
        for (int i = 0; i < 4; ++i) {
            if (term.block[i] < 0)
                continue;
            const Mat6 block = k * term.stiffness[i] + c * term.damping[i];
            lu.block(term.body[i / 2], term.body[i % 2]).noalias() +=
                P[i / 2].transpose() * (block * P[i % 2]);
        }
    }
}

} // namespace tenon
