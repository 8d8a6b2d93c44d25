// What a model file says arrives in the model.

#include "tools/model_file/model_reader.hpp"
#include "tools/files/text_file.hpp"

#include "tests/files/scratch.hpp"
#include "tests/support/folders.hpp"

#include <catch2/catch.hpp>

#include <numbers>

using namespace tenon;

namespace {

const std::string body_text = R"(
[[body]]
name = "crank"
mass = 2
inertia = [1, 2, 2.5]
[[body]]
name = "rod"
mass = 0.5
inertia = [1, 1, 1, 0.1, -0.2, 0.3]
)";

const std::string pin_text = R"(
[[joint]]
name = "pin"
type = "revolute"
bodies = ["world", "crank"]
at = [1, 2, 3]
axis = [0, 3, 0]
)";

Model parse(const std::string& text) { return parse_model(text, "dir/m.toml"); }

} // namespace

TEST_CASE("a body arrives with its numbers and the defaults of the contract") {
    const Model model = parse(body_text);
    REQUIRE(model.bodies.size() == 2);
    const Body& crank = model.bodies[0];
    CHECK(crank.name == "crank");
    CHECK(crank.mass == 2);
    CHECK(crank.com == Vec3::Zero());
    CHECK(crank.inertia == Mat3(Vec3(1, 2, 2.5).asDiagonal()));
    CHECK(crank.position == Vec3::Zero());
    CHECK(crank.rotation == Mat3::Identity());
    CHECK_FALSE(crank.velocity.has_value());
    CHECK(crank.shape.type.empty());
    Mat3 tensor;
    tensor << 1, 0.1, -0.2, 0.1, 1, 0.3, -0.2, 0.3, 1;
    CHECK(model.bodies[1].inertia == tensor);
    CHECK(model.gravity == Vec3(0, 0, -9.81));
    CHECK(model.name == "m");
    CHECK(model.solver.integrator == "projection");
    CHECK(model.solver.step == 1e-3);
    CHECK(model.solver.stop == 10);
    CHECK(model.solver.tolerance == 1e-8);
}

TEST_CASE("an orientation is a quaternion or an axis with an angle") {
    const auto rotation = [](const std::string& orientation) {
        return parse("[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\norientation = " + orientation)
            .bodies[0]
            .rotation;
    };
    // A quarter turn about z takes x to y.
    for (const char* text :
         {"{ axis = [0, 0, 7], angle_deg = 90 }", "{ axis = [0, 0, 1], angle = 1.5707963267948966 }",
          "[0.7071067811865476, 0, 0, 0.7071067811865476]", "[0.7071, 0, 0, 0.7071]"})
        CHECK((rotation(text) * Vec3::UnitX() - Vec3::UnitY()).norm() < 1e-12);
    CHECK((rotation("[0.7071, 0, 0, 0.7071]").transpose() * rotation("[0.7071, 0, 0, 0.7071]") -
           Mat3::Identity())
              .norm() < 1e-14);
}

TEST_CASE("start velocities and shapes arrive") {
    const Body body = parse(R"(
[[body]]
name = "b"
mass = 1
inertia = [1, 1, 1]
com = [0.1, 0, 0]
velocity = [1, 2, 3]
angular_velocity = [0, 0, 5]
[body.shape]
type = "cylinder"
radius = 0.2
length = 1
axis = [1, 0, 0]
color = "#ff0000"
)")
                          .bodies[0];
    CHECK(*body.velocity == Vec3(1, 2, 3));
    CHECK(*body.angular_velocity == Vec3(0, 0, 5));
    CHECK(body.com == Vec3(0.1, 0, 0));
    CHECK(body.shape.type == "cylinder");
    CHECK(body.shape.radius == 0.2);
    CHECK(body.shape.length == 1);
    CHECK(body.shape.axis == std::vector<double>{1, 0, 0});
    CHECK(body.shape.color == "#ff0000");
}

