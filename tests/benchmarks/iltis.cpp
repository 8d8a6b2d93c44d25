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

/// The front wheels turn about their kingpins as the rack's speed asks, and nothing else moves because of it. The benchmark starts so: its
/// steering angles are prescribed, and a rack that starts suddenly pushes nobody.
void start_steering(Model& model, double rack_speed) {
    named(model.bodies, "rack").velocity->y() += rack_speed;
    for (const std::string side : {"left", "right"}) {
        const std::string corner = "front_" + side;
        const Joint& rod = named(model.joints, corner + "_tie_rod");
        const Vec3 lower = named(model.joints, corner + "_ball").at;
        const Vec3 kingpin = (named(model.joints, corner + "_guide").at - lower).normalized();
        const Vec3 along = (rod.point2 - rod.point1).normalized();
        const Vec3 w = rack_speed * along.y() / along.dot(kingpin.cross(rod.point2 - lower)) * kingpin;
        for (const std::string part : {"_knuckle", "_wheel"}) {
            Body& body = named(model.bodies, corner + part);
            body.angular_velocity = body.angular_velocity.value_or(Vec3::Zero()) + w;
            body.velocity = *body.velocity + w.cross(body.position - lower);
        }
    }
}

Vec3 force_of(const Results& results, const std::string& joint) { return results.vector(joint + ".f_0"); }

/// The force in a rod from a point of the chassis to a point of a knuckle, positive where it pulls.
double in_rod(const Model& model, const Results& results, const std::string& name) {
    const Joint& rod = named(model.joints, name);
    const auto now = [&](const std::string& body, const Vec3& point) -> Vec3 {
        const Body& drawn = named(model.bodies, body);
        return results.vector(body + ".r_0") +
               results.rotation(body) * drawn.orientation.transpose() * (point - drawn.position);
    };
    const Vec3 along = now(model.bodies[static_cast<std::size_t>(rod.second)].name, rod.point2) -
                       now(model.bodies[static_cast<std::size_t>(rod.first)].name, rod.point1);
    return -force_of(results, name).dot(along.normalized());
}

const Method fine{.integrator = "explicit-correction", .tolerance = 1e-10};

} // namespace

TEST_CASE("the Iltis has ten degrees of freedom and no row too many, with wheels that spin and without", "[benchmark]") {
    const StartReport spinning = Simulation(example("iltis")).start();
    CHECK(spinning.degrees_of_freedom == 10);
    CHECK(spinning.rank_deficiency == 0);
    const StartReport paper = Simulation(example("iltis_profile_1")).start();
    CHECK(example("iltis_profile_1").bodies.size() == 9);
    CHECK(paper.rows == 98 - 9 * 6); // the paper's coordinates have six conditions of their own per body
    CHECK(paper.degrees_of_freedom == 10);
    CHECK(paper.rank_deficiency == 0);
    CHECK(Simulation(example("iltis_drive")).start().degrees_of_freedom == 14);
}

TEST_CASE("as drawn the Iltis carries the benchmark's nominal forces", "[benchmark]") {
    Model model = on_flat_road(example("iltis"));
    model.solver.options.erase("start");
    Simulation vehicle(model);
    Results results(vehicle);
    results.refresh();
    const Json nominal = reference("iltis")["nominal"];
    for (const std::string& corner : corners) {
        const std::string axle = corner.substr(0, corner.find('_'));
        CAPTURE(corner);
        CHECK(results(corner + "_leaf.force") == Approx(nominal["leaf"].number()).margin(0.05));
        CHECK(results(corner + "_shock.force") == Approx(nominal["shock"].number()).margin(0.05));
        CHECK(results(corner + "_tyre.normal") == Approx(nominal["tyre"][axle].number()).margin(0.15));
    }
}

TEST_CASE("at rest the Iltis shows every digit of the benchmark's static table", "[benchmark]") {
    const Model model = at_speed(on_flat_road(example("iltis")), 0);
    Simulation vehicle(model);
    Results results(vehicle);
    results.refresh();
    const Json table = reference("iltis")["static"];
    const auto printed = [](double x) { return std::round(100 * x) / 100; };
    CHECK(std::round(1e3 * 1e3 * (results("chassis.r_0[3]") - 0.57)) / 1e3 == Approx(table["vertical_mm"].number()));
    const double degrees = angles(results.rotation("chassis"))[0] * 180 / std::acos(-1.0);
    CHECK(std::round(1e4 * degrees) / 1e4 == Approx(table["pitch_deg"].number()));
    for (const std::string& corner : corners) {
        const std::string axle = corner.substr(0, corner.find('_'));
        CAPTURE(corner);
        CHECK(printed(results(corner + "_tyre.normal")) == table[ "tyre"][axle].number());
        CHECK(printed(results(corner + "_leaf.force")) == table["leaf"][axle].number());
        CHECK(printed(results(corner + "_shock.force")) == table["shock"][axle].number());
        CHECK(printed(in_rod(model, results, corner + "_link")) == table["link"][axle].number());
    }
}

TEST_CASE("over the bump the Iltis moves as the benchmark's reference", "[benchmark]") {
    const Difference found = compare(example("iltis"), fine, 0.0005, "bump");
    CAPTURE(found.position, found.angle, found.tyre);
    CHECK(found.position < 1);
}

TEST_CASE("steered by a sine the Iltis moves as the benchmark's reference", "[benchmark]") {
    Model model = at_speed(on_flat_road(example("iltis")), 20);
    Driver& rack = named(model.drivers, "rack_travel");
    rack.input = false;
    rack.motion = {.amplitude = 0.004, .frequency = 1};
    start_steering(model, 0.004 * 2 * std::acos(-1.0));
    const Difference found = compare(model, fine, 0.001, "sine_steer");
    CAPTURE(found.position, found.angle, found.tyre);
    CHECK(found.position < 1);
}

TEST_CASE("steered by a ramp the Iltis moves as the benchmark's reference", "[benchmark]") {
    Model model = on_flat_road(example("iltis"));
    start_steering(model, 0);
    const Difference found = compare(model, fine, 0.001, "ramp_steer", [](Simulation& vehicle, double t) {
        if (std::abs(t) < 1e-9 || std::abs(t - 0.5) < 1e-9)
            vehicle.set_input(0, t < 0.25 ? 0 : 0.002, t < 0.25 ? 0.004 : 0);
    });
    CAPTURE(found.position, found.angle, found.tyre);
    CHECK(found.position < 1);
}
