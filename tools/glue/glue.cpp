#include "tools/glue/glue.hpp"

#include "core/math/bytes.hpp"
#include "core/math/digits.hpp"
#include "core/math/error.hpp"
#include "tools/master/failure_text.hpp"
#include "tools/master/schemes/curve_step.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace tenon::glue {

using master::Failure;
using master::Outcome;

Outcome Glue::failed(const Failure& failure) const {
    Outcome outcome;
    outcome.failure = failure;
    return outcome;
}

/// Signals for the step: constants or curves from the outputs at its start.
bool Glue::prepare(double t, Failure& failure) {
    return ensemble_.curves.order() == 0 ? ensemble_.gather(ensemble_.signals.now.data(), failure)
                                         : master::begin_curves(ensemble_, t, failure);
}

unsigned Glue::step(const std::vector<std::size_t>& members, double t, double h) {
    double* inputs = ensemble_.signals.inputs.data();
    return ensemble_.team.collect(members.size(), [&](std::size_t i) -> unsigned {
        if (GluedFmu* fmu = fmu_of_[members[i]])
            return fmu->step(t, h);
        master::Participant& participant = *ensemble_.participants[members[i]];
        const master::Participant::Sample sample(participant);
        const bool sent = ensemble_.curves.order() == 0 ? participant.send(inputs)
                                                        : ensemble_.delivery.send(participant, h, inputs);
        return sent ? participant.step_and_receive(t, h, ensemble_.signals.next.data())
                    : unsigned{master::flag_failed};
    });
}

Outcome Glue::advance(double t, double h) {
    doubling_.forget_halves();
    if (doubling_.is_due(t, h))
        if (const Failure failure = take_sample(t, h))
            return failed(failure);
    if (!estimates_error() || signal_error_.is_empty())
        return make_step(t, h);
    signal_error_.forget_halves();
    if (const Failure failure = make_halves(
            t, h, [] { return true; }, [&] { signal_error_.note_halves(); }))
        return failed(failure);
    Outcome outcome = make_step(t, h);
    if (outcome.failure || outcome.early || outcome.event || outcome.terminate)
        return outcome; // an event is not a matter of accuracy
    outcome.error = std::max(outcome.error, signal_error_.estimate(h));
    if (outcome.error > 1 && h <= least_step() * (1 + 1e-6))
        keep_least_step(outcome.error);
    return outcome;
}

/// Halves for step_doubling.hpp: so few that their doSteps are not counted.
Failure Glue::take_sample(double t, double h) {
    std::vector<long> dosteps;
    for (const auto& participant : ensemble_.participants)
        dosteps.push_back(participant->dosteps);
    const Failure failure = make_halves(
        t, h, [&] { return doubling_.refine(); }, [&] { doubling_.note_halves(h); });
    for (const auto& participant : ensemble_.participants)
        participant->dosteps = dosteps[participant->number];
    return failure;
}

/// The step in two halves, to compare it with: `ready` is asked before them, `look` is called where both were made. Whatever comes of
/// them, all is as before afterwards, and nothing is said. Returns the failure of an FMU that could not go back.
Failure Glue::make_halves(double t, double h, const std::function<bool()>& ready,
                          const std::function<void()>& look) {
    ByteWriter kept;
    write(kept);
    const std::vector<double> outputs = ensemble_.signals.now;
    const master::MasterReport report = ensemble_.report;
    const bool has_said_least = has_said_least_;
    const auto half = [&](double from, double to) {
        const Outcome outcome = make_step(from, to - from);
        return !outcome.failure && !outcome.early && !outcome.event && !outcome.terminate;
    };
    Failure failure;
    bool deeper = false; // a level of saved states above that of the step
    ensemble_.is_silent = true;
    try {
        const double middle = t + h / 2, end = t + h;
        // Saved again once refined: iterations roll back to that, internal steps and all.
        const auto save = [&] {
            if (std::exchange(deeper, true))
                ensemble_.drop();
            return ensemble_.save(failure);
        };
        if (ready() && save() && half(t, middle)) {
            accept(t, middle - t);
            ensemble_.commit();
            if (save() && half(middle, end))
                look();
        }
    } catch (const Error&) { // energy that cannot be believed: the step itself will say so, if it is so there
    }
    if (deeper)
        ensemble_.drop();
    failure = {};
    ensemble_.restore(failure);
    if (!failure && ensemble_.wiring.has_others())
        for (const auto& participant : ensemble_.participants)
            if (!participant->receive_others())
                failure = participant->failure;
    ensemble_.signals.now = outputs;
    ByteReader bytes(kept.bytes, "the saved state");
    read(bytes);
    ensemble_.report = report;
    has_said_least_ = has_said_least;
    ensemble_.is_silent = false;
    return failure;
}

