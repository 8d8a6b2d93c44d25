#include "tools/plot/axis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenon::plot {
namespace {

/// Of round-off: a curve that moves by less is a constant.
constexpr double constant_span = 4 * std::numeric_limits<double>::epsilon();
/// Violations of 1e-20 beside others of 1 are zeros.
constexpr double most_decades = 20;
/// Where values lie on a logarithmic axis that has no place for them: below, out of sight.
constexpr double far_below = -1;

} // namespace

double Axis::part(double value) const {
    if (scale == Scale::linear)
        return (value - low) / (high - low);
    if (!(value > 0))
        return far_below;
    return std::max(far_below, (std::log10(value) - std::log10(low)) / (std::log10(high) - std::log10(low)));
}

Ticks Axis::ticks(int wanted) const {
    return scale == Scale::linear ? linear_ticks(low, high, wanted) : log_ticks(low, high, wanted);
}

Axis linear_axis(double least, double greatest, double margin) {
    const double span = greatest - least, size = std::max(std::abs(least), std::abs(greatest));
    if (size == 0)
        return {Scale::linear, -1, 1};
    if (span <= constant_span * size)
        return {Scale::linear, least - 0.1 * size, greatest + 0.1 * size};
    return {Scale::linear, least - margin * span, greatest + margin * span};
}

Axis log_axis(double least_positive, double greatest) {
    const double high = std::ceil(std::log10(greatest) - 1e-9);
    double low = std::floor(std::log10(least_positive) + 1e-9);
    low = std::clamp(low, high - most_decades, high - 1);
    return {Scale::log, std::pow(10.0, low), std::pow(10.0, high)};
}

} // namespace tenon::plot
