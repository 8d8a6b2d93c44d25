// A system against the descriptions of its FMUs: connections, sizes, types, units and roles.

#include "tools/files/errors.hpp"
#include "tools/system/system_toml.hpp"

#include "tests/files/scratch.hpp"
#include "tests/support/refusal.hpp"
#include "tests/system/test_fmu.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::system;
using Catch::Contains;
using fmi::Type;
using fmi::Version;

namespace {

/// Two FMUs, `a` and `b`, and what stands in the system file about them from line 7 on.
struct Pair {
    Scratch folder;
    TestFmu a{Version::fmi3, "a"}, b{Version::fmi2, "b"};

    CheckedSystem check(const std::string& lines) const {
        a.save(folder / "a.fmu");
        b.save(folder / "b.fmu");
        const std::string head =
            "[[fmu]]\nname = \"a\"\nfile = \"a.fmu\"\n[[fmu]]\nname = \"b\"\nfile = \"b.fmu\"\n";
        return check_system(parse_system(head + lines, (folder / "s.toml").string()));
    }
    CheckedSystem connect(const std::string& from, const std::string& to,
                          const std::string& more = "") const {
        return check("[[connection]]\nfrom = \"" + from + "\"\nto = \"" + to + "\"\n" + more);
    }
    std::string refusal(const std::string& from, const std::string& to, const std::string& more = "") const {
        return tests::refusal([&] { connect(from, to, more); });
    }
};

} // namespace

TEST_CASE("a scalar output feeds a scalar input by one wire") {
    Pair pair;
    pair.a.input("dummy").output("y");
    pair.b.output("z").input("u");
    const CheckedSystem checked = pair.connect("a.y", "b.u", "factor = 3\noffset = -1\n");
    REQUIRE(checked.wires.size() == 1);
    const CheckedSystem::Wire& wire = checked.wires[0];
    CHECK(wire.from_fmu == 0);
    CHECK(wire.from_variable == 1);
    CHECK(wire.to_fmu == 1);
    CHECK(wire.to_variable == 1);
    CHECK(wire.factor == 3);
    CHECK(wire.offset == -1);
}

TEST_CASE("an array of 3.0 feeds the scalars of 2.0 that are named as its elements") {
    Pair pair;
    pair.a.output("R", "", Type::float64, {2, 2});
    pair.b.input("M[2,1]").input("M[1,2]").input("M[1,1]").input("M[2,2]");
    const CheckedSystem checked = pair.connect("a.R", "b.M");
    REQUIRE(checked.wires.size() == 4);
    const std::size_t variables[] = {2, 1, 0, 3}; // row major
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(checked.wires[i].from_element == i);
        CHECK(checked.wires[i].to_variable == variables[i]);
        CHECK(checked.wires[i].to_element == 0);
    }
}

TEST_CASE("scalars that count from 0 are an array as well") {
    Pair pair;
    pair.a.output("y", "", Type::float64, {2});
    pair.b.input("x[0]").input("x[1]");
    CHECK(pair.connect("a.y", "b.x").wires.size() == 2);
}

TEST_CASE("one element of an array can be connected by its index") {
    Pair pair;
    pair.a.output("R", "", Type::float64, {3, 3});
    pair.b.input("u").input("x[1]").input("x[2]");
    CHECK(pair.connect("a.R[2,3]", "b.u").wires.at(0).from_element == 5);
    CHECK(pair.connect("a.R[1,1]", "b.x[2]").wires.at(0).to_variable == 2);
    CHECK_THAT(pair.refusal("a.R[4,1]", "b.u"), Contains("index 4 is outside of 'R' [3,3]: 1 to 3"));
    CHECK_THAT(pair.refusal("a.R[0,1]", "b.u"), Contains("index 0 is outside"));
    CHECK_THAT(pair.refusal("a.R[1]", "b.u"), Contains("'R' [3,3] needs 2 indices (1 given)"));
}

