#pragma once
// From values to places along an axis.

#include "tools/plot/ticks.hpp"

namespace tenon::plot {

enum class Scale { linear, log };

struct Axis {
    Scale scale = Scale::linear;
    double low = 0, high = 1;

    /// 0 at `low`, 1 at `high`. On a logarithmic axis, what is not above 0 lies below the axis.
    double part(double value) const;
    Ticks ticks(int wanted) const;
};

/// The range of some values with a margin of `margin` times its width at both ends; values that differ by no more than round-off
/// are drawn as the constant they are.
Axis linear_axis(double least, double greatest, double margin);

/// From the power of ten below `least_positive` to the one above `greatest`, but no more decades than doubles tell apart from a
/// number of the size of `greatest`.
Axis log_axis(double least_positive, double greatest);

} // namespace tenon::plot
