#include "tools/glue/methods/iterated.hpp"

#include "core/math/bytes.hpp"
#include "core/math/digits.hpp"
#include "tools/files/errors.hpp"
#include "tools/glue/failures.hpp"

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
/// Of a response that steps have measured: rows that nothing moves have rounding of 1e-12 of the largest.
constexpr double response_floor = 1e-6;
constexpr double least_threshold = 5e-4, most_threshold = 1e-2;
/// Pushes are to move a port by this much, m or rad: far above rounding, and too little to bend the motion.
constexpr double small_move = 1e-6;

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

/// `norm` of the residual: is there nothing left to correct?
bool IteratedGroup::is_closed(double norm, double h) const {
    const double gap = norm * h * h;
    if (norm <= rounding * scale() ||
        gap <= std::max(negligible_gap * settings_.tolerance, 32 * epsilon * reach()))
        return true;
    const bool slow = way_ == Way::difference || corrections_ > least_corrections;
    const double part = slow && corrections_ < most_corrections ? enough_when_slow : enough;
    // The poses that the wrench turns with are those of the step before: they, too, must come from a good correction.
    if (since_jacobian_ < least_corrections || norm > part * predicted_)
        return false;
    return !settings_.converged || gap <= 0.1 * settings_.tolerance;
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
    if (!displaced_ && is_closed(norm, h))
        return Next::done;
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
        } else if (corrections_ == 0 && !factor())
            return give_up(norm, h);
    }
    last_norm_ = norm;
    displaced_ = false; // they go back now
    correct();
    place_wrenches(h);
    ++corrections_;
    ++since_jacobian_;
    ++ensemble_.report.iterations;
    return Next::again;
}

void IteratedGroup::correct() {
    correction_.solve(basis_, R_, corrections_ >= least_corrections);
    for (std::size_t j = 0; j < joints_.size(); ++j) {
        const auto number = static_cast<int>(j);
        joints_[j]->c0 += correction_.change(basis_, number, 0).head(joints_[j]->rows());
        joints_[j]->c1 += correction_.change(basis_, number, 1).head(joints_[j]->rows());
    }
}

// ---- the Jacobian ----

bool IteratedGroup::jacobian_from_compliance() {
    if (!measure(&GluedFmu::compliance_end))
        return false;
    for (Block& block : blocks_)
        block.setZero();
    Mat6 G0, G1;
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
        const Pair& pair = pairs_[k];
        const GluedJoint &i = *joints_[static_cast<std::size_t>(pair.i)],
                         &j = *joints_[static_cast<std::size_t>(pair.j)];
        couple(i.end, j.begin, pair, pair.fmu->compliance, G0);
        couple(i.end, j.end, pair, pair.fmu->compliance_end, G1);
        const Mat6 D = G1 - G0;
        Block& block = blocks_[slot_[k]];
        block.topLeftCorner<6, 6>() += G0 / 2 + D / 6;
        block.topRightCorner<6, 6>() += G0 / 6 + D / 12;
        block.bottomLeftCorner<6, 6>() += G0 + D / 2;
        block.bottomRightCorner<6, 6>() += G0 / 2 + D / 3;
    }
    return factor();
}

bool IteratedGroup::factor() {
    correction_.set_zero();
    for (std::size_t k = 0; k < slots_.size(); ++k)
        correction_.add(basis_, slots_[k].first, slots_[k].second, blocks_[k]);
    has_jacobian_ = correction_.factor(basis_);
    return has_jacobian_;
}

/// Each FMU by itself, all at the same time: steps with changed multipliers.
bool IteratedGroup::jacobian_from_differences(double t, double h) {
    choose_pushes(h);
    has_jacobian_ = false;
    displaced_ = true;
    const unsigned flags =
        ensemble_.team.collect(fmus_.size(), [&](std::size_t i) { return measure_response(i, t, h); });
    if (!collect(flags, t, h))
        return false;
    for (Block& block : blocks_)
        block.setZero();
    for (std::size_t i = 0; i < fmus_.size(); ++i)
        assemble_response(i, t, h);
    if (!has_compliance()) {
        take_response();
        decide_rank({std::clamp(doubt(), least_threshold, most_threshold), response_floor});
    }
    is_fresh_ = true;
    if (factor())
        return true;
    give_up(predicted_, h);
    return false;
}

