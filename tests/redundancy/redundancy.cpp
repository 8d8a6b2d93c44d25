// Machines with redundant rows against the same machines with a joint set that has none: drawn in several
// orientations, on bases that stand, turn, tilt and float. Which rows could be left out changes on the way.

#include "core/integrators/integrator_types.hpp"
#include "core/math/rotation.hpp"
#include "core/simulation/simulation.hpp"
#include "tests/support/machine_run.hpp"
#include "tests/support/machines.hpp"
#include "tests/support/random.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <numbers>
#include <string>

using namespace tenon;
using namespace tenon::tests;

namespace {

constexpr double pi = std::numbers::pi;

enum class Base { stands, turns, tilts, floats };

/// A four-bar of random lengths on a base of its own; its joint `c` is a revolute one, or a point on a line.
Model loop_on(Base base, bool redundant, std::uint64_t seed) {
    Random random(seed);
    Model model = four_bar(redundant);
    const double wide = random.between(0.9, 1.2), high = random.between(0.3, 0.5);
    const Vec3 a(0, 0, 0), b(0.1, high, 0), c(wide - 0.2, random.between(0.8, 1.0), 0), d(wide, 0, 0);
    model.joints[0].at = a;
    model.joints[1].at = b;
    model.joints[2].at = c;
    model.joints[3].at = d;
    model.bodies[0].position = 0.5 * (a + b);
    model.bodies[1].position = 0.5 * (b + c);
    model.bodies[2].position = 0.5 * (c + d);
    model.forces.clear();
    if (base == Base::stands)
        return model;
    Body table = heavy_body("table", Vec3(0.1, -0.2, 0.1), 4);
    model.bodies.push_back(table);
    for (Joint& joint : model.joints)
        joint.first = joint.first == world ? 3 : joint.first;
    turn_all(model, Vec3(0, 2.5, 0));
    if (base == Base::turns) { // about an axis in the plane of the loop
        model.joints.push_back(joint_of("slew", "revolute", world, 3, Vec3::Zero(), Vec3::UnitY()));
    } else if (base == Base::tilts) {
        model.joints.push_back(joint_of("tilt", "spherical", world, 3, Vec3::Zero()));
    } else {
        model.gravity = Vec3(0.3, 0, -0.2);
        turn_all(model, Vec3(0.9, 2.0, -1.1));
    }
    return model;
}

/// The same machine drawn turned by R.
Model drawn(Model model, const Mat3& R) {
    for (Body& body : model.bodies) {
        body.position = R * body.position;
        body.rotation = R * body.rotation;
        if (body.velocity)
            body.velocity = Vec3(R * *body.velocity);
        if (body.angular_velocity)
            body.angular_velocity = Vec3(R * *body.angular_velocity);
    }
    for (Joint& joint : model.joints) {
        joint.at = R * joint.at;
        joint.axis = R * joint.axis;
    }
    model.gravity = R * model.gravity;
    return model;
}

/// Positions of all bodies at the end, turned back by R.
std::vector<Vec3> motion(Model model, const std::string& integrator, double step, double stop,
                         const Mat3& R = Mat3::Identity()) {
    model.solver.integrator = integrator;
    model.solver.step = step;
    model = drawn(model, R);
    Simulation simulation(model);
    run(simulation, step, stop);
    Results results(simulation);
    results.refresh();
    std::vector<Vec3> out;
    for (const Body& body : model.bodies)
        out.push_back(R.transpose() * results.vector(body.name + ".r_0"));
    return out;
}

double difference(const std::vector<Vec3>& x, const std::vector<Vec3>& y) {
    double most = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        most = std::max(most, (x[i] - y[i]).lpNorm<Eigen::Infinity>());
    return most;
}

const Mat3 upright = Mat3::Identity();
const Mat3 quarter = exp_so3(Vec3(0, 0, pi / 2));
const Mat3 askew = exp_so3(Vec3(0.6, 1.1, -0.8));

/// Two axles, rods between them on both sides a right angle apart: where one rod is stretched, the other holds.
Model locomotive() {
    Model model;
    const Vec3 y = Vec3::UnitY(), spin(0, 6, 0);
    model.gravity = Vec3(0, 0, -9.81);
    for (int i = 0; i < 2; ++i) {
        Body axle = heavy_body(i == 0 ? "front" : "rear", Vec3(1.5 * i, 0, 0), 10);
        axle.com.setZero();
        axle.angular_velocity = spin;
        model.bodies.push_back(axle);
        model.joints.push_back(joint_of("axle" + std::to_string(i), "revolute", world, i, axle.position, y));
    }
    for (int side = 0; side < 2; ++side) {
        const double angle = side * pi / 2;
        const Vec3 crank(0.3 * std::cos(angle), side == 0 ? 0.7 : -0.7, 0.3 * std::sin(angle));
        Body rod = heavy_body(side == 0 ? "left" : "right", crank + Vec3(0.75, 0, 0), 3);
        rod.velocity = spin.cross(crank);
        rod.angular_velocity = Vec3::Zero();
        rod.com.setZero();
        model.bodies.push_back(rod);
        for (int i = 0; i < 2; ++i)
            model.joints.push_back(joint_of(rod.name + std::to_string(i), "revolute", i, 2 + side,
                                            crank + Vec3(1.5 * i, 0, 0), y));
    }
    return model;
}

/// A loop on a base with a load and a port on its coupler, drawn turned by R.
Model loop_with_port(Base base, bool redundant, const Mat3& R) {
    Model model = loop_on(base, redundant, 11);
    model.forces = {push("load", 1, Vec3(0.4, 0.6, 0.1), Vec3(1, 1, 0))};
    model = drawn(model, R);
    Port port;
    port.name = "tip";
    port.body = 1;
    port.at = model.bodies[1].position;
    model.ports = {port};
    model.solver.integrator = "munthe-kaas";
    model.solver.step = 1e-3;
    return model;
}

/// What all inputs together do to all results at once.
std::vector<double> response_of(Simulation& simulation) {
    std::vector<double> seed(simulation.inputs().size()), response(simulation.all_columns().size());
    for (std::size_t i = 0; i < seed.size(); ++i) {
        seed[i] = 1 + 0.3 * static_cast<double>(i);
    }
    simulation.input_response(seed, response);
    return response;
}

/// Everything about the port: values, and what all inputs do to them.
std::map<std::string, double> at_tip(Simulation& simulation) {
    std::map<std::string, double> out;
    std::vector<double> values(simulation.all_columns().size());
    simulation.read(values);
    const std::vector<double> response = response_of(simulation);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (const std::string& name = simulation.all_columns()[i].name; name.starts_with("tip.")) {
            out[name] = values[i];
            out["by inputs: " + name] = response[i];
        }
    }
    return out;
}

} // namespace

