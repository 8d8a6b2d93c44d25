// Equilibria with closed forms, and machines that have none. Expected values: hand calculation, said at each.

#include "core/math/error.hpp"
#include "core/simulation/linearisation.hpp"
#include "core/simulation/simulation.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/machines.hpp"
#include "tools/model_file/model_reader.hpp"

#include <catch2/catch.hpp>

#include <numbers>

namespace {

using namespace tenon;
using namespace tenon::tests;

Body point_mass(const std::string& name, double mass, const Vec3& position) {
    Body body;
    body.name = name;
    body.mass = mass;
    body.inertia = Vec3(0.01, 0.01, 0.01).asDiagonal();
    body.position = position;
    return body;
}

Force spring(const std::string& name, int first, int second, const Vec3& a, const Vec3& b, double stiffness,
             double free, double damping = 0) {
    Force force;
    force.name = name;
    force.type = "spring_damper";
    force.first = first;
    force.second = second;
    force.set("points", std::array<Vec3, 2>{a, b});
    force.set("stiffness", stiffness).set("free_length", free).set("damping", damping);
    return force;
}

Force torsion(int joint, double stiffness, double damping = 0) {
    Force force;
    force.name = "twist" + std::to_string(joint);
    force.type = "torsion_spring";
    force.joint = joint;
    force.set("stiffness", stiffness).set("damping", damping);
    return force;
}

/// A rod on a pin at the origin, its centre of mass 1 m from it, `angle` from the vertical below.
Model pendulum(double angle) {
    Model model;
    Body body = point_mass("rod", 2, Vec3(std::sin(angle), 0, -std::cos(angle)));
    model.bodies = {body};
    model.joints = {joint_of("pin", "revolute", world, 0, Vec3::Zero(), Vec3::UnitY())};
    return model;
}

/// A mass that slides along z on a spring.
Model hung(double mass, double stiffness, double damping = 0) {
    Model model;
    model.bodies = {point_mass("mass", mass, Vec3(0, 0, -1))};
    model.joints = {joint_of("guide", "prismatic", world, 0, Vec3(0, 0, -1), Vec3::UnitZ())};
    model.forces = {spring("coil", world, 0, Vec3::Zero(), Vec3(0, 0, -1), stiffness, 1, damping)};
    return model;
}

} // namespace

TEST_CASE("a pendulum comes to rest below its pin, from nearly above it, too") {
    for (const double angle : {0.3, 1.5, 3.0, -2.8}) {
        StandingMachine machine(pendulum(angle));
        const EquilibriumReport& report = machine.rest();
        CHECK((machine.kinematics()[0].r - Vec3(0, 0, -1)).norm() < 1e-10);
        CHECK(report.force < 1e-7);
        CHECK(report.stability == Stability::stable);
        CHECK(report.least_stiffness == Approx(2 * 9.81 / 2.01).epsilon(1e-7)); // m g l / (I + m l^2)
        CHECK(std::abs(machine.coordinates(0).first) == Approx(std::abs(angle)).epsilon(1e-10));
    }
}

TEST_CASE("a pendulum that stands on its head stays there and is said to be unstable") {
    StandingMachine machine(pendulum(std::numbers::pi));
    const EquilibriumReport& report = machine.rest();
    CHECK(report.stability == Stability::unstable);
    REQUIRE(report.unstable.size() == 1);
    CHECK(report.unstable[0].stiffness == Approx(-2 * 9.81 / 2.01).epsilon(1e-6));
    CHECK(report.unstable[0].moves[0].body == 0);
}

TEST_CASE("a mass on a spring hangs m g / k lower, and swings with sqrt(k / m)") {
    StandingMachine machine(hung(3, 200, 4));
    const EquilibriumReport& report = machine.rest();
    CHECK(report.moves[0].shift.z() == Approx(-3 * 9.81 / 200).epsilon(1e-10));
    CHECK(report.stability == Stability::stable);
    const LinearisationReport linear = machine.linearise(Around::rest);
    REQUIRE(linear.modes.size() == 1);
    // x'' + c/m x' + k/m x = 0
    CHECK(linear.modes[0].value.real() == Approx(-4.0 / 6).epsilon(1e-7));
    CHECK(linear.modes[0].value.imag() == Approx(std::sqrt(200.0 / 3 - 4.0 / 9)).epsilon(1e-7));
    CHECK(linear.modes[0].damping() == Approx(4 / (2 * std::sqrt(600.0))).epsilon(1e-7));
    CHECK(linear.rigid_body_modes == 0);
}

TEST_CASE("a body without anything that holds it falls, and the message names it and its weight") {
    Model model;
    model.bodies = {point_mass("stone", 2, Vec3::Zero())};
    StandingMachine machine(model);
    try {
        machine.rest();
        FAIL("it does not fall");
    } catch (const Error& error) {
        CHECK_THAT(error.what(), Catch::Contains("'stone'") && Catch::Contains("19.6 N"));
        CHECK(error.kind() == ErrorKind::computation);
    }
}

