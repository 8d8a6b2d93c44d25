#include "tools/plot/draw.hpp"

#include "tools/plot/layout.hpp"

#include <array>
#include <cmath>

namespace tenon::plot {
namespace {

struct Look {
    Colour paper, text, frame, grid, faint_grid;
    std::array<Colour, most_colours> curves;
};

constexpr Colour rgb(int code) {
    return {((code >> 16) & 0xFF) / 255.0, ((code >> 8) & 0xFF) / 255.0, (code & 0xFF) / 255.0};
}

/// The colours of curves after Okabe and Ito, which people with any colour vision tell apart; their yellow is not seen on white
/// and is an olive here. The last two are for full panels.
constexpr Look light = {rgb(0xFFFFFF),
                        rgb(0x202428),
                        rgb(0x70767C),
                        rgb(0xDDE1E4),
                        rgb(0xEFF1F3),
                        {rgb(0x0072B2), rgb(0xD55E00), rgb(0x009E73), rgb(0xCC79A7), rgb(0xE69F00),
                         rgb(0x56B4E9), rgb(0x7A7A1E), rgb(0x4B4B4B)}};
constexpr Look night = {rgb(0x14181D),
                        rgb(0xE3E7EA),
                        rgb(0x8A9299),
                        rgb(0x323A42),
                        rgb(0x232A31),
                        {rgb(0x4CA6E8), rgb(0xFF8A3D), rgb(0x2FCB9B), rgb(0xE79AC4), rgb(0xF2BF4B),
                         rgb(0x9AD4F7), rgb(0xC2C25A), rgb(0xBDBDBD)}};

constexpr double curve_width = 1.5, grid_width = 0.8, frame_width = 1;
/// With several files the first one is a broad pale band, so that the dashed line of another one is seen upon it.
constexpr double band_width = 3.2, band_paleness = 0.5;
constexpr double mark_length = 4;

const std::vector<double>& dashes_of(std::size_t file) {
    static const std::array<std::vector<double>, most_dashes> dashes = {
        {{}, {6, 3}, {1.8, 2.4}, {8, 2.5, 1.8, 2.5}}};
    return dashes[file % dashes.size()];
}

Colour mixed(const Colour& a, const Colour& b, double part) {
    return {a.red + part * (b.red - a.red), a.green + part * (b.green - a.green),
            a.blue + part * (b.blue - a.blue)};
}

/// What lies left or right of a box is cut off, so that no coordinate is beyond what a page can have.
std::vector<Place> cut_to_width(const std::vector<Place>& places, const Box& box) {
    std::vector<Place> cut;
    const auto crossing = [](const Place& a, const Place& b, double x) -> Place {
        return {x, a.y + (b.y - a.y) * ((x - a.x) / (b.x - a.x))};
    };
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Place& here = places[i];
        for (const double edge : {box.x, box.right()})
            if (i > 0 && (places[i - 1].x < edge) != (here.x < edge) && places[i - 1].x != edge &&
                here.x != edge)
                cut.push_back(crossing(places[i - 1], here, edge));
        if (here.x >= box.x && here.x <= box.right())
            cut.push_back(here);
    }
    return cut;
}

class Drawing {
  public:
    Drawing(const Figure& figure, Canvas& canvas, double width, double height, bool dark)
        : figure_(figure), canvas_(canvas), look_(dark ? night : light),
          layout_(laid_out(figure, width, height, [&](std::string_view text, double size) {
              return canvas.text_width(text, size);
          })) {}

    void draw() {
        canvas_.fill(layout_.page, look_.paper);
        for (const LegendEntry& entry : layout_.files)
            legend_entry(entry, stroke_of(look_.text, entry.which));
        for (std::size_t i = 0; i < layout_.panels.size(); ++i)
            panel(figure_.panels[i], layout_.panels[i]);
        time_labels(layout_.panels.back().box);
    }

  private:
    bool several_files() const { return figure_.files.size() > 1; }

    Stroke stroke_of(const Colour& colour, std::size_t file) const {
        if (several_files() && file == 0)
            return {mixed(colour, look_.paper, band_paleness), band_width, {}};
        return {colour, curve_width, dashes_of(file)};
    }

    void legend_entry(const LegendEntry& entry, const Stroke& stroke) {
        const double y = entry.at.y - 0.36 * legend_size, x = entry.at.x - 6;
        canvas_.line({x - sample_length, y}, {x, y}, stroke);
        canvas_.text(entry.at, entry.text, legend_size, look_.text, Anchor::left);
    }

