#include "core/model/roads/road_surface.hpp"

#include "core/math/digits.hpp"

namespace tenon {

Mat3 road_axes(const Vec3& axis, const Vec3& normal) {
    Mat3 axes;
    axes.col(2) = normal.normalized();
    axes.col(1) = axes.col(2).cross(axis).normalized();
    axes.col(0) = axes.col(1).cross(axes.col(2));
    return axes;
}

RoadSurface::RoadSurface(const Road& road)
    : place_{road.at, road_axes(road.axis, road.normal)}, name_(road.name), friction_(road.friction),
      start_(road.start), end_(road.end) {
    for (const Choice& feature : road.features)
        features_.push_back(find_road_feature(feature.type)->make(feature));
}

std::string RoadSurface::extent() const {
    return (start_ ? "from " + digits(*start_) + " m" : std::string("without a start")) +
           (end_ ? " to " + digits(*end_) + " m" : std::string(" and without an end"));
}

} // namespace tenon