/// A part of the load, less where the last Jacobian says that it would move a port too far.
void IteratedGroup::choose_pushes(double h) {
    double load = 0;
    for (const GluedJoint* joint : joints_)
        load = std::max({load, joint->c0.cwiseAbs().maxCoeff(), joint->c1.cwiseAbs().maxCoeff()});
    const double most = std::max(1e-3 * load, 1e-2);
    for (std::vector<Try>& tries : tries_)
        for (Try& one : tries) {
            const double response = blocks_[own_slot_[one.joint]](6 + one.row, one.row);
            one.push = response * h * h * most > small_move ? small_move / (response * h * h) : most;
        }
}

/// Rows are redundant to a part of them only where the joints are open, where pushes bend the motion, and where the machine turns in the
/// step: by an angle a, which W0 shows as what it lacks in symmetry, they are less so by its square.
double IteratedGroup::doubt() const {
    double open = 0, moved = 0, turned = 0;
    for (std::size_t k = 0; k < slots_.size(); ++k) {
        const auto [i, j] = slots_[k];
        const auto size = [&](int joint, int row) {
            return blocks_[own_slot_[static_cast<std::size_t>(joint)]](6 + row, row);
        };
        for (int r = 0; r < basis_.rows(i); ++r)
            for (int c = 0; c < basis_.rows(j); ++c)
                if (const double scale = size(i, r) * size(j, c); scale > 0)
                    turned = std::max(turned, std::abs(blocks_[k](6 + r, c) - blocks_[mirror_[k]](6 + c, r)) /
                                                  std::sqrt(scale));
    }
    for (const GluedJoint* joint : joints_)
        open = std::max(open, joint->end.phi.cwiseAbs().maxCoeff());
    for (std::size_t i = 0; i < fmus_.size(); ++i)
        for (const Try& one : tries_[i])
            for (std::size_t p = 0; p < one.ends.size(); ++p) {
                const PortMotion& end = fmus_[i]->states[p].end;
                moved = std::max({moved, (one.ends[p].p_WP - end.p_WP).cwiseAbs().maxCoeff(),
                                  (one.ends[p].R_WP - end.R_WP).cwiseAbs().maxCoeff()});
            }
    return 10 * (open + moved) + 2 * turned * turned;
}

unsigned IteratedGroup::measure_response(std::size_t number, double t, double h) {
    GluedFmu& fmu = *fmus_[number];
    const std::vector<GluedFmu::PortState> before = fmu.states;
    unsigned flags = 0;
    for (Try& one : tries_[number]) {
        const GluedJoint& joint = *joints_[one.joint];
        const auto pushed = [&](const PortJointRows& rows, double s) -> Vec6 {
            return GluedJoint::gradient(rows, one.side).row(one.row).transpose() *
                   (one.push * (one.slope ? s : 1));
        };
        const std::size_t port = joint.sides[static_cast<std::size_t>(one.side)].port;
        for (std::size_t p = 0; p < before.size(); ++p)
            fmu.states[p].wrench = before[p].wrench;
        fmu.states[port].wrench +=
            wrench_through(pushed(joint.begin, 0), pushed(joint.middle, 0.5), pushed(joint.end, 1));
        flags |= fmu.try_step(t, h);
        if (flags & master::flag_failed)
            break;
        for (std::size_t p = 0; p < one.ends.size(); ++p)
            one.ends[p] = fmu.states[p].end;
    }
    fmu.states = before;
    return flags;
}

/// Columns of J: what the joints at one FMU feel of its tries. Those of both FMUs of a joint add up.
void IteratedGroup::assemble_response(std::size_t number, double t, double h) {
    PortJointRows rows;
    for (const Try& one : tries_[number])
        for (const std::size_t k : pairs_of_[number]) {
            const Pair& pair = pairs_[k];
            if (pair.j != static_cast<int>(one.joint) || pair.side_j != one.side)
                continue;
            const GluedJoint& felt = *joints_[static_cast<std::size_t>(pair.i)];
            const PortMotion& moved = one.ends[felt.sides[static_cast<std::size_t>(pair.side_i)].port];
            felt.joint.evaluate(t + h, pair.side_i == 0 ? moved : felt.motion_end(0),
                                pair.side_i == 1 ? moved : felt.motion_end(1), rows, felt.late());
            auto column = blocks_[slot_[k]].col(one.row + (one.slope ? 6 : 0));
            column.head(felt.rows()) += (rows.phi - felt.end.phi) / (h * h * one.push);
            column.segment(6, felt.rows()) += (rows.rate - felt.end.rate) / (h * one.push);
        }
}

