#pragma once
// A driver prescribes the angle or distance of a joint (rheonomic constraint).

#include "core/model/signal.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tenon {

/// Which of the two coordinates of a joint: what the key `coordinate` may be.
inline const std::vector<std::string_view> driver_coordinates = {"angle", "distance"};

struct Driver {
    std::string name;
    int joint = -1;
    /// One of driver_coordinates; empty: the joint's only one (needed for cylindrical joints).
    std::string coordinate;
    Formula motion;
    Table table; ///< used instead of the formula unless empty
    bool input =
        false; ///< the value comes from input variable `<name>`, held with its first and second derivative

    bool operator==(const Driver&) const = default;
};

template <class Visit> void members(Is<Driver> auto& driver, Visit&& visit) {
    auto& [name, joint, coordinate, motion, table, input] = driver;
    visit(name, joint, coordinate, motion, table, input);
}

} // namespace tenon
