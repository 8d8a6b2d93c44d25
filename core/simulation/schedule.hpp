#pragma once
// The times of a run: start + i h, and the stop time exactly.

#include <string>

namespace tenon {

class Schedule {
  public:
    /// `step` and `stop - start` are finite, the step is positive. A remainder below a millionth of a step is
    /// rounding and not a step of its own.
    /// Throws Error(usage) where stop is before start or there would be more than 1e15 steps.
    /// Where the stop time is not a whole number of steps away, the last step is a shorter one, or one of up to two steps.
    enum class Last { shorter, longer };
    Schedule(double start, double step, double stop, Last last = Last::shorter);

    long steps() const { return steps_; }
    /// After i steps; the last is the stop time, and differences are exact: time(i) + (time(i+1) - time(i)) is time(i+1).
    double time(long i) const { return i >= steps_ ? stop_ : start_ + static_cast<double>(i) * step_; }

    /// What is odd about them; empty where nothing is.
    std::string remark() const;

  private:
    double start_, step_, stop_;
    long steps_;
};

} // namespace tenon
