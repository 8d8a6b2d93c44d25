#pragma once
// A run, of a model or of a system, from what is asked for to its summary. What a program calls; the command only shows it.

#include "core/simulation/run_loop.hpp"
#include "tools/results/recorder.hpp"
#include "tools/run/pace.hpp"
#include "tools/run/summary.hpp"

#include <chrono>
#include <memory>
#include <optional>

namespace tenon::run {

/// Who watches a run from outside.
class Watcher {
  public:
    virtual ~Watcher() = default;

    virtual void warn(const std::string&) {}
    /// All inputs are read and in order; nothing is written and no FMU is started yet.
    virtual void prepare() {}
    /// An FMU, or the master where the name is empty, says something. May come from several threads.
    virtual void fmu_says(const std::string&, fmi::Status, const std::string&) {}
    /// All FMUs are initialised.
    virtual void started(const master::Master&) {}
    /// The first step comes next; the run goes from `start` to `stop`.
    virtual void begins(double, double) {}
    /// After every step.
    virtual void stepped(double) {}
    /// A checkpoint has been written.
    virtual void checkpointed() {}
    /// Asked after every step; true ends the run.
    virtual bool stops() { return false; }
};

class Run {
  public:
    virtual ~Run() = default;

    /// Until the stop time. Throws Error, InputError, OutputError or fmi::LoadError; the summary says all the same what was reached.
    virtual Ending run(Watcher& watcher) = 0;
    /// At any time, also while it runs.
    virtual const Summary& summary() = 0;
    /// What there is after a failure, for the message: "; 7 rows up to t = 0.6 kept in FILE". Closes the results.
    virtual std::string kept();

  protected:
    using Clock = std::chrono::steady_clock;
    /// The clock of a run in real time starts; `factor`: seconds of the run in one of the clock, nothing: as fast as it goes.
    void start_pace(std::optional<double> factor, double time) {
        if (factor)
            pace_.emplace(*factor, time);
    }
    /// After a step to `time`.
    void keep_pace(double time, Watcher& watcher) {
        if (pace_)
            pace_->wait(time, [&watcher] { return watcher.stops(); });
    }
    double seconds() const { return std::chrono::duration<double>(Clock::now() - begun_).count(); }

    Summary summary_;
    std::unique_ptr<results::Recorder> recorder_; ///< null: no results
    Clock::time_point begun_;
    std::optional<Pace> pace_; ///< of a run in real time
};

} // namespace tenon::run