Outcome Glue::make_step(double t, double h) {
    Outcome outcome;
    if (!prepare(t, outcome.failure))
        return outcome;
    for (const auto& group : groups_)
        if (!group->begin(t, h))
            return failed(group->failure(h));
    was_early_ = false;
    std::ranges::fill(open_, true);
    again_.assign(ensemble_.everybody().begin(), ensemble_.everybody().end());
    unsigned flags = 0;
    for (;;) {
        flags = step(again_, t, h);
        if (flags & (master::flag_failed | master::flag_early)) {
            outcome = ensemble_.outcome(flags, t, h, again_);
            outcome.together = false; // the joints are open where one of them has stopped
            was_early_ = true;
            return outcome;
        }
        again_.clear();
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            if (!open_[g])
                continue;
            const Group::Next next = groups_[g]->look(t, h);
            if (next == Group::Next::failed)
                return failed(groups_[g]->failure(h));
            open_[g] = next == Group::Next::again;
            if (open_[g])
                again_.insert(again_.end(), members_[g].begin(), members_[g].end());
        }
        if (again_.empty())
            break;
        if (!ensemble_.restore(again_, outcome.failure))
            return outcome;
    }
    flags = 0; // of everybody's last step, not of those alone who have stepped again
    for (const auto& participant : ensemble_.participants)
        flags |= (participant->result.event ? unsigned{master::flag_event} : 0u) |
                 (participant->result.terminate ? unsigned{master::flag_terminate} : 0u);
    outcome = ensemble_.outcome(flags, t, h);
    if (estimates_error()) {
        double error = 0;
        for (const auto& group : groups_)
            error = std::max(error, group->error());
        // Steps up to twice the tolerance are kept (section 6). Zero would mean that there is no estimate.
        outcome.error = std::max(error / (2 * settings_.tolerance), std::numeric_limits<double>::min());
        if (outcome.error > 1 && h <= least_step() * (1 + 1e-6))
            keep_least_step(outcome.error);
    }
    return outcome;
}

double Glue::least_step() const {
    double least = 0;
    for (const auto& group : groups_)
        least = std::max(least, group->least_step());
    return least;
}

/// A step that misses the tolerance, and is taken because a smaller one would be worse.
void Glue::keep_least_step(double& error) {
    error = 1;
    if (!std::exchange(has_said_least_, true))
        ensemble_.remark(fmt::format(
            "steps stay at {} s or above, where an FMU looks at the forces more than once, though "
            "the tolerance asks for smaller ones; a smaller step inside the FMUs helps, or a larger "
            "tolerance",
            digits(least_step())));
}

/// The estimate is of order 4 in h.
double Glue::better_step(double h, double error) const {
    return h * std::clamp(0.9 * std::pow(2 * error, -0.25), 0.2, 1.5);
}

void Glue::accept(double t, double h) {
    time_ = t + h;
    if (was_early_) { // those without rollback have caught up with the others
        for (const auto& fmu : fmus_)
            require(fmu->read_motion(), *fmu, time_);
        for (const auto& joint : joints_)
            joint->joint.evaluate(time_, joint->motion_end(0), joint->motion_end(1), joint->end);
    }
    enter_work(t, h);
    for (const auto& group : groups_)
        group->accept(t, h);
    for (const auto& joint : joints_)
        observe(*joint, h);
    observe_energy();
    doubling_.compare(h);
    choose_sides();
    if (was_early_)
        for (const auto& group : groups_)
            restart(*group, time_);
}

void Glue::restart(Group& group, double t) const {
    if (!group.restart(t))
        throw Error(ErrorKind::computation, describe(ensemble_, t, group.failure(0)));
}

/// An event may have moved ports at once, and changed what they weigh: multipliers, accelerations and compliance are those behind it.
void Glue::after_events(double t, std::span<const std::size_t> participants) {
    const auto is_met = [&](const GluedFmu* fmu) {
        return std::ranges::find(participants, fmu->number()) != participants.end();
    };
    for (const auto& fmu : fmus_) {
        if (!is_met(fmu.get()))
            continue;
        require(fmu->read_motion(), *fmu, t);
        for (GluedFmu::PortState& state : fmu->states)
            state.begin = state.end;
    }
    for (const auto& group : groups_) {
        if (std::ranges::none_of(group->fmus(), is_met))
            continue;
        restart(*group, t);
        for (GluedJoint* joint : group->joints())
            observe(*joint, 0);
    }
}

/// Torque rows stay with the side that spins less. The multipliers of the new rows are those that give the same wrench.
void Glue::choose_sides() {
    for (const auto& group : groups_)
        for (std::size_t j = 0; j < group->joints().size(); ++j) {
            GluedJoint& joint = *group->joints()[j];
            const PortJointRows before = joint.begin;
            if (!joint.joint.choose_side(joint.motion_begin(0), joint.motion_begin(1)))
                continue;
            joint.joint.evaluate(time_, joint.motion_begin(0), joint.motion_begin(1), joint.begin);
            const int side = joint.sides[1].fmu ? 1 : 0;
            using Columns = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 6>;
            const Columns now = GluedJoint::gradient(joint.begin, side).transpose();
            const Columns old = GluedJoint::gradient(before, side).transpose();
            group->change_rows(j, now.colPivHouseholderQr().solve(old));
        }
}

bool Glue::forget() {
    bool any = false;
    for (const auto& group : groups_)
        any |= group->forget();
    return any;
}

} // namespace tenon::glue
