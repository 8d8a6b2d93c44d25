#include "core/model/plausibility.hpp"

#include "tests/support/folders.hpp"
#include "tools/model_file/model_reader.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <random>

using namespace tenon;
using Catch::Contains;

namespace {

/// A crank, a rod and a slider, all in metres.
const std::string crank = R"(
[[body]]
name = "crank"
mass = 2
inertia = [0.01, 0.01, 0.01]
position = [0.15, 0, 0]
[[body]]
name = "rod"
mass = 1
inertia = [0.02, 0.02, 0.02]
position = [0.6, 0, 0]
[[body]]
name = "slider"
mass = 1
inertia = [0.01, 0.01, 0.01]
position = [0.9, 0, 0]
[[joint]]
name = "main"
type = "revolute"
bodies = ["world", "crank"]
at = [0, 0, 0.01]
axis = [0, 1, 0]
[[joint]]
name = "pin"
type = "revolute"
bodies = ["crank", "rod"]
at = [0.3, 0, 0]
axis = [0, 1, 0]
[[joint]]
name = "wrist"
type = "spherical"
bodies = ["rod", "slider"]
at = [0.9, 0, 0]
[[joint]]
name = "guide"
type = "prismatic"
bodies = ["world", "slider"]
at = [0, 0, 0]
axis = [1, 0, 0]
)";

std::vector<std::string> warnings(std::string text) { return parse_model_file(text, "m.toml").warnings(); }

std::string changed(std::string text, const std::string& from, const std::string& to) {
    const std::size_t place = text.find(from);
    REQUIRE(place != std::string::npos);
    return text.replace(place, from.size(), to);
}

/// The only warning.
std::string warning(const std::string& text) {
    const std::vector<std::string> all = warnings(text);
    CAPTURE(all);
    REQUIRE(all.size() == 1);
    return all[0];
}

} // namespace

TEST_CASE("no example is doubted") {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(tests::source_folder() + "/examples"))
        if (entry.path().extension() == ".toml" &&
            entry.path().string().find("system") == std::string::npos) {
            INFO(entry.path().string());
            std::optional<ModelFile> file;
            try {
                file = read_model_file(entry.path());
            } catch (const InputError&) {
                continue; // a system
            }
            CHECK(file->warnings().empty());
        }
    CHECK(warnings(crank).empty());
}

TEST_CASE("a machine is not doubted in whatever size, place and orientation it is drawn") {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> exponent(-3, 3), unit(-1, 1);
    const Model given = parse_model(crank, "m.toml");
    for (int i = 0; i < 200; ++i) {
        const double scale = std::pow(10, exponent(random));
        const Vec3 shift = 30 * scale * Vec3(unit(random), unit(random), unit(random));
        const Mat3 turn =
            Eigen::Quaterniond(
                Eigen::Vector4d(unit(random), unit(random), unit(random), unit(random)).normalized())
                .toRotationMatrix();
        Model model = given;
        for (Body& body : model.bodies) {
            body.position = shift + scale * (turn * body.position);
            body.mass *= std::pow(scale, 3);
            body.inertia *= std::pow(scale, 5);
        }
        for (Joint& joint : model.joints)
            joint.at = shift + scale * (turn * joint.at);
        CAPTURE(scale);
        CHECK(doubts(model).empty());
    }
}

TEST_CASE("a long pendulum and reflected inertia are honest") {
    const std::string bob =
        "[[body]]\nname = \"bob\"\nmass = 28\ninertia = [0.03, 0.03, 0.03]\n"
        "[[joint]]\nname = \"top\"\ntype = \"spherical\"\nbodies = [\"world\", \"bob\"]\n";
    CHECK(warnings(bob + "at = [0, 0, 67]").empty()); // Foucault's, in the Pantheon
    CHECK(warnings(bob + "at = [0, 0, 5]").empty());
    CHECK(warnings(changed(crank, "inertia = [0.01, 0.01, 0.01]", "inertia = [100, 100, 100]")).empty());
}

