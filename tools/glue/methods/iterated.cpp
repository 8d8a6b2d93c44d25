#include "tools/glue/methods/iterated.hpp"

#include "core/math/bytes.hpp"
#include "core/math/digits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenon::glue {
namespace {

/// A step is good enough where the residual is below this part of the predictor's; where the usual corrections do not get there, or
/// the Jacobian is an old one, the iteration is slow and stops later, to be safe.
constexpr double enough = 0.02, enough_when_slow = 1e-3;
/// A Jacobian from differences is kept while each first correction gains this much.
constexpr double least_gain = 0.1;
constexpr double many_corrections = 6;
/// Below this part of the accelerations the residual is rounding.
constexpr double rounding = 1e-9;
constexpr double epsilon = std::numeric_limits<double>::epsilon();
/// Gaps below this part of the tolerance are none.
constexpr double negligible_gap = 1e-3;
/// Gaps above this many tolerances are closed further, whatever the predictor's was: a gap of 0.2 mm that is left at each step is an error of
/// several times that of the method.
constexpr double largest_gap = 1e3;

} // namespace

IteratedGroup::IteratedGroup(GroupParts parts, Way way)
    : Group(parts), way_(way), fallback_(parts.automatic && way == Way::newton),
      blocks_(slots_.size(), Block::Zero()), correction_(static_cast<int>(joints_.size()), edges_),
      R_(Vector::Zero(static_cast<Eigen::Index>(12 * joints_.size()))) {
    for (const GluedFmu* fmu : fmus_) {
        std::vector<Try>& tries = tries_.emplace_back();
        for (std::size_t j = 0; j < joints_.size(); ++j)
            for (int side = 0; side < 2; ++side)
                if (joints_[j]->sides[static_cast<std::size_t>(side)].fmu == fmu)
                    for (int column = 0; column < 2 * joints_[j]->rows(); ++column)
                        tries.push_back({.joint = j,
                                         .side = side,
                                         .row = column % joints_[j]->rows(),
                                         .slope = column >= joints_[j]->rows(),
                                         .ends = std::vector<PortMotion>(fmu->ports().size())});
        std::vector<std::size_t>& own = pairs_of_.emplace_back();
        for (std::size_t k = 0; k < pairs_.size(); ++k)
            if (pairs_[k].fmu == fmu)
                own.push_back(k);
    }
    own_slot_.resize(joints_.size());
    mirror_.resize(slots_.size());
    for (std::size_t k = 0; k < slots_.size(); ++k)
        for (std::size_t l = 0; l < slots_.size(); ++l)
            if (slots_[l] == std::pair(slots_[k].second, slots_[k].first)) {
                mirror_[k] = l;
                if (k == l)
                    own_slot_[static_cast<std::size_t>(slots_[k].first)] = k;
            }
    average_ = least_corrections;
}

bool IteratedGroup::begin(double t, double h) {
    failure_ = {};
    if (is_lost_)
        is_lost_ = !measure(&GluedFmu::compliance);
    if (is_lost_)
        return false;
    corrections_ = since_jacobian_ = 0;
    error_ = 0;
    correction_.forget();
    is_fresh_ = displaced_ = false;
    for (GluedJoint* joint : joints_) {
        joint->c0 = joint->last_c0 + joint->last_c1;
        joint->c1 = last_h_ > 0 ? RowVector(joint->last_c1 * (h / last_h_)) : joint->last_c1;
    }
    if (has_compliance())
        find_basis();
    else if (has_jacobian_)
        take_response();
    if (has_compliance() || has_jacobian_)
        for (RowVector GluedJoint::*c : {&GluedJoint::c0, &GluedJoint::c1})
            reduce(c);
    extrapolate_end(t, h);
    place_wrenches(h);
    return true;
}

