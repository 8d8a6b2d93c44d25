// Every kind of mistake in a model file is answered with file, line and a suggestion, in one line.

#include "tools/files/text_file.hpp"
#include "tools/model_file/model_reader.hpp"
#include "tools/model_file/toml.hpp"

#include "tests/files/scratch.hpp"
#include "tests/support/refusal.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using Catch::Contains;

namespace {

std::string refusal(const std::string& text) {
    return tests::refusal([&] { parse_model(text, "m.toml"); });
}

// Lines 1 to 9.
const std::string good = R"([[body]]
name = "crank"
mass = 2
inertia = [1, 1, 1]
[[joint]]
name = "pin"
type = "revolute"
bodies = ["world", "crank"]
at = [0, 0, 0]
)"; // the axis is missing

const std::string axis = "axis = [0, 0, 1]\n"; // line 10

std::string body_with(const std::string& lines) { return "[[body]]\nname = \"crank\"\n" + lines; }

} // namespace

TEST_CASE("an unknown key is refused with the nearest one") {
    CHECK_THAT(refusal(body_with("mas = 2\ninertia = [1, 1, 1]")),
               Contains("m.toml:3: body 'crank': unknown key 'mas'") && Contains("did you mean 'mass'?"));
    CHECK_THAT(refusal(good + axis + "angel = 3"), Contains("m.toml:11:") && Contains("unknown key 'angel'"));
    CHECK_THAT(
        refusal(body_with("mass = 1\ninertia = [1, 1, 1]\nshape = { type = \"box\", siz = [1, 1, 1] }")),
        Contains("m.toml:5:") && Contains("did you mean 'size'?"));
}

TEST_CASE("a key of another joint type is said to be that") {
    CHECK_THAT(refusal(good + axis + "pitch = 3"),
               Contains("m.toml:11: joint 'pin': key 'pitch' does not belong"));
}

TEST_CASE("mistakes in roads, tyres and contacts are refused at their line") {
    const std::string crank = body_with("mass = 2\ninertia = [1, 1, 1]\n"); // lines 1 to 4
    const auto road = [&](const std::string& feature) {
        return refusal(crank + "[[road]]\nname = \"track\"\nfeatures = [" + feature + "]\n");
    };
    CHECK_THAT(road("{ type = \"bumb\" }"),
               Contains("m.toml:7: road 'track', feature 1: unknown type 'bumb'; did you mean 'bump'?"));
    CHECK_THAT(road("{ type = \"bump\", start = 1, height = 1 }"),
               Contains("m.toml:7:") && Contains("key 'length' is missing"));
    CHECK_THAT(road("{ type = \"plane\", slop = 1 }"), Contains("did you mean 'slope'?"));
    CHECK_THAT(road("{ type = \"table\", table = [[0, 0]] }"),
               Contains("m.toml:7:") && Contains("at least 2 points"));
    CHECK_THAT(road("{ type = \"table\", table = [[0, 0], [0, 1]] }"),
               Contains("must increase (0 after 0 m)"));
    CHECK_THAT(road("{ type = \"grid\", x = [1, 0], y = [0, 1], z = [[0, 0], [0, 0]] }"),
               Contains("x of a road's grid"));

    const std::string track = "[[road]]\nname = \"track\"\n"; // lines 5 and 6
    const auto tyre = [&](const std::string& lines) {
        return refusal(crank + track +
                       "[[force]]\nname = \"tyre\"\ntype = \"tyre\"\nbodies = [\"world\", \"crank\"]\n" +
                       "at = [0, 0, 0.3]\naxis = [0, 1, 0]\nstiffness = 1e5\n" + lines); // lines 7 to 13
    };
    CHECK_THAT(tyre("radius = -0.3\n"),
               Contains("m.toml:14: force 'tyre': radius must be positive (-0.3 m)"));
    CHECK_THAT(tyre("radius = 0.3\nroad = \"trak\"\n"),
               Contains("m.toml:15: force 'tyre': there is no road 'trak'; did you mean 'track'?"));
    CHECK_THAT(tyre("radius = 0.3\nlateral = { type = \"calspam\" }\n"),
               Contains("m.toml:15:") && Contains("did you mean 'calspan'?"));
    CHECK_THAT(tyre("radius = 0.3\nlateral = { type = \"calspan\", A0 = 1 }\n"),
               Contains("key 'A1' is missing"));
    CHECK_THAT(tyre("radius = 0.3\nlateral = { type = \"linear\", cornerin = 1 }\n"),
               Contains("did you mean 'cornering'?"));
    CHECK_THAT(tyre("radius = 0.3\naxis2 = [0, 0, 0]\n"),
               Contains("unknown key 'axis2'") || Contains("does not belong"));
    const auto contact = [&](const std::string& lines) {
        return refusal(crank + track +
                       "[[force]]\nname = \"stop\"\ntype = \"contact\"\nbodies = [\"world\", \"crank\"]\n" +
                       "at = [0, 0, 0.3]\nstiffness = 1e5\n" + lines); // lines 7 to 12
    };
    CHECK_THAT(contact("radius = -1\nroad = \"track\"\n"),
               Contains("m.toml:13:") && Contains("must not be negative"));
    CHECK_THAT(contact(""), Contains("say against what it is"));
    CHECK_THAT(contact("road = \"track\"\nnormal = [0, 0, 1]\npoint = [0, 0, 0]\n"), Contains("not both"));
    CHECK_THAT(contact("normal = [0, 0, 0]\npoint = [0, 0, 0]\n"), Contains("normal has no direction"));
}

