#pragma once
// Places on a page, in units of the layout.

namespace tenon::plot {

struct Place {
    double x = 0, y = 0; ///< y downwards
};

struct Box {
    double x = 0, y = 0, width = 0, height = 0;

    double right() const { return x + width; }
    double bottom() const { return y + height; }
};

} // namespace tenon::plot
