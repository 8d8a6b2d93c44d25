// Joints, gears, friction, drivers and inputs against formulas that fit on a line. Where the exact motion is a polynomial of second
// degree in time every method is exact.

#include "tests/support/machine_run.hpp"
#include "tests/support/machines.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::tests;

namespace {

constexpr double pi = 3.14159265358979323846;

Body plain_body(const std::string& name, const Vec3& position, double mass, const Vec3& inertia) {
    Body body;
    body.name = name;
    body.mass = mass;
    body.inertia = inertia.asDiagonal();
    body.position = position;
    return body;
}

/// Runs every method and hands the results at the end to `test`.
template <class Test> void with_every_method(const Model& model, double h, double stop, Test test) {
    for (const std::string& method : all_methods()) {
        Simulation machine(with(model, {.integrator = method, .tolerance = 1e-12}, h, stop));
        Results results(machine);
        run(machine, h, stop);
        results.refresh();
        CAPTURE(method);
        test(results, method);
    }
}

/// Two discs on parallel axes in the ground, tied by a gear.
Model gear_train(double ratio) {
    Model model;
    model.gravity.setZero();
    model.bodies = {plain_body("first", {0, 0, 0}, 1, {0.1, 0.1, 0.2}),
                    plain_body("second", {1, 0, 0}, 2, {0.2, 0.2, 0.3})};
    model.joints = {joint_of("axle_1", "revolute", world, 0, {0, 0, 0}),
                    joint_of("axle_2", "revolute", world, 1, {1, 0, 0})};
    Joint gear;
    gear.name = "gear";
    gear.type = "gear";
    gear.joint1 = 0;
    gear.joint2 = 1;
    gear.ratio = ratio;
    model.joints.push_back(gear);
    model.forces = {twist("motor", 0, {0, 0, 0.7})};
    return model;
}

/// A nut on a vertical screw under its own weight.
Model falling_nut(double pitch) {
    Model model;
    model.bodies = {plain_body("nut", {0, 0, 0}, 1.5, {0.01, 0.01, 0.02})};
    Joint screw = joint_of("screw", "screw", world, 0, {0, 0, 0});
    screw.pitch = pitch;
    model.joints = {screw};
    return model;
}

/// A flywheel on a shaft with friction.
Model flywheel(const Friction& friction) {
    Model model;
    model.bodies = {plain_body("wheel", {0, 0, 0}, 1, {0.1, 0.1, 0.2})};
    model.bodies[0].angular_velocity = Vec3(0, 0, 3);
    model.joints = {joint_of("shaft", "revolute", world, 0, {0, 0, 0})};
    model.joints[0].friction = friction;
    return model;
}

int input_index(const Simulation& machine, const std::string& name) {
    for (std::size_t i = 0; i < machine.inputs().size(); ++i) {
        if (machine.inputs()[i].name == name)
            return static_cast<int>(i);
    }
    throw std::runtime_error("no input '" + name + "'");
}

} // namespace

TEST_CASE("a gear ties two angles exactly and reduces their inertia with every method", "[matrix]") {
    const double ratio = -2.5, stop = 1;
    const double acceleration = 0.7 / (0.2 + ratio * ratio * 0.3);
    with_every_method(gear_train(ratio), 0.01, stop, [&](const Results& results, const std::string&) {
        CHECK(results("axle_1.angle") == Approx(acceleration * stop * stop / 2).margin(1e-9));
        CHECK(results("axle_2.angle") == Approx(ratio * results("axle_1.angle")).margin(1e-11));
        CHECK(results("axle_2.rate") == Approx(ratio * results("axle_1.rate")).margin(1e-8));
    });
}

TEST_CASE("a screw ties turn and travel exactly and falls with the reduced weight with every method",
          "[matrix]") {
    const double pitch = 0.25, stop = 1, turn = 2 * pi / pitch;
    const double fall = 1.5 * 9.81 / (1.5 + turn * turn * 0.02);
    with_every_method(
        falling_nut(pitch), 0.005, stop, [&](const Results& results, const std::string& method) {
            // The nut turns by 13 rad: second-order methods err by up to 1.3e-3 m.
            const bool fourth = method == "explicit-correction" || method == "munthe-kaas";
            const double margin = fourth ? 1e-8 : 2.5e-3;
            CHECK(results("screw.distance") == Approx(-fall * stop * stop / 2).margin(margin));
            CHECK(results("screw.distance") == Approx(pitch * results("screw.angle") / (2 * pi))
                                                   .margin(method == "baumgarte" ? 1e-6 : 1e-11));
        });
}

