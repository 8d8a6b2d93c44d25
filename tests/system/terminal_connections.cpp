// Terminals that signals connect: which members meet, in which direction, with which sign.

#include "tools/files/errors.hpp"
#include "tools/system/system_toml.hpp"

#include "tests/files/scratch.hpp"
#include "tests/support/refusal.hpp"
#include "tests/system/test_fmu.hpp"

#include <catch2/catch.hpp>

#include <map>

using namespace tenon;
using namespace tenon::system;
using Catch::Contains;
using fmi::Version;

namespace {

struct Shafts {
    Scratch folder;
    TestFmu engine{Version::fmi2, "engine"}, gearbox{Version::fmi3, "gearbox"};

    Shafts() {
        for (TestFmu* fmu : {&engine, &gearbox})
            fmu->mechanical_units().unit("rad", {0, 0, 0, 0, 0, 0, 0, 1});
        engine.output("shaft.phi", "rad").output("shaft.w", "rad/s").input("shaft.tau", "N.m");
        gearbox.input("in.phi", "rad").input("in.w", "rad/s").output("in.tau", "N.m");
        add(engine, "shaft", "plug",
            {{"shaft.phi", "phi", "signal"}, {"shaft.w", "w", "signal"}, {"shaft.tau", "tau", "inflow"}});
        add(gearbox, "in", "plug",
            {{"in.phi", "phi", "signal"}, {"in.w", "w", "signal"}, {"in.tau", "tau", "inflow"}});
    }

    static void add(TestFmu& fmu, const std::string& name, const std::string& rule,
                    std::vector<fmi::TerminalMember> members) {
        fmu.description().terminals.push_back(
            {name, rule, "com.example.shaft", "", std::move(members), {}, "", {}});
    }
    static fmi::Terminal& terminal(TestFmu& fmu) { return fmu.description().terminals.front(); }

    CheckedSystem check(const std::string& lines) const {
        engine.save(folder / "engine.fmu");
        gearbox.save(folder / "gearbox.fmu");
        return check_system(parse_system("[[fmu]]\nname = \"engine\"\nfile = \"engine.fmu\"\n"
                                         "[[fmu]]\nname = \"gearbox\"\nfile = \"gearbox.fmu\"\n" +
                                             lines,
                                         (folder / "s.toml").string()));
    }
    CheckedSystem connect(const std::string& more = "") const {
        return check("[[connection]]\nfrom = \"engine/shaft\"\nto = \"gearbox/in\"\n" + more);
    }
    std::string refusal(const std::string& lines) const {
        return tests::refusal([&] { check(lines); });
    }
    std::string refusal() const {
        return refusal("[[connection]]\nfrom = \"engine/shaft\"\nto = \"gearbox/in\"\n");
    }
};

/// "engine.shaft.phi > gearbox.in.phi": the factor.
std::map<std::string, double> wires(const CheckedSystem& checked) {
    std::map<std::string, double> result;
    for (const CheckedSystem::Wire& wire : checked.wires) {
        const auto name = [&](std::size_t fmu, std::size_t variable, std::size_t element) {
            return checked.system.fmus[fmu].name + "." +
                   checked.fmus[fmu]->description().variables[variable].name +
                   (checked.elements(fmu, variable) > 1 ? "#" + std::to_string(element) : "");
        };
        result[name(wire.from_fmu, wire.from_variable, wire.from_element) + " > " +
               name(wire.to_fmu, wire.to_variable, wire.to_element)] = wire.factor;
    }
    return result;
}

using Wires = std::map<std::string, double>;

} // namespace

TEST_CASE("members of plugs meet by name, each in its direction, and an inflow meets an inflow with the "
          "other sign") {
    Shafts shafts;
    const Wires expected = {{"engine.shaft.phi > gearbox.in.phi", 1},
                            {"engine.shaft.w > gearbox.in.w", 1},
                            {"gearbox.in.tau > engine.shaft.tau", -1}};
    CHECK(wires(shafts.connect()) == expected);
    Shafts::terminal(shafts.gearbox).members[2].kind = "outflow";
    CHECK(wires(shafts.connect()).at("gearbox.in.tau > engine.shaft.tau") == 1);
    std::swap(Shafts::terminal(shafts.engine).members[0], Shafts::terminal(shafts.engine).members[2]);
    CHECK(wires(shafts.connect()).size() == 3);
}