TEST_CASE("every joint type of the contract is read") {
    const Model model = parse(body_text + pin_text + R"(
[[joint]]
name = "slide"
type = "prismatic"
bodies = ["crank", "rod"]
at = [0, 0, 0]
axis = [1, 0, 0]
friction = { coulomb = 0.2, viscous = 0.1 }
[[joint]]
name = "j3"
type = "cylindrical"
bodies = ["rod", "world"]
at = [0, 0, 0]
axis = [1, 0, 0]
[[joint]]
name = "j4"
type = "screw"
bodies = ["crank", "rod"]
at = [0, 0, 0]
axis = [1, 0, 0]
pitch = 0.01
[[joint]]
name = "j5"
type = "spherical"
bodies = ["crank", "rod"]
at = [0, 0, 4]
[[joint]]
name = "j6"
type = "universal"
bodies = ["crank", "rod"]
at = [0, 0, 0]
axis = [1, 0, 0]
axis2 = [0, 1, 0]
[[joint]]
name = "j7"
type = "planar"
bodies = ["crank", "rod"]
at = [0, 0, 0]
axis = [1, 0, 0]
[[joint]]
name = "j8"
type = "distance"
bodies = ["crank", "rod"]
points = [[0, 0, 0], [0, 0, 2]]
[[joint]]
name = "j9"
type = "distance"
bodies = ["crank", "rod"]
points = [[0, 0, 0], [0, 0, 2]]
length = 2.001
[[joint]]
name = "j10"
type = "point_on_line"
bodies = ["crank", "rod"]
at = [0, 0, 0]
axis = [1, 0, 0]
[[joint]]
name = "j11"
type = "point_on_plane"
bodies = ["crank", "rod"]
at = [0, 0, 0]
axis = [1, 0, 0]
[[joint]]
name = "j12"
type = "gear"
joints = ["pin", "slide"]
ratio = -2
[[joint]]
name = "j13"
type = "rolling"
bodies = ["world", "crank"]
normal = [0, 0, 1]
axis = [0, 1, 0]
radius = 0.5
[[joint]]
name = "j14"
type = "fixed"
bodies = ["crank", "rod"]
)");
    REQUIRE(model.joints.size() == 14);
    const auto& j = model.joints;
    CHECK(j[0].first == world);
    CHECK(j[0].second == 0);
    CHECK(j[0].at == Vec3(1, 2, 3));
    CHECK(j[0].axis == Vec3(0, 3, 0));
    CHECK(j[1].friction.coulomb == 0.2);
    CHECK(j[1].friction.viscous == 0.1);
    CHECK(j[1].friction.speed == Friction().speed);
    CHECK(j[2].second == world);
    CHECK(j[3].pitch == 0.01);
    CHECK(j[4].at == Vec3(0, 0, 4));
    CHECK(j[5].axis2 == Vec3(0, 1, 0));
    CHECK(j[7].point2 == Vec3(0, 0, 2));
    CHECK_FALSE(j[7].length.has_value());
    CHECK(*j[8].length == 2.001);
    CHECK(j[11].joint1 == 0);
    CHECK(j[11].joint2 == 1);
    CHECK(j[11].ratio == -2);
    CHECK(j[12].radius == 0.5);
    CHECK(j[12].normal == Vec3(0, 0, 1));
    CHECK(j[13].type == "fixed");
}

TEST_CASE("a joint that needs no point has it at the second body's origin") {
    const Model model = parse(R"(
[[body]]
name = "wheel"
mass = 1
inertia = [1, 1, 1]
position = [1, 2, 3]
[[joint]]
name = "a"
type = "fixed"
bodies = ["world", "wheel"]
[[joint]]
name = "b"
type = "fixed"
bodies = ["wheel", "world"]
[[joint]]
name = "c"
type = "fixed"
bodies = ["wheel", "world"]
at = [9, 9, 9]
)");
    CHECK(model.joints[0].at == Vec3(1, 2, 3));
    CHECK(model.joints[1].at == Vec3(1, 2, 3));
    CHECK(model.joints[2].at == Vec3(9, 9, 9));
}

TEST_CASE("drivers have a formula, a table or an input") {
    const Model model = parse(body_text + pin_text + R"(
[[joint]]
name = "sleeve"
type = "cylindrical"
bodies = ["crank", "rod"]
at = [0, 0, 0]
axis = [1, 0, 0]
[[driver]]
name = "formula"
joint = "pin"
motion = { offset = 1, rate = 2, amplitude = 3, frequency = 4, phase = 5 }
[[driver]]
name = "points"
joint = "sleeve"
coordinate = "distance"
motion = { time = [0, 1, 2], value = [0, 5, 0] }
[[driver]]
name = "hand"
joint = "sleeve"
coordinate = "angle"
input = true
)");
    REQUIRE(model.drivers.size() == 3);
    const Formula& motion = model.drivers[0].motion;
    CHECK(motion.offset == 1);
    CHECK(motion.rate == 2);
    CHECK(motion.amplitude == 3);
    CHECK(motion.frequency == 4);
    CHECK(motion.phase == 5);
    CHECK(model.drivers[0].table.empty());
    CHECK(model.drivers[1].table.at(1).value == 5);
    CHECK(model.drivers[1].coordinate == "distance");
    CHECK(model.drivers[2].input);
}