/// Where no compliance is known, velocities at the end by multipliers 1 and s take its place: with G(s) linear over the step
///
///     W0 = int G ds,  W1 = int G s ds:   G(1) = 6 W1 - 2 W0
///
/// is B H B^T at the end, to the second order in h symmetric and as singular as the joints are; W0 is neither. Where something rings in
/// the step, both differ in size, and W0 is the one that can be trusted.
void IteratedGroup::take_response() {
    double largest = 0;
    for (std::size_t k = 0; k < slots_.size(); ++k)
        if (slots_[k].first == slots_[k].second)
            largest = std::max(largest, blocks_[k].bottomLeftCorner<6, 6>().diagonal().maxCoeff());
    bool is_smooth = true;
    for (std::size_t k = 0; k < slots_.size(); ++k) {
        const auto W0 = blocks_[k].bottomLeftCorner<6, 6>(), W1 = blocks_[k].bottomRightCorner<6, 6>();
        G_[k] = 6 * W1 - 2 * W0;
        if (slots_[k].first == slots_[k].second)
            for (int i = 0; i < 6; ++i)
                is_smooth = is_smooth && (W0(i, i) <= response_floor * largest ||
                                          (2 * G_[k](i, i) > W0(i, i) && G_[k](i, i) < 2 * W0(i, i)));
    }
    if (!is_smooth)
        for (std::size_t k = 0; k < slots_.size(); ++k)
            G_[k] = blocks_[k].bottomLeftCorner<6, 6>();
}

/// In the first step: a force that grows from zero moves a port by a third of what a constant one does. By nothing means that the FMU
/// does not see it grow, by half of it means that the
/// FMU has looked at the force once, in the middle of the step: it cannot tell c0 from c1, and nothing can close its joints.
/// The FMUs have made the step, or `is_made` is false.
bool IteratedGroup::check_sampling(double t, double h, bool is_made) {
    constexpr double once = 0.5, sure = 1e-3;
    for (std::size_t i = 0; i < fmus_.size(); ++i) {
        GluedFmu& fmu = *fmus_[i];
        if (fmu.efforts().delivery() == Efforts::Delivery::halves)
            continue; // steps twice in any case
        const std::vector<GluedFmu::PortState> before = fmu.states;
        const double push = std::max(1e-2, 1e-3 * before.front().wrench.w0.cwiseAbs().maxCoeff());
        Vec3 moved[2];
        unsigned flags = is_made ? 0 : fmu.try_step(t, h);
        const Vec3 base = fmu.states.front().end.p_WP;
        for (const int slope : {0, 1}) {
            if (flags & master::flag_failed)
                break;
            WrenchCurve extra;
            (slope == 0 ? extra.w0 : extra.w1).head<3>().setConstant(push);
            fmu.states = before;
            fmu.states.front().wrench += extra;
            flags |= fmu.try_step(t, h);
            moved[slope] = fmu.states.front().end.p_WP - base;
        }
        fmu.states = before;
        displaced_ = true;
        if (!collect(flags, t, h))
            return false;
        const double constant = moved[0].norm(),
                     seen = 1e4 * epsilon * std::max(1.0, before.front().end.p_WP.norm());
        const double part = constant > seen ? moved[1].dot(moved[0]) / (constant * constant) : once / 2;
        if (std::abs(part - once) < sure || std::abs(part) < sure) {
            failure_ = one_sample(fmu.number(), h);
            return false;
        }
    }
    return true;
}

/// The smallest of h, h/2, h/4, ... that passes.
void IteratedGroup::find_least_step(double t, double h) {
    constexpr int most = 10;
    least_step_ = h;
    for (int i = 0; i < most && check_sampling(t, least_step_ / 2, false); ++i)
        least_step_ /= 2;
    failure_ = {};
    for (GluedFmu* fmu : fmus_)
        fmu->participant().failure = {};
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
    else if (way_ == Way::difference && fallback_ && ++waited_ >= wait_)
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
