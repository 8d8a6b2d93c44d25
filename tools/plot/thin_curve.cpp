#include "tools/plot/thin_curve.hpp"

#include "tools/results/extremes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tenon::plot {
namespace {

constexpr std::size_t most_a_column = 5;

void append_column(std::span<const Point> column, std::vector<Point>& kept) {
    results::Extremes extremes;
    for (std::size_t i = 0; i < column.size(); ++i)
        extremes.add(i, column[i].value);
    std::array<std::uint64_t, 4> chosen = {extremes.first.row, extremes.low.row, extremes.high.row,
                                           extremes.last.row};
    std::sort(chosen.begin(), chosen.end());
    const auto end = std::unique(chosen.begin(), chosen.end());
    for (auto i = chosen.begin(); extremes.any && i != end; ++i)
        kept.push_back(column[*i]);
    if (extremes.gap)
        kept.push_back({column.back().time, NAN});
}

} // namespace

std::vector<Point> thinned(std::span<const Point> points, std::size_t columns) {
    if (points.size() <= most_a_column * columns)
        return {points.begin(), points.end()};
    const double start = points.front().time, width = points.back().time - start;
    // All at one time are one column.
    const auto column_of = [&](const Point& point) {
        return width > 0 ? std::floor((point.time - start) / width * static_cast<double>(columns)) : 0.0;
    };
    std::vector<Point> kept;
    for (std::size_t first = 0; first < points.size();) {
        std::size_t end = first + 1;
        while (end < points.size() && column_of(points[end]) == column_of(points[first]))
            ++end;
        append_column(points.subspan(first, end - first), kept);
        first = end;
    }
    return kept;
}

void ThinCurve::add(double time, double value) {
    points_.push_back({time, value});
    if (points_.size() >= 2 * most_a_column * columns)
        points_ = thinned(points_, columns);
}

} // namespace tenon::plot
