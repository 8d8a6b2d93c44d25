// A profile along the road as points (x, z): a cubic between neighbours that nowhere leaves their heights.
//
// Slopes d_i at the points, with secants s_i = (z_{i+1} - z_i) / h_i (Fritsch and Butland 1984):
//   d_i = 0 where s_{i-1} s_i <= 0, else (h_{i-1} + h_i) 3 / ((2 h_i + h_{i-1}) / s_{i-1} + (h_i + 2 h_{i-1}) / s_i)
// and at the ends the level: before the first and behind the last point the road is level.

#include "core/model/roads/road_features.hpp"

namespace tenon::roads {
namespace {

class Profile final : public RoadFeature {
  public:
    explicit Profile(const Choice& given) {
        for (const std::vector<double>& point : given.rows("table")) {
            x_.push_back(point[0]);
            z_.push_back(point[1]);
        }
        slope_.assign(x_.size(), 0.0);
        for (std::size_t i = 1; i + 1 < x_.size(); ++i) {
            const double h0 = x_[i] - x_[i - 1], h1 = x_[i + 1] - x_[i];
            const double s0 = (z_[i] - z_[i - 1]) / h0, s1 = (z_[i + 1] - z_[i]) / h1;
            if (s0 * s1 > 0)
                slope_[i] = 3 * (h0 + h1) / ((2 * h1 + h0) / s0 + (h1 + 2 * h0) / s1);
        }
    }

    Elevation at(double x, double) const override {
        if (x <= x_.front())
            return {z_.front(), 0, 0};
        if (x >= x_.back())
            return {z_.back(), 0, 0};
        const std::size_t i = interval_of(x_, x);
        const double h = x_[i + 1] - x_[i], u = (x - x_[i]) / h, step = z_[i + 1] - z_[i];
        const double d0 = slope_[i] * h, d1 = slope_[i + 1] * h;
        const double c2 = 3 * step - 2 * d0 - d1, c3 = d0 + d1 - 2 * step;
        return {z_[i] + u * (d0 + u * (c2 + u * c3)), (d0 + u * (2 * c2 + 3 * u * c3)) / h, 0};
    }

  private:
    std::vector<double> x_, z_, slope_;
};

void check_table(const Element& element, const Choice& given, std::string_view where) {
    const std::vector<std::vector<double>> points = given.rows("table");
    if (points.size() < 2)
        element.refuse("a table of a road needs at least 2 points [x, z] (" + std::to_string(points.size()) +
                           ")",
                       where);
    for (const std::vector<double>& point : points)
        if (point.size() != 2)
            element.refuse("a point of a road's table is [x, z], 2 numbers (" + std::to_string(point.size()) +
                               ")",
                           where);
    for (std::size_t i = 1; i < points.size(); ++i)
        if (!(points[i][0] > points[i - 1][0]))
            element.refuse("x of a road's table must increase (" + digits(points[i][0]) + " after " +
                               digits(points[i - 1][0]) + " m)",
                           where);
}

} // namespace

RoadFeatureType table() {
    return {
        {.name = "table",
         .meaning = "a profile along the road, a monotone cubic between its points, level outside",
         .keys = {{.name = "table",
                   .type = ValueType::rows,
                   .unit = "m",
                   .required = true,
                   .meaning = "points [x, z], x increasing, at least 2"}}},
        [](const Choice& given) -> std::unique_ptr<RoadFeature> { return std::make_unique<Profile>(given); },
        check_table};
}

} // namespace tenon::roads
