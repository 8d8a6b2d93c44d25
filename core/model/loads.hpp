#pragma once
// What forces consist of: efforts along measures, loads on bodies, and wrenches between bodies. Each face of the equations evaluates these, so that
// a force made of them has its rigid, natural and discrete gradient, its energy and its power from the measure's.

#include "core/model/load_law.hpp"
#include "core/model/rows.hpp"
#include "core/model/signal.hpp"
#include "core/model/wrench.hpp"

#include <array>
#include <limits>
#include <memory>
#include <vector>

namespace tenon {

/// A measure as drivers, gears, loads and results use it. Slot -1: not an angle.
struct Coordinate {
    const Measure* measure = nullptr;
    int first = -1, second = -1;
    int slot = -1;
};

/// What an actuator is told, besides an input: a constant, or a table over time; kept within limits.
struct Command {
    double constant = 0;
    Table table; ///< used unless empty
    double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();

    double wanted(double t, double input_value) const;
};

/// Effort along a measure s: -stiffness (s - free) - damping s' - coulomb tanh(s' / speed) + given + what a law says.
/// Energy: stiffness (s - free)^2 / 2 + the law's. Power: that of damping, friction, what is given and the law's losses times s'.
struct MeasureLoad {
    std::unique_ptr<Measure> own;     ///< where the measure belongs to the load
    const Measure* measure = nullptr; ///< own, or a joint's angle or distance
    int first = -1, second = -1;
    int slot = -1;  ///< of the joint's angle, -1 otherwise
    int input = -1; ///< of a flange or an actuator
    double stiffness = 0, free = 0, damping = 0, coulomb = 0, speed = 1;
    std::unique_ptr<LoadLaw> law; ///< null: the numbers alone
    double law_zero =
        0; ///< the law's potential at the start, from which it counts: its own zero may be far away
    std::unique_ptr<Command> command; ///< null: what is given is the input alone

    double potential(double s) const {
        const double held = 0.5 * stiffness * (s - free) * (s - free);
        return law ? held + law->potential(s) - law_zero : held;
    }
    /// At a point; `given` is what input and command give.
    LoadEffort at(double s, double rate, double given) const { return between(s, s, rate, given); }
    /// Over a step from s0 to s1: (V1 - V0) / (s1 - s0) of a quadratic potential is its slope at the mean.
    LoadEffort between(double s0, double s1, double rate, double given) const;
    /// The input's value and the command, within the command's limits.
    double given(double t, double input_value) const;
    /// Whether a change of the input changes what is given, or a limit holds it.
    bool follows_input(double t, double input_value) const;
    bool dissipates() const {
        return damping != 0 || coulomb != 0 || input >= 0 || command || (law && law->dissipates());
    }
    bool follows_time() const { return command && !command->table.empty(); }
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