TEST_CASE("an unknown table is refused with the one that was meant") {
    CHECK_THAT(refusal("[[bodies]]\nname = \"a\""),
               Contains("m.toml:1: unknown table 'bodies'; did you mean [[body]]?"));
    CHECK_THAT(refusal(good + axis + "[[joints]]\n"),
               Contains("m.toml:11:") && Contains("did you mean [[joint]]?"));
    CHECK_THAT(refusal("[slover]\n"), Contains("did you mean [solver]?"));
    CHECK_THAT(refusal("[qqqqqqqq]\n"), Contains("[model] [[body]] [[joint]]"));
    CHECK_THAT(refusal("gravity = [0, 0, 0]"), Contains("unknown key 'gravity'; it belongs into [model]"));
}

TEST_CASE("single and double brackets are told apart") {
    CHECK_THAT(refusal("[body]\nname = \"a\""), Contains("m.toml:1: 'body' must be written [[body]]"));
    CHECK_THAT(refusal(good + axis + "[[solver]]\n"), Contains("'solver' must be written [solver], once"));
    CHECK_THAT(refusal("body = [1, 2]"), Contains("'body' must be tables"));
}

TEST_CASE("a wrong type is refused with the right one and an example") {
    CHECK_THAT(refusal(body_with("mass = \"2\"\ninertia = [1, 1, 1]")),
               Contains("m.toml:3:") && Contains("'mass' must be a number (kg), not a text (\"2\")") &&
                   Contains("for example mass = "));
    CHECK_THAT(refusal(body_with("mass = 2\ninertia = [1, 1]")),
               Contains("3 or 6 numbers") && Contains("a list of 2"));
    CHECK_THAT(refusal(body_with("mass = 2\ninertia = [1, 1, 1, 1]")), Contains("3 or 6 numbers"));
    CHECK_THAT(refusal(body_with("mass = 2\ninertia = [1, \"1\", 1]")),
               Contains("m.toml:4:") && Contains("a text"));
    CHECK_THAT(refusal(body_with("mass = true\ninertia = [1, 1, 1]")), Contains("not true"));
    CHECK_THAT(refusal(body_with("mass = 2020-01-01\ninertia = [1, 1, 1]")), Contains("not a date"));
    CHECK_THAT(refusal(good + "axis = [0, 0]"), Contains("m.toml:10:") && Contains("3 numbers"));
    CHECK_THAT(refusal("[[body]]\nname = 3"), Contains("'name' must be a text, not a number (3)"));
    CHECK_THAT(refusal("[[body]]\nname = [3]"), Contains("body number 1"));
}

