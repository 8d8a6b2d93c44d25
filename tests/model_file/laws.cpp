// Laws, stops, actuators and limits in model files: read as they are meant, and refused with file and line.

#include "core/model/forces/force_types.hpp"
#include "core/model/parameters.hpp"
#include "tests/support/refusal.hpp"
#include "tools/model_file/model_reader.hpp"
#include "tools/model_file/model_writer.hpp"

using namespace tenon;
using namespace tenon::tests;

namespace {

/// A block on a rail; line 16 is the first of what is given.
Model read(const std::string& force) {
    return parse_model(R"([[body]]
name = "block"
mass = 2.0
inertia = [0.1, 0.1, 0.1]

[[joint]]
name = "rail"
type = "prismatic"
bodies = ["world", "block"]
at = [0, 0, 0]
axis = [1, 0, 0]

[[force]]
name = "hold"
)" + force + "\n",
                       "m.toml");
}

const std::string between =
    "type = \"spring_damper\"\nbodies = [\"world\", \"block\"]\npoints = [[-1, 0, 0], [0, 0, 0]]\n";
const std::string in_joint = "type = \"actuator\"\njoint = \"rail\"\n";

std::string refused(const std::string& force) {
    return refusal([&] { read(force); });
}

void check_same(const Model& model) {
    INFO(model_text(model));
    CHECK(parse_model(model_text(model), "again.toml").forces == model.forces);
}

} // namespace

TEST_CASE("every form of a law is read, and written as it was meant") {
    const Model model =
        read(between +
             R"(spring = { pieces = [ { polynomial = [0, 100] }, { from = 0.1, polynomial = [-10, 200] } ] }
damper = { table = [[-1, -5], [0, 0], [1, 9]] }
bump_stop = { at = -0.1, stiffness = 1e4, damping = 5 }
rebound_stop = { at = 0.1, stiffness = 1e4 }
axis = [1, 0, 0]
free_length = -0.5)");
    const Force& force = model.forces[0];
    CHECK(force.law("spring") == Law{{{0, {0, 100}}, {0.1, {-10, 200}}}, {}});
    CHECK(force.law("damper") == Law{{}, {{-1, -5}, {0, 0}, {1, 9}}});
    CHECK(force.stop("bump_stop") == Stop{-0.1, 1e4, 5});
    CHECK(force.stop("rebound_stop") == Stop{0.1, 1e4, 0});
    check_same(model);
    CHECK(read(between + "spring = { constant = 100 }").forces[0].law("spring") == polynomial_law({100}));
    check_same(read(between + "spring = { constant = 100 }"));
    check_same(read(between + "spring = { polynomial = [0, 100, 5] }"));
    const Model bushing = read(R"(type = "bushing"
bodies = ["world", "block"]
at = [0, 0, 0]
springs = [{ polynomial = [0, 100] }, {}, {}, {}, {}, { table = [[-1, -1], [1, 1]] }]
bump_stops = [{}, { at = -0.1, stiffness = 1e4 }, {}, {}, {}, {}])");
    CHECK(bushing.forces[0].six_laws("springs")[5] == Law{{}, {{-1, -1}, {1, 1}}});
    CHECK(bushing.forces[0].six_laws("springs")[1].empty());
    CHECK(bushing.forces[0].six_stops("bump_stops")[1] == Stop{-0.1, 1e4, 0});
    check_same(bushing);
    check_same(read(in_joint + "effort = { time = [0, 1], value = [0, 5] }\nlimits = [-1, 4]"));
    check_same(read(in_joint + "input = true"));
    check_same(read("type = \"joint_limit\"\njoint = \"rail\"\nupper = 0.5\nstiffness = 1e4"));
}

