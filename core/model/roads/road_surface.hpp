#pragma once
// A road ready to be driven on: where it is, and its height z(x, y), the sum of its features, over the plane z = 0 of its axes.

#include "core/model/roads/road_features.hpp"
#include "core/model/rows.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tenon {

class RoadSurface {
  public:
    /// A plane z = 0 through `at` with these axes as columns (x, y, z).
    RoadSurface(const Vec3& at, const Mat3& axes) : place_{at, axes} {}
    explicit RoadSurface(const Road& road);

    /// Height and gradient in the road's axes.
    Elevation at(double x, double y) const {
        Elevation sum;
        for (const auto& feature : features_)
            sum += feature->at(x, y);
        return sum;
    }
    const std::string& name() const { return name_; } ///< empty for a plane that nobody named
    double friction() const { return friction_; }
    /// Origin and axes, in the frame that carries it.
    const Frame& place() const { return place_; }
    /// Moves a road given in the world to the frame of the body that carries it.
    void carry(const Frame& carrier) {
        place_.r = carrier.D.transpose() * (place_.r - carrier.r);
        place_.D = carrier.D.transpose() * place_.D;
    }
    bool ends_before(double x) const { return (start_ && x < *start_) || (end_ && x > *end_); }
    /// "from 0 m to 100 m"
    std::string extent() const;

  private:
    Frame place_;
    std::string name_;
    double friction_ = 1;
    std::optional<double> start_, end_;
    std::vector<std::unique_ptr<RoadFeature>> features_;
};

/// x, y, z of a road as columns: x along its axis, across its normal z.
Mat3 road_axes(const Vec3& axis, const Vec3& normal);

} // namespace tenon