TEST_CASE("a missing key is named with an example") {
    CHECK_THAT(refusal(good), Contains("m.toml:5: joint 'pin': key 'axis' is missing (3 numbers)") &&
                                  Contains("axis = [0, 0, 1]"));
    CHECK_THAT(refusal(body_with("mass = 1")), Contains("'inertia' is missing") && Contains("[0, 0, 0]"));
    CHECK_THAT(refusal("[[body]]\nmass = 1\ninertia = [1, 1, 1]"),
               Contains("m.toml:1: body number 1: key 'name'"));
    CHECK_THAT(refusal(good + axis + "[[force]]\nname = \"f\"\n"),
               Contains("'type' is missing") && Contains("bushing"));
    CHECK_THAT(refusal(good + axis + "[[force]]\nname = \"f\"\ntype = \"torque\"\nbody = \"crank\"\n"),
               Contains("'torque' is missing"));
    CHECK_THAT(refusal(good + axis + "[[driver]]\nname = \"d\"\njoint = \"pin\"\n"),
               Contains("one of motion"));
}

TEST_CASE("unknown bodies and joints are refused with the nearest ones") {
    std::string text = good + axis;
    text.replace(text.find("\"crank\"]"), 8, "\"cranck\"]");
    CHECK_THAT(refusal(text),
               Contains("m.toml:8: joint 'pin': there is no body 'cranck'; did you mean 'crank'?"));
    CHECK_THAT(refusal(good + axis + "[[driver]]\nname = \"d\"\njoint = \"pim\"\ninput = true"),
               Contains("m.toml:13:") && Contains("there is no joint 'pim'; did you mean 'pin'?"));
    CHECK_THAT(refusal(good + axis + "[[port]]\nname = \"p\"\nbody = \"crnk\"\nat = [0, 0, 0]"),
               Contains("did you mean 'crank'?"));
}

TEST_CASE("unknown types are refused with the nearest ones") {
    std::string text = good + axis;
    text.replace(text.find("revolute"), 8, "revolut");
    CHECK_THAT(refusal(text),
               Contains("m.toml:7: joint 'pin': unknown joint type 'revolut'; did you mean 'revolute'?"));
    CHECK_THAT(refusal(good + axis + "[[force]]\nname = \"f\"\ntype = \"sprng_damper\""),
               Contains("did you mean 'spring_damper'?"));
    CHECK_THAT(refusal(body_with("mass = 1\ninertia = [1, 1, 1]\nshape = { type = \"ball\" }")),
               Contains("box, cylinder, sphere"));
    CHECK_THAT(refusal(good + axis +
                       "[[force]]\nname = \"f\"\ntype = \"torque\"\nbody = \"crank\"\ntorque = [0, 0, "
                       "1]\naxes = \"local\""),
               Contains("world, body"));
}

TEST_CASE("impossible numbers are refused at their line with value and limit") {
    CHECK_THAT(refusal(body_with("mass = -2.5\ninertia = [1, 1, 1]")),
               Contains("m.toml:3: body 'crank': mass must not be negative (-2.5 kg"));
    CHECK_THAT(refusal(body_with("mass = 1\ninertia = [1, 1, 3]")),
               Contains("m.toml:4:") && Contains("triangle inequality"));
    CHECK_THAT(refusal(body_with("mass = 1\ninertia = [1, 1, -1]")),
               Contains("m.toml:4:") && Contains("positive semidefinite"));
    CHECK_THAT(refusal(good + "axis = [0, 0, 0]"), Contains("m.toml:10: joint 'pin': axis has no direction"));
    for (const char* value : {"nan", "inf", "-inf", "+nan"}) {
        CHECK_THAT(refusal(body_with("mass = " + std::string(value) + "\ninertia = [1, 1, 1]")),
                   Contains("m.toml:3:") && Contains("finite"));
        CHECK_THAT(refusal(good + "axis = [0, 0, " + value + "]"),
                   Contains("m.toml:10:") && Contains("finite"));
    }
    CHECK_THAT(refusal(body_with("mass = 1e999\ninertia = [1, 1, 1]")), Contains("m.toml:3:"));
    CHECK_THAT(refusal(body_with("mass = 1\ninertia = [1, 1, 1]\nshape = { type = \"sphere\", radius = 0 }")),
               Contains("must be positive (0 m)"));
}

