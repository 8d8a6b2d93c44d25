#pragma once
// Where everything of a figure goes: panels of equal height below each other, their left edges in one line, legends above their
// panels, where they hide nothing.

#include "tools/plot/figure.hpp"
#include "tools/plot/geometry.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::plot {

/// Sizes of letters, in units of the layout.
inline constexpr double label_size = 13, tick_size = 12, legend_size = 12;
/// Of the short line before a name.
inline constexpr double sample_length = 22;

/// A short line as the curves have it, and a name behind it. `at` is the left end of the name's base line.
struct LegendEntry {
    Place at;
    std::string text;
    std::size_t which = 0; ///< the colour in a panel's legend, the file in that of the files
};

struct PanelLayout {
    Box box; ///< within the axes
    Ticks ticks;
    Place note; ///< left end of the base line of ticks.note
    std::vector<LegendEntry> legend;
    std::string label;
};

struct Layout {
    Box page;
    double label_x = 0; ///< base line of the rising labels
    Ticks time;
    std::vector<PanelLayout> panels;
    std::vector<LegendEntry> files; ///< empty where there is only one
};

/// The width of a text of a size.
using TextWidth = std::function<double(std::string_view text, double size)>;

/// Throws Error(usage) where the page is too small for so many panels.
Layout laid_out(const Figure& figure, double width, double height, const TextWidth& text_width);

/// The height that looks right for so many panels.
double usual_height(const Figure& figure);

} // namespace tenon::plot