TEST_CASE("a loop with redundant rows moves like one without, for every method, base and orientation") {
    int turn = 0;
    for (const Base base : {Base::stands, Base::turns, Base::tilts, Base::floats}) {
        for (const IntegratorType& type : integrator_types()) {
            const std::uint64_t seed = 40 + static_cast<std::uint64_t>(turn);
            const Mat3& R = ++turn % 3 == 0 ? upright : turn % 3 == 1 ? quarter : askew;
            const double step = 2e-3, stop = 0.8; // a base that turns passes a right angle
            const std::vector<Vec3> plain = motion(loop_on(base, false, seed), type.name, step, stop);
            const std::vector<Vec3> finer = motion(loop_on(base, false, seed), type.name, step / 2, stop);
            const std::vector<Vec3> found = motion(loop_on(base, true, seed), type.name, step, stop, R);
            CAPTURE(type.name, static_cast<int>(base), seed, turn % 3);
            CHECK(difference(found, plain) < 2 * difference(plain, finer) + 1e-7);
        }
    }
}

TEST_CASE("the number of redundant rows does not depend on base or orientation") {
    for (const Base base : {Base::stands, Base::turns, Base::tilts, Base::floats}) {
        for (const Mat3& R : {upright, quarter, askew}) {
            const Simulation simulation(drawn(loop_on(base, true, 7), R));
            CHECK(simulation.start().rank_deficiency == 3);
            CHECK_FALSE(simulation.start().redundant_joints.empty());
            CHECK(Simulation(drawn(loop_on(base, false, 7), R)).start().rank_deficiency == 0);
        }
    }
}

