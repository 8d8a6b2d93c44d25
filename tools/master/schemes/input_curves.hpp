#pragma once
// The inputs of all participants over a step, as polynomials in s = t - start of the step:
//
//     u(s) = c0 + c1 s + c2 s^2
//
// of at most the order that the system asks for. Explicit schemes put them through the last values known (extrapolation),
// implicit ones through the value at the end of the step too (interpolation). Inputs that are not continuous stay at
// the newest value. The inputs' history starts anew where an event has made them jump.

#include "tools/master/participant.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace tenon::master {

class InputCurves {
  public:
    /// For `continuous.size()` inputs, which may be continuous or not.
    InputCurves(int order, const std::vector<char>& continuous);

    int order() const { return order_; }
    /// How many past values there are, the one at the step's start included.
    std::size_t known() const { return times_.size(); }

    /// A step begins at `t` with the inputs `u`. What was noted for `t` and later is forgotten: the step is made again.
    void begin(double t, std::span<const double> u);
    /// The inputs have jumped: the past says nothing about the future.
    void forget();

    /// Through the values up to the step's start.
    void extrapolate(std::size_t first, std::size_t count);
    /// Through the value at s = h as well; with order 0 a constant: that value.
    void interpolate(std::size_t slot, double end, double h);

    double at(std::size_t slot, double s) const { return c0_[slot] + s * (c1_[slot] + s * c2_[slot]); }
    /// Over the step of length h: what an FMU gets that cannot do better.
    double mean(std::size_t slot, double h) const {
        return c0_[slot] + h * (c1_[slot] / 2 + h * c2_[slot] / 3);
    }
    double value(std::size_t slot) const { return c0_[slot]; }
    /// At s = 0, of order 1 or 2.
    double derivative(std::size_t slot, int order) const { return order == 1 ? c1_[slot] : 2 * c2_[slot]; }
    /// The start of the step.
    double start() const { return times_.back(); }

    /// For checkpoints: times, newest last, and the values that belong to them.
    const std::vector<double>& times() const { return times_; }
    const std::vector<double>& values(std::size_t i) const { return values_[i]; }

  private:
    /// Two are needed beside the newest; one more for each step that may be taken back.
    static constexpr std::size_t most_known = 6;

    int order_;
    const std::vector<char>& continuous_;
    std::vector<double> times_;
    std::vector<std::vector<double>> values_; ///< most_known of them; the first times_.size() are in use
    std::vector<double> c0_, c1_, c2_;
};

} // namespace tenon::master
