// What makes a model impossible, without any file.

#include "core/model/validate.hpp"
#include "core/math/error.hpp"
#include "core/model/forces/force_types.hpp"

#include "tests/support/refusal.hpp"

#include <catch2/catch.hpp>

#include <limits>

using namespace tenon;

namespace {

Body body(const std::string& name) {
    Body b;
    b.name = name;
    b.mass = 1;
    b.inertia = Vec3(1, 1, 1).asDiagonal();
    return b;
}

Joint joint(const std::string& name, const std::string& type, int first, int second) {
    Joint j;
    j.name = name;
    j.type = type;
    j.first = first;
    j.second = second;
    return j;
}

/// Two bodies, two hinges and a cylindrical joint.
Model machine() {
    Model model;
    model.bodies = {body("crank"), body("rod")};
    model.joints = {joint("pin", "revolute", world, 0), joint("elbow", "revolute", 0, 1),
                    joint("sleeve", "cylindrical", world, 1)};
    return model;
}

/// The element that validate() blames; empty where it finds nothing wrong.
std::string blamed(const Model& model) {
    try {
        validate(model);
        return {};
    } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::model);
        return error.element();
    }
}

std::string message(const Model& model) {
    return tests::refusal<Error>([&] { validate(model); });
}

const double not_a_number = std::numeric_limits<double>::quiet_NaN();
const double infinite = std::numeric_limits<double>::infinity();

} // namespace

TEST_CASE("an ordinary machine is valid") { CHECK(blamed(machine()).empty()); }

TEST_CASE("a model without bodies is refused") { CHECK(blamed(Model()) == "model"); }

TEST_CASE("names are identifiers that are neither taken nor used twice") {
    for (const char* name :
         {"", "1a", "a b", "a.b", "a-b", "\xc3\xa4", "world", "time", "energy", "constraint", "solver"}) {
        Model model = machine();
        model.bodies[0].name = name;
        CHECK(blamed(model) == std::string(name) + ".name");
    }
    for (const char* name : {"_", "A1", "worlds", "a_b_9"}) {
        Model model = machine();
        model.bodies[0].name = name;
        CHECK(blamed(model).empty());
    }
    Model model = machine();
    model.ports.push_back({"rod", 0, Vec3::Zero(), Mat3::Identity()});
    CHECK(blamed(model) == "rod.name");
    CHECK_THAT(message(model), Catch::Contains("body of this name"));
}

TEST_CASE("masses are finite and not negative, and zero is one of them") {
    Model model = machine();
    model.bodies[1].mass = 0;
    CHECK(blamed(model).empty());
    model.bodies[1].mass = -2.5;
    CHECK(blamed(model) == "rod.mass");
    CHECK_THAT(message(model), Catch::Contains("-2.5"));
    for (double mass : {not_a_number, infinite}) {
        model.bodies[1].mass = mass;
        CHECK(blamed(model) == "rod.mass");
    }
}

TEST_CASE("inertias are positive semidefinite and keep the triangle inequalities") {
    const auto with = [](double xx, double yy, double zz, double xy = 0, double xz = 0, double yz = 0) {
        Model model = machine();
        model.bodies[0].inertia << xx, xy, xz, xy, yy, yz, xz, yz, zz;
        return model;
    };
    CHECK(blamed(with(0, 0, 0)).empty());
    CHECK(blamed(with(0, 1, 1)).empty());             // thin rod
    CHECK(blamed(with(0.1, 0.2, 0.1 + 0.2)).empty()); // thin plate, up to round-off
    CHECK(blamed(with(1e-30, 1e-30, 2e-30)).empty());
    CHECK(blamed(with(1e200, 1e200, 2e200)).empty());
    CHECK(blamed(with(0.5, 0.5, 1, 0.5)).empty()); // thin rod along a diagonal: moments 0, 1, 1
    CHECK(blamed(with(1, 1, 2.001)) == "crank.inertia");
    CHECK(blamed(with(-1, 1, 1)) == "crank.inertia");
    CHECK(blamed(with(0, 0, 1)) == "crank.inertia");
    CHECK(blamed(with(1, 1, 1, 1.5)) == "crank.inertia"); // moments -0.5, 1, 2.5
    CHECK(blamed(with(1, 1, 1, 0.9)) == "crank.inertia"); // moments 0.1, 1, 1.9
    CHECK(blamed(with(1, not_a_number, 1)) == "crank.inertia");
    CHECK_THAT(message(with(1, 1, 3)), Catch::Contains("3") && Catch::Contains("at most 2"));
    Model skew = machine();
    skew.bodies[0].inertia(0, 1) = 0.1;
    CHECK(blamed(skew) == "crank.inertia");
}

