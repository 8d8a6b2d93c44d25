#include "tools/plot/compose.hpp"

#include <algorithm>

namespace tenon::plot {
namespace {

/// Of its range, left free above and below the curves of a panel.
constexpr double margin = 0.06;
/// From the smallest value above 0 to the largest: what a linear axis would squeeze to its foot.
constexpr double wide_span = 1e3;

/// Rows outside the window are not drawn, but the nearest ones carry the curves to its edges.
class WindowReader {
  public:
    WindowReader(std::vector<std::size_t> columns, const TimeWindow& window)
        : columns_(std::move(columns)), window_(window), curves_(columns_.size()), before_(columns_.size()) {}

    void add(double time, std::span<const double> row) {
        const bool inside = time >= window_.from && time <= window_.to;
        if (time < window_.from)
            remember(time, row);
        else if (inside || !beyond_)
            append(time, row);
        beyond_ = beyond_ || time > window_.to;
    }

    std::vector<std::vector<Point>> finish() const {
        std::vector<std::vector<Point>> points;
        for (const ThinCurve& curve : curves_)
            points.push_back(curve.points());
        return points;
    }

  private:
    void remember(double time, std::span<const double> row) {
        for (std::size_t i = 0; i < columns_.size(); ++i)
            if (columns_[i] < row.size())
                before_[i] = {time, row[columns_[i]]};
        any_before_ = true;
    }

    void append(double time, std::span<const double> row) {
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            if (columns_[i] >= row.size())
                continue;
            if (any_before_)
                curves_[i].add(before_[i].time, before_[i].value);
            curves_[i].add(time, row[columns_[i]]);
        }
        any_before_ = false;
    }

    std::vector<std::size_t> columns_; ///< beyond the row where the file has no such variable
    TimeWindow window_;
    std::vector<ThinCurve> curves_;
    std::vector<Point> before_;
    bool any_before_ = false, beyond_ = false;
};

Axis panel_axis(Scale scale, const Range& range) {
    if (!range.any())
        return {};
    return scale == Scale::log ? log_axis(range.least_positive, range.greatest)
                               : linear_axis(range.least, range.greatest, margin);
}

Axis time_axis(const std::vector<FileCurves>& curves, const TimeWindow& window) {
    double from = HUGE_VAL, to = -HUGE_VAL;
    for (const FileCurves& file : curves) {
        from = std::min(from, file.first_time);
        to = std::max(to, file.last_time);
    }
    from = std::isfinite(window.from) ? window.from : from;
    to = std::isfinite(window.to) ? window.to : to;
    return linear_axis(from, to, 0);
}

} // namespace

Groups grouped(std::span<const Variable> variables) {
    Groups groups;
    for (const Variable& variable : variables) {
        auto group = std::find_if(groups.panels.begin(), groups.panels.end(), [&](const Group& other) {
            return panel_key(other.front()) == panel_key(variable);
        });
        if (group != groups.panels.end() && group->size() < most_colours)
            group->push_back(variable);
        else if (group == groups.panels.end() && groups.panels.size() < most_panels)
            groups.panels.push_back({variable});
        else
            ++groups.left_out;
    }
    return groups;
}

FileCurves read_curves(results::ResultReader& reader, std::span<const std::string> names,
                       const TimeWindow& window, const std::function<void()>& between) {
    const std::vector<std::string> all = reader.heading().names();
    std::vector<std::size_t> columns;
    for (const std::string& name : names)
        columns.push_back(static_cast<std::size_t>(std::find(all.begin(), all.end(), name) - all.begin()));
    WindowReader curves(std::move(columns), window);
    FileCurves file;
    std::vector<double> times, values;
    while (reader.read(times, values)) {
        for (std::size_t row = 0; row < times.size(); ++row)
            curves.add(times[row], std::span(values).subspan(row * all.size(), all.size()));
        if (file.rows == 0 && !times.empty())
            file.first_time = times.front();
        file.rows += times.size();
        file.last_time = times.empty() ? file.last_time : times.back();
        between();
    }
    file.curves = curves.finish();
    return file;
}

void Range::add(std::span<const Point> points, const TimeWindow& window) {
    for (const Point& point : points) {
        if (!std::isfinite(point.value) || point.time < window.from || point.time > window.to)
            continue;
        least = std::min(least, point.value);
        greatest = std::max(greatest, point.value);
        if (point.value > 0)
            least_positive = std::min(least_positive, point.value);
    }
}

Scale chosen_scale(const Group& group, const Range& range) {
    if (!range.any() || range.least < 0 || !(range.greatest > 0))
        return Scale::linear;
    const bool violations = std::all_of(
        group.begin(), group.end(), [](const Variable& variable) { return says_violation(variable.name); });
    const bool unitless = std::all_of(group.begin(), group.end(),
                                      [](const Variable& variable) { return variable.unit.empty(); });
    const bool wide = range.least > 0 && range.greatest > wide_span * range.least;
    return violations || (unitless && wide) ? Scale::log : Scale::linear;
}

Composed composed(const Groups& groups, const std::vector<std::string>& files,
                  const std::vector<FileCurves>& curves, const Wishes& wishes) {
    Composed result;
    result.figure.files = files;
    result.figure.time = time_axis(curves, wishes.window);
    std::size_t index = 0;
    for (const Group& group : groups.panels) {
        Panel panel;
        panel.label = panel_label(group);
        Range range;
        for (std::size_t k = 0; k < group.size(); ++k, ++index)
            for (std::size_t file = 0; file < files.size(); ++file) {
                const std::vector<Point>& points = curves[file].curves[index];
                range.add(points, wishes.window);
                if (!points.empty())
                    panel.curves.push_back({group[k].name, k, file, points});
            }
        Scale scale = wishes.scale.value_or(chosen_scale(group, range));
        if (scale == Scale::log && !(range.any() && range.greatest > 0)) {
            scale = Scale::linear;
            ++result.not_logarithmic;
        }
        if (scale == Scale::log && wishes.scale && range.least <= 0)
            ++result.cut;
        panel.axis = panel_axis(scale, range);
        result.figure.panels.push_back(std::move(panel));
    }
    return result;
}

} // namespace tenon::plot