double IteratedGroup::residual(double h, Vector& R) const {
    double largest = 0;
    for (std::size_t j = 0; j < joints_.size(); ++j) {
        const GluedJoint& joint = *joints_[j];
        const int m = joint.rows(), at = static_cast<int>(12 * j);
        R.segment(at, m) = joint.end.phi / (h * h);
        R.segment(at + 6, m) = joint.end.rate / h;
        const Mat6& kept = basis_.kept(static_cast<int>(j));
        for (const int part : {at, at + 6})
            largest = std::max(
                largest, (kept.topLeftCorner(m, m).lazyProduct(R.segment(part, m))).cwiseAbs().maxCoeff());
    }
    return largest;
}

double IteratedGroup::scale() const {
    double largest = 1;
    for (const GluedFmu* fmu : fmus_)
        for (const GluedFmu::PortState& state : fmu->states)
            largest = std::max(largest, state.acceleration.cwiseAbs().maxCoeff());
    return largest;
}

/// How far out the machine is: its coordinates are rounded in proportion.
double IteratedGroup::reach() const {
    double farthest = 1;
    for (const GluedFmu* fmu : fmus_)
        for (const GluedFmu::PortState& state : fmu->states)
            farthest = std::max(farthest, state.begin.p_WP.cwiseAbs().maxCoeff());
    return farthest;
}

/// The residual is rounding, or a gap that nobody asks about.
bool IteratedGroup::is_negligible(double norm, double h) const {
    return norm <= rounding * scale() ||
           norm * h * h <= std::max(negligible_gap * settings_.tolerance, 32 * epsilon * reach());
}

/// `norm` of the residual, and `forces` that are missing: both have fallen far enough.
bool IteratedGroup::is_closed(double norm, double forces, double h) const {
    const bool slow = way_ == Way::difference || corrections_ > least_corrections;
    const double part = slow && corrections_ < most_corrections ? enough_when_slow : enough;
    // The poses that the wrench turns with are those of the step before: they, too, must come from a good correction.
    if (since_jacobian_ < least_corrections || norm > part * predicted_)
        return false;
    // A direction of hardly any compliance hides a large error of the forces in a small gap, and the next step starts from these forces:
    // chains of eight parts and more would blow up.
    if (forces > part * predicted_forces_)
        return false;
    if (norm * h * h > largest_gap * settings_.tolerance)
        return false;
    return !settings_.converged || norm * h * h <= 0.1 * settings_.tolerance;
}

Group::Next IteratedGroup::look(double t, double h) {
    evaluate_end(t, h);
    if (!has_compliance() && !has_jacobian_ && !jacobian_from_differences(t, h))
        return Next::failed;
    const double norm = residual(h, R_);
    if (!std::isfinite(norm))
        return give_up(norm, h);
    if (corrections_ == 0) {
        predicted_ = norm;
        for (std::size_t j = 0; j < joints_.size(); ++j) // e = h |phi'| / 6, section 6
            error_ = std::max(error_, h * joints_[j]->end.rate.cwiseAbs().maxCoeff() / 6);
    }
    if (last_h_ == 0 && corrections_ == 0) {
        if (!check_sampling(t, h, true))
            return Next::failed;
        if (settings_.adaptive && least_step_ == 0)
            find_least_step(t, h);
    }
    if (!displaced_ && is_negligible(norm, h))
        return Next::done;
    bool is_solved = since_jacobian_ > 0 && !displaced_;
    if (is_solved) {
        correction_.solve(basis_, R_, corrections_ >= least_corrections);
        if (is_closed(norm, correction_.size(), h))
            return Next::done;
    }
    if (corrections_ == most_corrections)
        return give_up(norm, h);
    if (way_ == Way::newton && corrections_ == 0 && !jacobian_from_compliance())
        return failure_ ? Next::failed : give_up(norm, h);
    if (way_ == Way::difference) {
        const bool gains_little = corrections_ >= 1 && norm > least_gain * last_norm_;
        if (!has_jacobian_ || (gains_little && !is_fresh_)) {
            if (!jacobian_from_differences(t, h))
                return Next::failed;
            correction_.forget();
            since_jacobian_ = 0;
            is_solved = false;
        } else if (corrections_ == 0 && !factor())
            return give_up(norm, h);
    }
    if (!is_solved)
        correction_.solve(basis_, R_, corrections_ >= least_corrections);
    if (corrections_ == 0)
        predicted_forces_ = correction_.size();
    last_norm_ = norm;
    displaced_ = false; // they are rolled back now
    correct();
    place_wrenches(h);
    ++corrections_;
    ++since_jacobian_;
    ++ensemble_.report.iterations;
    return Next::again;
}

