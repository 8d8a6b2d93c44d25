#include "tools/plot/thin_curve.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tenon::plot {
namespace {

constexpr std::size_t most_a_column = 5;

void append_column(std::span<const Point> column, std::vector<Point>& kept) {
    const auto is_gap = [](const Point& point) { return !std::isfinite(point.value); };
    std::array<std::size_t, 4> chosen{};
    bool any = false, gap = false;
    for (std::size_t i = 0; i < column.size(); ++i) {
        gap = gap || is_gap(column[i]);
        if (is_gap(column[i]))
            continue;
        if (!any)
            chosen.fill(i);
        any = true;
        if (column[i].value < column[chosen[1]].value)
            chosen[1] = i;
        if (column[i].value > column[chosen[2]].value)
            chosen[2] = i;
        chosen[3] = i;
    }
    std::sort(chosen.begin(), chosen.end());
    const auto end = std::unique(chosen.begin(), chosen.end());
    for (auto i = chosen.begin(); any && i != end; ++i)
        kept.push_back(column[*i]);
    if (gap)
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
