// Joints between FMUs: terminals that fit, numbers that make sense.

#include "tools/files/errors.hpp"
#include "tools/system/system_toml.hpp"

#include "tests/files/scratch.hpp"
#include "tests/support/refusal.hpp"
#include "tests/system/test_fmu.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::system;
using Catch::Contains;
using fmi::Version;

namespace {

struct Arms {
    Scratch folder;
    TestFmu a{Version::fmi3, "a"}, b{Version::fmi2, "b"};
    Arms() {
        a.mechanical_units().frame("tip").frame("root");
        b.mechanical_units().frame("end");
    }

    CheckedSystem check(const std::string& lines) const {
        a.save(folder / "a.fmu");
        b.save(folder / "b.fmu");
        return check_system(parse_system(
            "[[fmu]]\nname = \"a\"\nfile = \"a.fmu\"\n[[fmu]]\nname = \"b\"\nfile = \"b.fmu\"\n" + lines,
            (folder / "s.toml").string()));
    }
    CheckedSystem join(const std::string& left, const std::string& right,
                       const std::string& more = "type = \"fixed\"\n") const {
        return check("[[joint]]\nname = \"pin\"\na = \"" + left + "\"\nb = \"" + right + "\"\n" + more);
    }
    std::string refusal(const std::string& left, const std::string& right,
                        const std::string& more = "type = \"fixed\"\n") const {
        return tests::refusal([&] { join(left, right, more); });
    }
};

} // namespace

TEST_CASE("frames of 2.0 and 3.0, and the world, can be joined") {
    const Arms arms;
    CHECK(arms.join("a/tip", "b/end").system.joints.size() == 1);
    CHECK(arms.join("world", "b/end", "type = \"revolute\"\naxis = [0, 0, 1]\n").system.joints.size() == 1);
    CHECK(arms.join("a/tip", "a/root", "type = \"distance\"\nlength = 2\n").system.joints.size() == 1);
}

TEST_CASE("an unknown terminal is refused with the nearest one") {
    const Arms arms;
    CHECK_THAT(arms.refusal("a/tipp", "b/end"),
               Contains("s.toml:7: joint 'pin': fmu 'a' has no terminal 'tipp'; did you mean 'tip'?"));
    CHECK_THAT(arms.refusal("a/tip", "a/tip"), Contains("both sides are 'a/tip'"));
    CHECK_THAT(arms.refusal("world", "world"), Contains("both sides are the world"));
}

TEST_CASE("a terminal that lacks a member, or has it in another unit or shape, cannot be glued") {
    Arms arms;
    arms.b.description().terminals[0].members.pop_back();
    CHECK_THAT(arms.refusal("a/tip", "b/end"),
               Contains("'b/end' cannot be glued: it has no member 't_0[3]'"));
    Arms other;
    other.a.unit("mm", {0, 1}, 0.001);
    other.a.description().variables[0].unit = "mm";
    CHECK_THAT(other.refusal("a/tip", "b/end"),
               Contains("'a/tip' cannot be glued: member 'r_0' has the unit 'mm', but must be in 'm'"));
    Arms flat;
    flat.a.description().variables[1].dimensions = {{9, {}}};
    CHECK_THAT(flat.refusal("a/tip", "b/end"), Contains("member 'R' is [9], but must be [3,3]"));
    Arms kind;
    kind.a.description().terminals[0].kind = "com.example.plug";
    CHECK_THAT(kind.refusal("a/tip", "b/end"),
               Contains("terminals of kind 'com.example.plug' cannot be glued"));
}

TEST_CASE("a frame cannot be joined to a flange, and flanges are only fixed to each other") {
    Arms arms;
    arms.a.unit("rad", {0, 0, 0, 0, 0, 0, 0, 1})
        .output("shaft.phi", "rad")
        .output("shaft.w", "rad/s")
        .input("shaft.tau", "N.m");
    arms.a.description().terminals.push_back(
        {"shaft",
         "plug",
         "dev.tenon.joint.flangeRot",
         "",
         {{"shaft.phi", "phi", "signal"}, {"shaft.w", "w", "signal"}, {"shaft.tau", "tau", "inflow"}},
         {},
         "",
         {}});
    CHECK_THAT(arms.refusal("a/shaft", "b/end"),
               Contains("'a/shaft' is a rotational flange, but 'b/end' is a frame"));
    CHECK(arms.join("a/shaft", "world").system.joints.size() == 1);
    CHECK_THAT(arms.refusal("a/shaft", "world", "type = \"revolute\"\naxis = [0, 0, 1]\n"),
               Contains("must be of type 'fixed', not 'revolute'"));
}

TEST_CASE("the efforts of a glued port take no connection") {
    Arms arms;
    arms.b.output("push", "N");
    CHECK_THAT(arms.refusal("a/tip", "b/end",
                            "type = \"fixed\"\n[[connection]]\nfrom = \"b.push\"\nto = \"a.tip.f_0[2]\"\n"),
               Contains("'tip.f_0[2]' of 'a/tip' has two sources: the joint and the connection of line 12"));
}

TEST_CASE("axes and lengths of joints that mean nothing are refused") {
    const Arms arms;
    const auto joint = [&](const std::string& lines) { return arms.refusal("a/tip", "b/end", lines); };
    CHECK_THAT(joint("type = \"revolute\"\naxis = [0, 0, 0]\n"),
               Contains("axis has no direction ([0, 0, 0])"));
    CHECK_THAT(joint("type = \"universal\"\naxis = [0, 0, 1]\naxis2 = [0, 0, -3]\n"),
               Contains("are parallel"));
    CHECK_THAT(joint("type = \"distance\"\nlength = 0\n"), Contains("length must be above 0 (0)"));
    CHECK_THAT(
        joint("type = \"revolute\"\naxis = [0, 0, 1]\nmotion = { time = [0, 1, 1], value = [0, 1, 2] }\n"),
        Contains("the times of a motion must increase"));
    CHECK_THAT(
        joint(
            "type = \"fixed\"\n[[joint]]\nname = \"pin\"\ntype = \"fixed\"\na = \"a/root\"\nb = \"world\"\n"),
        Contains("s.toml:12: joint 'pin': the name is used twice"));
}
