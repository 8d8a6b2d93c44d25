// A ramp from start to end, level before and after. With r(u) = max(u, 0), its corner a parabola over a length c = rounding,
//
//   r(u) = (u + c/2)^2 / (2 c)   where |u| < c/2
//   z = height / (end - start) (r(x - start) - r(x - end))

#include "core/model/roads/road_features.hpp"

#include <cmath>

namespace tenon::roads {
namespace {

class Ramp final : public RoadFeature {
  public:
    explicit Ramp(const Choice& given)
        : start_(given.number("start")), end_(given.number("end")),
          slope_(given.number("height") / (end_ - start_)), corner_(given.number("rounding")) {}

    Elevation at(double x, double) const override {
        double r0 = 0, d0 = 0, r1 = 0, d1 = 0;
        rise(x - start_, r0, d0);
        rise(x - end_, r1, d1);
        return {slope_ * (r0 - r1), slope_ * (d0 - d1), 0};
    }

  private:
    void rise(double u, double& r, double& d) const {
        if (std::abs(u) < 0.5 * corner_) {
            const double s = u + 0.5 * corner_;
            r = s * s / (2 * corner_);
            d = s / corner_;
        } else if (u > 0) {
            r = u;
            d = 1;
        }
    }

    double start_, end_, slope_, corner_;
};

void check_ramp(const Element& element, const Choice& given, std::string_view where) {
    const double length = given.number("end") - given.number("start");
    if (!(length > 0))
        element.refuse("a ramp must end behind its start (" + digits(given.number("start")) + " to " +
                           digits(given.number("end")) + " m)",
                       where);
    if (given.number("rounding") > length)
        element.refuse("rounding of a ramp must not be longer than the ramp (" +
                           digits(given.number("rounding")) + ", at most " + digits(length) + " m)",
                       where);
}

} // namespace

RoadFeatureType ramp() {
    return {{.name = "ramp",
             .meaning = "rises evenly from start to end and stays at that height",
             .keys = {{.name = "start", .unit = "m", .required = true, .meaning = "x of its begin"},
                      {.name = "end", .unit = "m", .required = true, .meaning = "x of its end"},
                      {.name = "height", .unit = "m", .required = true, .meaning = "negative: downwards"},
                      {.name = "rounding",
                       .unit = "m",
                       .fallback = "0",
                       .meaning = "length over which each corner is a parabola",
                       .limit = Limit::not_negative}}},
            [](const Choice& given) -> std::unique_ptr<RoadFeature> { return std::make_unique<Ramp>(given); },
            check_ramp};
}

} // namespace tenon::roads
