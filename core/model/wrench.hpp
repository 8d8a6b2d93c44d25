#pragma once
// A wrench between two bodies that follows from how they move and has no potential: tyres, friction of contacts.
//
// The first body pushes the second with a force at a point and a torque; the second pushes back, so momentum and angular
// momentum stay. Each face of the equations evaluates the object where it is; the natural face finds tangents by differences
// along rigid motions (core/equations/wrench_term.hpp).

#include "core/model/rows.hpp"

#include <memory>
#include <span>

namespace tenon {

/// On the second body, world axes.
struct Touch {
    bool acts = false;
    Vec3 point = Vec3::Zero(), force = Vec3::Zero(), torque = Vec3::Zero();

    /// Force and torque about the centre of mass r.
    Vec6 about(const Vec3& r) const {
        Vec6 wrench;
        wrench << force, torque + (point - r).cross(force);
        return wrench;
    }
};

/// Values that follow others with a lag, s' = rate (target - s): what they were at the start of a step, their rates there, and
/// the time since. Null: they have come to their targets, as at rest and in steady motion.
struct Lags {
    const double* value = nullptr;
    const double* rate = nullptr;
    double since = 0;
};

class Wrench {
  public:
    virtual ~Wrench() = default;
    virtual Touch at(const Kinematics& first, const Kinematics& second, const Lags& lags) const = 0;

    /// The last of its force's results, and their values.
    virtual int results() const { return 0; }
    virtual void read(const Kinematics&, const Kinematics&, const Lags&, std::span<double>) const {}

    /// How many values lag; the values and rates at the given instant, `settled`: those of a steady state.
    virtual int lags() const { return 0; }
    virtual void follow(const Kinematics&, const Kinematics&, const Lags&, bool /*settled*/,
                        double* /*value*/, double* /*rate*/) const {}

    /// Throws Error(model) where the start is impossible, Error(computation) where a run cannot go on.
    virtual void check_start(const Kinematics&, const Kinematics&) const {}
    virtual void check(double /*t*/, const Kinematics&, const Kinematics&) const {}
};

struct WrenchLoad {
    std::unique_ptr<Wrench> wrench;
    int first = -1, second = -1;
    int lag = 0; ///< where its lagging values begin
};

} // namespace tenon