TEST_CASE("a plug wants all its members on the other side, a bus those that are there") {
    Shafts shafts;
    Shafts::terminal(shafts.gearbox).members.erase(Shafts::terminal(shafts.gearbox).members.begin() + 1);
    CHECK_THAT(shafts.refusal(),
               Contains("s.toml:7: connection from 'engine/shaft' to 'gearbox/in': 'engine/shaft' "
                        "has the member 'w', but 'gearbox/in' has not"));
    Shafts::terminal(shafts.engine).matching_rule = "bus";
    CHECK(wires(shafts.connect()).size() == 2);
    Shafts::terminal(shafts.engine).matching_rule = "plug";
    Shafts::terminal(shafts.gearbox).matching_rule = "bus";
    CHECK_THAT(shafts.refusal(), Contains("has the member 'w'"));
    Shafts::terminal(shafts.engine).matching_rule = "bus";
    Shafts::terminal(shafts.gearbox).members.clear();
    CHECK_THAT(shafts.refusal(), Contains("no member in common"));
}

TEST_CASE("members of a sequence meet by order") {
    Shafts shafts;
    for (TestFmu* fmu : {&shafts.engine, &shafts.gearbox})
        Shafts::terminal(*fmu).matching_rule = "sequence";
    for (fmi::TerminalMember& member : Shafts::terminal(shafts.gearbox).members)
        member.member.clear();
    CHECK(wires(shafts.connect()).size() == 3);
    Shafts::terminal(shafts.gearbox).members.pop_back();
    CHECK_THAT(shafts.refusal(), Contains("'engine/shaft' has 3 values, but 'gearbox/in' has 2"));
    Shafts::terminal(shafts.gearbox).matching_rule = "plug";
    CHECK_THAT(shafts.refusal(), Contains("by order, those of 'gearbox/in' by name"));
    Shafts::terminal(shafts.gearbox).matching_rule = "com.example.rule";
    CHECK_THAT(shafts.refusal(), Contains("matching rule 'com.example.rule', which is not known here"));
}

TEST_CASE("an array of 3.0 meets the elements of 2.0, and nested terminals meet by name") {
    Shafts shafts;
    shafts.engine.output("aux.x[1]").output("aux.x[2]");
    shafts.gearbox.input("x", "", fmi::Type::float64, {2});
    Shafts::terminal(shafts.engine)
        .terminals.push_back({"aux",
                              "bus",
                              "",
                              "",
                              {{"aux.x[1]", "x[1]", "signal"}, {"aux.x[2]", "x[2]", "signal"}},
                              {},
                              "",
                              {}});
    CHECK(wires(shafts.connect()).size() == 3);
    Shafts::terminal(shafts.gearbox)
        .terminals.push_back({"aux", "bus", "", "", {{"x", "x", "signal"}}, {}, "", {}});
    const Wires found = wires(shafts.connect());
    CHECK(found.size() == 5);
    CHECK(found.contains("engine.aux.x[2] > gearbox.x#1"));
}

TEST_CASE("what terminals cannot pass on is refused, with what to do") {
    Shafts shafts;
    CHECK_THAT(shafts.refusal("[[connection]]\nfrom = \"engine/shat\"\nto = \"gearbox/in\"\n"),
               Contains("fmu 'engine' has no terminal 'shat'; did you mean 'shaft'?"));
    CHECK_THAT(shafts.refusal("[[connection]]\nfrom = \"engin/shaft\"\nto = \"gearbox/in\"\n"),
               Contains("s.toml:8: ") && Contains("there is no fmu 'engin'; did you mean 'engine'?"));
    CHECK_THAT(shafts.refusal("[[connection]]\nfrom = \"engine/shaft\"\nto = \"gearbox.in.phi\"\n"),
               Contains("a terminal is connected to a terminal"));
    CHECK_THAT(shafts.refusal("[[connection]]\nfrom = \"engine/shaft\"\nto = \"gearbox/in\"\nfactor = 2\n"),
               Contains("s.toml:10: ") && Contains("terminals take no 'factor'"));
    CHECK_THAT(shafts.refusal("[[connection]]\nfrom = \"engine/shaft\"\nto = \"gearbox/in\"\n"
                              "[[connection]]\nfrom = \"engine.shaft.phi\"\nto = \"gearbox.in.phi\"\n"),
               Contains("two sources"));
    Shafts::terminal(shafts.gearbox).members[2].kind = "signal";
    CHECK_THAT(shafts.refusal(), Contains("member 'tau' is of kind 'inflow' in 'engine/shaft' and 'signal'"));
    Shafts both;
    Shafts::terminal(both.gearbox).members[0] = {"in.tau", "phi", "signal"};
    CHECK_THAT(both.refusal(),
               Contains("member 'phi' is output in 'engine/shaft' and output in 'gearbox/in'"));
    Shafts units;
    units.gearbox.unit("deg", {0, 0, 0, 0, 0, 0, 0, 1}, 0.017453292519943295);
    units.gearbox.description().variables[0].unit = "deg";
    CHECK(wires(units.connect()).at("engine.shaft.phi > gearbox.in.phi") == Approx(180 / 3.14159265358979));
    units.gearbox.description().variables[0].unit = "N";
    CHECK_THAT(units.refusal(), Contains("rad") && Contains("N"));
    CHECK(wires(units.connect("suppress_unit_conversion = true\n")).at("engine.shaft.phi > gearbox.in.phi") ==
          1);
}