TEST_CASE("a floating body without gravity rests where it is, with six neutral directions") {
    Model model;
    model.gravity.setZero();
    model.bodies = {heavy_body("stone", Vec3(1, 2, 3))};
    StandingMachine machine(model);
    const EquilibriumReport& report = machine.rest();
    CHECK(report.stability == Stability::neutral);
    CHECK(report.neutral.size() == 6);
    CHECK(report.moves[0].shift.norm() == 0);
    CHECK(machine.linearise(Around::rest).rigid_body_modes == 6);
}

TEST_CASE("a car body on four springs sinks m g / 4 k and is left alone in x, y and yaw") {
    // Springs that stay vertical: each between the body and a foot without friction on the ground.
    Model model;
    model.bodies = {point_mass("chassis", 100, Vec3(0.3, -0.2, 0.5))};
    model.bodies[0].inertia = Vec3(20, 60, 70).asDiagonal();
    int i = 0;
    for (const double x : {-1.0, 1.0})
        for (const double y : {-0.6, 0.6}) {
            const Vec3 at = model.bodies[0].position + Vec3(x, y, 0);
            const std::string n = std::to_string(++i);
            model.bodies.push_back(point_mass("foot" + n, 1, at - Vec3(0, 0, 0.5)));
            model.joints.push_back(
                joint_of("ground" + n, "planar", world, i, at - Vec3(0, 0, 0.5), Vec3::UnitZ()));
            model.joints.push_back(joint_of("strut" + n, "cylindrical", 0, i, at, Vec3::UnitZ()));
            model.forces.push_back(spring("coil" + n, 0, i, at, at - Vec3(0, 0, 0.5), 5000, 0.5));
        }
    StandingMachine machine(model);
    const EquilibriumReport& report = machine.rest();
    CHECK(report.moves[0].shift.z() == Approx(-100 * 9.81 / 20000).epsilon(1e-9));
    CHECK(report.moves[0].shift.head<2>().norm() < 1e-9);
    CHECK(report.stability == Stability::neutral);
    CHECK(report.neutral.size() >= 3);
    CHECK(report.unstable.empty());
}

TEST_CASE("a car whose wheels turn freely rests on its tyres; its place, its heading and the four turns are "
          "its own") {
    const Model model = read_model(source_folder() + "/examples/iltis_drive.toml");
    StandingMachine machine(model);
    const EquilibriumReport& report = machine.rest();
    CHECK(report.stability == Stability::neutral);
    CHECK(report.neutral.size() == 7);
    CHECK(report.force < 1e-7 * report.weight);
    double carried = 0, mass = 0;
    for (const Body& body : model.bodies)
        mass += body.mass;
    for (std::size_t f = 0; f < model.forces.size(); ++f)
        if (model.forces[f].type == "tyre")
            carried += machine.force_values(static_cast<int>(f))[1];
    CHECK(carried == Approx(mass * 9.81).epsilon(1e-5)); // their normals lean with the road by nothing here
}

TEST_CASE("a four-bar with redundant rows hangs where its energy is least") {
    Model model = four_bar(true);
    model.forces.clear();
    StandingMachine machine(model);
    const EquilibriumReport& report = machine.rest();
    CHECK(report.degrees_of_freedom == 1);
    CHECK(report.stability == Stability::stable);
    CHECK(report.force < 1e-7 * report.weight);
}

TEST_CASE("the modes of a shaft with discs are those of its stiffness matrix") {
    // J phi_i'' = k (phi_{i-1} - 2 phi_i + phi_{i+1}), one end held, one free:
    // w_m = 2 sqrt(k/J) sin((2 m - 1) pi / (2 (2 n + 1)))
    constexpr int n = 5;
    constexpr double J = 0.01, k = 25;
    Model model;
    model.gravity.setZero();
    for (int i = 0; i < n; ++i) {
        model.bodies.push_back(point_mass("disc" + std::to_string(i), 1, Vec3(i, 0, 0)));
        model.joints.push_back(
            joint_of("bearing" + std::to_string(i), "revolute", i - 1, i, Vec3(i, 0, 0), Vec3::UnitX()));
        model.forces.push_back(torsion(i, k));
    }
    const LinearisationReport linear = StandingMachine(model).linearise(Around::rest);
    REQUIRE(linear.modes.size() == n);
    for (int m = 1; m <= n; ++m) {
        const double w = 2 * std::sqrt(k / J) * std::sin((2 * m - 1) * std::numbers::pi / (2 * (2 * n + 1)));
        CHECK(linear.modes[static_cast<std::size_t>(m - 1)].value.imag() == Approx(w).epsilon(1e-8));
        CHECK(std::abs(linear.modes[static_cast<std::size_t>(m - 1)].value.real()) < 1e-5);
    }
}

