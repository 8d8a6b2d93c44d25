#include "tools/plot/layout.hpp"

#include "core/math/error.hpp"
#include "tools/files/errors.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace tenon::plot {
namespace {

constexpr double page_margin = 12;
constexpr double legend_row = 18, legend_gap = 18, sample_gap = 6; ///< between rows, entries, line and name
constexpr double panel_gap = 14;                                   ///< below a panel, before the next legend
constexpr double tick_gap = 7, label_gap = 12;
constexpr double least_panel_height = 40, least_panel_width = 100;
constexpr double tick_distance_y = 38, tick_distance_x = 90; ///< about, from one label to the next
/// Of a name that fits on no page; its end tells more than its beginning.
constexpr std::size_t longest_name = 200;

int wanted_ticks(double length, double distance) { return std::max(2, static_cast<int>(length / distance)); }

/// The end of `text` that is no wider than `room`, behind three dots where something is missing.
std::string shortened(const std::string& text, double room, double size, const TextWidth& text_width) {
    if (text_width(text, size) <= room)
        return text;
    for (std::size_t from = 1; from < text.size(); ++from) {
        if ((static_cast<unsigned char>(text[from]) & 0xC0) == 0x80)
            continue; // within a character
        std::string end = "\u2026" + text.substr(from);
        if (text_width(end, size) <= room)
            return end;
    }
    return "\u2026";
}

/// Puts names side by side, in as many rows as it takes.
class LegendWriter {
  public:
    LegendWriter(double left, double right, double top, const TextWidth& text_width)
        : left_(left), right_(right), x_(left), y_(top), text_width_(text_width) {}

    /// The first row begins later, because something else stands there.
    void keep_free(double until) { x_ = std::max(x_, until); }

    void add(const std::string& name, std::size_t which) {
        const double before = sample_length + sample_gap;
        const std::string text =
            shortened(printable(name, longest_name), right_ - left_ - before, legend_size, text_width_);
        const double width = before + text_width_(text, legend_size);
        if (x_ > left_ && x_ + width > right_) {
            x_ = left_;
            y_ += legend_row;
        }
        entries_.push_back({{x_ + before, y_ + legend_size}, text, which});
        x_ += width + legend_gap;
    }

    double bottom() const { return y_ + legend_row; }
    std::vector<LegendEntry> take() { return std::move(entries_); }

  private:
    double left_, right_, x_, y_;
    const TextWidth& text_width_;
    std::vector<LegendEntry> entries_;
};

class LayoutMaker {
  public:
    LayoutMaker(const Figure& figure, double width, double height, const TextWidth& text_width)
        : figure_(figure), text_width_(text_width) {
        layout_.page = {0, 0, width, height};
        layout_.label_x = page_margin + label_size * 0.8;
    }

    Layout make() {
        left_ = 70;
        place(); // a first time for the labels that tell how far right the panels begin
        left_ = layout_.label_x + label_gap + widest_tick() + tick_gap;
        place();
        return std::move(layout_);
    }

  private:
    void place() {
        right_ = layout_.page.width - page_margin - 10; // half of the last label of time
        layout_.panels.assign(figure_.panels.size(), {});
        layout_.files.clear();
        const double top = place_files(page_margin);
        const double bottom =
            layout_.page.height - page_margin - label_size - label_gap / 2 - tick_size - tick_gap;
        // Ticks need the height, notes need the ticks, legends the notes, and the height the legends: a legend with a note
        // before it may take one row more than was thought.
        double legends = 0;
        for (std::size_t i = 0; i < figure_.panels.size(); ++i)
            legends += place_legend(i, 0);
        set_heights(bottom - top - legends);
        legends = 0;
        for (std::size_t i = 0; i < figure_.panels.size(); ++i)
            legends += place_legend(i, 0);
        set_heights(bottom - top - legends);
        double y = top;
        for (std::size_t i = 0; i < figure_.panels.size(); ++i) {
            y += place_legend(i, y);
            layout_.panels[i].box.y = y;
            y += layout_.panels[i].box.height + panel_gap;
        }
        layout_.time = figure_.time.ticks(wanted_ticks(right_ - left_, tick_distance_x));
    }

    double place_files(double top) {
        if (figure_.files.size() < 2)
            return top;
        LegendWriter legend(left_, right_, top, text_width_);
        for (std::size_t i = 0; i < figure_.files.size(); ++i)
            legend.add(figure_.files[i], i);
        layout_.files = legend.take();
        return legend.bottom() + 4;
    }

    /// Returns its height.
    double place_legend(std::size_t index, double top) {
        PanelLayout& panel = layout_.panels[index];
        LegendWriter legend(left_, right_, top, text_width_);
        if (!panel.ticks.note.empty()) {
            panel.note = {layout_.label_x + label_gap, top + legend_size};
            legend.keep_free(panel.note.x + text_width_(panel.ticks.note, tick_size) + legend_gap);
        }
        std::vector<bool> named(most_colours, false);
        for (const Curve& curve : figure_.panels[index].curves)
            if (!named[curve.colour]) {
                named[curve.colour] = true;
                legend.add(curve.name, curve.colour);
            }
        panel.legend = legend.take();
        return legend.bottom() - top;
    }

    void set_heights(double room) {
        const auto count = static_cast<double>(figure_.panels.size());
        const double height = (room - (count - 1) * panel_gap) / count;
        if (height < least_panel_height || right_ - left_ < least_panel_width)
            throw Error(ErrorKind::usage,
                        fmt::format("the picture is too small for {} panels and their legends; give a larger "
                                    "--size or fewer --vars",
                                    figure_.panels.size()));
        for (std::size_t i = 0; i < figure_.panels.size(); ++i) {
            PanelLayout& panel = layout_.panels[i];
            panel.box = {left_, 0, right_ - left_, height};
            panel.ticks = figure_.panels[i].axis.ticks(wanted_ticks(height, tick_distance_y));
            panel.label = shortened(printable(figure_.panels[i].label, longest_name), height + panel_gap,
                                    label_size, text_width_);
        }
    }

    double widest_tick() const {
        double widest = 20;
        for (const PanelLayout& panel : layout_.panels)
            for (const Tick& tick : panel.ticks.major)
                widest = std::max(widest, text_width_(tick.label, tick_size));
        return widest;
    }

    const Figure& figure_;
    const TextWidth& text_width_;
    double left_ = 0, right_ = 0; ///< of all panels
    Layout layout_;
};

} // namespace

Layout laid_out(const Figure& figure, double width, double height, const TextWidth& text_width) {
    return LayoutMaker(figure, width, height, text_width).make();
}

double usual_height(const Figure& figure) {
    const std::size_t count = figure.panels.size();
    const double panel = count == 1 ? 400 : count == 2 ? 260 : count == 3 ? 215 : 180;
    return 60 + panel * static_cast<double>(count);
}

} // namespace tenon::plot
