#include "tools/master/driver.hpp"

#include "core/math/digits.hpp"
#include "core/math/error.hpp"
#include "tools/files/errors.hpp"
#include "tools/master/failure_text.hpp"
#include "tools/master/same_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tenon::master {
namespace {

/// Steps smaller than this part of the master's own are no way to be accurate.
constexpr double smallest_part = 1e-6;

} // namespace

Driver::Driver(Ensemble& ensemble, Scheme& scheme, Events& events)
    : ensemble_(ensemble), scheme_(scheme), events_(events), rewind_(ensemble) {
    if (ensemble.system.system.master.adaptive && !scheme.estimates_error())
        errors_.emplace(ensemble, scheme);
}

bool Driver::advance_to(double end) {
    events_.rows().clear();
    if (ended_ || is_dropped(end))
        return false;
    while (time_ < end && !ended_)
        make_step(next_target(end), end);
    if (ensemble_.arithmetic.restore()) [[unlikely]]
        remark_arithmetic();
    ++ensemble_.report.steps;
    return !ended_;
}

void Driver::remark_arithmetic() {
    constexpr const char* text =
        "an FMU changes the rounding, the traps or the denormal numbers of this process; they are set "
        "back after each step";
    if (std::ranges::find(ensemble_.report.remarks, text) == ensemble_.report.remarks.end())
        ensemble_.remark(text);
}

/// FMUs with a fixed step size cannot make a last one that is shorter.
bool Driver::is_dropped(double end) {
    if (ensemble_.all_variable())
        return false;
    const double step = ensemble_.system.system.master.step, length = end - time_;
    constexpr double round_off = 1e-6;
    if (std::abs(length - step) <= round_off * step)
        return false;
    if (!has_dropped_)
        ensemble_.remark(fmt::format("the last step from t={} to {} is left out: it is not of size {}",
                                     digits(time_), digits(end), digits(step)));
    return has_dropped_ = true;
}

double Driver::next_target(double end) const {
    double limit = std::min(end, barrier_);
    if (events_.are_possible() && ensemble_.all_variable())
        if (const double next = events_.next(); is_before(time_, next, end - time_))
            limit = std::min(limit, next);
    if (!(step_ < limit - time_))
        return limit;
    // Equal parts, so that none of them is a tiny rest.
    constexpr double round_off = 1e-6;
    double parts = std::ceil((limit - time_) / step_ - round_off);
    if (const double least = errors_ ? 0 : scheme_.least_step(); least * parts > limit - time_)
        parts = std::floor((limit - time_) / least + round_off);
    return parts <= 1 ? limit : time_ + (limit - time_) / parts;
}

void Driver::make_step(double target, double end) {
    const double h = target - time_;
    Failure failure;
    if (!rewind_.begin(time_, failure))
        give_up(failure);
    keep_scheme();
    const Outcome outcome = stepper().advance(time_, h);
    if (outcome.is_plain()) [[likely]] {
        grow(h, 0);
        arrive(target, end);
    } else if (outcome.failure) {
        recover(outcome.failure, h);
    } else if (outcome.early) {
        stop_early(outcome, target, end);
    } else if (outcome.error > 1) {
        shrink(h, outcome.error);
    } else {
        grow(h, outcome.error);
        ended_ = outcome.terminate;
        arrive(target, end);
    }
}

void Driver::arrive(double time, double end) {
    const double came_from = time_, h = time - time_;
    scheme_.accept(came_from, h);
    ensemble_.commit();
    time_ = time;
    stalls_ = 0;
    first_retry_ = 0;
    if (!(time_ < barrier_))
        barrier_ = unlimited;
    MasterReport& report = ensemble_.report;
    if (!(h >= report.smallest_step && report.smallest_step > 0))
        report.smallest_step = h;
    if (events_.are_possible() && !ended_)
        handle_events(end, came_from);
}

/// An event that fails at the end of a step takes all back to its start: the scheme, too, which has accepted the step by then.
void Driver::keep_scheme() {
    if (!events_.are_possible())
        return;
    kept_.bytes.clear();
    scheme_.write(kept_);
}