TEST_CASE("the double pendulum swings with its two frequencies") {
    // Equal point masses and lengths: w^2 = (2 -+ sqrt 2) g / l.
    Model model;
    model.bodies = {point_mass("upper", 1, Vec3(0, 0, -1)), point_mass("lower", 1, Vec3(0, 0, -2))};
    for (Body& body : model.bodies)
        body.inertia.setZero();
    model.joints = {joint_of("shoulder", "revolute", world, 0, Vec3::Zero(), Vec3::UnitY()),
                    joint_of("elbow", "revolute", 0, 1, Vec3(0, 0, -1), Vec3::UnitY())};
    const LinearisationReport linear = StandingMachine(model).linearise(Around::rest);
    REQUIRE(linear.modes.size() == 2);
    CHECK(linear.modes[0].value.imag() == Approx(std::sqrt((2 - std::sqrt(2.0)) * 9.81)).epsilon(1e-7));
    CHECK(linear.modes[1].value.imag() == Approx(std::sqrt((2 + std::sqrt(2.0)) * 9.81)).epsilon(1e-7));
}

TEST_CASE("a spinning disc on an elastic support whirls forward and backward") {
    // Tilt of a body of revolution with spin W about z on rotational stiffness k: A p'' - i C W p' + k p = 0,
    // p = theta_x + i theta_y: w = (C W +- sqrt(C^2 W^2 + 4 A k)) / (2 A).
    const double disc_A = 0.02, C = 0.035, W = 90, k = 50, yoke_A = 0.002, A = disc_A + yoke_A;
    Model model;
    model.gravity.setZero();
    Body disc = point_mass("disc", 1, Vec3::Zero());
    disc.inertia = Vec3(disc_A, disc_A, C).asDiagonal();
    disc.angular_velocity = Vec3(0, 0, W);
    Body yoke = point_mass("yoke", 0.1, Vec3::Zero());
    yoke.inertia = Vec3(yoke_A, yoke_A, yoke_A).asDiagonal();
    model.bodies = {yoke, disc};
    model.joints = {joint_of("centre", "spherical", world, 0, Vec3::Zero()),
                    joint_of("shaft", "revolute", 0, 1, Vec3::Zero(), Vec3::UnitZ())};
    Force bushing;
    bushing.name = "support";
    bushing.type = "bushing";
    bushing.first = world;
    bushing.second = 0;
    bushing.set("at", Vec3(Vec3::Zero())).set("stiffness", std::vector<double>{0, 0, 0, k, k, k});
    model.forces = {bushing};
    const LinearisationReport linear = StandingMachine(model).linearise(Around::motion);
    CHECK(linear.steady());
    CHECK(linear.constant());
    const double root = std::sqrt(C * C * W * W + 4 * A * k);
    std::vector<double> found;
    for (const Mode& mode : linear.modes)
        found.push_back(mode.value.imag());
    for (const double w : {(C * W + root) / (2 * A), (root - C * W) / (2 * A)}) {
        double nearest = 1e9;
        for (const double f : found)
            nearest = std::min(nearest, std::abs(f - w) / w);
        CHECK(nearest < 1e-6);
    }
}

TEST_CASE("a sleeping top stands from the spin on that theory gives") {
    // C^2 W^2 > 4 A m g l, A about the tip.
    const double m = 1, l = 0.5, C = 0.05, A0 = 0.03, A = A0 + m * l * l;
    const double limit = std::sqrt(4 * A * m * 9.81 * l) / C;
    for (const double factor : {0.98, 1.02}) {
        Model model;
        Body top = point_mass("top", m, Vec3(0, 0, l));
        top.inertia = Vec3(A0, A0, C).asDiagonal();
        top.angular_velocity = Vec3(0, 0, factor * limit);
        model.bodies = {top};
        model.joints = {joint_of("tip", "spherical", world, 0, Vec3::Zero())};
        const LinearisationReport linear = StandingMachine(model).linearise(Around::motion);
        CHECK(linear.steady());
        double growth = 0;
        for (const Mode& mode : linear.modes)
            growth = std::max(growth, mode.value.real());
        CHECK((growth > 0.1) == (factor < 1));
    }
}

TEST_CASE("a simulation starts at its equilibrium and stays there, with every coordinate face") {
    for (const char* integrator : {"projection", "explicit-correction", "munthe-kaas"}) {
        Model model = hung(3, 200);
        model.solver.integrator = integrator;
        model.solver.options["start"] = std::string("equilibrium");
        model.solver.step = 1e-3;
        Simulation simulation(model);
        std::vector<double> values(simulation.columns().size());
        simulation.read(values);
        const double start = values[2];
        CHECK(start == Approx(-1 - 3 * 9.81 / 200).epsilon(1e-10));
        for (int i = 0; i < 100; ++i)
            simulation.step(1e-3);
        simulation.read(values);
        CHECK(std::abs(values[2] - start) < 1e-9);
    }
}
