// An inclined plane: z = slope x + slope_y y.

#include "core/model/roads/road_features.hpp"

namespace tenon::roads {
namespace {

class Plane final : public RoadFeature {
  public:
    explicit Plane(const Choice& given) : slope_(given.number("slope")), across_(given.number("slope_y")) {}
    Elevation at(double x, double y) const override { return {slope_ * x + across_ * y, slope_, across_}; }

  private:
    double slope_, across_;
};

} // namespace

RoadFeatureType plane() {
    return {
        {.name = "plane",
         .meaning = "an inclined plane, slope x + slope_y y",
         .keys = {{.name = "slope", .fallback = "0", .meaning = "along the road"},
                  {.name = "slope_y", .fallback = "0", .meaning = "across the road"}}},
        [](const Choice& given) -> std::unique_ptr<RoadFeature> { return std::make_unique<Plane>(given); }};
}

} // namespace tenon::roads
