#include "tools/glue/methods/dead_beat.hpp"

#include "core/math/bytes.hpp"
#include "tools/glue/failures.hpp"

namespace tenon::glue {
namespace {

constexpr double margin = 0.5;
/// More FMUs than that in one group are not stable with both poles at zero.
constexpr std::size_t few = 3;

} // namespace

DeadBeatGroup::DeadBeatGroup(GroupParts parts)
    : Group(std::move(parts)), pole_(fmus_.size() > few ? margin : 0) {
    for (Vector* vector : {&now_, &before_, &correction_})
        *vector = Vector::Zero(static_cast<Eigen::Index>(6 * joints_.size()));
}

bool DeadBeatGroup::begin(double t, double h) {
    failure_ = {};
    const unsigned flags = ensemble_.team.collect(fmus_.size(), [&](std::size_t i) {
        GluedFmu& fmu = *fmus_[i];
        const master::Participant::Sample sample(fmu.participant(), master::Participant::Work::derivative);
        return fmu.measure_compliance(fmu.compliance) && fmu.read_free_accelerations()
                   ? 0u
                   : unsigned{master::flag_failed};
    });
    if (!collect(flags, t, h))
        return false;
    find_basis();
    const double k1 = (1 - pole_) * (1 - pole_), k2 = (1 - pole_) * (3 + pole_) / 2;
    now_.setZero();
    correction_.setZero();
    for (std::size_t j = 0; j < joints_.size(); ++j) {
        const GluedJoint& joint = *joints_[j];
        auto free = now_.segment(static_cast<Eigen::Index>(6 * j), joint.rows());
        free = -joint.begin.gamma;
        for (int side = 0; side < 2; ++side)
            if (const GluedJoint::End& end = joint.sides[static_cast<std::size_t>(side)]; end.fmu)
                free -= GluedJoint::gradient(joint.begin, side) * end.fmu->states[end.port].acceleration;
        correction_.segment(static_cast<Eigen::Index>(6 * j), joint.rows()) =
            -(k1 * joint.begin.phi / (h * h) + k2 * joint.begin.rate / h);
    }
    if (!solve_compliance(now_) || !solve_compliance(correction_)) {
        failure_ = glue::open_joint(joints_.front()->number, fmus_.front()->number(), 0, 0, 0, h);
        return false;
    }
    reduce(before_);
    for (std::size_t j = 0; j < joints_.size(); ++j) {
        GluedJoint& joint = *joints_[j];
        const auto at = static_cast<Eigen::Index>(6 * j);
        joint.c0 = now_.segment(at, joint.rows()) + correction_.segment(at, joint.rows());
        if (has_before_)
            joint.c1 = (now_ - before_).segment(at, joint.rows()) * (h / last_h_);
        else
            joint.c1.setZero();
    }
    add_wrenches_to_accelerations();
    extrapolate_end(t, h);
    place_wrenches(h);
    return true;
}

Group::Next DeadBeatGroup::look(double t, double h) {
    evaluate_end(t, h);
    return Next::done;
}

void DeadBeatGroup::accept(double t, double h) {
    Group::accept(t, h);
    before_ = now_;
    has_before_ = true;
}

bool DeadBeatGroup::restart(double t) {
    has_before_ = false; // across a jump nothing is extrapolated
    return Group::restart(t);
}

void DeadBeatGroup::change_rows(std::size_t j, const RowTransform& T) {
    Group::change_rows(j, T);
    auto before = before_.segment(static_cast<Eigen::Index>(6 * j), T.cols());
    before = (T * before).eval();
}

void DeadBeatGroup::write(ByteWriter& bytes) const {
    Group::write(bytes);
    bytes.put(has_before_);
    bytes.put(std::span<const double>(before_.data(), static_cast<std::size_t>(before_.size())));
}

void DeadBeatGroup::read(ByteReader& bytes) {
    Group::read(bytes);
    has_before_ = bytes.get<bool>();
    bytes.get(std::span<double>(before_.data(), static_cast<std::size_t>(before_.size())));
}

const MethodType dead_beat_method = {
    .name = "dead-beat",
    .lack = no_compliance,
    .make = [](GroupParts parts) -> std::unique_ptr<Group> {
        return std::make_unique<DeadBeatGroup>(std::move(parts));
    },
    .when_chosen = "less accurate, take small steps",
};

} // namespace tenon::glue
