// Models written as text and read again.

#include "tools/model_file/model_writer.hpp"
#include "core/model/joints/joint_keys.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/full_model.hpp"
#include "tests/support/machine_run.hpp"
#include "tests/support/machines.hpp"
#include "tools/model_file/toml_text.hpp"

#include <filesystem>

using namespace tenon;
using namespace tenon::tests;

namespace {

/// Written and read. Rotations are quaternions in between: the same to round-off, and those of `given` in what comes back.
Model read_again(const Model& given) {
    Model read = parse_model(model_text(given), "text.toml");
    const auto same_rotations = [](auto& mine, const auto& expected) {
        REQUIRE(mine.size() == expected.size());
        for (std::size_t i = 0; i < mine.size(); ++i) {
            CHECK((mine[i].rotation - expected[i].rotation).cwiseAbs().maxCoeff() < 1e-15);
            mine[i].rotation = expected[i].rotation;
        }
    };
    same_rotations(read.bodies, given.bodies);
    same_rotations(read.ports, given.ports);
    return read;
}

/// Two hinges and a gear between them, with the members that their types use and no others.
Model plain_pair() {
    Model model = gear_pair();
    model.joints[1] = joint_of("joint", "revolute", 0, 1, pin_at, skew_axis);
    return model;
}

} // namespace

TEST_CASE("every example is the same model after it was written and read again") {
    for (const auto& entry : std::filesystem::directory_iterator(tests::source_folder() + "/examples"))
        if (entry.path().extension() == ".toml") {
            INFO(entry.path());
            const Model model = read_model(entry.path());
            CHECK(read_again(model) == model);
        }
}

TEST_CASE("loads over time, drivers, gears and friction survive being written") {
    Model pushed = with_force(false);
    pushed.forces[0].set(
        "force", VectorTable{Table({0, 0.2, 0.5}, {1, -2.5, 0}), {}, Table({0, 0.2, 0.5}, {1, -2.5, 0.25})});
    for (const Model& model :
         {pushed, with_torsion_spring(0.1), with_bushing(0.2), with_spring(0.3), with_friction("prismatic"),
          with_driver("revolute", false), with_driver("cylindrical", true), gear_pair(), rolling_wheel()}) {
        INFO(model_text(model));
        CHECK(model_text(read_again(model)) == model_text(model));
    }
}

TEST_CASE("every key of every joint type survives being written") {
    for (const JointType& type : joint_types()) {
        Model model = plain_pair();
        model.bodies[1].position.setZero();
        Joint joint;
        joint.name = "other";
        joint.type = type.name;
        if (!type.couples_joints())
            joint.first = 0;
        if (!type.couples_joints())
            joint.second = 1;
        joint.friction = {0.1, 0.2, 0.3};
        if (!type.has_angle && !type.has_distance)
            joint.friction = {};
        const Joint full = full_model().joints[0];
        for (const JointKeyUse& use : type.keys)
            std::visit(
                [&](const auto& member) {
                    if constexpr (requires { joint.*member; })
                        joint.*member = full.*member;
                    else
                        for (const auto& one : member)
                            joint.*one = full.*one;
                },
                joint_key(use.name).member);
        model.joints.push_back(joint);
        INFO(model_text(model));
        CHECK(read_again(model) == model);
    }
}

TEST_CASE("every key of every force type survives being written") {
    for (Force force : full_model().forces) {
        Model model = plain_pair();
        force.values.erase("axes"); // those of a bushing have no words
        force.values.erase("origin");
        if (type_of(force).key(ValueType::road))
            model.roads.emplace_back().name = "road";
        if (force.type == "contact") { // against a road or a plane
            force.values.erase("road");
            force.set("exponent", 1.5);
        }
        if (force.type == "torque" && !is_empty(force.table("torque")))
            force.values.erase("input");
        if (force.type == "force" || force.type == "torque")
            force.set("axes", "body");
        const bool between_points =
            type_of(force).key(ValueType::two_bodies) != nullptr; // an actuator knows both
        force.joint = type_of(force).key(ValueType::joint) && !between_points ? 1 : -1;
        model.forces = {force};
        INFO(model_text(model));
        CHECK(read_again(model) == model);
    }
}

TEST_CASE("texts with quotes, backslashes and control characters are escaped") {
    CHECK(toml_quoted("a\"b\\c\nd") == "\"a\\\"b\\\\c\\u000Ad\"");
    Model model = example("double_pendulum");
    model.description = "two \"rods\"\tand a \\ sign";
    CHECK(parse_model(model_text(model), "text.toml").description == model.description);
}

TEST_CASE("a road with every feature survives being written") {
    Model model = plain_pair();
    Road road = full_model().roads.front();
    road.features = {
        {"bump",
         {{"start", 0.5},
          {"length", 2.0},
          {"height", -0.1},
          {"count", 3.0},
          {"y", std::vector<double>{-1, 2}}}},
        {"ramp", {{"start", 0.0}, {"end", 2.0}, {"height", 1.0}, {"rounding", 0.25}}},
        {"stairs", {{"start", 3.0}, {"tread", 0.5}, {"rise", 0.1}, {"count", 4.0}, {"rounding", 0.1}}},
        {"plane", {{"slope", 0.1}, {"slope_y", 0.2}}},
        {"table", {{"table", std::vector<std::vector<double>>{{0, 0}, {1, 0.5}}}}},
        {"grid",
         {{"x", std::vector<double>{0, 1}},
          {"y", std::vector<double>{0, 2}},
          {"z", std::vector<std::vector<double>>{{0, 1}, {2, 3}}}}}};
    model.roads = {road};
    CHECK(read_again(model) == model);
}

TEST_CASE("what a model file has no words for is refused by name") {
    CHECK_THROWS_WITH(model_text(with_force_table()), Catch::Contains("load 'load' has other times"));
    Model model = with_bushing(0);
    model.forces[0].set("axes", Mat3(Eigen::AngleAxisd(0.3, Vec3::UnitX()).toRotationMatrix()));
    CHECK_THROWS_WITH(model_text(model), Catch::Contains("bushing 'load'"));
    Force tyre = full_force(*find_force_type("tyre"));
    tyre.values.erase("axes");
    tyre.first = world;
    model.forces = {tyre};
    CHECK_THROWS_WITH(model_text(model), Catch::Contains("tyre 'a_tyre' has origin of its own"));
}