TEST_CASE("small things on long strings, rails and ropes are honest") {
    const auto body = [](const std::string& name, const std::string& mass, const std::string& inertia,
                         const std::string& position) {
        return "[[body]]\nname = \"" + name + "\"\nmass = " + mass + "\ninertia = [" + inertia + ", " +
               inertia + ", " + inertia + "]\nposition = " + position + "\n";
    };
    const auto joint = [](const std::string& name, const std::string& type, const std::string& bodies,
                          const std::string& keys) {
        return "[[joint]]\nname = \"" + name + "\"\ntype = \"" + type + "\"\nbodies = [" + bodies + "]\n" +
               keys + "\n";
    };
    const std::string port = "[[port]]\nname = \"tip\"\nbody = \"bob\"\nat = ";
    const std::string on_bob = "\"world\", \"bob\"";
    // Pendulums of which more is drawn than a bob.
    CHECK(warnings(body("bob", "28", "0.03", "[0, 0, 0]") +
                   joint("top", "spherical", on_bob, "at = [0, 0, 67]") + port + "[0, 0, -0.12]\n")
              .empty());
    CHECK(warnings(body("bob", "0.03", "1e-6", "[1.4, 0, -1.4]") +
                   joint("top", "revolute", on_bob, "at = [0, 0, 1e-4]\naxis = [0, 1, 0]") + port +
                   "[1.4, 0, -1.39]\n")
              .empty());
    // A sensor on a rail, whose point is drawn at the rail's end.
    CHECK(warnings(body("bob", "0.01", "1e-7", "[12, 0.3, 0]") +
                   joint("rail", "prismatic", on_bob, "at = [0, 0.3, 0]\naxis = [1, 0, 0]") + port +
                   "[12.001, 0.3, 0]\n")
              .empty());
    // Two satellites on a tether of 20 km; an accelerometer of 0.2 mm; two arms in a plant, 600 m apart.
    CHECK(warnings(body("bus", "500", "300", "[0, 0, 0]") + body("bob", "100", "20", "[0, 0, 20000]") +
                   joint("tether", "distance", "\"bus\", \"bob\"", "points = [[0, 0, 0.5], [0, 0, 19999.7]]"))
              .empty());
    CHECK(warnings(body("bob", "1e-9", "1e-18", "[0, 0, 0]") +
                   joint("spring", "prismatic", on_bob, "at = [1e-4, 0, 0]\naxis = [1, 0, 0]"))
              .empty());
    std::string plant;
    for (const std::string x : {"0", "600"})
        plant += body("low" + x, "10", "0.3", "[" + x + ", 0, 0.2]") +
                 body("high" + x, "10", "0.3", "[" + x + ", 0, 0.6]") +
                 joint("base" + x, "revolute", "\"world\", \"low" + x + "\"",
                       "at = [" + x + ", 0, 0.001]\naxis = [0, 1, 0]") +
                 joint("elbow" + x, "revolute", "\"low" + x + "\", \"high" + x + "\"",
                       "at = [" + x + ", 0, 0.4]\naxis = [0, 1, 0]");
    CHECK(warnings(plant).empty());
}

TEST_CASE("a machine of which everything is in millimetres is doubted once") {
    std::string text = crank;
    for (const auto& [metres, millimetres] : std::vector<std::pair<std::string, std::string>>{
             {"[0.15, 0, 0]", "[150, 0, 0]"},
             {"[0.6, 0, 0]", "[600, 0, 0]"},
             {"position = [0.9, 0, 0]", "position = [900, 0, 0]"},
             {"[0, 0, 0.01]", "[0, 0, 10]"},
             {"[0.3, 0, 0]", "[300, 0, 0]"},
             {"at = [0.9, 0, 0]", "at = [900, 0, 0]"}})
        text = changed(text, metres, millimetres);
    CHECK_THAT(warning(text), Contains("m.toml:6: body 'crank'") && Contains("were they in millimetres?"));
    for (int i = 0; i < 2; ++i)
        text = changed(text, "inertia = [0.01, 0.01, 0.01]", "inertia = [1e4, 1e4, 1e4]");
    CHECK_THAT(warning(changed(text, "inertia = [0.02, 0.02, 0.02]", "inertia = [2e4, 2e4, 2e4]")),
               Contains("m.toml:5: body 'crank'") && Contains("kg mm2?"));
}

