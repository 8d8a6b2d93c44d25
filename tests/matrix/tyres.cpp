// Wheels on roads and balls on planes against formulas that fit on a line, with all methods.

#include "tests/support/machine_run.hpp"
#include "tests/support/machines.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace tenon;
using namespace tenon::tests;

namespace {

constexpr double g = 9.81;

Body ball(const Vec3& position, double mass = 1) {
    Body body;
    body.name = "ball";
    body.mass = mass;
    body.inertia = 0.004 * mass * Mat3::Identity();
    body.position = position;
    body.velocity = Vec3::Zero();
    body.angular_velocity = Vec3::Zero();
    return body;
}

Force contact_of(const Vec3& at, double radius, double stiffness) {
    Force force;
    force.name = "ground";
    force.type = "contact";
    force.first = world;
    force.second = 0;
    force.set("at", at).set("radius", radius).set("stiffness", stiffness);
    force.set("point", Vec3(Vec3::Zero())).set("normal", Vec3(Vec3::UnitZ()));
    return force;
}

/// A wheel of radius 0.3 m that touches z = 0 with its centre at `height`, spin axis y.
Model wheel(double height, double speed, double spin) {
    Model model;
    Body body;
    body.name = "wheel";
    body.mass = 20;
    body.inertia = Vec3(0.5, 0.9, 0.5).asDiagonal();
    body.position = Vec3(0, 0, height);
    body.velocity = Vec3(speed, 0, 0);
    body.angular_velocity = Vec3(0, spin, 0);
    model.bodies = {body};
    Force tyre;
    tyre.name = "tyre";
    tyre.type = "tyre";
    tyre.first = world;
    tyre.second = 0;
    tyre.set("at", body.position).set("axis", Vec3(Vec3::UnitY())).set("radius", 0.3);
    tyre.set("stiffness", 1e5);
    model.forces = {tyre};
    return model;
}

/// A result, on request or not.
double read(const Simulation& machine, const std::string& name) {
    const std::size_t count = machine.columns().size();
    std::vector<double> values(count + machine.columns_on_request().size());
    machine.read(values);
    for (std::size_t i = 0; i < values.size(); ++i)
        if ((i < count ? machine.columns()[i] : machine.columns_on_request()[i - count]).name == name)
            return values[i];
    throw std::runtime_error("no variable '" + name + "'");
}

/// Largest |E - W - (E - W)_start| over a run.
double unbalance(Simulation& machine, double h, double stop) {
    Results results(machine);
    const auto balance = [&] {
        results.refresh();
        return results("energy.total") - results("energy.work");
    };
    const double start = balance();
    double worst = 0;
    for (int i = 0; i < std::lround(stop / h); ++i) {
        machine.step(h);
        worst = std::max(worst, std::abs(balance() - start));
    }
    return worst;
}

} // namespace

TEST_CASE("a ball that is let go at its static penetration stays there, m g / k deep") {
    Model model;
    model.bodies = {ball({0, 0, 0.1 - g / 1e4})};
    model.forces = {contact_of(model.bodies[0].position, 0.1, 1e4)};
    for (const std::string& method : all_methods()) {
        CAPTURE(method);
        Simulation machine(with(model, {.integrator = method}, 1e-3, 0.2));
        run(machine, 1e-3, 0.2);
        CHECK(read(machine, "ground.penetration") == Approx(g / 1e4).epsilon(1e-6));
        CHECK(read(machine, "ground.normal") == Approx(g).epsilon(1e-6));
    }
}

TEST_CASE("the restitution of Hunt and Crossley's contact is the root of its equation") {
    // v0/b - ln(1 + b v0)/b^2 = -r v0/b - ln(1 - b r v0)/b^2, without gravity; b = 0.3 s/m, v0 = 2 m/s.
    const double b = 0.3, v0 = 2;
    const double compressed = v0 / b - std::log(1 + b * v0) / (b * b);
    double low = 0, high = 1;
    for (int i = 0; i < 100; ++i) {
        const double r = 0.5 * (low + high);
        (-r * v0 / b - std::log(1 - b * r * v0) / (b * b) < compressed ? low : high) = r;
    }
    Model model;
    model.gravity.setZero();
    model.bodies = {ball({0, 0, 0.15})};
    model.bodies[0].velocity = Vec3(0, 0, -v0);
    model.forces = {contact_of(model.bodies[0].position, 0.1, 1e5)};
    model.forces[0].set("exponent", 1.5).set("dissipation", b);
    Simulation machine(with(model, {.integrator = "explicit-correction"}, 1e-5, 0.06));
    run(machine, 1e-5, 0.06);
    CHECK(read(machine, "ball.v_0[3]") == Approx(low * v0).epsilon(1e-5));
}

