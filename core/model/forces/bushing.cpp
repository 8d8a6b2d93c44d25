// Bushing: two bodies are held together elastically in all six directions.
//
// Axes e_i of the first body, those of the world at t = 0 unless the machine was placed elsewhere; f, g the next two in turn.
//   u_i = (p2 - p1).e_i                  deflection, a measure (point_measure)
//   s_i = (g1.f2 - f1.g2) / 2            sine of the rotation about e_i (twist_measure)
//   efforts: -k_i u_i - c_i u_i' and -k_{i+3} s_i - c_{i+3} s_i'
//   energy: sum of k_i u_i^2 / 2 + k_{i+3} s_i^2 / 2; power of the dampers: -c u'^2 - c s'^2
// Laws and stops along u_i and s_i, if given, add to them (spring_laws.cpp).
//
// Results: deflection u, rotation s, and the efforts along them, which are the force and (at small rotations) the torque on
// the second body in the bushing's axes.

#include "core/model/forces/spring_keys.hpp"

namespace tenon::forces {
namespace {

void build_bushing(const ForcePlace& place, Loads& loads) {
    const Force& force = place.force;
    const Vec3 at = force.vector("at");
    const Mat3 axis = force.rotation("axes");
    const std::array<double, 6> stiffness = force.six("stiffness"), damping = force.six("damping");
    const std::vector<Law> springs = force.six_laws("springs"), dampers = force.six_laws("dampers");
    const auto bumps = force.six_stops("bump_stops"), rebounds = force.six_stops("rebound_stops");
    const auto add = [&](std::unique_ptr<Measure> measure, std::size_t i) {
        MeasureLoad load = load_along(std::move(measure), force.first, force.second);
        load.stiffness = stiffness[i];
        load.damping = damping[i];
        add_laws(load, springs[i], dampers[i], bumps[i], rebounds[i]);
        loads.measure.push_back(std::move(load));
    };
    for (int i = 0; i < 3; ++i) {
        const Vec3 e = axis.col(i), f = axis.col((i + 1) % 3), g = axis.col((i + 2) % 3);
        add(point_measure(place.point1(at), place.point2(at), place.direction1(e)),
            static_cast<std::size_t>(i));
        add(twist_measure(place.direction1(g), place.direction2(f), place.direction1(f), place.direction2(g)),
            static_cast<std::size_t>(i) + 3);
    }
}

std::vector<ForceReading> bushing_readings(bool) {
    return {{"deflection", "m", "of the second body against the first, in the bushing's axes", 3},
            {"rotation", "rad", "sines of the rotations about the bushing's axes", 3},
            {"force", "N", "on the second body, in the bushing's axes", 3},
            {"torque", "N.m", "on the second body about the bushing's axes, per sine of the rotation", 3}};
}

void read_bushing(std::span<const Effort> efforts, std::span<double> values) {
    for (std::size_t i = 0; i < 3; ++i) {
        const Effort& along = efforts[2 * i];
        const Effort& about = efforts[2 * i + 1];
        values[i] = along.value;
        values[3 + i] = about.value;
        values[6 + i] = along.effort;
        values[9 + i] = about.effort;
    }
}

} // namespace

ForceType bushing() {
    using enum ValueType;
    std::vector<Key> keys = {{.name = "bodies",
                              .type = two_bodies,
                              .required = true,
                              .meaning = "first and second body, or \"world\""},
                             {.name = "at",
                              .type = vector,
                              .unit = "m",
                              .required = true,
                              .meaning = "centre of the bushing, in the world at t = 0",
                              .space = Space::point},
                             {.name = "stiffness",
                              .type = six_numbers,
                              .unit = "N/m, N m/rad",
                              .fallback = "zeros where there is a law or a stop",
                              .required = true,
                              .meaning = "along x, y, z and about x, y, z, axes of the world at t = 0",
                              .limit = Limit::not_negative,
                              .instead = {"springs", "dampers", "bump_stops", "rebound_stops"},
                              .parameter = "stiffness"},
                             {.name = "damping",
                              .type = six_numbers,
                              .unit = "N s/m, N m s/rad",
                              .fallback = "zeros",
                              .meaning = "in the same order",
                              .limit = Limit::not_negative,
                              .parameter = "damping"},
                             {.name = "axes",
                              .type = orientation,
                              .meaning = "its axes in the world at t = 0, as columns",
                              .space = Space::axes,
                              .in_file = false}};
    add_spring_keys(keys, true,
                    {"N over m, N m over rad", "N over m/s, N m over rad/s",
                     "m or rad, N/m or N m/rad, N s/m or N m s/rad"});
    return {.name = "bushing",
            .meaning = "holds two bodies together elastically in all six directions",
            .keys = std::move(keys),
            .build = build_bushing,
            .check = check_six_spring_keys,
            .readings = bushing_readings,
            .read = read_bushing};
}

} // namespace tenon::forces
