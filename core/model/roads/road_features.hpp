#pragma once
// The registry of what a road is made of: one line a feature, one file <type>.cpp each.

#include "core/model/element.hpp"
#include "core/model/road.hpp"

#include <memory>

namespace tenon {

/// Height over the road's plane, and its derivatives along x and y.
struct Elevation {
    double z = 0, dx = 0, dy = 0;

    Elevation& operator+=(const Elevation& other) {
        z += other.z;
        dx += other.dx;
        dy += other.dy;
        return *this;
    }
};

/// A part of a road, in the road's axes.
class RoadFeature {
  public:
    virtual ~RoadFeature() = default;
    virtual Elevation at(double x, double y) const = 0;
};

struct RoadFeatureType {
    ChoiceType choice;
    std::unique_ptr<RoadFeature> (*make)(const Choice&) = nullptr;
    /// Refuses what the keys' limits do not tell; may be null. `where` is the key of the element, "features".
    void (*check)(const Element&, const Choice&, std::string_view where) = nullptr;
};

const std::vector<RoadFeatureType>& road_features();
const RoadFeatureType* find_road_feature(std::string_view name);
/// The same as types of a choice, for readers.
const std::vector<ChoiceType>& road_feature_choices();

/// x in numbers that increase strictly: the interval i with x[i] <= at <= x[i+1], the nearest outside.
std::size_t interval_of(const std::vector<double>& x, double at);

} // namespace tenon
