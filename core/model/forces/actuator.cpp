// Actuator: an effort u along the line between two points, or along the angle or distance of a joint.
//
//   s = |p2 - p1|, or the joint's own measure
//   u = constant, table over time, or input of the model, cut off at `limits`
//   effort along s: u   pushes the points apart, turns (moves) the second body about (along) the joint's axis
//   no energy, power u s'
// The cut is sharp: where a limit holds the effort, changes of the input do nothing.
//
// Results: the effort that is applied, which the limits may have made less than what was asked for.

#include "core/model/forces/force_types.hpp"

namespace tenon::forces {
namespace {

void build_actuator(const ForcePlace& place, Loads& loads) {
    const Force& force = place.force;
    const auto [p1, p2] = force.points("points");
    MeasureLoad load = force.joint >= 0 ? load_along(place.joint)
                                        : load_along(length_measure(place.point1(p1), place.point2(p2)),
                                                     force.first, force.second);
    load.input = place.input;
    const auto [least, most] = force.range("limits");
    const double constant = place.input < 0 ? force.number("effort") : 0;
    load.command = std::make_unique<Command>(Command{constant, force.effort_table("effort"), least, most});
    loads.measure.push_back(std::move(load));
}

void check_actuator(const Element& element, const Force& force) {
    const bool along_line = force.first != world || force.second != world;
    if (along_line == (force.joint >= 0))
        element.refuse("give either 'bodies' and 'points', or 'joint'", along_line ? "joint" : "bodies");
    if (along_line != force.has("points"))
        element.refuse(along_line ? "key 'points' is missing: where it acts on the two bodies"
                                  : "'points' belong to 'bodies'; in a joint it acts along the joint",
                       "points");
    if (const auto [p1, p2] = force.points("points"); along_line && (p2 - p1).norm() < least_axis)
        element.refuse("points must differ, but both are " + digits(p1) +
                           ": the actuator has no direction to push along",
                       "points");
    if (force.flag("input") && !force.effort_table("effort").empty())
        element.refuse("a table over time cannot be an input too; leave one of them out", "input");
}

std::vector<ForceReading> actuator_readings(bool slides) {
    return {{"applied", slides ? "N" : "N.m", "effort that the actuator applies, within its limits"}};
}

void read_actuator(std::span<const Effort> efforts, std::span<double> values) {
    values[0] = efforts[0].effort;
}

} // namespace

ForceType actuator() {
    using enum ValueType;
    return {
        .name = "actuator",
        .meaning = "a force along the line between two points, or an effort in a joint",
        .keys = {{.name = "bodies",
                  .type = two_bodies,
                  .fallback = "none",
                  .required = true,
                  .meaning = "first and second body, or \"world\"; or joint",
                  .instead = {"joint"}},
                 {.name = "points",
                  .type = two_points,
                  .unit = "m",
                  .fallback = "none",
                  .required = true,
                  .meaning = "a point on the first and one on the second body, in the world at t = 0",
                  .space = Space::point,
                  .instead = {"joint"}},
                 {.name = "joint",
                  .type = joint,
                  .fallback = "none",
                  .meaning = "the joint it acts in, along its angle, or else its distance"},
                 {.name = "effort",
                  .type = effort,
                  .unit = "N m",
                  .fallback = "0 of an input",
                  .required = true,
                  .meaning = "force (N) that pushes the points apart, or effort on the joint's second body "
                             "(N m, or N where it slides); of an input its start value",
                  .instead = {"input"},
                  .parameter = "effort",
                  .sliding_unit = "N"},
                 {.name = "input",
                  .type = boolean,
                  .fallback = "false",
                  .meaning = "true: an input of the model"},
                 {.name = "limits",
                  .type = range,
                  .unit = "N or N m",
                  .fallback = "none",
                  .meaning = "the effort is cut off at the least and at the largest"}},
        .build = build_actuator,
        .check = check_actuator,
        .inputs = {{"effort", "N.m", "effort", "effort", 1, "N"}},
        .readings = actuator_readings,
        .read = read_actuator,
        .drawn = "actuator"};
}

} // namespace tenon::forces
