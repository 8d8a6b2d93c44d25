#include "tools/plot/canvas.hpp"

#include "core/math/error.hpp"

#include <fmt/format.h>
#include <numbers>

namespace tenon::plot {
namespace {

/// Has Greek letters, raised digits and the minus; where it is not installed, fontconfig takes what comes nearest.
constexpr const char* font = "DejaVu Sans";

} // namespace

Canvas::Canvas(cairo_surface_t* surface, double scale) : context_(cairo_create(surface)), scale_(scale) {
    cairo_scale(context_.get(), scale, scale);
    cairo_select_font_face(context_.get(), font, CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    // Widths that do not depend on the grid of pixels, so that PNG and SVG have the same layout.
    cairo_font_options_t* options = cairo_font_options_create();
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(context_.get(), options);
    cairo_font_options_destroy(options);
    cairo_set_line_join(context_.get(), CAIRO_LINE_JOIN_ROUND);
}

double Canvas::text_width(std::string_view text, double size) const {
    cairo_set_font_size(context_.get(), size);
    cairo_text_extents_t extents{};
    cairo_text_extents(context_.get(), std::string(text).c_str(), &extents);
    return extents.x_advance;
}

void Canvas::set_colour(const Colour& colour) {
    cairo_set_source_rgb(context_.get(), colour.red, colour.green, colour.blue);
}

void Canvas::set_stroke(const Stroke& stroke) {
    set_colour(stroke.colour);
    cairo_set_line_width(context_.get(), stroke.width);
    cairo_set_dash(context_.get(), stroke.dashes.data(), static_cast<int>(stroke.dashes.size()), 0);
}

void Canvas::fill(const Box& box, const Colour& colour) {
    set_colour(colour);
    cairo_rectangle(context_.get(), box.x, box.y, box.width, box.height);
    cairo_fill(context_.get());
}

void Canvas::line(const Place& from, const Place& to, const Stroke& stroke) {
    set_stroke(stroke);
    cairo_move_to(context_.get(), from.x, from.y);
    cairo_line_to(context_.get(), to.x, to.y);
    cairo_stroke(context_.get());
}

void Canvas::curve(std::span<const Place> places, const Stroke& stroke, const Box& clip) {
    cairo_t* context = context_.get();
    if (places.empty())
        return;
    cairo_save(context);
    cairo_rectangle(context, clip.x, clip.y, clip.width, clip.height);
    cairo_clip(context);
    set_stroke(stroke);
    if (places.size() == 1) {
        cairo_arc(context, places[0].x, places[0].y, 1.5 * stroke.width, 0, 2 * std::numbers::pi);
        cairo_fill(context);
    }
    for (const Place& place : places)
        cairo_line_to(context, place.x, place.y);
    cairo_stroke(context);
    cairo_restore(context);
}

void Canvas::text(const Place& at, std::string_view text, double size, const Colour& colour, Anchor anchor) {
    const double width = text_width(text, size);
    const double shift = anchor == Anchor::left ? 0 : anchor == Anchor::middle ? width / 2 : width;
    set_colour(colour);
    cairo_move_to(context_.get(), at.x - shift, at.y);
    cairo_show_text(context_.get(), std::string(text).c_str());
    cairo_new_path(context_.get());
}

void Canvas::rising_text(const Place& at, std::string_view text, double size, const Colour& colour) {
    cairo_save(context_.get());
    cairo_translate(context_.get(), at.x, at.y);
    cairo_rotate(context_.get(), -std::numbers::pi / 2);
    this->text({0, 0}, text, size, colour, Anchor::middle);
    cairo_restore(context_.get());
}

void Canvas::finish() {
    cairo_surface_t* surface = cairo_get_target(context_.get());
    cairo_surface_flush(surface);
    cairo_status_t status = cairo_status(context_.get());
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    if (status != CAIRO_STATUS_SUCCESS)
        throw Error(ErrorKind::computation,
                    fmt::format("the picture cannot be drawn: {}; is a font installed "
                                "(Debian: fonts-dejavu-core)?",
                                cairo_status_to_string(status)));
}

} // namespace tenon::plot
