// System files in TOML: what they say comes out, and every mistake is answered with file, line and a suggestion.

#include "tools/system/system_toml.hpp"
#include "tools/files/errors.hpp"
#include "tools/files/text_file.hpp"
#include "tools/model_file/model_reader.hpp"
#include "tools/model_file/model_schema.hpp"
#include "tools/system/system_format.hpp"

#include "tests/files/scratch.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/refusal.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::system;
using Catch::Contains;

namespace {

std::string refusal(const std::string& text) {
    return tests::refusal([&] { parse_system(text, "s.toml"); });
}

// Lines 1 to 8.
const std::string two = R"([system]
name = "pair"
[[fmu]]
name = "engine"
file = "engine.fmu"
[[fmu]]
name = "vehicle"
file = "parts/vehicle.fmu"
)";

} // namespace

TEST_CASE("a system file of docs/contract.md is read key by key") {
    const System system = parse_system(R"([system]
name = "four_bar"
[[fmu]]
name = "crank"
file = "crank.fmu"
set = { "crank.mass" = 2.0, on = true, label = "x", table = [1, 2.5], rod.mass = 3, big = 9007199254740993 }
isolate = true
[[fmu]]
name = "coupler"
file = "/abs/coupler.fmu"
[[connection]]
from = "crank.torque"
to = "coupler.axle.tau[2]"
factor = -2
offset = 0.5
suppress_unit_conversion = true
[[joint]]
name = "pin"
type = "revolute"
a = "crank/tip"
b = "world"
axis = [0, 1, 0]
method = "newton"
motion = { rate = 6.25, amplitude = 0.1, frequency = 2 }
[master]
method = "iterate"
start = 1
step = 1e-3
stop = 2.0
tolerance = 1e-6
extrapolation = 2
adaptive = true
iteration = "quasi-newton"
max_iterations = 7
corrections = "converged"
)",
                                       "dir/s.toml");
    CHECK(system.name == "four_bar");
    REQUIRE(system.fmus.size() == 2);
    CHECK(system.fmus[0].file == "dir/crank.fmu");
    CHECK(system.fmus[1].file == "/abs/coupler.fmu");
    CHECK(system.fmus[0].isolate);
    CHECK_FALSE(system.fmus[1].isolate);
    const std::vector<Setting>& set = system.fmus[0].set;
    REQUIRE(set.size() == 6);
    CHECK(set[0].variable == "crank.mass");
    CHECK(std::get<double>(set[0].value) == 2.0);
    CHECK(set[0].line == 6);
    CHECK(std::get<bool>(set[1].value));
    CHECK(std::get<std::string>(set[2].value) == "x");
    CHECK(std::get<std::vector<double>>(set[3].value) == std::vector{1.0, 2.5});
    CHECK(set[4].variable == "rod.mass");
    CHECK(std::get<std::int64_t>(set[5].value) == 9007199254740993); // not a double
    REQUIRE(system.connections.size() == 1);
    const Connection& connection = system.connections[0];
    CHECK(connection.from.fmu == 0);
    CHECK(connection.from.variable == "torque");
    CHECK(connection.to.fmu == 1);
    CHECK(connection.to.variable == "axle.tau[2]");
    CHECK(connection.factor == -2);
    CHECK(connection.offset == 0.5);
    CHECK_FALSE(connection.convert_units);
    CHECK(connection.line == 11);
    REQUIRE(system.joints.size() == 1);
    const GlueJoint& joint = system.joints[0];
    CHECK(joint.type == "revolute");
    CHECK(joint.a.fmu == 0u);
    CHECK(joint.a.terminal == "tip");
    CHECK_FALSE(joint.b.fmu);
    CHECK(joint.numbers.at("axis") == std::vector{0.0, 1.0, 0.0});
    CHECK(joint.numbers.at("motion.rate") == std::vector{6.25});
    CHECK(joint.method == "newton");
    const MasterSettings& master = system.master;
    CHECK(master.method == "iterate");
    CHECK(master.start == 1);
    CHECK(master.step == 1e-3);
    CHECK(master.stop == 2);
    CHECK(master.tolerance == 1e-6);
    CHECK(master.extrapolation == 2);
    CHECK(master.adaptive);
    CHECK(master.iteration == "quasi-newton");
    CHECK(master.max_iterations == 7);
    CHECK(master.corrections == "converged");
}

TEST_CASE("a system without name is called as its file, and the master has the contract's defaults") {
    const System system = parse_system("[[fmu]]\nname = \"a\"\nfile = \"a.fmu\"\n", "dir/rig.toml");
    CHECK(system.name == "rig");
    CHECK(system.master.method == "auto");
    CHECK(system.master.step == 0.01);
    CHECK(system.master.stop == 10);
    CHECK(system.master.tolerance == 1e-8);
}

TEST_CASE("unknown tables and keys of a system file are refused with the nearest one") {
    CHECK_THAT(refusal("[[fmus]]\nname = \"a\"\n"),
               Contains("s.toml:1: unknown table 'fmus'; did you mean [[fmu]]?"));
    CHECK_THAT(refusal("[[component]]\nname = \"a\"\n"), Contains("did you mean [[fmu]]?"));
    CHECK_THAT(refusal(two + "[solver]\n"), Contains("did you mean [master]?"));
    CHECK_THAT(refusal("step = 1"), Contains("it belongs into [master]"));
    CHECK_THAT(refusal(two + "[[fmu]]\nname = \"c\"\nfil = \"c.fmu\"\n"),
               Contains("s.toml:11: fmu 'c': unknown key 'fil'") && Contains("did you mean 'file'?"));
    CHECK_THAT(refusal(two + "[[fmu]]\nname = \"c\"\n"),
               Contains("key 'file' is missing") && Contains("file = \"crank.fmu\""));
    CHECK_THAT(refusal("[system]\nname = \"x\"\n"), Contains("the system has no FMUs"));
}