TEST_CASE("prismatic, cylindrical and planar joints let a weight slide down a slope as if without them",
          "[matrix]") {
    const double lean = 0.4, stop = 1;
    const Vec3 down(std::cos(lean), 0, -std::sin(lean)), normal(std::sin(lean), 0, std::cos(lean));
    for (const char* type : {"prismatic", "cylindrical", "planar"}) {
        Model model;
        model.bodies = {heavy_body("sledge", {0, 0, 0}, 2)};
        model.joints = {
            joint_of("slope", type, world, 0, {0, 0, 0}, std::string(type) == "planar" ? normal : down)};
        if (std::string(type) != "prismatic") {
            model.bodies[0].com = Vec3::Zero(); // else it would swing as well
        }
        with_every_method(model, 0.01, stop, [&](const Results& results, const std::string&) {
            const Vec3 exact = 0.5 * 9.81 * std::sin(lean) * stop * stop * down;
            CAPTURE(type);
            CHECK((results.vector("sledge.r_0") - exact).norm() < 1e-9);
        });
    }
}

TEST_CASE("viscous friction slows a flywheel exponentially and its loss is the work done on it", "[matrix]") {
    const double c = 0.3, stop = 1, rate = 3 * std::exp(-c / 0.2 * stop);
    const double loss = 0.1 * (9 - rate * rate);
    with_every_method(flywheel({.coulomb = 0, .viscous = c}), 0.01, stop,
                      [&](const Results& results, const std::string& method) {
                          const bool fourth = method == "explicit-correction" || method == "munthe-kaas" ||
                                              method == "baumgarte";
                          const double margin = fourth ? 1e-7 : 1e-3;
                          CHECK(results("shaft.rate") == Approx(rate).margin(margin));
                          CHECK(results("energy.work") == Approx(-loss).margin(margin));
                      });
}

TEST_CASE("the energy that Coulomb friction takes is balanced with the order of the method", "[matrix]") {
    // I w' = -C tanh(w / s):  sinh(w / s) = sinh(w0 / s) exp(-C t / (I s))
    const double C = 0.2, s = 0.8, stop = 1;
    const double rate = s * std::asinh(std::sinh(3 / s) * std::exp(-C * stop / (0.2 * s)));
    const double loss = 0.1 * (9 - rate * rate);
    struct Row {
        const char* method;
        double order;
    };
    for (const Row& row : std::vector<Row>{{"projection", 2},
                                           {"conserving", 2},
                                           {"conserving-projection", 2},
                                           {"energy-preserving", 2},
                                           {"energy-decaying", 2},
                                           {"explicit-correction", 4},
                                           {"baumgarte", 4},
                                           {"munthe-kaas", 4},
                                           {"gauss-newmark", 2}}) {
        double last_rate = 0, last_work = 0;
        for (const double h : {0.04, 0.02}) {
            Simulation machine(with(flywheel({.coulomb = C, .viscous = 0, .speed = s}),
                                    {.integrator = row.method, .tolerance = 1e-12}, h, stop));
            Results results(machine);
            run(machine, h, stop);
            results.refresh();
            const double rate_error = std::abs(results("shaft.rate") - rate);
            const double work_error = std::abs(results("energy.work") + loss);
            CAPTURE(row.method, h, rate_error, work_error, last_rate, last_work);
            if (last_rate > 0) {
                CHECK(order(last_rate, rate_error) > row.order - 0.3);
                CHECK(order(last_work, work_error) > row.order - 0.3);
            }
            last_rate = rate_error;
            last_work = work_error;
        }
    }
}

TEST_CASE("a table drives angle and distance to its values at every step with every method", "[matrix]") {
    for (const char* type : {"revolute", "prismatic"}) {
        const Model model = with_driver(type, true);
        const Table table = model.drivers[0].table;
        const std::string coordinate = std::string(type) == "revolute" ? "joint.angle" : "joint.distance";
        for (const std::string& method : all_methods()) {
            Simulation machine(with(model, {.integrator = method}, 0.01, 0.5));
            Results results(machine);
            double worst = 0;
            run(machine, 0.01, 0.5, [&](const Simulation& now) {
                results.refresh();
                worst = std::max(worst, std::abs(results(coordinate) - table.at(now.time()).value));
            });
            CAPTURE(type, method, worst);
            CHECK(worst < (method == "baumgarte" ? 5e-4 : 1e-9));
        }
    }
}