    double x_of(double time, const Box& box) const { return box.x + figure_.time.part(time) * box.width; }

    void panel(const Panel& panel, const PanelLayout& place) {
        grid(panel.axis, place);
        // The first file below the others, whatever the colour.
        for (std::size_t file = 0; file < figure_.files.size(); ++file)
            for (const Curve& curve : panel.curves)
                if (curve.file == file)
                    this->curve(curve, panel.axis, place.box);
        frame(panel.axis, place);
        for (const LegendEntry& entry : place.legend)
            legend_entry(entry, {look_.curves[entry.which], 2, {}});
        canvas_.rising_text({layout_.label_x, place.box.y + place.box.height / 2}, place.label, label_size,
                            look_.text);
    }

    static double y_of(double value, const Axis& axis, const Box& box) {
        return box.bottom() - axis.part(value) * box.height;
    }

    void grid(const Axis& axis, const PanelLayout& place) {
        const Box& box = place.box;
        for (const double value : place.ticks.minor)
            horizontal(y_of(value, axis, box), box, look_.faint_grid);
        for (const Tick& tick : place.ticks.major)
            horizontal(y_of(tick.value, axis, box), box, look_.grid);
        for (const Tick& tick : layout_.time.major)
            canvas_.line({x_of(tick.value, box), box.y}, {x_of(tick.value, box), box.bottom()},
                         {look_.grid, grid_width, {}});
    }

    void horizontal(double y, const Box& box, const Colour& colour) {
        canvas_.line({box.x, y}, {box.right(), y}, {colour, grid_width, {}});
    }

    void frame(const Axis& axis, const PanelLayout& place) {
        const Box& box = place.box;
        const Stroke stroke = {look_.frame, frame_width, {}};
        canvas_.line({box.x, box.y}, {box.x, box.bottom()}, stroke);
        canvas_.line({box.x, box.bottom()}, {box.right(), box.bottom()}, stroke);
        for (const Tick& tick : place.ticks.major) {
            const double y = y_of(tick.value, axis, box);
            canvas_.line({box.x - mark_length, y}, {box.x, y}, stroke);
            canvas_.text({box.x - mark_length - 3, y + 0.36 * tick_size}, tick.label, tick_size, look_.text,
                         Anchor::right);
        }
        for (const Tick& tick : layout_.time.major) {
            const double x = x_of(tick.value, box);
            canvas_.line({x, box.bottom()}, {x, box.bottom() + mark_length}, stroke);
        }
        canvas_.text(place.note, place.ticks.note, tick_size, look_.text, Anchor::left);
    }

    void time_labels(const Box& box) {
        for (const Tick& tick : layout_.time.major)
            canvas_.text({x_of(tick.value, box), box.bottom() + mark_length + 3 + 0.8 * tick_size},
                         tick.label, tick_size, look_.text, Anchor::middle);
        const std::string note = layout_.time.note.empty() ? "" : "  (" + layout_.time.note + ")";
        canvas_.text({box.x + box.width / 2, layout_.page.height - 12}, "time [s]" + note, label_size,
                     look_.text, Anchor::middle);
    }

    void curve(const Curve& curve, const Axis& axis, const Box& box) {
        const Stroke stroke = stroke_of(look_.curves[curve.colour], curve.file);
        // Half a line may reach over the edge; a curve along the edge is as broad as elsewhere.
        const Box clip = {box.x, box.y - 2, box.width + 2, box.height + 2};
        const auto columns = static_cast<std::size_t>(std::ceil(box.width * canvas_.scale()));
        std::vector<Place> places;
        const auto put = [&] {
            canvas_.curve(cut_to_width(places, box), stroke, clip);
            places.clear();
        };
        for (const Point& point : thinned(curve.points, columns)) {
            if (std::isfinite(point.value))
                places.push_back({x_of(point.time, box), y_of(point.value, axis, box)});
            else
                put();
        }
        put();
    }

    const Figure& figure_;
    Canvas& canvas_;
    const Look& look_;
    Layout layout_;
};

} // namespace

void draw(const Figure& figure, Canvas& canvas, double width, double height, bool dark) {
    Drawing(figure, canvas, width, height, dark).draw();
}

} // namespace tenon::plot