TEST_CASE("points in millimetres are doubted at their line") {
    CHECK_THAT(warning(changed(crank, "at = [0.3, 0, 0]", "at = [300, 0, 0]")),
               Contains("m.toml:27: joint 'pin': at [300, 0, 0]") && Contains("did you mean [0.3, 0, 0]?"));
    CHECK_THAT(warning(changed(crank, "at = [0, 0, 0.01]", "at = [1800, 0, 0]")),
               Contains("joint 'main'") && Contains("[1.8, 0, 0]"));
    // On neither body, and nothing a thousandth would cure.
    CHECK_THAT(warning(changed(crank, "at = [0.3, 0, 0]", "at = [0.3, 90, 90]")),
               Contains("both its bodies") && Contains("in metres"));
    for (const char* point : {"[0.3, 5, 0]", "[0.3, 0, -40]"})
        CHECK_THAT(warning(changed(crank, "at = [0.3, 0, 0]", std::string("at = ") + point)),
                   Contains("joint 'pin'") && Contains("both its bodies"));
    CHECK(warnings(changed(crank, "at = [0.3, 0, 0]", "at = [0.3, 1, 0]")).empty());
    // All of them.
    std::string text = changed(crank, "at = [0.3, 0, 0]", "at = [300, 0, 0]");
    text = changed(text, "at = [0.9, 0, 0]", "at = [900, 0, 0]");
    text = changed(text, "at = [0, 0, 0.01]", "at = [0, 0, 10]");
    CHECK(warnings(text).size() == 2); // 10 m is no doubt
    CHECK_THAT(warning(changed(crank, "position = [0.6, 0, 0]", "position = [600, 0, 0]")),
               Contains("body 'rod'") && Contains("position [0.6, 0, 0]"));
}

TEST_CASE("lengths, inertias, angles and gravity in other units are doubted") {
    CHECK_THAT(warning(changed(crank, "inertia = [0.02, 0.02, 0.02]", "inertia = [2e4, 2e4, 2e4]")),
               Contains("body 'rod'") && Contains("kg mm2"));
    CHECK_THAT(warning("[model]\ngravity = [0, 0, -9810]\n" + crank),
               Contains("m.toml:2:") && Contains("[0, 0, -9.81]"));
    CHECK_THAT(warning(crank + "[[force]]\nname = \"spring\"\ntype = \"spring_damper\"\n"
                               "bodies = [\"world\", \"rod\"]\npoints = [[0, 0, 0], [0.6, 0, 0]]\n"
                               "stiffness = 10\nfree_length = 500\n"),
               Contains("free_length") && Contains("did you mean 0.5?"));
    CHECK_THAT(warning(crank + "[[force]]\nname = \"coil\"\ntype = \"torsion_spring\"\njoint = \"pin\"\n"
                               "stiffness = 10\nfree_angle = 90\n"),
               Contains("free_angle is 90 rad") && Contains("1.571"));
    CHECK_THAT(warning(crank + "[[driver]]\nname = \"motor\"\njoint = \"main\"\n"
                               "motion = { rate = 1, amplitude = 1, phase = 90 }\n"),
               Contains("phase"));
    CHECK_THAT(warning(changed(crank, "position = [0.9, 0, 0]",
                               "position = [0.9, 0, 0]\nshape = { type = \"box\", size = [900, 50, 50] }")),
               Contains("shape"));
}

