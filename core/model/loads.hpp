#pragma once
// What forces consist of: efforts along measures, loads on bodies, and wrenches between bodies. Each face of the equations evaluates these, so that
// a force made of them has its rigid, natural and discrete gradient, its energy and its power from the measure's.

#include "core/model/rows.hpp"
#include "core/model/signal.hpp"
#include "core/model/wrench.hpp"

#include <array>
#include <memory>
#include <vector>

namespace tenon {

/// A measure as drivers, gears, loads and results use it. Slot -1: not an angle.
struct Coordinate {
    const Measure* measure = nullptr;
    int first = -1, second = -1;
    int slot = -1;
};

/// Effort along a measure s: -stiffness (s - free) - damping s' - coulomb tanh(s' / speed) + input.
/// Energy: stiffness (s - free)^2 / 2. Power: that of damping, friction and input times s'.
struct MeasureLoad {
    std::unique_ptr<Measure> own;     ///< where the measure belongs to the load
    const Measure* measure = nullptr; ///< own, or a joint's angle or distance
    int first = -1, second = -1;
    int slot = -1;  ///< of the joint's angle, -1 otherwise
    int input = -1; ///< of a flange
    double stiffness = 0, free = 0, damping = 0, coulomb = 0, speed = 1;

    double potential(double s) const { return 0.5 * stiffness * (s - free) * (s - free); }
    double elastic(double s) const { return -stiffness * (s - free); }
    /// Damping, friction and input, whose value is `given`: what is not conservative; and its derivative by s'.
    double dissipative(double rate, double given) const;
    double dissipative_slope(double rate) const;
    bool dissipates() const { return damping != 0 || coulomb != 0 || input >= 0; }
};

/// Along a measure of its own between two bodies, or along the angle or distance of a joint.
MeasureLoad load_along(std::unique_ptr<Measure> measure, int first, int second);
MeasureLoad load_along(const Coordinate& coordinate);

/// A force at a point of a body and a torque on it; world or body axes; constant, over time, or inputs.
struct AppliedLoad {
    int body = -1;
    Vec3 point = Vec3::Zero(); ///< from the centre of mass, body axes
    bool body_axes = false;
    Vec3 force = Vec3::Zero();
    Vec3 torque = Vec3::Zero();
    std::array<Table, 3> force_table, torque_table; ///< used unless empty
    int force_input = -1;                           ///< first of three inputs, -1: none
    int torque_input = -1;
};

struct Loads {
    Vec3 gravity = Vec3::Zero();
    std::vector<MeasureLoad> measure;
    std::vector<AppliedLoad> applied;
    std::vector<WrenchLoad> wrench;
};

} // namespace tenon