TEST_CASE("orientations that are none are refused") {
    const auto with = [](const std::string& value) {
        return refusal(body_with("mass = 1\ninertia = [1, 1, 1]\norientation = " + value));
    };
    CHECK_THAT(with("[0, 0, 0, 0]"), Contains("m.toml:5:") && Contains("length 0"));
    CHECK_THAT(with("[1, 1, 0, 0]"),
               Contains("length 1.414") && Contains("0.7071067811865475, 0.7071067811865475, 0, 0"));
    CHECK_THAT(with("[1, 0, 0]"), Contains("quaternion of 4 numbers"));
    CHECK_THAT(with("{ axis = [0, 0, 0], angle_deg = 3 }"), Contains("no direction"));
    CHECK_THAT(with("{ axis = [0, 0, 1] }"), Contains("angle_deg"));
    CHECK_THAT(with("{ axis = [0, 0, 1], angle_deg = 3, angle = 1 }"), Contains("one of angle_deg"));
    CHECK_THAT(with("{ axis = [0, 0, 1], angle_dge = 3 }"), Contains("did you mean 'angle_deg'?"));
}

TEST_CASE("a name that is taken, malformed or used twice is refused") {
    CHECK_THAT(refusal(good + axis + "[[port]]\nname = \"pin\"\nbody = \"crank\"\nat = [0, 0, 0]"),
               Contains("m.toml:12: the name 'pin' is used twice (first in line 6)"));
    CHECK_THAT(refusal("[[body]]\nname = \"world\"\nmass = 1\ninertia = [1, 1, 1]"),
               Contains("m.toml:2:") && Contains("taken"));
    CHECK_THAT(refusal("[[body]]\nname = \"a b\"\nmass = 1\ninertia = [1, 1, 1]"),
               Contains("m.toml:2:") && Contains("letters, digits"));
    CHECK_THAT(refusal("[[body]]\nname = \"\"\nmass = 1\ninertia = [1, 1, 1]"), Contains("m.toml:2:"));
    CHECK_THAT(refusal("[[body]]\nname = \"a\\nb\"\nmass = 1\ninertia = [1, 1, 1]"), Contains("a\\x0ab"));
}

TEST_CASE("tables over time are checked at their line") {
    const std::string driver = good + axis + "[[driver]]\nname = \"d\"\njoint = \"pin\"\n";
    CHECK_THAT(refusal(driver + "motion = { time = [0, 1], value = [0] }"),
               Contains("m.toml:14:") && Contains("1 values, 2 times"));
    CHECK_THAT(refusal(driver + "motion = { time = [1, 1], value = [0, 1] }"), Contains("must increase"));
    CHECK_THAT(refusal(driver + "motion = { time = [0], value = [0] }"), Contains("at least 2"));
    CHECK_THAT(refusal(driver + "motion = { time = [0, 1] }"), Contains("'value' is missing"));
    CHECK_THAT(refusal(driver + "motion = { rate = 1 }\ninput = true"), Contains("one of motion"));
    const std::string load = good + axis + "[[force]]\nname = \"f\"\ntype = \"torque\"\nbody = \"crank\"\n";
    CHECK_THAT(refusal(load + "torque = { time = [0, 1], value = [[0, 0, 0], [1, 1]] }"),
               Contains("a list of [x, y, z]"));
    CHECK_THAT(refusal(load + "torque = { time = [0, 1], value = [[0, 0, 0]] }"),
               Contains("1 values, 2 times"));
    CHECK_THAT(refusal(load + "torque = { time = [0, 1], value = [[0, 0, 0], [1, 1, 1]] }\ninput = true"),
               Contains("cannot be an input too"));
    CHECK_THAT(
        refusal(load + "torque = [0, 0, 1]\ntable = { time = [0, 1], value = [[0, 0, 0], [1, 1, 1]] }"),
        Contains("not both"));
}

