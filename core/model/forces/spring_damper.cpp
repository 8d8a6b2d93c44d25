// Spring and damper between a point of each body, along the line between them or along an axis of the first.
//
//   s = |p2 - p1|                       its length, a measure (length_measure)
//   s = (p2 - p1).e                     where an axis e is given (point_measure)
//   effort along s: -k x - c s' - F(x) - D(s')   x = s - L, pulls the points together when s > L = free_length
//   energy k x^2 / 2 + integral of F, power of the damper -c s'^2 - D(s') s'
// F and D are laws; stops of x are those of spring_laws.cpp.
// The force on a body is the effort times the measure's gradient: rigid, natural or discrete, whichever the face needs.
//
// Results: length s, rate s', force (all of the effort), positive where it pulls.

#include "core/model/forces/spring_keys.hpp"

namespace tenon::forces {
namespace {

double length_at_start(const Force& force) {
    const auto [p1, p2] = force.points("points");
    return force.has("axis") ? (p2 - p1).dot(force.vector("axis").normalized()) : (p2 - p1).norm();
}

void build_spring_damper(const ForcePlace& place, Loads& loads) {
    const Force& force = place.force;
    const auto [p1, p2] = force.points("points");
    MeasureLoad load =
        load_along(force.has("axis") ? point_measure(place.point1(p1), place.point2(p2),
                                                     place.direction1(force.vector("axis").normalized()))
                                     : length_measure(place.point1(p1), place.point2(p2)),
                   force.first, force.second);
    load.stiffness = force.number("stiffness");
    load.damping = force.number("damping");
    load.free = force.number("free_length");
    add_laws(load, force);
    loads.measure.push_back(std::move(load));
}

void check_spring_damper(const Element& element, const Force& force) {
    const bool along_axis = force.has("axis");
    if (along_axis)
        element.direction(force.vector("axis"), "axis");
    else if (length_at_start(force) < least_axis)
        element.refuse("points must differ, but both are " + digits(force.points("points")[0]) +
                           ": the spring has no direction to push along",
                       "points");
    if (!along_axis)
        element.not_negative(force.number("free_length"), "free_length", "m");
    check_spring_keys(element, force);
}

std::vector<ForceReading> spring_damper_readings(bool) {
    return {{"length", "m", "distance of the spring's points, along its axis where it has one"},
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
    std::vector<Key> keys = {
        {.name = "bodies",
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
         .fallback = "0 where there is a law or a stop",
         .required = true,
         .meaning = "force per elongation",
         .limit = Limit::not_negative,
         .instead = {"spring", "damper", "bump_stop", "rebound_stop"},
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
         .meaning = "length without force; laws and stops count the elongation from it",
         .parameter = "length without force",
         .otherwise = length_at_start}};
    add_spring_keys(keys, false, {"N over m", "N over m/s", "m, N/m, N s/m"});
    keys.push_back({.name = "axis",
                    .type = vector,
                    .fallback = "the line between the points",
                    .meaning =
                        "direction in the world at t = 0, fixed in the first body, along which it acts: "
                        "its length is then (p2 - p1).axis and may be negative",
                    .space = Space::direction});
    return {.name = "spring_damper",
            .meaning = "pulls two points together when they are farther apart than free_length",
            .keys = std::move(keys),
            .build = build_spring_damper,
            .check = check_spring_damper,
            .readings = spring_damper_readings,
            .read = read_spring_damper,
            .drawn = "spring_damper"};
}

} // namespace tenon::forces
