#include "tools/plot/picture.hpp"

#include "core/math/error.hpp"
#include "tools/files/errors.hpp"
#include "tools/plot/draw.hpp"
#include "tools/plot/layout.hpp"

#include <algorithm>
#include <cairo-svg.h>
#include <cmath>
#include <set>

namespace tenon::plot {
namespace {

/// Units of the layout, of a picture of any size.
constexpr double layout_width = 900;
constexpr int default_width = 1600;
/// Letters do not become smaller than they were designed.
constexpr double least_scale = 0.8;

struct Destroy {
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
using Surface = std::unique_ptr<cairo_surface_t, Destroy>;

/// For cairo, which calls back from C: no exception may leave.
cairo_status_t append(void* text, const unsigned char* bytes, unsigned int length) noexcept {
    try {
        static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(bytes), length);
        return CAIRO_STATUS_SUCCESS;
    } catch (...) {
        return CAIRO_STATUS_NO_MEMORY;
    }
}

void require(cairo_status_t status) {
    if (status != CAIRO_STATUS_SUCCESS)
        throw Error(ErrorKind::computation,
                    std::string("the picture cannot be drawn: ") + cairo_status_to_string(status));
}

double scale_of(const Size& size) { return std::max(least_scale, size.width / layout_width); }

void draw_on(cairo_surface_t* surface, const Figure& figure, const Size& size, bool dark) {
    const double scale = scale_of(size);
    Canvas canvas(surface, scale);
    draw(figure, canvas, size.width / scale, size.height / scale, dark);
    canvas.finish();
}

std::string png(const Figure& figure, const Size& size, bool dark) {
    const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, size.width, size.height));
    require(cairo_surface_status(surface.get()));
    draw_on(surface.get(), figure, size, dark);
    std::string bytes;
    require(cairo_surface_write_to_png_stream(surface.get(), append, &bytes));
    return bytes;
}

/// For readers of screens and for searching; cairo draws letters as outlines, which look the same everywhere but say nothing.
std::string description(const Figure& figure) {
    std::set<std::string> names;
    for (const Panel& panel : figure.panels)
        for (const Curve& curve : panel.curves)
            names.insert(curve.name);
    std::string text = "<title>";
    for (std::size_t i = 0; i < figure.files.size(); ++i)
        text += (i > 0 ? ", " : "") + xml_text(figure.files[i]);
    text += "</title>\n<desc>Curves over time:";
    for (const std::string& name : names)
        text += " " + xml_text(name);
    return text + "</desc>\n";
}

std::string svg(const Figure& figure, const Size& size, bool dark) {
    std::string text;
    {
        const Surface surface(cairo_svg_surface_create_for_stream(append, &text, size.width, size.height));
        require(cairo_surface_status(surface.get()));
        cairo_svg_surface_set_document_unit(surface.get(), CAIRO_SVG_UNIT_PX);
        draw_on(surface.get(), figure, size, dark);
        cairo_surface_finish(surface.get());
        require(cairo_surface_status(surface.get()));
    }
    const std::size_t root = text.find("<svg");
    const std::size_t end = text.find('>', root);
    if (root == std::string::npos || end == std::string::npos)
        throw Error(ErrorKind::computation, "cairo wrote an SVG without its root element");
    text.insert(end + 1, "\n" + description(figure));
    return text;
}

} // namespace

Size usual_size(const Figure& figure, int width) {
    const int chosen = width > 0 ? width : default_width;
    const double height = usual_height(figure) * scale_of({chosen, 0});
    return {chosen, static_cast<int>(std::lround(height))};
}

std::string picture(const Figure& figure, Format format, const Size& size, bool dark) {
    return format == Format::png ? png(figure, size, dark) : svg(figure, size, dark);
}

std::string xml_text(std::string_view text) {
    std::string escaped;
    for (const char c : printable(text, 1000)) {
        if (c == '<')
            escaped += "&lt;";
        else if (c == '>')
            escaped += "&gt;";
        else if (c == '&')
            escaped += "&amp;";
        else
            escaped += c;
    }
    return escaped;
}

} // namespace tenon::plot
