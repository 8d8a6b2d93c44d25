// Stairs: `count` edges at x_k = start + k tread, k = 0, 1, ..., each a smooth step
//
//   z = rise s(u),   s(u) = 3 u^2 - 2 u^3,   u = (x - x_k) / rounding + 1/2   between 0 and 1
// so that an edge is in the middle of its rounding, where its slope is 3/2 rise / rounding. Without rounding the height jumps.

#include "core/model/roads/road_features.hpp"

#include <algorithm>
#include <cmath>

namespace tenon::roads {
namespace {

class Stairs final : public RoadFeature {
  public:
    explicit Stairs(const Choice& given)
        : start_(given.number("start")), tread_(given.number("tread")), rise_(given.number("rise")),
          count_(given.number("count")), rounding_(given.number("rounding")) {}

    Elevation at(double x, double) const override {
        // The edge nearest to x; those before it are climbed.
        const double k = std::clamp(std::round((x - start_) / tread_), 0.0, count_ - 1);
        const double from_edge = x - start_ - k * tread_;
        const double u = rounding_ > 0 ? from_edge / rounding_ + 0.5 : (from_edge < 0 ? 0.0 : 1.0);
        if (u <= 0)
            return {rise_ * k, 0, 0};
        if (u >= 1)
            return {rise_ * (k + 1), 0, 0};
        return {rise_ * (k + u * u * (3 - 2 * u)), rise_ * 6 * u * (1 - u) / rounding_, 0};
    }

  private:
    double start_, tread_, rise_, count_, rounding_;
};

void check_stairs(const Element& element, const Choice& given, std::string_view where) {
    const double count = given.number("count");
    if (count < 1 || count != std::floor(count))
        element.refuse("count of stairs must be a whole number of at least 1 (" + digits(count) + ")", where);
    if (given.number("rounding") > given.number("tread"))
        element.refuse("rounding of stairs must not be longer than a tread (" +
                           digits(given.number("rounding")) + ", at most " + digits(given.number("tread")) +
                           " m)",
                       where);
}

} // namespace

RoadFeatureType stairs() {
    return {
        {.name = "stairs",
         .meaning = "steps, each edge rounded by 3 u^2 - 2 u^3",
         .keys = {{.name = "start", .unit = "m", .required = true, .meaning = "x of the first edge"},
                  {.name = "tread",
                   .unit = "m",
                   .required = true,
                   .meaning = "from edge to edge",
                   .limit = Limit::positive},
                  {.name = "rise", .unit = "m", .required = true, .meaning = "of a step; negative: down"},
                  {.name = "count", .required = true, .meaning = "how many edges"},
                  {.name = "rounding",
                   .unit = "m",
                   .fallback = "0",
                   .meaning = "length over which an edge rises, half of it before the edge",
                   .limit = Limit::not_negative}}},
        [](const Choice& given) -> std::unique_ptr<RoadFeature> { return std::make_unique<Stairs>(given); },
        check_stairs};
}

} // namespace tenon::roads
