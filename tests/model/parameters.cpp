#include "core/model/parameters.hpp"

#include "core/math/error.hpp"
#include "core/model/suggest.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

using namespace tenon;

namespace {

/// One of everything that has parameters.
Model sample() {
    Model model;
    Body body;
    body.name = "crank";
    body.mass = 2;
    body.inertia = Vec3(1, 2, 2.5).asDiagonal();
    model.bodies = {body};
    Joint joint;
    joint.name = "pin";
    joint.type = "revolute";
    joint.second = 0;
    Joint ball = joint;
    ball.name = "ball";
    ball.type = "spherical";
    model.joints = {joint, ball};
    Driver driver;
    driver.name = "motor";
    driver.joint = 0;
    model.drivers = {driver};
    for (const auto& [name, type] : {std::pair{"coil", "spring_damper"},
                                     {"twist", "torsion_spring"},
                                     {"rubber", "bushing"},
                                     {"push", "force"},
                                     {"spin", "torque"}}) {
        Force force;
        force.name = name;
        force.type = type;
        force.second = 0;
        force.joint = 0;
        model.forces.push_back(force);
    }
    model.forces[0].set("points", std::array<Vec3, 2>{Vec3::Zero(), Vec3(3, 4, 0)});
    return model;
}

std::optional<double> value_of(const Model& model, const std::string& name) {
    for (const Parameter& parameter : parameters(model))
        if (parameter.name == name)
            return parameter.value;
    return std::nullopt;
}

} // namespace

TEST_CASE("every parameter can be set to a value, which is then its value and nobody else's") {
    const Model model = sample();
    for (const Parameter& parameter : parameters(model)) {
        INFO(parameter.name);
        Model changed = model;
        set_parameter(changed, parameter.name, parameter.value + 0.25);
        for (const Parameter& other : parameters(changed)) {
            INFO(other.name);
            CHECK(other.value == *value_of(model, other.name) + (other.name == parameter.name ? 0.25 : 0.0));
        }
        CHECK(!parameter.unit.empty());
        CHECK(!parameter.description.empty());
    }
}

TEST_CASE("parameter names are those of the contract, each once") {
    const std::vector<Parameter> list = parameters(sample());
    std::set<std::string> names;
    for (const Parameter& parameter : list)
        CHECK(names.insert(parameter.name).second);
    for (const char* name : {"gravity[3]",
                             "crank.mass",
                             "crank.com[1]",
                             "crank.inertia[6]",
                             "crank.position[2]",
                             "crank.velocity[3]",
                             "crank.angular_velocity[1]",
                             "pin.friction.coulomb",
                             "pin.friction.viscous",
                             "motor.offset",
                             "motor.rate",
                             "motor.amplitude",
                             "motor.frequency",
                             "motor.phase",
                             "coil.stiffness",
                             "coil.damping",
                             "coil.free_length",
                             "twist.stiffness",
                             "twist.free_angle",
                             "rubber.stiffness[6]",
                             "rubber.damping[1]",
                             "push.force[1]",
                             "spin.torque[3]",
                             "solver.step",
                             "solver.stop",
                             "solver.tolerance"}) {
        INFO(name);
        CHECK(names.count(name) == 1);
    }
    CHECK(names.count("ball.friction.coulomb") == 0); // a ball has no one motion for friction to act along
}

TEST_CASE("inertia products stay symmetric") {
    Model model = sample();
    set_parameter(model, "crank.inertia[5]", 0.5);
    CHECK(model.bodies[0].inertia(0, 2) == 0.5);
    CHECK(model.bodies[0].inertia(2, 0) == 0.5);
}

TEST_CASE("the free length of a spring is by default its length at the start") {
    CHECK(*value_of(sample(), "coil.free_length") == 5);
}

TEST_CASE("what a table or an input replaces is not a parameter") {
    Model model = sample();
    model.drivers[0].input = true;
    model.forces[3].set("input", true);
    CHECK(!value_of(model, "motor.rate"));
    CHECK(!value_of(model, "push.force[1]"));
    CHECK(value_of(model, "spin.torque[1]"));
}

TEST_CASE("options of the integrator keep their kind") {
    Model model = sample();
    model.solver.options = {{"energy", true}, {"form", std::string("post")}};
    CHECK(*value_of(model, "solver.energy") == 1);
    CHECK(!value_of(model, "solver.form"));
    set_parameter(model, "solver.energy", 0);
    CHECK(std::get<bool>(model.solver.options["energy"]) == false);
    set_parameter(model, "solver.penalty", 1e7);
    CHECK(std::get<double>(model.solver.options["penalty"]) == 1e7);
}

TEST_CASE("an unknown parameter is refused with the nearest name") {
    Model model = sample();
    for (const auto& [name, hint] : {std::pair{"crank.mas", "'crank.mass'"},
                                     {"krank.mass", "'crank.mass'"},
                                     {"coil.stifness", "'coil.stiffness'"},
                                     {"gravity[4]", "'gravity["}}) {
        try {
            set_parameter(model, name, 1);
            FAIL(name);
        } catch (const Error& error) {
            CHECK(error.kind() == ErrorKind::usage);
            CHECK_THAT(error.what(), Catch::Contains(name) && Catch::Contains(hint));
        }
    }
    CHECK_THROWS_AS(set_parameter(model, "crank.mass", NAN), Error);
}

TEST_CASE("the nearest name allows for typing mistakes, not for other words") {
    const std::vector<std::string> names = {"revolute", "prismatic", "screw"};
    CHECK(nearest_name("revolut", names) == "revolute");
    CHECK(nearest_name("Revoulte", names) == "revolute");
    CHECK(nearest_name("hinge", names) == "");
    CHECK(nearest_name("", names) == "");
    CHECK(nearest_name(std::string(10'000'000, 'a'), names) == "");
    CHECK(suggestion("hinge", names) == "known: revolute, prismatic, screw");
    CHECK(suggestion("hinge", names, 2) == "known: revolute, prismatic, ...");
    CHECK(suggestion("x", {}) == "there are none");
}