TEST_CASE("an endpoint of a connection that names no FMU is refused with the nearest one") {
    const auto from = [](const std::string& text) {
        return refusal(two + "[[connection]]\nfrom = \"" + text + "\"\nto = \"vehicle.u\"\n");
    };
    CHECK_THAT(from("engin.y"),
               Contains("s.toml:10: connection number 1: there is no fmu 'engin'; did you mean 'engine'?"));
    CHECK_THAT(from("engine"), Contains("'from' must be <fmu>.<variable>"));
    CHECK_THAT(from("engine."), Contains("'from' must be <fmu>.<variable>"));
}

TEST_CASE("joints of a system file are checked by their type") {
    const auto joint = [](const std::string& lines) {
        return refusal(two + "[[joint]]\nname = \"pin\"\na = \"engine/p\"\nb = \"vehicle/q\"\n" + lines);
    };
    CHECK_THAT(joint("type = \"revolut\"\n"),
               Contains("s.toml:13: joint 'pin': a joint between FMUs cannot be of type "
                        "'revolut'; did you mean 'revolute'?"));
    CHECK_THAT(joint("type = \"gear\"\n"), Contains("cannot be of type 'gear'"));
    CHECK_THAT(joint("type = \"revolute\"\n"), Contains("key 'axis' is missing"));
    CHECK_THAT(joint("type = \"spherical\"\naxis = [0, 0, 1]\n"),
               Contains("key 'axis' does not belong to this type"));
    CHECK_THAT(joint("type = \"spherical\"\nmotion = { rate = 1 }\n"),
               Contains("key 'motion' does not belong"));
    CHECK_THAT(joint("type = \"fixed\"\nmethod = \"jacobi\"\n"), Contains("'method' cannot be 'jacobi'"));
    CHECK_THAT(refusal(two + "[[joint]]\nname = \"pin\"\ntype = \"fixed\"\na = \"motor/p\"\nb = \"world\"\n"),
               Contains("s.toml:12: joint 'pin': there is no fmu 'motor'; "));
}

TEST_CASE("impossible settings of the master are refused with number and limit") {
    const auto master = [](const std::string& line) { return refusal(two + "[master]\n" + line); };
    CHECK_THAT(master("step = 0"), Contains("s.toml:10: master: step must be above 0 (0)"));
    CHECK_THAT(master("stop = -1"), Contains("stop must not be before start (-1, start 0)"));
    CHECK_THAT(master("tolerance = 2"), Contains("tolerance must be above 0 and below 1 (2)"));
    CHECK_THAT(master("extrapolation = 3"), Contains("extrapolation must be 0, 1 or 2 (3)"));
    CHECK_THAT(master("extrapolation = 0.5"), Contains("extrapolation must be a whole number"));
    CHECK_THAT(master("max_iterations = 0"), Contains("max_iterations must be at least 1 (0)"));
    CHECK_THAT(master("method = \"jacoby\""), Contains("did you mean 'jacobi'?"));
}

TEST_CASE("names of FMUs are identifiers that are not taken") {
    const auto named = [](const std::string& name) {
        return refusal("[[fmu]]\nname = \"" + name + "\"\nfile = \"a.fmu\"\n");
    };
    CHECK_THAT(named("a.b"), Contains("s.toml:2: fmu 'a.b': 'a.b' is not a name"));
    CHECK_THAT(named("2nd"), Contains("is not a name"));
    CHECK_THAT(named("world"), Contains("the name 'world' is taken"));
}

TEST_CASE("a setting that is not a value is refused") {
    CHECK_THAT(
        refusal("[[fmu]]\nname = \"a\"\nfile = \"a.fmu\"\nset = { x = [1, true] }\n"),
        Contains(
            "s.toml:4: fmu 'a', set: 'x' must be a number, true or false, a text, or a list of one of them"));
    CHECK_THAT(refusal("[[fmu]]\nname = \"a\"\nfile = \"a.fmu\"\nset = 3\n"),
               Contains("'set' must be a table in braces"));
}

TEST_CASE("a model given for a system and a system given for a model are said to be what they are") {
    CHECK_THAT(refusal("[model]\nname = \"m\"\n"),
               Contains("s.toml:1: this is a model, not a system of FMUs") && Contains("tenon simulate"));
    CHECK_THAT(refusal("[[body]]\nname = \"m\"\n"), Contains("this is a model, not a system of FMUs"));
    CHECK_THROWS_WITH(parse_model(two, "s.toml"),
                      Contains("s.toml:1: this is a system of FMUs, not a model") && Contains("tenon run"));
}

TEST_CASE("docs/system-file.md has the key tables of the format") {
    const std::string page = read_text_file(tests::source_folder() + "/docs/system-file.md", 1u << 20);
    CHECK_THAT(page, Contains(sections_markdown(system_sections())));
}