TEST_CASE("radians in angle_deg are doubted, and degrees are not") {
    const auto with = [](const std::string& angle) {
        return warnings(
            changed(crank, "position = [0.6, 0, 0]",
                    "position = [0.6, 0, 0]\norientation = { axis = [0, 1, 0], angle_deg = " + angle + " }"));
    };
    for (const char* angle : {"1.5708", "1.570796", "1.57", "-1.57", "3.14", "3.1416", "0.785", "0.7854",
                              "0.5236", "1.0472", "2.0944", "4.712", "6.283", "1.5707963267948966"}) {
        CAPTURE(angle);
        REQUIRE(with(angle).size() == 1);
        CHECK_THAT(with(angle)[0], Contains("m.toml:12:") && Contains("radians"));
    }
    for (const char* angle : {"90", "1.5", "1.6", "0.5", "2.5", "3", "3.1", "30", "0.52", "1.05", "0", "1e-3",
                              "45.5", "0.262", "1.575"}) {
        CAPTURE(angle);
        CHECK(with(angle).empty());
    }
}

TEST_CASE("a cylinder's axis that misses both its pins is doubted") {
    const auto cylinder = [](const std::string& at, const std::string& axis) {
        return "[[body]]\nname = \"tube\"\nmass = 5\ninertia = [0.1, 0.1, 0.1]\nposition = [0.25, 0, 0.25]\n"
               "[[body]]\nname = \"rod\"\nmass = 3\ninertia = [0.1, 0.1, 0.1]\nposition = [0.75, 0, 0.75]\n"
               "[[body]]\nname = \"boom\"\nmass = 50\ninertia = [5, 5, 5]\nposition = [1, 0, 1]\n"
               "[[joint]]\nname = \"base\"\ntype = \"revolute\"\nbodies = [\"world\", \"boom\"]\n"
               "at = [0, 0, 1]\naxis = [0, 1, 0]\n"
               "[[joint]]\nname = \"low\"\ntype = \"revolute\"\nbodies = [\"world\", \"tube\"]\n"
               "at = [0, 0, 0]\naxis = [0, 1, 0]\n"
               "[[joint]]\nname = \"high\"\ntype = \"spherical\"\nbodies = [\"rod\", \"boom\"]\nat = [1, 0, "
               "1]\n"
               "[[joint]]\nname = \"slide\"\ntype = \"prismatic\"\nbodies = [\"tube\", \"rod\"]\nat = " +
               at + "\naxis = " + axis + "\n";
    };
    CHECK(warnings(cylinder("[0, 0, 0]", "[1, 0, 1]")).empty());
    CHECK(warnings(cylinder("[0.5, 0, 0.6]", "[1, 0, 1.1]")).empty()); // a little off
    CHECK(warnings(cylinder("[0, 0, 0]", "[1, 0, 0]")).empty());       // offset at one end
    CHECK(warnings(cylinder("[0.5, 0, 0.1]", "[1, 0, 1]")).empty());   // beside the pins
    CHECK_THAT(warning(cylinder("[0.5, 0, 0.5]", "[1, 0, -1]")),
               Contains("misses both ends") && Contains("'low'") && Contains("'high'") &&
                   Contains("axis [1, 0, 1]"));
    CHECK_THAT(warning(cylinder("[0.5, 0, 0.5]", "[0, 0, 1]")), Contains("joint 'slide'"));
    const auto round = [&](const std::string& axis) {
        return changed(cylinder("[0.5, 0, 0.5]", axis), "prismatic", "cylindrical");
    };
    CHECK(warnings(round("[1, 0, 1]")).empty());
    CHECK_THAT(warning(round("[0, 1, 0]")), Contains("misses both ends"));
}

TEST_CASE("more doubts than eight are counted") {
    std::string text = crank;
    for (int i = 0; i < 12; ++i)
        text += "[[port]]\nname = \"p" + std::to_string(i) + "\"\nbody = \"rod\"\nat = [600, 0, 0]\n";
    const std::vector<std::string> all = warnings(text);
    REQUIRE(all.size() == 9);
    CHECK(all.back() == "m.toml: and 4 more of this kind");
}
