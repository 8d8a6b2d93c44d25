// Spring and damper between a point of each body, along the line between them.
//
//   s = |p2 - p1|                       its length, a measure (length_measure)
//   effort along s: -k (s - L) - c s'   pulls the points together when s > L = free_length
//   energy k (s - L)^2 / 2, power of the damper -c s'^2
// The force on a body is the effort times the measure's gradient: rigid, natural or discrete, whichever the face needs.
//
// Results: length s, rate s', force k (s - L) + c s', positive where it pulls.

#include "core/model/forces/force_types.hpp"

namespace tenon::forces {
namespace {

double length_at_start(const Force& force) {
    const auto [p1, p2] = force.points("points");
    return (p2 - p1).norm();
}

void build_spring_damper(const ForcePlace& place, Loads& loads) {
    const Force& force = place.force;
    const auto [p1, p2] = force.points("points");
    MeasureLoad load =
        load_along(length_measure(place.point1(p1), place.point2(p2)), force.first, force.second);
    load.stiffness = force.number("stiffness");
    load.damping = force.number("damping");
    load.free = force.number("free_length");
    loads.measure.push_back(std::move(load));
}

void check_spring_damper(const Element& element, const Force& force) {
    if (length_at_start(force) < least_axis)
        element.refuse("points must differ, but both are " + digits(force.points("points")[0]) +
                           ": the spring has no direction to push along",
                       "points");
}

std::vector<ForceReading> spring_damper_readings(bool) {
    return {{"length", "m", "distance of the spring's points"},
            {"rate", "m/s", "speed of elongation", 1, 0},
            {"force", "N", "force of spring and damper, positive where it pulls"}};
}

void read_spring_damper(std::span<const Effort> efforts, std::span<double> values) {
    const Effort& along = efforts[0];
    values[0] = along.value;
    values[1] = along.rate;
    values[2] = -along.effort;
}

} // namespace

ForceType spring_damper() {
    using enum ValueType;
    return {.name = "spring_damper",
            .meaning = "pulls two points together when they are farther apart than free_length",
            .keys = {{.name = "bodies",
                      .type = two_bodies,
                      .required = true,
                      .meaning = "first and second body, or \"world\""},
                     {.name = "points",
                      .type = two_points,
                      .unit = "m",
                      .required = true,
                      .meaning = "a point on the first and one on the second body, in the world at t = 0",
                      .space = Space::point},
                     {.name = "stiffness",
                      .type = number,
                      .unit = "N/m",
                      .required = true,
                      .meaning = "force per elongation",
                      .limit = Limit::not_negative,
                      .parameter = "stiffness"},
                     {.name = "damping",
                      .type = number,
                      .unit = "N s/m",
                      .fallback = "0",
                      .meaning = "force per speed of elongation",
                      .limit = Limit::not_negative,
                      .parameter = "damping"},
                     {.name = "free_length",
                      .type = number,
                      .unit = "m",
                      .fallback = "the distance at t = 0",
                      .meaning = "length without force",
                      .limit = Limit::not_negative,
                      .parameter = "length without force",
                      .otherwise = length_at_start}},
            .build = build_spring_damper,
            .check = check_spring_damper,
            .readings = spring_damper_readings,
            .read = read_spring_damper,
            .drawn = "spring_damper"};
}

} // namespace tenon::forces
