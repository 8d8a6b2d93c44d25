// Machines cut at joints: what goes where, and what cannot be cut.

#include "tools/glue/cut.hpp"

#include "core/math/error.hpp"
#include "core/simulation/simulation.hpp"
#include "tests/glue/machines.hpp"
#include "tests/support/machine_run.hpp"
#include "tests/support/machines.hpp"
#include "tools/model_file/model_writer.hpp"
#include "tools/system/system_toml.hpp"

using namespace tenon;
using namespace tenon::tests;
using glue::cut;
using glue::CutMachine;

namespace {

std::vector<std::string> body_names(const Model& model) {
    std::vector<std::string> names;
    for (const Body& body : model.bodies)
        names.push_back(body.name);
    return names;
}

using Names = std::vector<std::string>;

} // namespace

TEST_CASE("a loop cut at two joints falls into the parts between them") {
    const CutMachine machine = cut(example("bricard"), {"p_3", "p_5"});
    REQUIRE(machine.parts.size() == 3);
    CHECK(body_names(machine.parts[0]) == Names{"rod_1", "rod_2"});
    CHECK(body_names(machine.parts[1]) == Names{"rod_3", "rod_4"});
    CHECK(body_names(machine.parts[2]) == Names{"rod_5"});
    CHECK(machine.parts[0].joints.size() == 2);
    CHECK(machine.parts[1].joints[0].name == "p_4");
    REQUIRE(machine.joints.size() == 2);
    const system::GlueJoint& joint = machine.joints[0];
    CHECK(joint.name == "p_3");
    CHECK(joint.type == "revolute");
    CHECK((joint.a.fmu == 0U && joint.b.fmu == 1U));
    CHECK((joint.a.terminal == "p_3" && joint.b.terminal == "p_3"));
    CHECK(joint.numbers.at("axis") == std::vector<double>{1, 0, 0});
    CHECK(machine.parts[0].ports[0].at == Vec3(1, -1, 0));
    CHECK(machine.parts[0].gravity == Vec3(0, -9.81, 0));
}

TEST_CASE("the world ties no parts together, but gears, springs and bushings do") {
    Model model;
    for (int i = 0; i < 4; ++i) {
        model.bodies.push_back(heavy_body("b" + std::to_string(i), Vec3(i, 0, 0)));
        model.joints.push_back(joint_of("j" + std::to_string(i), "revolute", world, i, Vec3(i, 0, 0)));
    }
    CHECK(cut(model, {}).parts.size() == 4);
    tenon::Joint gear;
    gear.name = "gear";
    gear.type = "gear";
    gear.joint1 = 0;
    gear.joint2 = 3;
    gear.ratio = 2;
    model.joints.push_back(gear);
    Force spring;
    spring.name = "spring";
    spring.type = "spring_damper";
    spring.first = 1;
    spring.second = 2;
    spring.set("points", std::array<Vec3, 2>{Vec3(1, 0, 1), Vec3(2, 0, 1)});
    spring.set("stiffness", 5.0);
    model.forces = {spring};
    const CutMachine tied = cut(model, {});
    REQUIRE(tied.parts.size() == 2);
    CHECK(body_names(tied.parts[0]) == Names{"b0", "b3"});
    CHECK(tied.parts[0].joints[2].joint2 == 1);
    CHECK(body_names(tied.parts[1]) == Names{"b1", "b2"});
    CHECK((tied.parts[1].forces[0].first == 0 && tied.parts[1].forces[0].second == 1));
}

TEST_CASE("parts of every machine of the proofs can be simulated, and start as the machine does") {
    for (const Machine& machine :
         {planar_double_pendulum(), planar_four_bar(), skew_double_pendulum(), bricard(2), bricard(3),
          bricard(5), spatial_slider_crank(), spatial_chain(20, 5), plate_on_four_cranks(), n_four_bar(),
          stiff_hidden_mass(0.2, 1), fast_rotor()}) {
        INFO(machine.model.name);
        const CutMachine parts = cut(machine.model, machine.cuts);
        Simulation whole(machine.model);
        Results expected(whole);
        expected.refresh();
        std::size_t bodies = 0;
        for (const Model& part : parts.parts) {
            const Simulation simulation(part);
            Results results(simulation);
            results.refresh();
            for (const Body& body : part.bodies)
                for (const char* variable : {".r_0", ".v_0", ".w_0"})
                    CHECK((results.vector(body.name + variable) - expected.vector(body.name + variable))
                              .norm() < 1e-12);
            bodies += part.bodies.size();
        }
        CHECK(bodies == machine.model.bodies.size());
        CHECK(parts.joints.size() == machine.cuts.size());
    }
}