TEST_CASE("arrays of different sizes are refused with both sizes") {
    Pair pair;
    pair.a.output("y", "", Type::float64, {3}).output("M", "", Type::float64, {2, 2});
    pair.b.input("x[1]").input("x[2]").input("u").input("v[1]").input("v[2]").input("v[3]").input("v[4]");
    CHECK_THAT(pair.refusal("a.y", "b.x"), Contains("the sizes differ ([3] against [2])"));
    CHECK_THAT(pair.refusal("a.y", "b.u"), Contains("the sizes differ ([3] against a scalar)"));
    CHECK_THAT(pair.refusal("a.M", "b.v"), Contains("the sizes differ ([2,2] against [4])"));
}

TEST_CASE("scalars that do not make a complete array are refused") {
    Pair pair;
    pair.a.output("y", "", Type::float64, {2});
    pair.b.input("x[1]").input("x[3]");
    CHECK_THAT(pair.refusal("a.y", "b.x"), Contains("'x[..]' are not a complete array from [1] to [3]"));
}

TEST_CASE("an unknown variable is refused with the nearest one of the right role") {
    Pair pair;
    pair.a.output("torque").input("torque_command");
    pair.b.input("speed").output("speeds");
    CHECK_THAT(
        pair.refusal("a.torqe", "b.speed"),
        Contains(
            "s.toml:7: connection from 'a.torqe' to 'b.speed': fmu 'a' has no variable 'torqe'; did you mean "
            "'torque'?"));
    CHECK_THAT(pair.refusal("a.torque", "b.sped"), Contains("did you mean 'speed'?"));
}

TEST_CASE("connections go from outputs to inputs only") {
    Pair pair;
    pair.a.output("y").input("w").parameter("p");
    pair.b.output("z").input("u").parameter("q");
    CHECK_THAT(pair.refusal("b.u", "a.y"), Contains("the ends are the wrong way round"));
    CHECK_THAT(pair.refusal("a.y", "b.z"), Contains("'z' is not an input (output)"));
    CHECK_THAT(pair.refusal("a.y", "b.q"), Contains("'q' is not an input (parameter)"));
    CHECK_THAT(pair.refusal("a.p", "b.u"), Contains("'p' is not an output (parameter)"));
}

TEST_CASE("an input takes one source only, also element by element") {
    Pair pair;
    pair.a.output("y", "", Type::float64, {2}).output("z");
    pair.b.input("x[1]").input("x[2]");
    const std::string more = "[[connection]]\nfrom = \"a.z\"\nto = \"b.x[2]\"\n";
    CHECK_THAT(
        pair.refusal("a.y", "b.x", more),
        Contains(
            "s.toml:10: connection from 'a.z' to 'b.x[2]': the input has two sources: this one and 'a.y' "
            "(line 7)"));
}

TEST_CASE("floats of any width connect, integers to wider integers and to floats") {
    Pair pair;
    pair.a.output("single", "", Type::float32).output("byte", "", Type::int8).output("wide", "", Type::int64);
    pair.a.output("unsigned", "", Type::uint32)
        .output("truth", "", Type::boolean)
        .output("word", "", Type::string);
    pair.b.input("real").input("integer", "", Type::int32).input("truth", "", Type::boolean);
    pair.b.input("word", "", Type::string);
    for (const auto& [from, to] : {std::pair{"a.single", "b.real"},
                                   {"a.byte", "b.real"},
                                   {"a.wide", "b.real"},
                                   {"a.byte", "b.integer"},
                                   {"a.truth", "b.truth"},
                                   {"a.word", "b.word"}})
        CHECK(pair.connect(from, to).wires.size() == 1);
    CHECK_THAT(pair.refusal("a.wide", "b.integer"),
               Contains("Int64 to Int32 cannot be connected: values may not fit"));
    CHECK_THAT(pair.refusal("a.unsigned", "b.integer"), Contains("UInt32 to Int32"));
    CHECK_THAT(pair.refusal("a.single", "b.integer"), Contains("Float32 to Int32 cannot be connected"));
    CHECK_THAT(pair.refusal("a.truth", "b.integer"), Contains("Boolean to Int32"));
    CHECK_THAT(pair.refusal("a.truth", "b.real"), Contains("Boolean to Float64"));
    CHECK_THAT(pair.refusal("a.word", "b.real"), Contains("String to Float64"));
    CHECK_THAT(pair.refusal("a.byte", "b.integer", "factor = 2\n"), Contains("needs a float, not Int32"));
}

