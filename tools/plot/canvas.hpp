#pragma once
// What a drawing needs, in units of the layout, on whatever cairo draws to. The only files of this folder that know cairo
// are this one and picture.cpp.

#include "tools/plot/geometry.hpp"

#include <cairo.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::plot {

struct Colour {
    double red = 0, green = 0, blue = 0;
};

struct Stroke {
    Colour colour;
    double width = 1;
    std::vector<double> dashes; ///< lengths on and off; empty: solid
};

enum class Anchor { left, middle, right };

class Canvas {
  public:
    /// `scale` dots of the surface for one unit.
    Canvas(cairo_surface_t* surface, double scale);

    double scale() const { return scale_; }
    double text_width(std::string_view text, double size) const;

    void fill(const Box& box, const Colour& colour);
    void line(const Place& from, const Place& to, const Stroke& stroke);
    /// Through all places; a single one is a dot. Only what lies in `clip` is seen.
    void curve(std::span<const Place> places, const Stroke& stroke, const Box& clip);
    /// The anchor is on the base line. UTF-8.
    void text(const Place& at, std::string_view text, double size, const Colour& colour, Anchor anchor);
    /// From below to above, its middle at `at`.
    void rising_text(const Place& at, std::string_view text, double size, const Colour& colour);

    /// Throws Error(computation) where something could not be drawn, for example because there is no font.
    void finish();

  private:
    struct Destroy {
        void operator()(cairo_t* context) const { cairo_destroy(context); }
    };

    void set_colour(const Colour& colour);
    void set_stroke(const Stroke& stroke);

    std::unique_ptr<cairo_t, Destroy> context_;
    double scale_;
};

} // namespace tenon::plot