TEST_CASE("every force type of the contract is read") {
    const Model model = parse(body_text + pin_text + R"(
[[force]]
name = "coil"
type = "spring_damper"
bodies = ["world", "rod"]
points = [[0, 0, 0], [0, 0, 2]]
stiffness = 100
free_length = 1.5
[[force]]
name = "watch"
type = "torsion_spring"
joint = "pin"
stiffness = 3
damping = 0.1
free_angle = 0.2
[[force]]
name = "rubber"
type = "bushing"
bodies = ["crank", "rod"]
at = [0, 0, 1]
stiffness = [1, 2, 3, 4, 5, 6]
[[force]]
name = "push"
type = "force"
body = "rod"
at = [0, 1, 0]
force = [0, 0, 7]
axes = "body"
[[force]]
name = "twist"
type = "torque"
body = "crank"
torque = { time = [0, 1], value = [[0, 0, 0], [1, 2, 3]] }
[[force]]
name = "hand"
type = "force"
body = "crank"
at = [0, 0, 0]
input = true
force = [1, 0, 0]
[[force]]
name = "other"
type = "torque"
body = "crank"
table = { time = [0, 1], value = [[0, 0, 0], [1, 2, 3]] }
)");
    REQUIRE(model.forces.size() == 7);
    const auto& f = model.forces;
    CHECK(f[0].type == "spring_damper");
    CHECK(f[0].first == world);
    CHECK(f[0].second == 1);
    CHECK(f[0].points("points")[1] == Vec3(0, 0, 2));
    CHECK(f[0].number("stiffness") == 100);
    CHECK(f[0].number("damping") == 0);
    CHECK(f[0].number("free_length") == 1.5);
    CHECK(f[1].joint == 0);
    CHECK(f[1].number("free_angle") == 0.2);
    CHECK(f[2].six("stiffness")[5] == 6);
    CHECK(f[2].six("damping")[0] == 0);
    CHECK(f[2].vector("at") == Vec3(0, 0, 1));
    CHECK(f[3].word("axes") == "body");
    CHECK(f[3].second == 1);
    CHECK(f[3].vector("force") == Vec3(0, 0, 7));
    CHECK(f[4].word("axes") == "world");
    CHECK(f[4].table("torque")[1].at(1).value == 2);
    CHECK(f[5].flag("input"));
    CHECK(f[5].vector("force") == Vec3(1, 0, 0));
    CHECK(f[6].table("torque")[2].at(5).value == 3);
}

TEST_CASE("ports, flanges, inputs, outputs and the solver are read") {
    const Model model = parse(body_text + pin_text + R"(
[model]
name = "machine"
gravity = [0, 0, 0]
description = "text"
[[port]]
name = "tip"
body = "rod"
at = [0, 0, 1]
orientation = { axis = [1, 0, 0], angle_deg = 90 }
[[flange]]
name = "shaft"
joint = "pin"
[[input]]
name = "u"
to = "hand.f[1]"
unit = "N"
[[output]]
name = "y"
from = "rod.r_0[1]"
description = "way"
[solver]
integrator = "munthe-kaas"
step = 1e-4
stop = 3
tolerance = 1e-6
stabilisation = "none"
)");
    CHECK(model.name == "machine");
    CHECK(model.description == "text");
    CHECK(model.gravity == Vec3::Zero());
    CHECK(model.ports[0].body == 1);
    CHECK((model.ports[0].rotation * Vec3::UnitY() - Vec3::UnitZ()).norm() < 1e-15);
    CHECK(model.flanges[0].joint == 0);
    CHECK(model.inputs[0].variable == "hand.f[1]");
    CHECK(model.inputs[0].unit == "N");
    CHECK(model.outputs[0].variable == "rod.r_0[1]");
    CHECK(model.outputs[0].description == "way");
    CHECK(model.solver.integrator == "munthe-kaas");
    CHECK(model.solver.step == 1e-4);
    CHECK(model.solver.stop == 3);
    CHECK(model.solver.tolerance == 1e-6);
    CHECK(std::get<std::string>(model.solver.options.at("stabilisation")) == "none");
}

TEST_CASE("elements may refer to others that stand further down") {
    const Model model = parse(pin_text + body_text);
    CHECK(model.joints[0].second == 0);
}

TEST_CASE("a file with a byte order mark, Windows line ends and comments is read") {
    std::string text = "\xEF\xBB\xBF# \xc3\xa4 comment\r\n";
    for (char c : body_text)
        text += c == '\n' ? std::string("\r\n") : std::string(1, c);
    CHECK(parse(text).bodies.size() == 2);
}

TEST_CASE("lines of elements and keys are kept and an error of the core gets them") {
    const ModelFile file = parse_model_file(body_text + pin_text, "m.toml");
    CHECK(file.file == "m.toml");
    CHECK(file.line_of("crank") == 2);
    CHECK(file.line_of("crank.mass") == 4);
    CHECK(file.line_of("rod") == 6);
    CHECK(file.line_of("pin.axis") == 16);
    CHECK(file.line_of("pin.angle") == 11);
    CHECK(file.line_of("nobody") == 0);
    const InputError error = file.located(Error(ErrorKind::model, "pin: gap of 3 cm", "pin"));
    CHECK(error.what() == std::string("m.toml:11: pin: gap of 3 cm"));
    CHECK(error.fault() == InputFault::malformed);
    CHECK(file.located(Error(ErrorKind::model, "strange")).what() == std::string("m.toml: strange"));
}

TEST_CASE("a model is read from a file and called after it") {
    const Scratch scratch;
    write_text_file(scratch / "swing.toml", body_text);
    CHECK(read_model(scratch / "swing.toml").name == "swing");
    CHECK_THROWS_AS(read_model(scratch / "none.toml"), InputError);
}

TEST_CASE("all examples are read") {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(tests::source_folder() + "/examples"))
        if (entry.path().extension() == ".toml") {
            INFO(entry.path());
            CHECK_NOTHROW(read_model(entry.path()));
            ++count;
        }
    CHECK(count > 0);
}