TEST_CASE("the robot arm's joints follow their tables through the whole program", "[matrix]") {
    const Model model = example("robot_arm");
    REQUIRE_FALSE(model.drivers.empty());
    for (const char* method : {"munthe-kaas", "energy-preserving", "projection"}) {
        Simulation machine(with(model, {.integrator = method}, 0.01, 3));
        Results results(machine);
        double worst = 0;
        run(machine, 0.01, 3, [&](const Simulation& now) {
            results.refresh();
            for (const Driver& driver : model.drivers) {
                const double exact = driver.table.empty() ? driver.motion.at(now.time()).value
                                                          : driver.table.at(now.time()).value;
                const std::string& joint = model.joints[static_cast<std::size_t>(driver.joint)].name;
                worst = std::max(worst, std::abs(results(joint + ".angle") - exact));
            }
        });
        CAPTURE(method, worst);
        CHECK(worst < 1e-9);
    }
}

TEST_CASE("a force input that is set during a run acts from then on as value, rate and acceleration say",
          "[matrix]") {
    // cart.toml: F / 14 kg; 2 N for 0.4 s, then 5 - 3 s + 2 s^2 N (s from then on)
    const Model model = example("cart");
    const double t1 = 0.4, s = 0.6;
    const double v1 = 0.5 + 2.0 / 14 * t1, x1 = 0.5 * t1 + 1.0 / 14 * t1 * t1;
    const double x = x1 + v1 * s + (5 * s * s / 2 - 3 * s * s * s / 6 + 4 * s * s * s * s / 24) / 14;
    for (const std::string& method : all_methods()) {
        Simulation machine(with(model, {.integrator = method, .tolerance = 1e-12}, 0.01, 1));
        Results results(machine);
        run(machine, 0.01, t1);
        results.refresh();
        CAPTURE(method);
        // The spinning wheels cost these two 3e-6 and 7e-6 m.
        const bool exact_here = method != "augmented-lagrangian" && method != "energy-decaying";
        CHECK(results("cart.r_0[1]") == Approx(x1).margin(exact_here ? 2e-9 : 2e-5));
        int pull = -1;
        for (std::size_t i = 0; i < machine.inputs().size(); ++i) {
            if (machine.inputs()[i].name.find("[1]") != std::string::npos) {
                pull = static_cast<int>(i);
                break;
            }
        }
        REQUIRE(pull >= 0);
        machine.set_input(pull, 5, -3, 4);
        run(machine, 0.01, s);
        results.refresh();
        const bool fourth =
            method == "explicit-correction" || method == "munthe-kaas" || method == "baumgarte";
        CHECK(results("cart.r_0[1]") == Approx(x).margin(fourth ? 1e-8 : 6e-5));
        CHECK(results("front_left_axle.rate") == Approx(results("cart.v_0[1]") / 0.1).margin(1e-3));
    }
}

TEST_CASE("a driver with an input follows what is set, also when it is set again during the run",
          "[matrix]") {
    Model model = with_driver("revolute", true);
    model.drivers[0].table = Table();
    model.drivers[0].input = true;
    for (const std::string& method : all_methods()) {
        Simulation machine(with(model, {.integrator = method}, 0.01, 0.5));
        Results results(machine);
        const int motor = input_index(machine, "motor");
        machine.set_input(motor, 0, 0, 1.5);
        run(machine, 0.01, 0.2);
        results.refresh();
        CAPTURE(method);
        CHECK(results("joint.angle") == Approx(0.75 * 0.04).margin(method == "baumgarte" ? 1e-4 : 1e-9));
        CHECK(results("joint.rate") == Approx(0.3).margin(2e-2));
        machine.set_input(motor, 0.03, 0.3, -2); // angle and rate go on, the acceleration jumps
        run(machine, 0.01, 0.2);
        results.refresh();
        CHECK(results("joint.angle") ==
              Approx(0.03 + 0.06 - 0.04).margin(method == "baumgarte" ? 5e-4 : 1e-9));
    }
}