TEST_CASE("start values are finite and rotations are rotations") {
    Model model = machine();
    model.bodies[0].position[1] = not_a_number;
    CHECK(blamed(model) == "crank.position");
    model = machine();
    model.bodies[0].velocity = Vec3(0, infinite, 0);
    CHECK(blamed(model) == "crank.velocity");
    model = machine();
    model.bodies[0].rotation(0, 0) = -1;
    CHECK(blamed(model) == "crank.orientation");
    model = machine();
    model.bodies[0].rotation *= 1.1;
    CHECK(blamed(model) == "crank.orientation");
    model = machine();
    model.gravity[2] = not_a_number;
    CHECK(blamed(model) == "model.gravity");
}

TEST_CASE("joints join two different bodies that exist") {
    Model model = machine();
    model.joints[0].first = 0;
    CHECK(blamed(model) == "pin.bodies");
    CHECK_THAT(message(model), Catch::Contains("crank"));
    for (int index : {2, -2, 1000}) {
        model = machine();
        model.joints[0].second = index;
        CHECK(blamed(model) == "pin.bodies");
    }
    model = machine();
    model.joints[0].type = "hinge";
    CHECK(blamed(model) == "pin.type");
}

TEST_CASE("axes have a direction") {
    for (const Vec3& axis : {Vec3(0, 0, 0), Vec3(1e-12, 0, 0), Vec3(not_a_number, 0, 1), Vec3(1e300, 0, 0)}) {
        Model model = machine();
        model.joints[1].axis = axis;
        CHECK(blamed(model) == "elbow.axis");
    }
    Model model = machine();
    model.joints[1].axis = Vec3(0, 0, 1000);
    CHECK(blamed(model).empty());
}

TEST_CASE("each joint type is held to its own numbers") {
    const auto blame = [](const std::string& type, auto change) {
        Model model = machine();
        model.joints.push_back(joint("extra", type, 0, 1));
        Joint& extra = model.joints.back();
        extra.point2 = Vec3(1, 0, 0);
        extra.joint1 = 0;
        extra.joint2 = 1;
        extra.axis = Vec3::UnitY();
        extra.radius = 1;
        extra.pitch = 0.01;
        change(extra);
        return blamed(model);
    };
    const auto nothing = [](Joint&) {};
    for (const char* type : {"universal", "distance", "gear", "rolling", "screw", "fixed", "planar"})
        CHECK(blame(type, nothing).empty());
    CHECK(blame("universal", [](Joint& j) { j.axis2 = -2 * j.axis; }) == "extra.axis2");
    CHECK(blame("universal", [](Joint& j) { j.axis2 = Vec3(1, 0.02, 0); }) == "extra.axis2");
    CHECK(blame("universal", [](Joint& j) { j.axis2 = Vec3(1, 0.01, 0); }).empty());
    CHECK(blame("screw", [](Joint& j) { j.pitch = 0; }) == "extra.pitch");
    CHECK(blame("distance", [](Joint& j) { j.length = 0; }) == "extra.length");
    CHECK(blame("distance", [](Joint& j) { j.point2 = j.point1; }) == "extra.points");
    CHECK(blame("gear", [](Joint& j) { j.ratio = 0; }) == "extra.ratio");
    CHECK(blame("gear", [](Joint& j) { j.joint2 = 0; }) == "extra.joints");
    CHECK(blame("gear", [](Joint& j) { j.joint2 = 3; }) == "extra.joints"); // itself: no angle, no distance
    CHECK(blame("gear", [](Joint& j) { j.joint2 = -1; }) == "extra.joints");
    CHECK(blame("rolling", [](Joint& j) { j.radius = -1; }) == "extra.radius");
    CHECK(blame("rolling", [](Joint& j) { j.normal = j.axis; }) == "extra.normal");
    CHECK(blame("screw", [](Joint& j) { j.pitch = infinite; }) == "extra.pitch");
    CHECK(blame("planar", [](Joint& j) { j.friction.viscous = -1; }) == "extra.friction.viscous");
    CHECK(blame("fixed", [](Joint& j) { j.friction.coulomb = 1; }) == "extra.friction");
}

TEST_CASE("drivers move a coordinate that their joint has, and none twice") {
    const auto with = [](int index, const std::string& coordinate) {
        Model model = machine();
        model.joints.push_back(joint("ball", "spherical", 0, 1));
        Driver driver;
        driver.name = "motor";
        driver.joint = index;
        driver.coordinate = coordinate;
        model.drivers = {driver};
        return model;
    };
    CHECK(blamed(with(0, "")).empty());
    CHECK(blamed(with(0, "angle")).empty());
    CHECK(blamed(with(0, "distance")) == "motor.coordinate");
    CHECK(blamed(with(0, "speed")) == "motor.coordinate");
    CHECK(blamed(with(2, "")) == "motor.joint");
    CHECK(blamed(with(2, "distance")).empty());
    CHECK(blamed(with(3, "")) == "motor.joint");
    CHECK(blamed(with(4, "")) == "motor.joint");
    Model model = with(2, "distance");
    model.drivers.push_back(model.drivers[0]);
    model.drivers[1].name = "second";
    CHECK(blamed(model) == "second.joint");
    model.drivers[1].coordinate = "angle";
    CHECK(blamed(model).empty());
    model.drivers[1].motion.rate = not_a_number;
    CHECK(blamed(model) == "second.rate");
}

