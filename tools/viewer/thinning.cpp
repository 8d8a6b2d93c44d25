#include "tools/viewer/thinning.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenon::viewer {
namespace {

// Of the page's data, in numbers of four bytes: 16 MB where all is kept or for the animation, 24 MB for curves. Browsers of
// phones still open that; a screen has less than 4000 columns of pixels to show it in.
constexpr std::uint64_t most_whole_values = 4'000'000;
constexpr std::uint64_t most_frame_values = 4'000'000, most_curve_values = 6'000'000;
constexpr std::uint64_t fewest_frames = 400, most_frames = 20'000;
constexpr std::uint64_t fewest_buckets = 250, most_buckets = 8'000;
constexpr std::uint64_t values_a_bucket = 3; ///< two values and two positions of half the size

std::uint64_t divided_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

std::uint16_t position(std::uint64_t row, std::uint64_t bucket) {
    return static_cast<std::uint16_t>(
        std::lround(65535.0 * static_cast<double>(row) / static_cast<double>(bucket)));
}

} // namespace

Thinning choose_thinning(std::uint64_t rows, std::size_t columns, std::size_t moving) {
    const std::uint64_t all = std::max<std::uint64_t>(columns, 1), moved = std::max<std::uint64_t>(moving, 1);
    if (rows <= most_whole_values / all)
        return {};
    const std::uint64_t frames = std::clamp(most_frame_values / moved, fewest_frames, most_frames);
    const std::uint64_t buckets =
        std::clamp(most_curve_values / (values_a_bucket * all), fewest_buckets, most_buckets);
    // A bucket of fewer rows than it takes numbers would be no saving.
    return {std::max<std::uint64_t>(1, divided_up(rows, frames)),
            std::max(values_a_bucket, divided_up(rows, buckets))};
}

Thinner::Thinner(const Thinning& thinning, std::vector<bool> moving)
    : moving_(std::move(moving)), extremes_(moving_.size()), last_(moving_.size()) {
    result_.thinning = thinning;
    result_.columns.resize(moving_.size());
}

void Thinner::begin_bucket(double time) {
    result_.buckets.push_back(time);
    std::fill(extremes_.begin(), extremes_.end(), results::Extremes());
}

void Thinner::end_bucket() {
    for (std::size_t i = 0; i < extremes_.size(); ++i) {
        const results::Extremes& e = extremes_[i];
        ThinColumn& column = result_.columns[i];
        const auto put = [&](const results::Extremes::Place& place) {
            column.values.push_back(e.any ? static_cast<float>(place.value - column.offset)
                                          : std::numeric_limits<float>::quiet_NaN());
            column.positions.push_back(position(place.row, result_.thinning.bucket));
        };
        const bool low_first = e.low.row <= e.high.row;
        put(low_first ? e.low : e.high);
        put(low_first ? e.high : e.low);
    }
}

void Thinner::add_frame(double time, std::span<const double> values) {
    result_.frames.push_back(time);
    for (std::size_t i = 0; i < values.size(); ++i)
        if (ThinColumn& column = result_.columns[i]; moving_[i])
            column.samples.push_back(static_cast<float>(values[i] - column.offset));
}

void Thinner::add(double time, std::span<const double> values) {
    const Thinning& thinning = result_.thinning;
    const std::uint64_t row = result_.rows++;
    for (std::size_t i = 0; i < values.size() && row == 0; ++i)
        result_.columns[i].offset = std::isfinite(values[i]) ? values[i] : 0;
    result_.stop = time;
    if (thinning.whole()) {
        result_.frames.push_back(time);
        for (std::size_t i = 0; i < values.size(); ++i)
            result_.columns[i].values.push_back(static_cast<float>(values[i] - result_.columns[i].offset));
        return;
    }
    const std::uint64_t within = row % thinning.bucket;
    if (row > 0 && within == 0)
        end_bucket();
    if (within == 0)
        begin_bucket(time);
    if (row == 0)
        for (std::size_t i = 0; i < values.size(); ++i)
            result_.columns[i].values.push_back(static_cast<float>(values[i] - result_.columns[i].offset));
    if (row % thinning.stride == 0)
        add_frame(time, values);
    for (std::size_t i = 0; i < values.size(); ++i)
        extremes_[i].add(within, values[i]);
    std::copy(values.begin(), values.end(), last_.begin());
}

ThinResult Thinner::finish() {
    if (result_.thinning.whole() || result_.rows == 0)
        return std::move(result_);
    end_bucket();
    for (std::size_t i = 0; i < last_.size(); ++i)
        result_.columns[i].values.push_back(static_cast<float>(last_[i] - result_.columns[i].offset));
    if ((result_.rows - 1) % result_.thinning.stride != 0)
        add_frame(result_.stop, last_);
    return std::move(result_);
}

} // namespace tenon::viewer
