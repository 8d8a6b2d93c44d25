#pragma once
// One instance of the FMU under check, from instantiation to the end of a run. Every call that fails ends the check.

#include "tools/check/inputs.hpp"
#include "tools/check/probe.hpp"
#include "tools/check/sample.hpp"

namespace tenon::check {

struct SessionOptions {
    double phase = 0;                 ///< of the inputs: sessions with different phases go different ways
    std::optional<bool> excited = {}; ///< inputs move; as the experiment says where it is not given
    std::optional<double> stop = {};  ///< stop time told to the FMU
    bool may_go_back = false;         ///< so DoStep is told
    bool event_mode = false;          ///< also where the experiment does not need it
    fmi::LogSink log = {};
};

class Session {
  public:
    explicit Session(Probe& probe, SessionOptions options = {});

    /// enter() and leave().
    void initialize();
    void enter();
    /// Leaves initialization mode; in event mode goes on to step mode.
    void leave();

    /// Sets the inputs and makes the next step of the grid.
    void step();
    /// The same with another step size; the following step() goes on from there.
    void step(double h);
    Sample sample();
    /// A sample now and one after each of the steps.
    Trajectory run(int steps);
    void terminate() { probe_.require(slave_->terminate()); }
    /// Back to just after the construction.
    void reset();

    double time() const { return time_; }
    /// The FMU has asked for the end of the simulation, or has not come to the end of the last step (2.0): no more steps.
    bool ended() const { return ended_ || partial_; }
    bool stopped_halfway() const { return partial_; }
    fmi::Slave& slave() { return *slave_; }
    const Watch& watch() const { return watch_; }

    /// Where the session is, to be put back together with the state of the FMU.
    struct Position {
        int index = 0;
        double time = 0;
    };
    Position position() const { return {index_, time_}; }
    void set_position(const Position& position);

  private:
    void set_inputs();
    void handle_events();

    Probe& probe_;
    SessionOptions options_;
    const Experiment& experiment_;
    std::unique_ptr<fmi::Slave> slave_;
    Watch watch_;
    Inputs inputs_;
    bool event_mode_, excited_;
    int index_ = 0;
    double time_;
    bool ended_ = false, partial_ = false;
};

/// What to say where a run is not what it should be.
struct Expectation {
    std::string rule, what, hint;
};

/// Reports the first difference, where there is one, as an error. True where there is none.
bool expect_same(Probe& probe, const Watch& watch, const Trajectory& expected, const Trajectory& found,
                 const Expectation& expectation);

/// Runs the session along a trajectory, from its first sample to its last, and reports the first difference at once: the
/// next step may fail for it. True where there is none.
bool expect_run(Probe& probe, Session& session, const Trajectory& expected, const Expectation& expectation);

} // namespace tenon::check
