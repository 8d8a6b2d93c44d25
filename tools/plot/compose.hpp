#pragma once
// Results become a figure: which variables share a panel, how many there may be, which panels are logarithmic.

#include "tools/plot/figure.hpp"
#include "tools/plot/quantity.hpp"
#include "tools/results/result_reader.hpp"

#include <cmath>
#include <functional>
#include <optional>

namespace tenon::plot {

/// Variables of one panel, in the order in which they were chosen.
using Group = std::vector<Variable>;

struct Groups {
    std::vector<Group> panels;
    std::size_t left_out = 0; ///< variables for which there is no colour or no panel
};
/// One group for each panel_key, in the order of their first variables.
Groups grouped(std::span<const Variable> variables);

struct TimeWindow {
    double from = -HUGE_VAL, to = HUGE_VAL;
};

/// The chosen variables of one file within a window, and the rows next to it, so that curves reach the edges.
struct FileCurves {
    std::vector<std::vector<Point>>
        curves;             ///< one for each of `names`; empty where the file has no such variable
    std::uint64_t rows = 0; ///< of the file
    double first_time = NAN, last_time = NAN;
};

/// `between` is called now and then and may end the reading by an exception. Throws InputError as `reader` does.
FileCurves read_curves(results::ResultReader& reader, std::span<const std::string> names,
                       const TimeWindow& window, const std::function<void()>& between);

struct Wishes {
    TimeWindow window;
    std::optional<Scale> scale; ///< of all panels; without: chosen by chosen_scale
};

/// Least, greatest and least positive value within a window.
struct Range {
    double least = HUGE_VAL, greatest = -HUGE_VAL, least_positive = HUGE_VAL;

    void add(std::span<const Point> points, const TimeWindow& window);
    bool any() const { return least <= greatest; }
};

/// Logarithmic where nothing is negative, something is positive, and either all variables are violations, or they have
/// no unit and more than three decades lie between values above 0. A variable with a unit, such as a kinetic energy that
/// comes near zero twice a swing, is a course and not an order of magnitude.
Scale chosen_scale(const Group& group, const Range& range);

struct Composed {
    Figure figure;
    std::size_t not_logarithmic = 0; ///< panels without a positive value where a logarithmic scale was wished
    std::size_t cut = 0;             ///< logarithmic panels with values of 0 or below, which lie outside
};

/// `files` are what they are called; `curves` one for each, with the names of all groups one after the other.
Composed composed(const Groups& groups, const std::vector<std::string>& files,
                  const std::vector<FileCurves>& curves, const Wishes& wishes);

} // namespace tenon::plot
