#include "tools/master/events.hpp"

#include "core/math/digits.hpp"
#include "core/math/error.hpp"
#include "tools/master/failure_text.hpp"
#include "tools/master/same_time.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tenon::master {
namespace {

/// An event that raises another one, a hundred times at the same time, will not end.
constexpr int most_iterations = 100;

} // namespace

Events::Events(Ensemble& ensemble, Recorder& recorder)
    : ensemble_(ensemble), recorder_(recorder), fresh_(ensemble.signals.inputs.size()) {
    for (const auto& participant : ensemble.participants)
        if (participant->event_mode)
            able_.push_back(participant->number);
    due_.resize(able_.size());
    possible_ = !able_.empty();
}

double Events::next() const {
    double time = Participant::never;
    for (const std::size_t i : able_)
        time = std::min(time, ensemble_.participants[i]->next_event);
    return time;
}

void Events::require(bool success, const Participant& participant, double time) const {
    if (!success)
        throw Error(ErrorKind::computation, describe(ensemble_, time, participant.failure), participant.name);
}

bool Events::settle(double time) {
    terminate_ = false;
    for (const std::size_t i : able_)
        ensemble_.participants[i]->in_event_mode = true;
    if (possible_)
        iterate(time);
    enter_step_mode(time);
    return !terminate_;
}

bool Events::handle(double time, double step, bool inside, bool& handled) {
    find_due(time, step);
    handled = std::ranges::find(due_, true) != due_.end();
    if (!handled)
        return true;
    terminate_ = false;
    participants_.clear();
    add_row(time);
    Failure failure; // the inputs that participants have before the event
    if (!ensemble_.gather(ensemble_.signals.now.data(), failure))
        throw Error(ErrorKind::computation, describe(ensemble_, time, failure));
    for (std::size_t i = 0; i < able_.size(); ++i)
        if (due_[i])
            enter_event_mode(*ensemble_.participants[able_[i]], time);
    iterate(time);
    if (inside)
        add_row(time);
    enter_step_mode(time);
    ensemble_.curves.forget();
    return !terminate_;
}

bool Events::handle_alone(Participant& participant, double time) {
    terminate_ = false;
    enter_event_mode(participant, time);
    for (int i = 0; update(participant, time); ++i)
        if (i == most_iterations)
            throw Error(ErrorKind::computation,
                        fmt::format("t={}: {}: its events do not end after {} iterations", digits(time),
                                    ensemble_.who(participant.number), most_iterations),
                        participant.name);
    enter_step_mode(time);
    return !terminate_;
}

void Events::find_due(double time, double step) {
    for (std::size_t i = 0; i < able_.size(); ++i) {
        Participant& participant = *ensemble_.participants[able_[i]];
        due_[i] = has_new_discrete_input(participant, time) || participant.result.event ||
                  !is_before(time, participant.next_event, step);
        participant.result.event = false;
    }
}

bool Events::has_new_discrete_input(const Participant& participant, double time) {
    bool changed = false;
    Failure failure;
    if (!ensemble_.wiring.gather_held(participant.number, ensemble_.participants,
                                      ensemble_.signals.now.data(), ensemble_.signals.inputs.data(), failure,
                                      &changed))
        throw Error(ErrorKind::computation, describe(ensemble_, time, failure), participant.name);
    return changed;
}

/// Inputs in, discrete states updated, outputs out, until nothing changes any more.
void Events::iterate(double time) {
    for (int i = 0; i < most_iterations; ++i) {
        bool again = false;
        for (const std::size_t p : able_) {
            Participant& participant = *ensemble_.participants[p];
            if (participant.in_event_mode)
                require(participant.send(ensemble_.signals.inputs.data()), participant, time);
        }
        for (const std::size_t p : able_)
            if (ensemble_.participants[p]->in_event_mode)
                again |= update(*ensemble_.participants[p], time);
        for (const std::size_t p : able_) {
            Participant& participant = *ensemble_.participants[p];
            if (participant.in_event_mode)
                require(participant.receive(ensemble_.signals.now.data()), participant, time);
        }
        if (!propagate(time) && !again)
            return;
    }
    throw Error(ErrorKind::computation, fmt::format("t={}: the events do not end after {} iterations",
                                                    digits(time), most_iterations));
}

bool Events::update(Participant& participant, double time) {
    const fmi::EventResult result = participant.slave->update_discrete_states();
    require(participant.succeeded("UpdateDiscreteStates", result.status), participant, time);
    participant.next_event = result.next_event.value_or(Participant::never);
    terminate_ |= result.terminate;
    return result.again;
}

/// New inputs from new outputs; who gets any has to handle them, too. True where there were some.
bool Events::propagate(double time) {
    const double* now = ensemble_.signals.now.data();
    bool any = false;
    fresh_ = ensemble_.signals.inputs;
    for (const std::size_t p : able_) {
        Participant& participant = *ensemble_.participants[p];
        bool changed = false;
        Failure failure;
        ensemble_.wiring.gather(p, now, fresh_.data());
        if (!ensemble_.wiring.gather_others(p, ensemble_.participants, now, fresh_.data(), failure,
                                            &changed) ||
            !ensemble_.wiring.gather_held(p, ensemble_.participants, now, fresh_.data(), failure, &changed))
            throw Error(ErrorKind::computation, describe(ensemble_, time, failure), participant.name);
        const auto first = static_cast<std::ptrdiff_t>(participant.first_input);
        changed |= !std::equal(fresh_.begin() + first,
                               fresh_.begin() + first + static_cast<std::ptrdiff_t>(participant.input_count),
                               ensemble_.signals.inputs.begin() + first);
        if (changed && !participant.in_event_mode)
            enter_event_mode(participant, time);
        any |= changed;
    }
    ensemble_.signals.inputs = fresh_;
    return any;
}

void Events::add_row(double time) {
    Master::EventRow row{time, std::vector<double>(recorder_.columns().size())};
    recorder_.read(time, row.values);
    rows_.push_back(std::move(row));
}

void Events::enter_event_mode(Participant& participant, double time) {
    require(participant.succeeded("EnterEventMode", participant.slave->enter_event_mode()), participant,
            time);
    participant.in_event_mode = true;
    participants_.push_back(participant.number);
}

void Events::enter_step_mode(double time) {
    for (const std::size_t p : able_) {
        Participant& participant = *ensemble_.participants[p];
        if (!participant.in_event_mode)
            continue;
        require(participant.succeeded("EnterStepMode", participant.slave->enter_step_mode()), participant,
                time);
        participant.in_event_mode = false;
    }
}

} // namespace tenon::master