TEST_CASE("a part whose driver stays behind starts with the velocity that the driver gave it") {
    const Model model = example("driven_crank");
    const CutMachine machine = cut(model, {model.joints[1].name});
    REQUIRE(machine.parts.size() == 2);
    double fastest = 0;
    for (const Body& body : machine.parts[1].bodies)
        fastest = std::max(fastest, body.velocity->norm());
    CHECK(fastest > 0.1);
}

TEST_CASE("a joint cut inside a part has two ports on it") {
    const CutMachine machine = cut(example("four_revolutes"), {"front_left_foot"});
    REQUIRE(machine.parts.size() == 2);
    const CutMachine inside = cut(parse_model(R"(
[[body]]
name = "a"
mass = 1
inertia = [1, 1, 1]
[[body]]
name = "b"
mass = 1
inertia = [1, 1, 1]
[[joint]]
name = "one"
type = "revolute"
bodies = ["a", "b"]
at = [0, 0, 0]
axis = [0, 0, 1]
[[joint]]
name = "two"
type = "point_on_line"
bodies = ["a", "b"]
at = [0, 0, 1]
axis = [0, 0, 1]
)",
                                              "two.toml"),
                                  {"two"});
    REQUIRE(inside.parts.size() == 1);
    CHECK(inside.joints[0].a.terminal == "two_a");
    CHECK(inside.joints[0].b.terminal == "two_b");
}

TEST_CASE("inputs and outputs go with what they name, and those of cut joints are listed") {
    Model model = example("double_pendulum");
    model.outputs = {{"height", "lower.r_0[2]", "m", ""}, {"bend", "elbow.angle", "rad", ""}};
    const CutMachine machine = cut(model, {"elbow"});
    CHECK(machine.parts[0].outputs.empty());
    CHECK(machine.parts[1].outputs[0].name == "height");
    CHECK(machine.left_out == Names{"bend"});
}

TEST_CASE("a driver of a cut joint becomes the motion of the glued one") {
    Model model = with_driver("revolute", false);
    CutMachine machine = cut(model, {"joint"});
    CHECK(machine.joints[0].numbers.at("motion.amplitude") == std::vector<double>{0.3});
    CHECK(machine.parts[0].drivers.empty());
    machine = cut(with_driver("revolute", true), {"joint"});
    CHECK(machine.joints[0].numbers.at("motion.time").size() == 4);
}

TEST_CASE("what cannot be glued is not cut, and the message says why") {
    const auto refused = [](const Model& model, const std::string& joint, const std::string& part) {
        CHECK_THROWS_WITH(cut(model, {joint}), Catch::Contains(part));
    };
    refused(gear_pair(), "gear", "type 'gear'");
    refused(gear_pair(), "joint", "gear 'gear' turns with it");
    refused(with_joint("screw"), "joint", "type 'screw'");
    refused(rolling_wheel(), "contact", "type 'rolling'");
    refused(with_friction("revolute"), "joint", "it has friction");
    refused(with_torsion_spring(0), "joint", "spring 'spring' acts in it");
    refused(example("ports_flanges"), "shaft", "it has friction");
    refused(example("double_pendulum"), "elbo", "did you mean 'elbow'?");
}

TEST_CASE("parts and system of a cut machine survive as files") {
    Machine machine = spatial_slider_crank();
    const CutMachine parts = cut(machine.model, machine.cuts);
    for (const Model& part : parts.parts) {
        Model read = parse_model(model_text(part), part.name + ".toml");
        // A matrix becomes a quaternion and a matrix again, which may cost it a last digit.
        for (std::size_t i = 0; i < part.bodies.size(); ++i) {
            CHECK((read.bodies[i].rotation - part.bodies[i].rotation).cwiseAbs().maxCoeff() < 1e-15);
            read.bodies[i].rotation = part.bodies[i].rotation;
        }
        CHECK(model_text(read) == model_text(part));
    }
    system::System system = glue::glued_system(parts, "press", ".fmu");
    system.master.step = 0.0025;
    const std::string text = glue::system_text(system);
    INFO(text);
    const system::System read = system::parse_system(text, "press.toml");
    CHECK(glue::system_text(read) == text);
    CHECK(read.joints[0].numbers.at("axis2") == std::vector<double>{0, 1, 0});
    CHECK(read.fmus[1].file == "slider.fmu");
    CHECK(read.master.step == 0.0025);

    const CutMachine driven = cut(with_driver("revolute", true), {"joint"});
    const std::string driven_text = glue::system_text(glue::glued_system(driven, "driven", ".fmu"));
    CHECK(glue::system_text(system::parse_system(driven_text, "driven.toml")) == driven_text);
}
