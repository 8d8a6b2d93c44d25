// Cosine bumps, one after the other:
//
//   z = height (1 - cos(2 pi (x - start) / length)) / 2      start <= x <= start + count length
// on the strip y[0] <= y <= y[1], everywhere across where no strip is given. A negative height is a dip.

#include "core/model/roads/road_features.hpp"

#include <cmath>
#include <numbers>

namespace tenon::roads {
namespace {

class Bump final : public RoadFeature {
  public:
    explicit Bump(const Choice& given)
        : start_(given.number("start")), end_(start_ + given.number("length") * given.number("count", 1)),
          height_(given.number("height")), wave_(2 * std::numbers::pi / given.number("length")),
          strip_(given.list("y")) {}

    Elevation at(double x, double y) const override {
        if (x <= start_ || x >= end_ || (!strip_.empty() && (y < strip_[0] || y > strip_[1])))
            return {};
        const double phase = wave_ * (x - start_);
        return {0.5 * height_ * (1 - std::cos(phase)), 0.5 * height_ * wave_ * std::sin(phase), 0};
    }

  private:
    double start_, end_, height_, wave_;
    std::vector<double> strip_;
};

void check_bump(const Element& element, const Choice& given, std::string_view where) {
    const std::vector<double> strip = given.list("y");
    if (given.has("y") && (strip.size() != 2 || !(strip[0] < strip[1])))
        element.refuse("y of a bump must be two increasing numbers, the strip across the road", where);
    const double count = given.number("count", 1);
    if (count < 1 || count != std::floor(count))
        element.refuse("count of a bump must be a whole number of at least 1 (" + digits(count) + ")", where);
}

} // namespace

RoadFeatureType bump() {
    using enum ValueType;
    return {{.name = "bump",
             .meaning = "cosine bumps, height (1 - cos(2 pi (x - start) / length)) / 2",
             .keys = {{.name = "start", .unit = "m", .required = true, .meaning = "x of its begin"},
                      {.name = "length",
                       .unit = "m",
                       .required = true,
                       .meaning = "of one bump",
                       .limit = Limit::positive},
                      {.name = "height", .unit = "m", .required = true, .meaning = "negative: a dip"},
                      {.name = "count", .fallback = "1", .meaning = "how many in a row"},
                      {.name = "y",
                       .type = numbers,
                       .unit = "m",
                       .fallback = "everywhere",
                       .meaning = "strip across the road, [from, to]"}}},
            [](const Choice& given) -> std::unique_ptr<RoadFeature> { return std::make_unique<Bump>(given); },
            check_bump};
}

} // namespace tenon::roads
