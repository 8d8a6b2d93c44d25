// FMU states: what was saved must come back, in every bit of what follows.

#include "tools/check/dynamic_checks.hpp"
#include "tools/check/session.hpp"

#include <algorithm>
#include <random>

namespace tenon::check {
namespace {

Expectation after_restore(const std::string& what) {
    return {"rollback-differs", what,
            "a state holds all that the next step depends on: also inputs, parameters, solver memory, caches "
            "and warm "
            "starts"};
}

/// Frees its copy with itself; the FMU may have changed the handle.
class SavedState {
  public:
    SavedState(Probe& probe, Session& session) : session_(session) { save(probe); }
    ~SavedState() { session_.slave().discard(handle_); }
    SavedState(const SavedState&) = delete;
    SavedState& operator=(const SavedState&) = delete;

    /// Over the copy that it has.
    void save(Probe& probe) {
        probe.require(session_.slave().save(handle_));
        position_ = session_.position();
    }
    void restore(Probe& probe) {
        probe.require(session_.slave().restore(handle_));
        session_.set_position(position_);
    }
    int index() const { return position_.index; }

  private:
    Session& session_;
    fmi::StateHandle handle_ = nullptr;
    Session::Position position_;
};

void roll_back(Probe& probe) {
    const int steps = probe.experiment().steps;
    Session session(probe);
    session.initialize();
    const std::array<int, 3> moments = {0, steps / 3, 2 * steps / 3};
    std::vector<std::unique_ptr<SavedState>> states;
    Trajectory expected{session.sample()};
    for (int i = 0; i < steps; ++i) {
        if (std::find(moments.begin(), moments.end(), i) != moments.end())
            states.push_back(std::make_unique<SavedState>(probe, session));
        session.step();
        expected.push_back(session.sample());
    }
    for (auto state = states.rbegin(); state != states.rend(); ++state) {
        (*state)->restore(probe);
        const int index = (*state)->index();
        const Trajectory rest(expected.begin() + index, expected.end());
        if (!expect_run(probe, session, rest,
                        after_restore(fmt::format("continued from the state at t = {}, the run differs",
                                                  rest.front().time))))
            return; // the others would say the same
    }
}

void roll_back_initialization(Probe& probe) {
    Session session(probe);
    session.enter();
    SavedState state(probe, session);
    session.leave();
    const Trajectory expected = session.run(probe.experiment().steps);
    state.restore(probe);
    session.leave(); // the state knows that it was in initialization mode
    expect_run(probe, session, expected,
               after_restore("continued from the state in initialization mode, the run differs"));
}

void keep_many_copies(Probe& probe) {
    const int steps = probe.experiment().steps;
    Session session(probe);
    session.initialize();
    std::vector<std::unique_ptr<SavedState>> states;
    Trajectory expected{session.sample()};
    for (int i = 0; i < steps; ++i) {
        states.push_back(std::make_unique<SavedState>(probe, session));
        session.step();
        expected.push_back(session.sample());
    }
    std::vector<std::size_t> order(states.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::shuffle(order.begin(), order.end(), std::minstd_rand(1)); // NOLINT: the same order every time
    for (const std::size_t i : order) {
        states[i]->restore(probe);
        if (!expect_run(probe, session, {expected[i], expected[i + 1]},
                        {"copies-differ",
                         fmt::format("one step from copy {} of {} differs", i + 1, states.size()),
                         "copies must be independent of each other and of the instance"}))
            return;
        // Written over while others are alive: the next in the order must not notice.
        states[i]->save(probe);
    }
    fmi::StateHandle none = nullptr;
    probe.require(session.slave().discard(none));
}

/// With the flag false in every step, as a master passes it that may go further back, and true, as one that never does.
void compare_flags(Probe& probe) {
    const int steps = probe.experiment().steps;
    Session usual(probe);
    usual.initialize();
    const Trajectory expected = usual.run(steps);
    Session session(probe, {.may_go_back = true});
    session.initialize();
    expect_run(probe, session, expected,
               {"flag-differs",
                "with noSetFMUStatePriorToCurrentPoint false the run differs from the one with true",
                "the flag says what may be forgotten; a step must be made whatever it is"});
}

void compare_saving(Probe& probe) {
    const int steps = probe.experiment().steps;
    Session usual(probe);
    usual.initialize();
    const Trajectory expected = usual.run(steps);
    Session session(probe);
    session.initialize();
    std::unique_ptr<SavedState> state;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (i > 0) {
            if (state)
                state->save(probe);
            else
                state = std::make_unique<SavedState>(probe, session);
            session.step();
        }
        if (!expect_same(probe, session.watch(), {expected[i]}, {session.sample()},
                         {"saving-differs", "when the state is saved before each step, the run differs",
                          "getting the state must not change the instance"}))
            return;
    }
}

} // namespace

void check_step_flag(Runner& runner) { runner.in_child(compare_flags); }

void check_saving(Runner& runner) { runner.in_child(compare_saving); }

void check_rollback(Runner& runner) { runner.in_child(roll_back); }

void check_initial_state(Runner& runner) { runner.in_child(roll_back_initialization); }

void check_copies(Runner& runner) { runner.in_child(keep_many_copies); }

} // namespace tenon::check
