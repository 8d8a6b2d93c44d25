// Limits of a joint's coordinate: a stop below and one above, each of which may be absent.
//
//   s = angle or distance of the joint, a measure of the joint's own
//   penetration p = lower - s or s - upper where that is positive, else 0
//   effort k p + c p', back into the range and never the other way (spring_laws.cpp); potential k p^2 / 2
//
// Results: penetration, effort on the second body, and whether a limit is touched.

#include "core/model/forces/spring_keys.hpp"

namespace tenon::forces {
namespace {

void build_joint_limit(const ForcePlace& place, Loads& loads) {
    const Force& force = place.force;
    const auto stop = [&](std::string_view key) {
        return force.has(key) ? std::optional<Stop>(
                                    {force.number(key), force.number("stiffness"), force.number("damping")})
                              : std::nullopt;
    };
    MeasureLoad load = load_along(place.joint);
    add_laws(load, {}, {}, stop("lower"), stop("upper"));
    loads.measure.push_back(std::move(load));
}

void check_joint_limit(const Element& element, const Force& force) {
    if (force.has("lower") && force.has("upper") && force.number("lower") > force.number("upper"))
        element.refuse("lower must not be above upper (" + digits(force.number("lower")) + " and " +
                           digits(force.number("upper")) + ")",
                       "lower");
}

std::vector<ForceReading> joint_limit_readings(bool slides) {
    return {
        {"penetration", slides ? "m" : "rad", "how far the joint is beyond a limit"},
        {"effort", slides ? "N" : "N.m", "effort of the limit on the second body, along the joint's axis"},
        {"contact", "1", "1 where a limit is touched, else 0"}};
}

void read_joint_limit(std::span<const Effort> efforts, std::span<double> values) {
    values[0] = efforts[0].beyond;
    values[1] = efforts[0].effort;
    values[2] = efforts[0].beyond > 0 ? 1 : 0;
}

} // namespace

ForceType joint_limit() {
    using enum ValueType;
    return {.name = "joint_limit",
            .meaning = "keeps the angle or distance of a joint within limits, elastically",
            .keys = {{.name = "joint", .type = joint, .required = true, .meaning = "the joint it acts on"},
                     {.name = "lower",
                      .type = number,
                      .unit = "rad",
                      .fallback = "none",
                      .required = true,
                      .meaning = "least angle, or distance (m) of a joint that slides",
                      .instead = {"upper"},
                      .parameter = "lower limit",
                      .sliding_unit = "m"},
                     {.name = "upper",
                      .type = number,
                      .unit = "rad",
                      .fallback = "none",
                      .meaning = "largest angle or distance",
                      .parameter = "upper limit",
                      .sliding_unit = "m"},
                     {.name = "stiffness",
                      .type = number,
                      .unit = "N m/rad",
                      .required = true,
                      .meaning = "effort per angle (N/m: per distance) beyond a limit",
                      .limit = Limit::not_negative,
                      .parameter = "stiffness",
                      .sliding_unit = "N/m"},
                     {.name = "damping",
                      .type = number,
                      .unit = "N m s/rad",
                      .fallback = "0",
                      .meaning = "effort per speed (N s/m) beyond a limit; never pulls back in",
                      .limit = Limit::not_negative,
                      .parameter = "damping",
                      .sliding_unit = "N s/m"}},
            .build = build_joint_limit,
            .check = check_joint_limit,
            .readings = joint_limit_readings,
            .read = read_joint_limit};
}

} // namespace tenon::forces