void Driver::handle_events(double end, double came_from) {
    bool handled = false;
    const bool inside = time_ < end;
    try {
        ended_ = !events_.handle(time_, end - came_from, inside, handled);
        if (handled)
            scheme_.after_events(time_, events_.participants());
    } catch (const Error&) { // back to where all was well
        Failure ignored;
        rewind_.back(ignored);
        ensemble_.commit();
        ByteReader kept(kept_.bytes, "the saved state");
        scheme_.read(kept);
        time_ = came_from;
        throw;
    }
    if (handled)
        rewind_.cut();
}

/// After a good step of size h.
void Driver::grow(double h, double error) {
    if (error > 0) {
        const double better = stepper().better_step(h, error);
        step_ = h < step_ && step_ < unlimited ? std::max(step_, better)
                                               : better; // h may have been cut by an event
        halvings_ = 0;
    } else if (halvings_ > 0 && ++good_steps_ == good_steps_before_growth) {
        good_steps_ = 0;
        step_ = --halvings_ > 0 ? 2 * step_ : unlimited;
    }
}

/// One of the FMUs has come to outcome.reached only.
void Driver::stop_early(const Outcome& outcome, double target, double end) {
    const double h = target - time_;
    const bool has_moved = is_before(time_, outcome.reached, h);
    if (outcome.together && has_moved) {
        ended_ = outcome.terminate;
        return arrive(outcome.reached, end);
    }
    const Failure standstill{.kind = Failure::Kind::standstill, .participant = slowest(), .h = h};
    if (outcome.together && (outcome.event || outcome.terminate)) {
        if (++stalls_ > most_stalls)
            give_up(standstill);
        ended_ = outcome.terminate;
        ensemble_.commit();
        return ended_ ? void() : handle_events(end, time_);
    }
    if (!ensemble_.all_roll_back() || !ensemble_.all_variable())
        return catch_up(target);
    if (!has_moved && has_event_at_start(h)) {
        if (++stalls_ > most_stalls)
            give_up(standstill);
        return handle_at_start(end, h);
    }
    if (!has_moved && !outcome.terminate)
        return recover(standstill, h);
    Failure failure;
    if (!rewind_.back(failure))
        give_up(failure);
    if (has_moved)
        barrier_ = outcome.reached;
    else
        ended_ = true;
}

/// An FMU that was stepped to where it had stopped before may find its event only when it is to go on from there.
bool Driver::has_event_at_start(double h) const {
    return std::ranges::any_of(ensemble_.participants, [&](const auto& participant) {
        return participant->result.event && !is_before(time_, participant->result.reached, h);
    });
}

/// The others come back to it; it stays as it is, since it has seen the event only there.
void Driver::handle_at_start(double end, double h) {
    Signals& signals = ensemble_.signals;
    std::vector<std::size_t> gone;
    for (const auto& participant : ensemble_.participants) {
        if (is_before(time_, participant->result.reached, h)) {
            gone.push_back(participant->number);
            participant->result.event = false;
            continue;
        }
        const auto first = static_cast<std::ptrdiff_t>(participant->first_output);
        std::copy_n(signals.next.begin() + first, participant->output_count, signals.now.begin() + first);
    }
    Failure failure;
    if (!ensemble_.restore(gone, failure))
        give_up(failure);
    for (const std::size_t i : gone)
        if (Participant& participant = *ensemble_.participants[i]; !participant.receive_others())
            give_up(participant.failure);
    signals.next = signals.now;
    handle_events(end, time_);
}

/// The others cannot come back to an FMU that has stopped on its way: it goes on alone, with the inputs it has.
void Driver::catch_up(double target) {
    const double h = target - time_;
    rewind_.cut();
    for (const auto& participant : ensemble_.participants) {
        unsigned flags = is_before(participant->result.reached, target, h) ? unsigned{flag_early} : 0u;
        for (int i = 0; flags & flag_early; ++i) {
            const double reached = participant->result.reached;
            if (i == most_stalls)
                give_up({.kind = Failure::Kind::standstill, .participant = participant->number, .h = h});
            if (participant->result.terminate)
                break;
            if (participant->result.event && !events_.handle_alone(*participant, reached))
                ended_ = true;
            flags = participant->advance(reached, target - reached);
        }
        ended_ |= participant->result.terminate;
        if (flags & flag_failed || !participant->receive(ensemble_.signals.next.data()))
            give_up(participant->failure);
    }
    arrive(target, target);
}

