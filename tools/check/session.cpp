#include "tools/check/session.hpp"

namespace tenon::check {
namespace {

/// More rounds of one event than any model needs.
constexpr int most_event_rounds = 1000;

} // namespace

Session::Session(Probe& probe, SessionOptions options)
    : probe_(probe), options_(std::move(options)), experiment_(probe.experiment()),
      watch_(probe.description()), inputs_(probe.description()),
      event_mode_(options_.event_mode || experiment_.event_mode),
      excited_(options_.excited.value_or(experiment_.excited)), time_(experiment_.start) {
    fmi::InstanceOptions instance;
    instance.event_mode = event_mode_;
    instance.log = options_.log;
    slave_ = probe.instantiate(std::move(instance));
}

void Session::initialize() {
    enter();
    leave();
}

void Session::enter() {
    probe_.require(slave_->enter_initialization(experiment_.start, options_.stop, experiment_.tolerance));
    set_inputs();
}

void Session::leave() {
    probe_.require(slave_->exit_initialization());
    if (event_mode_)
        handle_events();
}

void Session::set_inputs() {
    if (excited_)
        probe_.require(inputs_.set(*slave_, inputs_.moved(index_, options_.phase)));
}

void Session::handle_events() {
    for (int round = 0;; ++round) {
        const fmi::EventResult result = slave_->update_discrete_states();
        probe_.require(result.status);
        ended_ = ended_ || result.terminate;
        if (!result.again)
            break;
        if (round == most_event_rounds)
            throw CallFailed(fmt::format("fmi3UpdateDiscreteStates asks for another round after {} at t = {}",
                                         most_event_rounds, time_));
    }
    probe_.require(slave_->enter_step_mode());
}

void Session::step() {
    step(experiment_.step);
    if (!partial_)
        time_ = experiment_.time(index_); // no sum of rounding errors
}

void Session::step(double h) {
    set_inputs();
    const fmi::StepResult result = slave_->step(time_, h, !options_.may_go_back);
    ended_ = result.terminate;
    partial_ = result.status == fmi::Status::discard && result.reached > time_ && !result.terminate;
    if (result.status == fmi::Status::discard && ended())
        return; // how FMI 2.0 says both
    probe_.require(result.status);
    if (result.early)
        throw CallFailed(
            fmt::format("fmi3DoStep(t = {}, h = {}) returned early at {} although it was not allowed to",
                        time_, h, result.reached));
    ++index_;
    time_ += h;
    if (result.event && event_mode_) {
        probe_.require(slave_->enter_event_mode());
        handle_events();
    }
}

Sample Session::sample() {
    Sample sample;
    probe_.require(watch_.read(*slave_, time_, sample));
    return sample;
}

Trajectory Session::run(int steps) {
    Trajectory trajectory{sample()};
    for (int i = 0; i < steps; ++i) {
        step();
        trajectory.push_back(sample());
    }
    return trajectory;
}

void Session::reset() {
    probe_.require(slave_->reset());
    set_position({0, experiment_.start});
    ended_ = partial_ = false;
}

void Session::set_position(const Position& position) {
    index_ = position.index;
    time_ = position.time;
}

bool expect_same(Probe& probe, const Watch& watch, const Trajectory& expected, const Trajectory& found,
                 const Expectation& expectation) {
    const auto difference = watch.difference(expected, found);
    if (difference)
        probe.error(expectation.rule, fmt::format("{}: {}", expectation.what, *difference), expectation.hint);
    return !difference;
}

bool expect_run(Probe& probe, Session& session, const Trajectory& expected, const Expectation& expectation) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (i > 0)
            session.step();
        if (!expect_same(probe, session.watch(), {expected[i]}, {session.sample()}, expectation))
            return false;
    }
    return true;
}

} // namespace tenon::check
