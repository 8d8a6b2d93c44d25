#include "tools/glue/methods/cubic.hpp"

#include <algorithm>
#include <cmath>

namespace tenon::glue {
namespace {

constexpr double cubic_rounding = 1e-9, negligible = 1e-3;
/// Where the residual has fallen this far and falls no more, cubic_rounding in the FMUs is what is left.
constexpr double stalled = 1e-5;

} // namespace

CubicGroup::CubicGroup(GroupParts parts)
    : Group(std::move(parts)), inner_(joints_.size()), correction_(static_cast<int>(joints_.size()), edges_),
      R_(Vector::Zero(static_cast<Eigen::Index>(18 * joints_.size()))) {}

bool CubicGroup::begin(double t, double h) {
    failure_ = {};
    if (is_lost_)
        is_lost_ = !measure(&GluedFmu::compliance);
    if (is_lost_)
        return false;
    corrections_ = 0;
    error_ = 0;
    correction_.forget();
    const double ratio = last_h_ > 0 ? h / last_h_ : 1;
    for (GluedJoint* joint : joints_) {
        joint->c0 = joint->last_multipliers();
        joint->c1 = ratio * (joint->last_c1 + 2 * joint->last_c2 + 3 * joint->last_c3);
        joint->c2 = ratio * ratio * (joint->last_c2 + 3 * joint->last_c3);
        joint->c3.setZero();
    }
    scale_ = 1;
    for (GluedFmu* fmu : fmus_)
        for (GluedFmu::PortState& state : fmu->states) {
            state.end =
                extrapolated(state.begin, state.acceleration.head<3>(), state.acceleration.tail<3>(), h);
            state.acceleration_end = state.acceleration;
            scale_ = std::max(scale_, state.acceleration.cwiseAbs().maxCoeff());
        }
    find_basis();
    for (RowVector GluedJoint::*c : {&GluedJoint::c0, &GluedJoint::c1, &GluedJoint::c2})
        reduce(c);
    evaluate_nodes(t, h);
    place_cubic_wrenches();
    return true;
}

void CubicGroup::evaluate_nodes(double t, double h) {
    for (std::size_t j = 0; j < joints_.size(); ++j) {
        GluedJoint& joint = *joints_[j];
        joint.evaluate_end(t, h);
        const auto at = [&](int side, double s) {
            const GluedJoint::End& end = joint.sides[static_cast<std::size_t>(side)];
            if (!end.fmu)
                return joint.motion_end(side);
            const GluedFmu::PortState& state = end.fmu->states[end.port];
            return interpolated(state.begin, state.acceleration, state.end, state.acceleration_end, h, s);
        };
        for (int i = 0; i < 3; ++i) {
            const double s = 0.25 * (i + 1);
            joint.joint.evaluate(t + s * h, at(0, s), at(1, s), inner_[j][static_cast<std::size_t>(i)]);
        }
    }
}

void CubicGroup::place_cubic_wrenches() {
    for (GluedFmu* fmu : fmus_)
        for (GluedFmu::PortState& state : fmu->states)
            state.wrench = {};
    for (std::size_t j = 0; j < joints_.size(); ++j) {
        GluedJoint& joint = *joints_[j];
        const std::array<const PortJointRows*, 5> rows = {&joint.begin, &inner_[j][0], &inner_[j][1],
                                                          &inner_[j][2], &joint.end};
        for (int side = 0; side < 2; ++side) {
            std::array<Vec6, 5> nodes;
            for (std::size_t i = 0; i < 5; ++i)
                nodes[i] = GluedJoint::gradient(*rows[i], side).transpose() *
                           joint.multipliers(0.25 * static_cast<double>(i));
            WrenchCurve& wrench = joint.wrench[static_cast<std::size_t>(side)];
            wrench = wrench_through(nodes);
            if (const GluedJoint::End& end = joint.sides[static_cast<std::size_t>(side)]; end.fmu)
                end.fmu->states[end.port].wrench += wrench;
        }
    }
}

bool CubicGroup::read_end_accelerations() {
    const unsigned flags = ensemble_.team.collect(fmus_.size(), [&](std::size_t i) {
        return fmus_[i]->read_end_accelerations() ? 0u : unsigned{master::flag_failed};
    });
    return collect(flags, 0, 0);
}

double CubicGroup::residual(double h) {
    double largest = 0;
    for (std::size_t j = 0; j < joints_.size(); ++j) {
        const GluedJoint& joint = *joints_[j];
        const int m = joint.rows(), at = static_cast<int>(18 * j);
        R_.segment(at, m) = joint.end.phi / (h * h);
        R_.segment(at + 6, m) = joint.end.rate / h;
        auto bend = R_.segment(at + 12, m);
        bend = joint.end.gamma;
        for (int side = 0; side < 2; ++side)
            if (const GluedJoint::End& end = joint.sides[static_cast<std::size_t>(side)]; end.fmu)
                bend += GluedJoint::gradient(joint.end, side) * end.fmu->states[end.port].acceleration_end;
        const Mat6& kept = basis_.kept(static_cast<int>(j));
        for (const int part : {at, at + 6, at + 12})
            largest = std::max(
                largest, kept.topLeftCorner(m, m).lazyProduct(R_.segment(part, m)).cwiseAbs().maxCoeff());
    }
    return largest;
}

bool CubicGroup::is_closed(double norm, double h) const {
    if (norm <= cubic_rounding * scale_ || norm * h * h <= negligible * settings_.tolerance)
        return true;
    return corrections_ > 2 && norm <= stalled * predicted_ && norm > 0.5 * last_norm_;
}

Group::Next CubicGroup::look(double t, double h) {
    if (!read_end_accelerations())
        return Next::failed;
    evaluate_nodes(t, h);
    const double norm = residual(h);
    if (!std::isfinite(norm))
        return give_up(norm, h);
    if (corrections_ == 0) {
        predicted_ = norm;
        for (const GluedJoint* joint : joints_)
            error_ = std::max(error_, h * joint->end.rate.cwiseAbs().maxCoeff() / 6);
    }
    if (is_closed(norm, h))
        return Next::done;
    if (corrections_ == most_corrections)
        return give_up(norm, h);
    if (corrections_ == 0 && !jacobian())
        return failure_ ? Next::failed : give_up(norm, h);
    last_norm_ = norm;
    correct();
    place_cubic_wrenches();
    ++corrections_;
    ++ensemble_.report.iterations;
    return Next::again;
}

bool CubicGroup::jacobian() {
    if (!measure(&GluedFmu::compliance_end))
        return false;
    correction_.set_zero();
    Mat6 G0, G1;
    Correction<18>::Block block;
    for (const Pair& pair : pairs_) {
        const GluedJoint &i = *joints_[static_cast<std::size_t>(pair.i)],
                         &j = *joints_[static_cast<std::size_t>(pair.j)];
        couple(i.end, j.begin, pair, pair.fmu->compliance, G0);
        couple(i.end, j.end, pair, pair.fmu->compliance_end, G1);
        const Mat6 D = G1 - G0;
        for (int k = 1; k <= 3; ++k) {
            const int column = 6 * (k - 1);
            block.block<6, 6>(0, column) = G0 / ((k + 1) * (k + 2)) + D / ((k + 2) * (k + 3));
            block.block<6, 6>(6, column) = G0 / (k + 1) + D / (k + 2);
            block.block<6, 6>(12, column) = G1;
        }
        correction_.add(basis_, pair.i, pair.j, block);
    }
    return correction_.factor(basis_);
}

void CubicGroup::correct() {
    correction_.solve(basis_, R_, true);
    for (std::size_t j = 0; j < joints_.size(); ++j) {
        GluedJoint& joint = *joints_[j];
        int part = 0;
        for (RowVector* c : {&joint.c1, &joint.c2, &joint.c3})
            *c += correction_.change(basis_, static_cast<int>(j), part++).head(joint.rows());
    }
}

Group::Next CubicGroup::give_up(double norm, double h) {
    failure_ = open_joint(norm * h * h, negligible * settings_.tolerance, h);
    return Next::failed;
}

void CubicGroup::accept(double t, double h) {
    Group::accept(t, h);
    for (GluedFmu* fmu : fmus_)
        for (GluedFmu::PortState& state : fmu->states)
            state.acceleration = state.acceleration_end;
    if (corrections_ > 0)
        for (GluedFmu* fmu : fmus_)
            fmu->compliance.swap(fmu->compliance_end);
    else
        is_lost_ = !measure_at_end();
}

} // namespace tenon::glue