TEST_CASE("members without a name, twice the same, or of other shapes are refused, parameters left alone") {
    Shafts twice;
    Shafts::terminal(twice.gearbox).members.push_back({"in.w", "phi", "signal"});
    CHECK_THAT(twice.refusal(), Contains("'gearbox/in' has two members 'phi'"));
    Shafts::terminal(twice.gearbox).members.back().member.clear();
    CHECK_THAT(twice.refusal(), Contains("'gearbox/in' has a member without a name"));
    Shafts::terminal(twice.gearbox).members.back() = {"nowhere", "x", "signal"};
    CHECK_THAT(twice.refusal(), Contains("member 'x'") && Contains("nowhere"));
    Shafts shapes;
    shapes.gearbox.input("wide", "rad", fmi::Type::float64, {2});
    Shafts::terminal(shapes.gearbox).members[0] = {"wide", "phi", "signal"};
    CHECK_THAT(shapes.refusal(), Contains("member 'phi' is a scalar on one side and [2] on the other"));
    Shafts parameters;
    for (TestFmu* fmu : {&parameters.engine, &parameters.gearbox}) {
        fmu->parameter("ratio");
        Shafts::terminal(*fmu).members.push_back({"ratio", "ratio", "signal"});
    }
    CHECK(wires(parameters.connect()).size() == 3);
    Shafts many;
    many.gearbox.output("wide", "", fmi::Type::float64, {1'000'000});
    for (int i = 0; i < 1000; ++i)
        Shafts::terminal(many.gearbox).members.push_back({"wide", "x" + std::to_string(i), "signal"});
    CHECK_THAT(many.refusal(), Contains("'gearbox/in' has too many values"));
}

TEST_CASE("a joint with a side that takes motion is fixed, has a mass on the other side, and no numbers") {
    Shafts shafts;
    for (TestFmu* fmu : {&shafts.engine, &shafts.gearbox})
        Shafts::terminal(*fmu).kind = "dev.tenon.joint.flangeRot";
    const auto joint = [](const std::string& a, const std::string& b,
                          const std::string& more = "type = \"fixed\"\n") {
        return "[[joint]]\nname = \"coupling\"\na = \"" + a + "\"\nb = \"" + b + "\"\n" + more;
    };
    const CheckedSystem checked = shafts.check(joint("gearbox/in", "engine/shaft"));
    CHECK(checked.system.joints.empty());
    CHECK(wires(checked).at("gearbox.in.tau > engine.shaft.tau") == -1);
    REQUIRE(checked.system.remarks.size() == 1);
    CHECK(checked.system.remarks[0] == "joint 'coupling': 'gearbox/in' takes motion and gives efforts, so "
                                       "that signals connect it and nothing is glued");
    CHECK(shafts.check(joint("gearbox/in", "engine/shaft", "type = \"fixed\"\nmethod = \"auto\"\n"))
              .system.joints.empty());
    for (TestFmu* fmu : {&shafts.engine, &shafts.gearbox}) // all the same, as the kind of the port wants it
        Shafts::terminal(*fmu).matching_rule = "bus";
    CHECK(shafts.check(joint("gearbox/in", "engine/shaft")).wires.size() == 3);
    CHECK_THAT(shafts.refusal(joint("gearbox/in", "world")),
               Contains("s.toml:7: joint 'coupling': 'gearbox/in' takes motion") &&
                   Contains("set its inputs"));
    CHECK_THAT(shafts.refusal(joint("gearbox/in", "engine/shaft", "type = \"revolute\"\naxis = [0, 0, 1]\n")),
               Contains("by a joint of type 'fixed' without more"));
    CHECK_THAT(shafts.refusal(joint("gearbox/in", "engine/shaft", "type = \"fixed\"\nmethod = \"newton\"\n")),
               Contains("by a joint of type 'fixed' without more"));
    shafts.gearbox.input("out.phi", "rad").input("out.w", "rad/s").output("out.tau", "N.m");
    Shafts::add(shafts.gearbox, "out", "plug",
                {{"out.phi", "phi", "signal"}, {"out.w", "w", "signal"}, {"out.tau", "tau", "inflow"}});
    shafts.gearbox.description().terminals.back().kind = "dev.tenon.joint.flangeRot";
    CHECK_THAT(shafts.refusal(joint("gearbox/in", "gearbox/out")),
               Contains("something with mass must be between"));
}