void IteratedGroup::correct() {
    for (std::size_t j = 0; j < joints_.size(); ++j) {
        const auto number = static_cast<int>(j);
        joints_[j]->c0 += correction_.change(basis_, number, 0).head(joints_[j]->rows());
        joints_[j]->c1 += correction_.change(basis_, number, 1).head(joints_[j]->rows());
    }
}

// ---- what follows from how it goes ----

Group::Next IteratedGroup::give_up(double norm, double h) {
    failure_ = open_joint(norm * h * h,
                          std::max(negligible_gap * settings_.tolerance, enough * predicted_ * h * h), h);
    gave_up_ = true;
    return Next::failed;
}

void IteratedGroup::turn_to_differences(const std::string& why) {
    way_ = Way::difference;
    has_jacobian_ = false;
    waited_ = 0;
    ensemble_.remark(fmt::format("{}: method difference for {} steps: {}", names(), wait_, why));
}

void IteratedGroup::turn_to_newton() {
    way_ = Way::newton;
    average_ = least_corrections;
    ensemble_.remark(fmt::format("{}: method newton again after {} steps", names(), wait_));
    wait_ = std::min(2 * wait_, longest_wait);
}

bool IteratedGroup::restart(double t) {
    has_jacobian_ = false;
    return Group::restart(t);
}

bool IteratedGroup::forget() {
    if (!gave_up_)
        return false;
    gave_up_ = false;
    if (way_ == Way::newton && fallback_) {
        if (++give_ups_ == 1 && ensemble_.all_variable())
            return false; // a smaller step may do: a singular position is passed so
        turn_to_differences(
            fmt::format("newton has not closed it within {} corrections", failure_.iterations));
        return true;
    }
    if (way_ != Way::difference || is_fresh_ || !has_jacobian_)
        return false;
    has_jacobian_ = false;
    return true;
}

void IteratedGroup::accept(double t, double h) {
    Group::accept(t, h);
    give_ups_ = 0;
    constexpr double memory = 0.9;
    average_ = memory * average_ + (1 - memory) * corrections_;
    if (has_compliance()) {
        if (way_ == Way::newton && corrections_ > 0)
            for (GluedFmu* fmu : fmus_)
                fmu->compliance.swap(fmu->compliance_end);
        else
            is_lost_ = !measure_at_end();
    }
    if (way_ == Way::newton && fallback_ && average_ > many_corrections)
        turn_to_differences(fmt::format(
            "newton needs {:.1f} corrections per step (stiff or fast parts inside an FMU)", average_));
    else if (way_ == Way::difference && fallback_ && has_compliance() && ++waited_ >= wait_)
        turn_to_newton();
}

void IteratedGroup::write(ByteWriter& bytes) const {
    Group::write(bytes);
    bytes.put<std::int32_t>(static_cast<std::int32_t>(way_));
    bytes.put(average_);
    bytes.put<std::int32_t>(wait_);
    bytes.put<std::int32_t>(waited_);
    bytes.put(is_lost_);
    bytes.put(has_jacobian_);
    for (const Block& block : blocks_)
        bytes.put(std::span<const double>(block.data(), static_cast<std::size_t>(block.size())));
}

void IteratedGroup::read(ByteReader& bytes) {
    Group::read(bytes);
    way_ =
        bytes.get<std::int32_t>() == static_cast<std::int32_t>(Way::newton) ? Way::newton : Way::difference;
    average_ = bytes.get<double>();
    wait_ = std::clamp<int>(bytes.get<std::int32_t>(), first_wait, longest_wait);
    waited_ = bytes.get<std::int32_t>();
    is_lost_ = bytes.get<bool>();
    has_jacobian_ = bytes.get<bool>();
    for (Block& block : blocks_)
        bytes.get(std::span<double>(block.data(), static_cast<std::size_t>(block.size())));
}

} // namespace tenon::glue
