#pragma once
// A run at the pace of the clock: after each step it waits until the clock has come to the step's time, never the other way round.
//
//   due(t) = start of the clock + (t - t_start) / factor        lateness of a step = clock at its end - due, where that is positive
//
// A late step is not caught up by force: the next ones simply do not wait until the run is in time again.

#include <chrono>
#include <cmath>
#include <functional>

namespace tenon::run {

/// What came of it. NaN where no pace was asked for.
struct PaceReport {
    double factor = NAN;         ///< seconds of the run in a second of the clock
    double worst_lateness = NAN; ///< s of the clock
    long overruns = 0;           ///< steps that ended after their time
    double processor =
        NAN; ///< time of the processor over that of the clock; of this process, all its threads
};

class Pace {
  public:
    /// The clock starts here, at `time` of the run.
    Pace(double factor, double time);

    /// A step to `time` has ended: waits until it is due, or until `stops` says so, which is asked several times a second.
    void wait(double time, const std::function<bool()>& stops);
    PaceReport report() const;

  private:
    using Clock = std::chrono::steady_clock;
    static double processor_seconds();
    double seconds() const { return std::chrono::duration<double>(Clock::now() - begun_).count(); }

    double factor_, start_;
    Clock::time_point begun_ = Clock::now();
    double processor_begun_;
    double worst_ = 0;
    long overruns_ = 0;
};

} // namespace tenon::run