TEST_CASE(
    "a ball bounces as high as it falls without damping, by every method, and the work balance closes") {
    Model model;
    model.bodies = {ball({0, 0, 0.2})};
    model.forces = {contact_of(model.bodies[0].position, 0.1, 1e4)};
    const double fall = std::sqrt(2 * 0.1 / g);
    // Half a period of the spring about its rest m g / k below the surface, from the velocity at contact to its opposite.
    const double w = std::sqrt(1e4), v = std::sqrt(2 * g * 0.1);
    const double inside = 2 / w * (3.14159265358979323846 / 2 + std::atan(g / (w * v)));
    const double stop = 2 * fall + inside, h = stop / 2000;
    for (const std::string& method : all_methods()) {
        CAPTURE(method);
        Simulation machine(with(model, {.integrator = method}, h, stop));
        const double error = unbalance(machine, h, stop);
        CHECK(read(machine, "ball.r_0[3]") == Approx(0.2).epsilon(1e-4));
        CHECK(error < 1e-4 * g * 0.1);
        if (method == "energy-preserving" || method == "conserving")
            CHECK(error < 1e-10);
    }
}

TEST_CASE("a block that slides on the ground stops after v^2 / (2 mu g)") {
    Model model;
    model.bodies = {ball({0, 0, -g / 1e5})};
    model.bodies[0].velocity = Vec3(2, 0, 0);
    model.bodies[0].inertia = 1e4 * Mat3::Identity(); // hardly turns
    model.forces = {contact_of(model.bodies[0].position, 0, 1e5)};
    model.forces[0].set("friction", 0.5).set("speed", 1e-3);
    for (const std::string& method : all_methods()) {
        CAPTURE(method);
        Simulation machine(with(model, {.integrator = method}, 5e-4, 0.6));
        run(machine, 5e-4, 0.6);
        // tanh leaves out a little of the friction below `speed`
        CHECK(read(machine, "ball.r_0[1]") == Approx(2.0 * 2.0 / (2 * 0.5 * g)).epsilon(1e-3));
    }
}

TEST_CASE("a wheel rolls down a slope of its own weight as a rolling disc does") {
    // a = g sin(s) / (1 + I / (m r^2)), r the loaded radius; a stiff longitudinal law hardly slips.
    Model model = wheel(0.3, 0, 0);
    const double slope = 0.1, c = 1 / std::sqrt(1 + slope * slope);
    Road road;
    road.name = "hill";
    road.features = {{"plane", {{"slope", -slope}}}};
    model.roads = {road};
    const double pressed = 20 * g * c / 1e5, loaded = 0.3 - pressed;
    const Vec3 normal = Vec3(slope, 0, 1).normalized();
    model.bodies[0].position = loaded * normal;
    model.forces[0].set("at", model.bodies[0].position).set("road", std::string("hill"));
    model.forces[0].set("longitudinal", Choice{"viscous", {{"coefficient", 1e4}}});
    const double along = g * slope * c / (1 + 0.9 / (20 * loaded * loaded));
    for (const std::string method : {"explicit-correction", "projection", "energy-preserving"}) {
        CAPTURE(method);
        Simulation machine(with(model, {.integrator = method}, 1e-3, 1));
        CHECK(unbalance(machine, 1e-3, 1) < 1e-4);
        CHECK(read(machine, "wheel.v_0[1]") == Approx(along * c).epsilon(2e-3));
        CHECK(read(machine, "wheel.w_0[2]") == Approx(along / loaded).epsilon(2e-3));
        CHECK(read(machine, "tyre.penetration") == Approx(pressed).epsilon(1e-3));
    }
}