TEST_CASE("the solver's settings are held to the registry of integrators") {
    const auto with = [](const std::string& lines) { return refusal(good + axis + "[solver]\n" + lines); };
    CHECK_THAT(with("integrator = \"munte-kaas\""),
               Contains("m.toml:12:") && Contains("did you mean 'munthe-kaas'?"));
    CHECK_THAT(with("integrator = 3"), Contains("must be a text"));
    CHECK_THAT(with("step = 0"), Contains("m.toml:12:") && Contains("step"));
    CHECK_THAT(with("step = -1e-3"), Contains("-0.001"));
    CHECK_THAT(with("step = 1e-3\nstop = -1"), Contains("m.toml:13:") && Contains("stop"));
    CHECK_THAT(with("tolerance = 0"), Contains("tolerance"));
    CHECK_THAT(with("stpe = 1"), Contains("did you mean 'step'?"));
    CHECK_THAT(with("integrator = \"munthe-kaas\"\ngain = 5"), Contains("m.toml:13:") && Contains("gain"));
    CHECK_THAT(with("integrator = \"munthe-kaas\"\nstabilisation = \"lots\""),
               Contains("m.toml:13:") && Contains("none"));
    CHECK_THAT(with("integrator = \"munthe-kaas\"\nstabilisation = 1"), Contains("must be a text"));
    CHECK_THAT(with("coordinates = \"polar\""), Contains("natural, lie, joint"));
}

TEST_CASE("text that is not TOML is refused at its line") {
    CHECK_THAT(refusal("[[body]]\nname = crank"), Contains("m.toml:2: not valid TOML") && Contains("quotes"));
    CHECK_THAT(refusal("[[body]]\nname = \"crank"), Contains("m.toml:2: not valid TOML"));
    CHECK_THAT(refusal("[[body]]\nmass = 1\nmass = 2"), Contains("m.toml:3: not valid TOML"));
    CHECK_THAT(refusal("[[body]\n"), Contains("m.toml:1: not valid TOML"));
    CHECK_THAT(refusal("hello"), Contains("m.toml:1: not valid TOML"));
    CHECK_THAT(refusal("[[body]]\nmass = 1,5"), Contains("m.toml:2: not valid TOML"));
}

TEST_CASE("a missing quote is called that, at the line of the one that stays open") {
    const auto line2 = [](const std::string& line) { return refusal("[[body]]\n" + line + "\nmass = 1\n"); };
    for (const char* line :
         {"name = \"crank", "name = 'crank", "name = \"crank'", "name = \"", "name = \"cr\\\"",
          "shape = { type = \"box, size = [1, 1, 1] }", "\"name = 'crank'"}) {
        CAPTURE(line);
        CHECK_THAT(line2(line), Contains("m.toml:2: not valid TOML: the closing quote is missing"));
    }
    for (const char* line : {"name = crank\"", "bodies = [\"world, \"crank\"]", "name = \"a\"b\""}) {
        CAPTURE(line);
        CHECK_THAT(line2(line), Contains("m.toml:2: not valid TOML: a quote is missing"));
    }
    CHECK_THAT(line2("name = \"\"\"crank"),
               Contains("m.toml:2: not valid TOML: the text that begins with \"\"\" here is never closed"));
    // What is wrong before it comes first.
    CHECK_THAT(refusal("[[body]]\nmass = 1,5\nname = \"crank\n"), Contains("m.toml:2:"));
    CHECK_THAT(refusal("[[body]]\nname = 'it''s' # isn't it\n"), !Contains("quote is missing"));
}

TEST_CASE("an empty file is refused") {
    for (const char* text : {"", "\n\n", "# nothing\n", "[model]\nname = \"x\"\n"})
        CHECK_THAT(refusal(text), Contains("no bodies") && Contains("[[body]]"));
}