TEST_CASE("impossible laws and stops are refused in one line with file, line, key and value") {
    CHECK(refused(between + "spring = { table = [[0, 1]] }") ==
          "m.toml:18: force 'hold': spring needs a table of at least 2 points [x, F] (1 given)");
    CHECK(refused(between + "spring = { table = [[0, 1], [2, 3], [1, 5]] }") ==
          "m.toml:18: force 'hold': spring needs a table whose x increase, but point 3 of its table has x = "
          "1 after 2");
    CHECK(refused(between + "damper = { polynomial = [0, -3] }") ==
          "m.toml:18: force 'hold': damper would deliver energy: at a speed of -1 its effort is 3, but it "
          "must resist");
    CHECK(refused(between +
                  "bump_stop = { at = 0.2, stiffness = 1 }\nrebound_stop = { at = 0.1, stiffness = 1 }")
              .starts_with(
                  "m.toml:18: force 'hold': bump_stop must not lie above rebound_stop (at = 0.2 and 0.1)"));
    CHECK(refused(between + "bump_stop = { at = 0.2, stiffness = -1 }") ==
          "m.toml:18: force 'hold': bump_stop.stiffness must not be negative (-1 N/m or N m/rad, least 0)");
    CHECK(refused(between + "bump_stop = { at = 0.2, stifness = 1 }")
              .find("unknown key 'stifness'; did you mean") != std::string::npos);
    CHECK(refused(between + "spring = { polynom = [1] }").find("unknown key 'polynom'; did you mean") !=
          std::string::npos);
    CHECK(refused(between + "spring = { constant = 1, polynomial = [1] }").find("(2 given)") !=
          std::string::npos);
    CHECK(refused(between + "spring = { pieces = [{ polynomial = [1] }, { polynomial = [1] }] }")
              .find("key 'from' is missing") != std::string::npos);
    CHECK(refused(between + "spring = { table = [[0, 1], [1, nan]] }").find("must be finite") !=
          std::string::npos);
    CHECK(refused(between + "spring = 5").find("'spring' must be a law") != std::string::npos);
    CHECK(refused(between).find("key 'stiffness' is missing") != std::string::npos);
    CHECK(refused(between + "stiffness = 1\nfree_length = -0.5").find("free_length must not be negative") !=
          std::string::npos);
    CHECK(refused(in_joint).find("key 'effort' is missing") != std::string::npos);
    CHECK(refused(in_joint + "effort = 1\nlimits = [2, 1]") ==
          "m.toml:18: force 'hold': limits must be [least, largest] ([2, 1])");
    CHECK(refused(in_joint + "bodies = [\"world\", \"block\"]\neffort = 1")
              .find("give either 'bodies' and 'points', or 'joint'") != std::string::npos);
    CHECK(refused("type = \"joint_limit\"\njoint = \"rail\"\nstiffness = 1").find("key 'lower' is missing") !=
          std::string::npos);
    CHECK(refused("type = \"joint_limit\"\njoint = \"rail\"\nlower = 1\nupper = 0\nstiffness = 1") ==
          "m.toml:17: force 'hold': lower must not be above upper (1 and 0)");
}

TEST_CASE("the numbers of stops and limits that are there are parameters") {
    Model model = read(between + "bump_stop = { at = -0.1, stiffness = 1e4, damping = 5 }");
    set_parameter(model, "hold.bump_stop.stiffness", 2e4);
    CHECK(model.forces[0].stop("bump_stop") == Stop{-0.1, 2e4, 5});
    for (const Parameter& parameter : parameters(model)) {
        CHECK_FALSE(parameter.name.starts_with("hold.rebound_stop"));
        if (parameter.name == "hold.bump_stop.at")
            CHECK(parameter.unit == "m");
    }
    Model limited = read("type = \"joint_limit\"\njoint = \"rail\"\nupper = 0.5\nstiffness = 1e4");
    CHECK_THROWS(set_parameter(limited, "hold.lower", 0.1));
    set_parameter(limited, "hold.upper", 0.1);
    CHECK(limited.forces[0].number("upper") == 0.1);
}

TEST_CASE("force types are registered before models are read, once, and complete") {
    force_types();
    const auto why = [](ForceType type) {
        return refusal<Error>([&] { register_force_type(std::move(type)); });
    };
    CHECK(why({.name = "rope", .meaning = "", .keys = {}, .build = [](const ForcePlace&, Loads&) {}})
              .find("models have been read or built already") != std::string::npos);
    CHECK(find_force_type("rope") == nullptr);
}