TEST_CASE("slip angle, camber and forces of a tyre have the signs and sizes of its definition") {
    Model model = wheel(0.29, 10, 10 / 0.29);
    model.bodies[0].velocity = Vec3(10, 0.5, 0);
    model.forces[0].set("lateral", Choice{"linear", {{"cornering", 3e4}, {"camber", 2e3}, {"trail", 0.05}}});
    model.forces[0].set("longitudinal", Choice{"linear", {{"stiffness", 4e4}}});
    model.bodies[0].angular_velocity = Vec3(0, 11 / 0.29, 0);
    Simulation machine(with(model, {.integrator = "explicit-correction"}, 1e-3, 1));
    const double slip = std::atan(0.05);
    CHECK(read(machine, "tyre.penetration") == Approx(0.01));
    CHECK(read(machine, "tyre.normal") == Approx(1000));
    CHECK(read(machine, "tyre.slip_angle") == Approx(slip));
    CHECK(read(machine, "tyre.slip_ratio") == Approx(0.1));
    CHECK(read(machine, "tyre.lateral") == Approx(-3e4 * slip));
    CHECK(read(machine, "tyre.aligning") == Approx(0.05 * 3e4 * slip));
    CHECK(read(machine, "tyre.longitudinal") == Approx(4e3));
    CHECK(read(machine, "wheel.a_0[1]") == Approx(4e3 / 20));
    CHECK(read(machine, "wheel.al_0[2]") == Approx(-4e3 * 0.29 / 0.9));
    // Leaning to the right by 0.1 rad: the axis' left end is up.
    const Mat3 lean = Eigen::AngleAxisd(0.1, Vec3::UnitX()).toRotationMatrix();
    model.bodies[0].rotation = lean;
    model.bodies[0].velocity = Vec3(10, 0, 0);
    model.forces[0].set("axis", Vec3(lean * Vec3::UnitY()));
    Simulation leaning(with(model, {.integrator = "explicit-correction"}, 1e-3, 1));
    CHECK(read(leaning, "tyre.camber") == Approx(0.1));
    CHECK(read(leaning, "tyre.penetration") == Approx(0.3 * std::cos(0.1) - 0.29));
    CHECK(read(leaning, "tyre.lateral") == Approx(-2e3 * 0.1));
    // Backwards the lateral force still opposes the lateral velocity.
    model.bodies[0].rotation.setIdentity();
    model.forces[0].set("axis", Vec3(Vec3::UnitY()));
    model.bodies[0].velocity = Vec3(-10, 0.5, 0);
    Simulation back(with(model, {.integrator = "explicit-correction"}, 1e-3, 1));
    CHECK(read(back, "tyre.lateral") == Approx(-3e4 * slip));
}

TEST_CASE("a slip with relaxation length follows with its time constant, to second order") {
    // A carriage that a driver moves sideways at a constant slip: slip' = v / s (target - slip).
    Model model = wheel(0.29, 10, 0);
    model.gravity.setZero();
    model.joints = {joint_of("rail", "prismatic", world, 0, model.bodies[0].position, {1, 0.05, 0})};
    model.bodies[0].velocity = Vec3(10, 0.5, 0);
    model.bodies[0].angular_velocity = Vec3::Zero();
    model.forces[0].set("lateral", Choice{"viscous", {{"coefficient", 0.0}}});
    model.forces[0].set("relaxation_length", 0.5);
    Road road; // steep enough that there is no contact before x = 1 m
    road.name = "edge";
    road.features = {{"ramp", {{"start", 0.999}, {"end", 1.0}, {"height", 0.5}}}};
    road.at = Vec3(0, 0, -0.5);
    model.roads = {road};
    model.forces[0].set("road", std::string("edge"));
    model.forces[0].set("stiffness", 0.0);
    double error[2] = {0, 0};
    for (int i = 0; i < 2; ++i) {
        const double h = i == 0 ? 1e-3 : 5e-4;
        Simulation machine(with(model, {.integrator = "explicit-correction"}, h, 0.15));
        run(machine, h, 0.15);
        const double exact = std::atan(0.05) * (1 - std::exp(-10 * (0.15 - 0.1) / 0.5));
        error[i] = std::abs(read(machine, "tyre.slip_angle") - exact);
        CHECK(error[i] < 0.02 * exact);
    }
    CHECK(error[1] < error[0]);
}