TEST_CASE("enumerations connect where every value has its item") {
    Pair pair;
    pair.a.enumeration("gear", {{"low", 1, ""}, {"high", 2, ""}}).output("gear", "", Type::enumeration);
    pair.b.enumeration("gears", {{"L", 1, ""}, {"H", 2, ""}, {"R", 3, ""}})
        .input("gear", "", Type::enumeration);
    pair.b.output("selected", "", Type::enumeration);
    pair.a.input("select", "", Type::enumeration);
    CHECK(pair.connect("a.gear", "b.gear").wires.size() == 1);
    CHECK_THAT(
        pair.refusal("b.selected", "a.select"),
        Contains("enumeration 'gears' does not fit into 'gear': it has no item with the value 3 ('R')"));
}

TEST_CASE("units are folded into the wire, refused with both named, or left alone on demand") {
    Pair pair;
    pair.a.unit("kN", {1, 1, -2}, 1000).unit("K", {0, 0, 0, 0, 1}).output("force", "kN").output("heat", "K");
    pair.b.unit("N", {1, 1, -2}).input("f", "N").input("plain");
    CHECK(pair.connect("a.force", "b.f").wires.at(0).factor == 1000);
    // The contract: factor and offset come after the conversion.
    const CheckedSystem::Wire wire = pair.connect("a.force", "b.f", "factor = 2\noffset = 5\n").wires.at(0);
    CHECK(wire.factor == 2000);
    CHECK(wire.offset == 5);
    CHECK(pair.connect("a.force", "b.plain").wires.at(0).factor == 1);
    CHECK(pair.connect("a.heat", "b.f", "suppress_unit_conversion = true\n").wires.at(0).factor == 1);
    CHECK_THAT(pair.refusal("a.heat", "b.f"), Contains("unit 'K' (K) cannot be converted to 'N' (kg.m/s2)") &&
                                                  Contains("'a.heat' to 'b.f'"));
}

TEST_CASE("turns are told from radians, and what the message advises is taken") {
    Pair pair;
    pair.a.unit("rad/s", {0, 0, -1, 0, 0, 0, 0, 1}).output("speed", "rad/s");
    pair.b.unit("Hz", {0, 0, -1}).unit("kHz", {0, 0, -1}, 1000).input("f", "Hz").input("fast", "kHz");
    const std::string advice = "suppress_unit_conversion = true with factor = ";
    CHECK_THAT(pair.refusal("a.speed", "b.f"),
               Contains("if turns are meant, " + advice + "0.15915494309189535"));
    CHECK_THAT(pair.refusal("a.speed", "b.fast"), Contains(advice + "0.00015915494309189535"));
    const std::string taken = "suppress_unit_conversion = true\nfactor = 0.15915494309189535\n";
    CHECK(pair.connect("a.speed", "b.f", taken).wires.at(0).factor == 0.15915494309189535);
}

TEST_CASE("a file that is used twice is opened once") {
    Pair pair;
    pair.a.output("y");
    pair.b.input("u");
    const CheckedSystem checked = pair.check("[[fmu]]\nname = \"c\"\nfile = \"./a.fmu\"\n");
    REQUIRE(checked.fmus.size() == 3);
    CHECK(checked.fmus[0] == checked.fmus[2]);
    CHECK(checked.fmus[0] != checked.fmus[1]);
}

TEST_CASE("an FMU that is missing or not for Co-Simulation is refused where it is named") {
    Pair pair;
    CHECK_THAT(tests::refusal([&] { pair.check("[[fmu]]\nname = \"c\"\nfile = \"none.fmu\"\n"); },
                              InputFault::unreadable),
               Contains("s.toml:7: fmu 'c': ") && Contains("none.fmu"));
    CHECK_THROWS_WITH(pair.check("[[fmu]]\nname = \"a\"\nfile = \"a.fmu\"\n"),
                      Contains("s.toml:7: the name 'a' is used twice (first in line 1)"));
}

TEST_CASE("more wires than a million are refused before they are made") {
    Pair pair;
    pair.a.output("y", "", Type::float64, {1000, 1001});
    pair.b.input("u");
    CHECK_THAT(pair.refusal("a.y", "b.u"),
               Contains("array 'y' is too large ([1000,1001], limit 1000000 elements)"));
}
