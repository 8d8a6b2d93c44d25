// Heights on a grid, z[i][j] at x_i, y_j, bicubic in between: cubics through the points whose slopes are the central
// differences of the neighbours (one-sided at the border), along y in four lines, then along x. Continuous with its gradient.
// Outside of the grid the road is as at its border.

#include "core/model/roads/road_features.hpp"

#include <algorithm>
#include <array>

namespace tenon::roads {
namespace {

struct Sample {
    double value = 0, slope = 0;
};

class Line {
  public:
    explicit Line(std::vector<double> x) : x_(std::move(x)) {}

    std::size_t size() const { return x_.size(); }
    double clamped(double at) const { return std::clamp(at, x_.front(), x_.back()); }
    bool inside(double at) const { return at > x_.front() && at < x_.back(); }
    std::size_t interval(double at) const { return interval_of(x_, at); }

    /// The cubic over interval i for the values f(0), f(1), ... at its points.
    template <class F> Sample at(std::size_t i, double x, const F& f) const {
        const double h = x_[i + 1] - x_[i], u = (x - x_[i]) / h;
        const double f0 = f(i), f1 = f(i + 1);
        const double d0 = h * (i > 0 ? (f1 - f(i - 1)) / (x_[i + 1] - x_[i - 1]) : (f1 - f0) / h);
        const double d1 = h * (i + 2 < size() ? (f(i + 2) - f0) / (x_[i + 2] - x_[i]) : (f1 - f0) / h);
        const double c2 = 3 * (f1 - f0) - 2 * d0 - d1, c3 = d0 + d1 - 2 * (f1 - f0);
        return {f0 + u * (d0 + u * (c2 + u * c3)), (d0 + u * (2 * c2 + 3 * u * c3)) / h};
    }

  private:
    std::vector<double> x_;
};

class Grid final : public RoadFeature {
  public:
    explicit Grid(const Choice& given) : x_(given.list("x")), y_(given.list("y")), z_(given.rows("z")) {}

    Elevation at(double x, double y) const override {
        const double xc = x_.clamped(x), yc = y_.clamped(y);
        const std::size_t i = x_.interval(xc), j = y_.interval(yc);
        const std::size_t first = i > 0 ? i - 1 : i;
        std::array<Sample, 4> lines;
        for (std::size_t k = first; k < std::min(i + 3, x_.size()); ++k)
            lines[k - first] = y_.at(j, yc, [&](std::size_t n) { return z_[k][n]; });
        const Sample along = x_.at(i, xc, [&](std::size_t k) { return lines[k - first].value; });
        const Sample across = x_.at(i, xc, [&](std::size_t k) { return lines[k - first].slope; });
        return {along.value, x_.inside(x) ? along.slope : 0.0, y_.inside(y) ? across.value : 0.0};
    }

  private:
    Line x_, y_;
    std::vector<std::vector<double>> z_;
};

void check_grid(const Element& element, const Choice& given, std::string_view where) {
    for (const char* key : {"x", "y"}) {
        const std::vector<double> line = given.list(key);
        if (line.size() < 2)
            element.refuse(std::string(key) + " of a road's grid needs at least 2 numbers (" +
                               std::to_string(line.size()) + ")",
                           where);
        for (std::size_t i = 1; i < line.size(); ++i)
            if (!(line[i] > line[i - 1]))
                element.refuse(std::string(key) + " of a road's grid must increase (" + digits(line[i]) +
                                   " after " + digits(line[i - 1]) + " m)",
                               where);
    }
    const std::vector<std::vector<double>> z = given.rows("z");
    const std::size_t columns = given.list("y").size();
    if (z.size() != given.list("x").size() ||
        std::ranges::any_of(z, [&](const std::vector<double>& row) { return row.size() != columns; }))
        element.refuse("z of a road's grid must have a row for each x (" +
                           std::to_string(given.list("x").size()) + ") with a height for each y (" +
                           std::to_string(columns) + ")",
                       where);
}

} // namespace

RoadFeatureType grid() {
    using enum ValueType;
    return {{.name = "grid",
             .meaning = "heights on a grid, bicubic in between, as at its border outside",
             .keys = {{.name = "x", .type = numbers, .unit = "m", .required = true, .meaning = "increasing"},
                      {.name = "y", .type = numbers, .unit = "m", .required = true, .meaning = "increasing"},
                      {.name = "z",
                       .type = rows,
                       .unit = "m",
                       .required = true,
                       .meaning = "a row for each x with a height for each y"}}},
            [](const Choice& given) -> std::unique_ptr<RoadFeature> { return std::make_unique<Grid>(given); },
            check_grid};
}

} // namespace tenon::roads