std::size_t Driver::slowest() const {
    const auto reached = [](const auto& participant) { return participant->result.reached; };
    return (*std::ranges::min_element(ensemble_.participants, {}, reached))->number;
}

void Driver::shrink(double h, double error) {
    Failure failure;
    if (!rewind_.back(failure))
        give_up(failure);
    step_ = stepper().better_step(h, error);
    if (step_ < smallest_part * ensemble_.system.system.master.step)
        give_up({.kind = Failure::Kind::inaccurate,
                 .h = h,
                 .value = error,
                 .limit = ensemble_.system.system.master.tolerance});
}

void Driver::recover(const Failure& failure, double h) {
    Failure on_the_way;
    if (!rewind_.back(on_the_way))
        give_up(failure, fmt::format("; {} cannot be restored to t={}", ensemble_.who(on_the_way.participant),
                                     digits(time_)));
    if (failure.status == fmi::Status::fatal || failure.kind == Failure::Kind::unsuited)
        give_up(failure);
    const auto refuse = [&](const Participant& participant, const char* why) {
        give_up(failure, fmt::format("; the step cannot be tried again: fmu '{}' {}",
                                     printable(participant.name), why));
    };
    for (const auto& participant : ensemble_.participants)
        if (!participant->rollback)
            refuse(*participant, "does not support rollback");
    if (failure.kind == Failure::Kind::not_converged && scheme_.forget())
        return; // the same step once more, without what was learned before
    for (const auto& participant : ensemble_.participants)
        if (!participant->variable_step)
            refuse(*participant, "has a fixed step size");
    if (halvings_ == most_halvings)
        give_up(failure);
    ++halvings_;
    ++ensemble_.report.halvings;
    good_steps_ = 0;
    step_ = last_retry_ = h / 2;
    if (first_retry_ == 0)
        first_retry_ = step_;
}

std::string Driver::retries() const {
    if (first_retry_ == 0 && halvings_ == 0)
        return "";
    // Of this step; or earlier ones have made it as small as it is.
    const double first = first_retry_ > 0 ? first_retry_ : ensemble_.system.system.master.step / 2;
    const double last = first_retry_ > 0 ? last_retry_ : step_;
    constexpr double rounding = 1e-6; // halves of steps between times that are rounded
    return std::abs(first - last) <= rounding * first
               ? fmt::format("; retried h={:.6g}", first)
               : fmt::format("; retried h={:.6g} ... {:.2g}", first, last);
}

void Driver::give_up(const Failure& failure, const std::string& why) const {
    throw Error(ErrorKind::computation, describe(ensemble_, time_, failure) + retries() + why,
                ensemble_.participants[failure.participant]->name);
}

void Driver::write(ByteWriter& bytes) const {
    bytes.put(time_);
    bytes.put(step_);
    bytes.put(halvings_);
    bytes.put(good_steps_);
    bytes.put(ended_);
}

void Driver::read(ByteReader& bytes) {
    time_ = bytes.get<double>();
    step_ = bytes.get<double>();
    halvings_ = bytes.get<int>();
    good_steps_ = bytes.get<int>();
    ended_ = bytes.get<bool>();
    if (!std::isfinite(time_) || !(step_ > 0) || halvings_ < 0 || halvings_ > most_halvings ||
        good_steps_ < 0 || good_steps_ >= good_steps_before_growth)
        throw Error(
            ErrorKind::model,
            fmt::format("the checkpoint is damaged: t={}, steps up to {}, {} halvings, {} good steps since",
                        time_, step_, halvings_, good_steps_));
}

} // namespace tenon::master