TEST_CASE("rods of a locomotive carry each other over their dead centres") {
    for (const char* method : {"projection", "energy-preserving", "energy-decaying", "munthe-kaas"}) {
        Model model = locomotive();
        model.solver.integrator = method;
        model.solver.step = 2e-3;
        Simulation simulation(model);
        CHECK(simulation.start().rank_deficiency == 7);
        CHECK(simulation.start().degrees_of_freedom == 1);
        run(simulation, 2e-3, 1.2);
        CAPTURE(method);
        CHECK(simulation.report().max_energy_error < 1e-2);
        CHECK(simulation.report().halvings == 0);
    }
}

TEST_CASE("implicit methods pass a position that is nearly singular, where sweeps creep") {
    Model model = read_model(source_folder() + "/tests/reference/scissors.toml");
    const auto ends_at = [&model](const std::string& method, double step) {
        model.solver.integrator = method;
        model.solver.step = step;
        Simulation simulation(model);
        run(simulation, step, 0.7);
        return simulation.state().q;
    };
    const Vector exact = ends_at("explicit-correction", 5e-4); // 1e-8 from that of half the step
    for (const char* method :
         {"projection", "conserving", "conserving-projection", "energy-preserving", "energy-decaying"}) {
        CAPTURE(method);
        CHECK((ends_at(method, 1e-3) - exact).lpNorm<Eigen::Infinity>() < 5e-4);
    }
}

TEST_CASE("reactions, accelerations and what a unit of force does change little from step to step") {
    for (const Base base : {Base::turns, Base::tilts, Base::floats}) {
        for (const Mat3& R : {upright, askew}) {
            Simulation simulation(loop_with_port(base, true, R));
            std::vector<double> before, values(simulation.columns().size()), last;
            double largest = 0, jump = 0, largest_value = 0, value_jump = 0;
            run(simulation, 1e-3, 1.0, [&](const Simulation&) {
                const std::vector<double> response = response_of(simulation);
                simulation.read(values);
                for (std::size_t i = 0; i < response.size(); ++i) {
                    largest = std::max(largest, std::abs(response[i]));
                    jump = std::max(jump, before.empty() ? 0.0 : std::abs(response[i] - before[i]));
                }
                for (std::size_t i = 0; i < values.size(); ++i) {
                    if (simulation.columns()[i].name.find(".f_0[") == std::string::npos) {
                        continue;
                    }
                    largest_value = std::max(largest_value, std::abs(values[i]));
                    value_jump = std::max(value_jump, last.empty() ? 0.0 : std::abs(values[i] - last[i]));
                }
                before = response;
                last = values;
            });
            CAPTURE(static_cast<int>(base));
            REQUIRE(largest > 0);
            REQUIRE(largest_value > 0);
            CHECK(jump < 0.05 * largest);
            CHECK(value_jump < 0.05 * largest_value);
        }
    }
}

TEST_CASE("accelerations of a port, and what a unit of force does to them, are those of the machine without "
          "redundant rows") {
    for (const Base base : {Base::turns, Base::tilts, Base::floats}) {
        for (const Mat3& R : {upright, quarter, askew}) {
            Simulation found(loop_with_port(base, true, R)), plain(loop_with_port(base, false, R));
            double largest = 0, difference = 0;
            for (int i = 0; i < 20; ++i) {
                run(found, 1e-3, 0.05);
                run(plain, 1e-3, 0.05);
                const std::map<std::string, double> x = at_tip(found), y = at_tip(plain);
                REQUIRE(x.size() == y.size());
                for (const auto& [name, value] : y) {
                    largest = std::max(largest, std::abs(value));
                    difference = std::max(difference, std::abs(x.at(name) - value));
                }
            }
            CAPTURE(static_cast<int>(base), largest);
            REQUIRE(largest > 0.1);
            CHECK(difference < 1e-6 * largest);
        }
    }
}
