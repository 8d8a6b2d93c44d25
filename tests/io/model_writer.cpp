// Models written as text and read again.

#include "tools/io/model_writer.hpp"
#include "core/model/model_bytes.hpp"
#include "tests/support/machine_run.hpp"
#include "tests/support/machines.hpp"
#include "tools/io/toml_text.hpp"

#include <filesystem>

using namespace tenon;
using namespace tenon::tests;

namespace {

/// Rotations are written as quaternions: read back they are the same to round-off, everything else to the bit.
void require_same(Model given) {
    Model read = parse_model(model_text(given), "text.toml");
    REQUIRE(read.bodies.size() == given.bodies.size());
    for (std::size_t i = 0; i < read.bodies.size(); ++i) {
        CHECK((read.bodies[i].rotation - given.bodies[i].rotation).cwiseAbs().maxCoeff() < 1e-15);
        read.bodies[i].rotation = given.bodies[i].rotation;
    }
    REQUIRE(read.ports.size() == given.ports.size());
    for (std::size_t i = 0; i < read.ports.size(); ++i) {
        CHECK((read.ports[i].rotation - given.ports[i].rotation).cwiseAbs().maxCoeff() < 1e-15);
        read.ports[i].rotation = given.ports[i].rotation;
    }
    CHECK(model_to_bytes(read) == model_to_bytes(given));
}

} // namespace

TEST_CASE("every example is the same model after it was written and read again") {
    for (const auto& entry : std::filesystem::directory_iterator(TENON_SOURCE_DIR "/examples"))
        if (entry.path().extension() == ".toml") {
            INFO(entry.path());
            require_same(read_model(entry.path()));
        }
}

TEST_CASE("loads over time, drivers, gears and friction survive being written") {
    Model pushed = with_force(false);
    for (std::size_t i : {0U, 2U})
        pushed.forces[0].table[i] = Table({0, 0.2, 0.5}, {1, -2.5, 0.125 * static_cast<double>(i)});
    for (const Model& model :
         {pushed, with_torsion_spring(0.1), with_bushing(0.2), with_spring(0.3), with_friction("prismatic"),
          with_driver("revolute", false), with_driver("cylindrical", true), gear_pair(), rolling_wheel()}) {
        const std::string text = model_text(model);
        INFO(text);
        CHECK(model_text(parse_model(text, "text.toml")) == text);
    }
}

TEST_CASE("texts with quotes, backslashes and control characters are escaped") {
    CHECK(toml_quoted("a\"b\\c\nd") == "\"a\\\"b\\\\c\\u000Ad\"");
    Model model = example("double_pendulum");
    model.description = "two \"rods\"\tand a \\ sign";
    CHECK(parse_model(model_text(model), "text.toml").description == model.description);
}

TEST_CASE("what a model file has no words for is refused by name") {
    CHECK_THROWS_WITH(model_text(with_force_table()), Catch::Contains("load 'load' has other times"));
    Model model = with_bushing(0);
    model.forces[0].axes = Eigen::AngleAxisd(0.3, Vec3::UnitX()).toRotationMatrix();
    CHECK_THROWS_WITH(model_text(model), Catch::Contains("bushing 'load'"));
}
