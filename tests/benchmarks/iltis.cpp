// The Bombardier Iltis (examples/iltis.toml) against the values of tests/reference/iltis.json: at rest, over a bump, steered.

#include "tests/support/machine_run.hpp"
#include "tests/support/reference.hpp"

#include <catch2/catch.hpp>

#include <array>

using namespace tenon;
using namespace tenon::tests;

namespace {

const std::array<std::string, 4> corners = {"front_left", "front_right", "rear_left", "rear_right"};

template <class Elements> auto& named(Elements& elements, const std::string& name) {
    const auto found = std::ranges::find_if(elements, [&](const auto& e) { return e.name == name; });
    if (found == elements.end())
        throw std::runtime_error("no element '" + name + "'");
    return *found;
}

/// The vehicle at another speed, its wheels spinning accordingly.
Model at_speed(Model model, double speed) {
    for (Body& body : model.bodies) {
        const double factor = speed / body.velocity->x();
        body.velocity = *body.velocity * factor;
        if (body.angular_velocity)
            body.angular_velocity = *body.angular_velocity * factor;
    }
    for (Driver& driver : model.drivers)
        driver.motion.rate *= speed / 10;
    return model;
}

Model on_flat_road(Model model) {
    for (Road& road : model.roads)
        road.features.clear();
    return model;
}

/// Pitch about y, roll about x, yaw about z, one after the other.
Vec3 angles(const Mat3& R) {
    return {std::atan2(R(0, 2), R(2, 2)), -std::asin(R(1, 2)), std::atan2(R(1, 0), R(1, 1))};
}

/// Largest differences from a reference: position, angles, forces of the tyres.
struct Difference {
    double position = 0, angle = 0, tyre = 0;
};

Difference compare(const Model& model, const Method& method, double step, const std::string& manoeuvre,
                   const std::function<void(Simulation&, double)>& steer = {}) {
    Difference out;
    const Json rows = reference("iltis")[manoeuvre];
    Simulation vehicle(with(model, method, step, rows[rows.size() - 1][0]));
    Results results(vehicle);
    std::size_t next = 0;
    const long steps = std::lround(rows[rows.size() - 1][0] / step);
    for (long i = 0;; ++i) {
        if (next < rows.size() && std::abs(static_cast<double>(i) * step - rows[next][0]) < 1e-9) {
            const Json& row = rows[next++];
            results.refresh();
            const Vec3 r = results.vector("chassis.r_0"), a = angles(results.rotation("chassis"));
            for (std::size_t k = 0; k < 3; ++k) {
                out.position = std::max(out.position, std::abs(r[static_cast<Eigen::Index>(k)] - row[1 + k]));
                out.angle = std::max(out.angle, std::abs(a[static_cast<Eigen::Index>(k)] - row[4 + k]));
            }
            for (std::size_t k = 0; k < 4; ++k)
                out.tyre = std::max(out.tyre, std::abs(results(corners[k] + "_tyre.normal") - row[7 + k]));
        }
        if (i == steps)
            return out;
        if (steer)
            steer(vehicle, static_cast<double>(i) * step);
        vehicle.step(step);
    }
}

} // namespace
