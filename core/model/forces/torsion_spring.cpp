// Spring and damper in a joint, along its angle, or along its distance where it has no angle.
//
//   s = angle or distance of the joint, a measure of the joint's own
//   effort along s: -k x - c s' - F(x) - D(s'), x = s - free_angle   on the second body, its opposite on the first
//   energy k x^2 / 2 + integral of F, power of the damper -c s'^2 - D(s') s'
// F and D are laws; stops of x are those of spring_laws.cpp.
//
// Results: torque (or force) on the second body about (along) the joint's axis. Angle and rate are the joint's.

#include "core/model/forces/spring_keys.hpp"

namespace tenon::forces {
namespace {

void build_torsion_spring(const ForcePlace& place, Loads& loads) {
    MeasureLoad load = load_along(place.joint);
    load.stiffness = place.force.number("stiffness");
    load.damping = place.force.number("damping");
    load.free = place.force.number("free_angle");
    add_laws(load, place.force);
    loads.measure.push_back(std::move(load));
}

std::vector<ForceReading> torsion_spring_readings(bool slides) {
    if (slides)
        return {{"force", "N", "force of spring and damper on the second body, along the joint's axis"}};
    return {{"torque", "N.m", "torque of spring and damper on the second body, about the joint's axis"}};
}

void read_torsion_spring(std::span<const Effort> efforts, std::span<double> values) {
    values[0] = efforts[0].effort;
}

} // namespace

ForceType torsion_spring() {
    using enum ValueType;
    std::vector<Key> keys = {
        {.name = "joint", .type = joint, .required = true, .meaning = "the joint it acts on"},
        {.name = "stiffness",
         .type = number,
         .unit = "N m/rad",
         .fallback = "0 where there is a law or a stop",
         .required = true,
         .meaning = "torque per angle",
         .limit = Limit::not_negative,
         .instead = {"spring", "damper", "bump_stop", "rebound_stop"},
         .parameter = "stiffness",
         .sliding_unit = "N/m"},
        {.name = "damping",
         .type = number,
         .unit = "N m s/rad",
         .fallback = "0",
         .meaning = "torque per angular speed",
         .limit = Limit::not_negative,
         .parameter = "damping",
         .sliding_unit = "N s/m"},
        {.name = "free_angle",
         .type = number,
         .unit = "rad",
         .fallback = "0",
         .meaning = "angle without torque; laws and stops count the angle from it",
         .parameter = "angle without torque",
         .sliding_unit = "m"}};
    add_spring_keys(keys, false, {"N m over rad", "N m over rad/s", "rad, N m/rad, N m s/rad"});
    return {
        .name = "torsion_spring",
        .meaning = "turns a joint back to free_angle (on a sliding joint: a linear spring)",
        .keys = std::move(keys),
        .build = build_torsion_spring,
        .check = check_spring_keys,
        .readings = torsion_spring_readings,
        .read = read_torsion_spring,
    };
}

} // namespace tenon::forces