TEST_CASE("forces act on something, and springs and dampers are not negative") {
    const auto blame = [](const std::string& type, auto change) {
        Model model = machine();
        Force force;
        force.name = "load";
        force.type = type;
        force.first = 0;
        force.second = 1;
        if (type == "spring_damper")
            force.set("points", std::array<Vec3, 2>{Vec3::Zero(), Vec3(1, 0, 0)});
        if (type == "tyre")
            force.set("axis", Vec3(0, 1, 0)).set("radius", 0.3);
        if (type == "contact")
            force.set("point", Vec3(0, 0, 0)).set("normal", Vec3(0, 0, 1));
        force.joint = 0;
        if (type == "actuator")
            force.first = force.second = world;
        change(force);
        model.forces = {force};
        return blamed(model);
    };
    const auto nothing = [](Force&) {};
    for (const ForceType& type : force_types())
        CHECK(blame(std::string(type.name), nothing).empty());
    CHECK(blame("rope", nothing) == "load.type");
    CHECK(blame("tyre", [](Force& f) { f.set("radius", -0.3); }) == "load.radius");
    CHECK(blame("tyre", [](Force& f) { f.set("road", std::string("nowhere")); }) == "load.road");
    CHECK(blame("tyre", [](Force& f) { f.set("lateral", Choice{"linear", {}}); }) == "load.lateral");
    CHECK(blame("contact", [](Force& f) { f.set("exponent", 0.5); }) == "load.exponent");
    CHECK(blame("bushing", [](Force& f) { f.set("free_length", 1.0); }) == "load.free_length");
    CHECK(blame("spring_damper", [](Force& f) { f.set("stiffness", -1.0); }) == "load.stiffness");
    CHECK(blame("spring_damper", [](Force& f) { f.set("damping", not_a_number); }) == "load.damping");
    CHECK(blame("spring_damper", [](Force& f) {
              f.set("points", std::array<Vec3, 2>{Vec3::Zero(), Vec3::Zero()});
          }) == "load.points");
    CHECK(blame("spring_damper", [](Force& f) { f.first = 1; }) == "load.bodies");
    CHECK(blame("torsion_spring", [](Force& f) { f.joint = 7; }) == "load.joint");
    CHECK(blame("bushing", [](Force& f) {
              f.set("damping", std::vector<double>{0, 0, 0, 0, 0, -1});
          }) == "load.damping");
    CHECK(blame("force", [](Force& f) { f.second = world; }) == "load.body");
    CHECK(blame("torque", [](Force& f) { f.set("torque", Vec3(infinite, 0, 0)); }) == "load.torque");
}

TEST_CASE("ports sit on bodies and flanges on hinges and slides") {
    Model model = machine();
    model.ports.push_back({"tip", world, Vec3::Zero(), Mat3::Identity()});
    CHECK(blamed(model) == "tip.body");
    model = machine();
    model.flanges = {{"shaft", 2}};
    CHECK(blamed(model) == "shaft.joint");
    model.flanges = {{"shaft", 0}};
    CHECK(blamed(model).empty());
}

TEST_CASE("aliases name a variable") {
    Model model = machine();
    model.outputs = {{"x", "", "", ""}};
    CHECK(blamed(model) == "x.from");
    model.outputs = {};
    model.inputs = {{"u", "", "", ""}};
    CHECK(blamed(model) == "u.to");
}

TEST_CASE("step, stop and tolerance make sense") {
    const auto blame = [](auto change) {
        Model model = machine();
        change(model.solver);
        return blamed(model);
    };
    CHECK(blame([](SolverSettings& s) { s.step = 0; }) == "solver.step");
    CHECK(blame([](SolverSettings& s) { s.step = infinite; }) == "solver.step");
    CHECK(blame([](SolverSettings& s) { s.stop = -1; }) == "solver.stop");
    CHECK(blame([](SolverSettings& s) { s.stop = not_a_number; }) == "solver.stop");
    CHECK(blame([](SolverSettings& s) { s.stop = 0; }).empty());
    CHECK(blame([](SolverSettings& s) { s.tolerance = -1e-8; }) == "solver.tolerance");
}