TEST_CASE("bytes that are no text are refused at their line") {
    CHECK_THAT(refusal("a = 1\nb = \"\xff\xfe\""), Contains("m.toml:2: invalid UTF-8 (byte \\xff)"));
    CHECK_THAT(refusal(std::string("a = 1\n\0", 7)), Contains("m.toml:2: control character \\x00"));
    CHECK_THAT(refusal(std::string("\xff\xfe[\0m\0", 6)), Contains("UTF-16"));
    CHECK_THAT(refusal("\x7f"
                       "ELF\x02\x01"),
               Contains("m.toml:1: control character"));
    CHECK_THAT(refusal("a = \"\xed\xa0\x80\""), Contains("invalid UTF-8"));
}

TEST_CASE("deep nesting is refused before it can overflow the stack") {
    const auto repeated = [](const std::string& part, int count) {
        std::string text;
        for (int i = 0; i < count; ++i)
            text += part;
        return text;
    };
    CHECK_THAT(refusal("x = 1\na = " + repeated("[", 1000000)),
               Contains("m.toml:2: brackets are nested too deeply (limit 32)"));
    CHECK_THAT(refusal("a = " + repeated("{a=", 1000000)), Contains("nested too deeply"));
    CHECK_THAT(refusal("a" + repeated(".a", 1000000) + " = 1"), Contains("too many parts (limit 32)"));
    CHECK_THAT(refusal("[a" + repeated(".\"a\"", 1000000) + "]"), Contains("too many parts"));
    CHECK_THAT(refusal(repeated("[[a", 100000)), Contains("nested too deeply"));
    // Brackets and dots in texts and comments are none.
    CHECK_THAT(refusal("a = \"" + repeated("[.", 100) + "\" # " + repeated("{.", 100)),
               Contains("unknown key 'a'"));
    CHECK_THAT(refusal("a = \"\"\"\\\"\"\"\\\"" + repeated("[.", 100) + "\"\"\"\"\" # x"),
               Contains("unknown key 'a'"));
    CHECK_THAT(refusal("a = '''\n''" + repeated("[.", 100) + "'''"), Contains("unknown key 'a'"));
}

TEST_CASE("very large files are answered") {
    const auto check = [&](const std::string& text, const std::string& answer) {
        CHECK_THAT(refusal(text), Contains(answer));
    };
    const auto repeated = [](const std::string& part, std::size_t size) {
        std::string text;
        while (text.size() < size)
            text += part;
        return text;
    };
    check(std::string(20 << 20, 'x'), "20971520 bytes, limit 16777216");
    check(std::string(15 << 20, 'x'), "m.toml:1:");
    check(std::string(15 << 20, '\n'), "no bodies");
    check("a = [" + repeated("1,\n", 6 << 20), "too many values (limit 1000000)");
    // Each of these would keep toml++ busy for minutes: it searches its lists of tables one by one.
    check(repeated("[[body]]\n[[body.x]]\n[[body.x]]\n", 4 << 20), "too many dotted keys");
    check(repeated("[[body]]\n[body.a.b]\n[body.c.d]\n[body.c]\n", 4 << 20), "too many dotted keys");
    std::string tables, keys;
    for (int i = 0; i < 100000; ++i) {
        tables += "[[t" + std::to_string(i) + "]]\n";
        keys += "k" + std::to_string(i) + ".x = 1\n";
    }
    check(tables, "too many different tables (limit 1000)");
    check(keys, "too many dotted keys (limit 20000)");
}

TEST_CASE("files that cannot be read are exit code 66") {
    const Scratch scratch;
    for (const std::filesystem::path& path : {scratch / "none.toml", scratch.folder()}) {
        CHECK_THAT(tests::refusal([&] { read_model(path); }, InputFault::unreadable),
                   Contains(path.string()));
    }
    write_text_file(scratch / "large.toml", std::string(toml_size_limit + 1, ' '));
    CHECK_THROWS_WITH(read_model(scratch / "large.toml"), Contains("16777217 bytes, limit 16777216"));
}
