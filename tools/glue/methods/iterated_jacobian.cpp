// The Jacobian of methods newton and difference (iterated.hpp): from the compliance of the ports, or from steps with changed multipliers.

#include "tools/glue/methods/iterated.hpp"

#include <algorithm>
#include <cmath>

namespace tenon::glue {
namespace {

/// Of a response that steps have measured: rows that nothing moves have rounding of 1e-12 of the largest.
constexpr double response_floor = 1e-6;
constexpr double least_threshold = 5e-4, most_threshold = 1e-2;
/// Pushes are to move a port by this much, m or rad: far above rounding, and too little to bend the motion.
constexpr double small_move = 1e-6;

} // namespace

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

} // namespace tenon::glue
