#pragma once
// A picture as plain data: panels one below the other with one axis of time, curves in them.

#include "tools/plot/axis.hpp"
#include "tools/plot/thin_curve.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tenon::plot {

struct Curve {
    std::string name;       ///< as in the result, whatever is in it
    std::size_t colour = 0; ///< the same for a variable in all files
    std::size_t file = 0;   ///< of Figure::files
    std::vector<Point> points;
};

struct Panel {
    std::string label; ///< of its axis, with the unit
    Axis axis;
    std::vector<Curve> curves;
};

struct Figure {
    std::vector<std::string> files; ///< what they are called in the picture; one: not said
    Axis time;
    std::vector<Panel> panels;
};

/// Colours and dashes that are told apart at a glance; more curves in a panel are not.
inline constexpr std::size_t most_colours = 8, most_dashes = 4;
/// More panels than these do not fit on a page.
inline constexpr std::size_t most_panels = 8;

} // namespace tenon::plot