TEST_CASE("methods keep their order on a wheel that rolls over a smooth road") {
    Model model = wheel(0.3 - 20 * g / 1e5, 5, 5 / 0.298);
    Road road;
    road.name = "hill";
    road.features = {
        {"bump", {{"start", -3.0}, {"length", 6.0}, {"height", 0.3}}}}; // its ends are never reached
    road.at = Vec3(0, 0, -0.3);
    model.roads = {road};
    model.forces[0].set("road", std::string("hill")).set("damping", 200.0);
    model.forces[0].set("longitudinal", Choice{"linear", {{"stiffness", 2e4}, {"mu", 1.0}}});
    const auto place = [&](const std::string& method, double h) {
        Simulation machine(with(model, {.integrator = method, .tolerance = 1e-12}, h, 0.4));
        run(machine, h, 0.4);
        return Vec3(read(machine, "wheel.r_0[1]"), read(machine, "wheel.r_0[3]"),
                    read(machine, "wheel.w_0[2]"));
    };
    const Vec3 exact = place("munthe-kaas", 6.25e-5);
    struct Expected {
        std::string method;
        double order;
    };
    for (const auto& [method, order] :
         {Expected{"munthe-kaas", 4}, Expected{"explicit-correction", 4}, Expected{"projection", 2},
          Expected{"conserving", 2}, Expected{"energy-preserving", 2}}) {
        const double coarse = (place(method, 1e-3) - exact).norm(),
                     fine = (place(method, 5e-4) - exact).norm();
        CAPTURE(method, coarse, fine);
        CHECK(std::log2(coarse / fine) == Approx(order).margin(0.25));
    }
}

TEST_CASE("methods agree on a wheel that is braked on a bumpy road") {
    Model model = example("braked_wheel");
    double reference = 0;
    for (const std::string method :
         {"explicit-correction", "projection", "energy-preserving", "conserving"}) {
        CAPTURE(method);
        Simulation machine(with(model, {.integrator = method, .tolerance = 1e-9}, 5e-4, 1.5));
        run(machine, 5e-4, 1.5);
        const double x = read(machine, "wheel.r_0[1]");
        CHECK((x > 20 && x < 30));
        if (reference == 0)
            reference = x;
        CHECK(x == Approx(reference).epsilon(1e-4));
    }
}

TEST_CASE("a state with lagging slips saved and restored goes on bit for bit") {
    const Model model = example("braked_wheel");
    Simulation machine(model);
    for (int i = 0; i < 300; ++i)
        machine.step(1e-3);
    const std::vector<unsigned char> bytes = machine.to_bytes();
    Simulation other(model);
    other.from_bytes(bytes);
    for (int i = 0; i < 50; ++i) {
        machine.step(1e-3);
        other.step(1e-3);
    }
    CHECK(machine.to_bytes() == other.to_bytes());
}

TEST_CASE("a wheel off the road's end, and one that starts inside of the road, are refused by name") {
    using Catch::Contains;
    Model model = wheel(0.29, 10, 10 / 0.29);
    Road road;
    road.name = "pier";
    road.end = 1.005;
    model.roads = {road};
    model.forces[0].set("road", std::string("pier"));
    Simulation machine(with(model, {.integrator = "projection"}, 1e-3, 1));
    CHECK_THROWS_WITH(run(machine, 1e-3, 1),
                      Contains("'tyre' is off the end of road 'pier' at x = 1.01") && Contains("t = 0.101"));
    CHECK(machine.time() == Approx(0.1)); // the state before the step that left the road
    CHECK(read(machine, "wheel.r_0[1]") == Approx(1));
    model.bodies[0].position.z() = -0.1;
    model.forces[0].set("at", model.bodies[0].position);
    CHECK_THROWS_WITH(Simulation(model), Contains("is in the road by 0.4 m, more than its radius (0.3 m)"));
    model.forces[0].set("road", std::string("peer"));
    CHECK_THROWS_WITH(Simulation(model), Contains("there is no road 'peer'; did you mean 'pier'?"));
}