TEST_CASE(
    "a joint with a spring side is refused where the kinds of both, or the signs of efforts, do not fit") {
    Shafts shafts;
    for (TestFmu* fmu : {&shafts.engine, &shafts.gearbox})
        Shafts::terminal(*fmu).kind = "dev.tenon.joint.flangeRot";
    const std::string joint =
        "[[joint]]\nname = \"coupling\"\na = \"engine/shaft\"\nb = \"gearbox/in\"\ntype = \"fixed\"\n";
    for (const char* kind : {"signal", "outflow"}) {
        Shafts::terminal(shafts.engine).members[2].kind = kind;
        CHECK_THAT(shafts.refusal(joint),
                   Contains("'engine/shaft' cannot be glued: member 'tau' is of kind '" + std::string(kind) +
                            "', but must be 'inflow'"));
    }
    Shafts frames;
    Shafts::terminal(frames.gearbox).kind = "dev.tenon.joint.flangeRot";
    frames.engine.frame("mount");
    CHECK_THAT(
        frames.refusal(
            "[[joint]]\nname = \"coupling\"\na = \"engine/mount\"\nb = \"gearbox/in\"\ntype = \"fixed\"\n"),
        Contains("'engine/mount' is a frame, but 'gearbox/in' is a rotational flange"));
}

TEST_CASE("flanges of Modelica are ports, with velocities where the description has them") {
    Shafts shafts;
    Shafts::terminal(shafts.engine).kind = "Modelica.Mechanics.Rotational.Interfaces.Flange_b";
    Shafts::terminal(shafts.engine).members.erase(Shafts::terminal(shafts.engine).members.begin() + 1);
    const std::string to_world =
        "[[joint]]\nname = \"brake\"\na = \"world\"\nb = \"engine/shaft\"\ntype = \"fixed\"\n";
    CHECK_THAT(shafts.refusal(to_world),
               Contains("it has neither a member 'w' nor variables that are the derivatives of 'phi'"));
    shafts.engine.description().variables[1].derivative_of = 0;
    CHECK(shafts.check(to_world).system.joints.size() == 1);
    shafts.engine.output("again", "rad"); // an alias, by the same reference
    shafts.engine.last().reference = shafts.engine.description().variables[0].reference;
    shafts.engine.description().variables[1].derivative_of = shafts.engine.description().variables.size() - 1;
    CHECK(shafts.check(to_world).system.joints.size() == 1);
    Shafts::terminal(shafts.engine).members[0].variable = "again";
    CHECK(shafts.check(to_world).system.joints.size() == 1);
    Shafts::terminal(shafts.engine).members.push_back({"nowhere", "w", "signal"});
    CHECK_THAT(shafts.refusal(to_world), Contains("nowhere")); // not replaced by the derivative

    Shafts wide;
    Shafts::terminal(wide.gearbox).kind = "Modelica.Mechanics.MultiBody.Interfaces.Frame_a";
    Shafts::terminal(wide.gearbox).members.clear();
    wide.gearbox.output("r", "m", fmi::Type::float64, {3})
        .output("T", "", fmi::Type::float64, {3, 3})
        .output("w", "rad/s", fmi::Type::float64, {3})
        .input("f", "N", fmi::Type::float64, {3})
        .input("t", "N.m", fmi::Type::float64, {3})
        .output("v", "m/s");
    for (const auto& [member, variable] : {std::pair("r_0", "r"), std::pair("T", "T"), std::pair("w", "w")})
        Shafts::terminal(wide.gearbox).members.push_back({variable, member, "signal"});
    for (const char* effort : {"f", "t"})
        Shafts::terminal(wide.gearbox).members.push_back({effort, effort, "inflow"});
    wide.gearbox.last().derivative_of = 3; // one number is no velocity
    const std::string held =
        "[[joint]]\nname = \"foot\"\na = \"world\"\nb = \"gearbox/in\"\ntype = \"spherical\"\n";
    CHECK_THAT(wide.refusal(held), Contains("nor variables that are the derivatives of 'r_0'"));
    wide.gearbox.last().dimensions = {{3, {}}};
    CHECK(wide.check(held).system.joints.size() == 1);
}
