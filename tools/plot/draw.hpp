#pragma once
// A figure on a canvas.

#include "tools/plot/canvas.hpp"
#include "tools/plot/figure.hpp"

namespace tenon::plot {

/// `width` and `height` in units of the canvas. Throws Error(usage) where they are too small.
void draw(const Figure& figure, Canvas& canvas, double width, double height, bool dark);

} // namespace tenon::plot
