// save_ssp(): SSP 1.0 that reads back as the same system, number for number and byte for byte.

#include "tools/system/system_toml.hpp"

#include "tests/system/ssp_support.hpp"

#include <cstring>

using namespace tenon;
using namespace tenon::system;
using Catch::Contains;

namespace {

/// 1/3 and friends: numbers that only all digits bring back.
const double third = 1.0 / 3, tiny = 4.9e-324;

struct Rig {
    Scratch folder;

    CheckedSystem check(const std::string& text) const {
        return check_system(parse_system(text, (folder / "rig.toml").string()));
    }
    std::string structure(const CheckedSystem& checked) const {
        save_ssp(checked, folder / "out.ssp");
        return Archive(folder / "out.ssp").read("SystemStructure.ssd");
    }
    CheckedSystem saved_and_read(const CheckedSystem& checked) const {
        save_ssp(checked, folder / "out.ssp");
        return check_system(read_system(folder / "out.ssp"));
    }
};

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

void check_same_wires(const CheckedSystem& a, const CheckedSystem& b) {
    REQUIRE(a.wires.size() == b.wires.size());
    for (std::size_t i = 0; i < a.wires.size(); ++i) {
        const CheckedSystem::Wire &x = a.wires[i], &y = b.wires[i];
        CHECK(x.from_fmu == y.from_fmu);
        CHECK(x.from_variable == y.from_variable);
        CHECK(x.from_element == y.from_element);
        CHECK(x.to_fmu == y.to_fmu);
        CHECK(x.to_variable == y.to_variable);
        CHECK(x.to_element == y.to_element);
        CHECK(same_bits(x.factor, y.factor));
        CHECK(same_bits(x.offset, y.offset));
        CHECK(x.map == y.map);
    }
}

void check_same(const CheckedSystem& a, const CheckedSystem& b) {
    CHECK(a.system.name == b.system.name);
    REQUIRE(a.system.fmus.size() == b.system.fmus.size());
    for (std::size_t i = 0; i < a.system.fmus.size(); ++i) {
        CHECK(a.system.fmus[i].name == b.system.fmus[i].name);
        CHECK(a.system.fmus[i].isolate == b.system.fmus[i].isolate);
        CHECK(a.fmus[i]->description().token == b.fmus[i]->description().token);
        REQUIRE(a.assignments[i].size() == b.assignments[i].size());
        for (std::size_t j = 0; j < a.assignments[i].size(); ++j) {
            CHECK(a.assignments[i][j].variable == b.assignments[i][j].variable);
            CHECK(a.assignments[i][j].values == b.assignments[i][j].values);
        }
    }
    check_same_wires(a, b);
    REQUIRE(a.system.joints.size() == b.system.joints.size());
    for (std::size_t i = 0; i < a.system.joints.size(); ++i) {
        const GlueJoint &x = a.system.joints[i], &y = b.system.joints[i];
        CHECK(x.name == y.name);
        CHECK(x.type == y.type);
        CHECK(x.a.fmu == y.a.fmu);
        CHECK(x.a.terminal == y.a.terminal);
        CHECK(x.b.fmu == y.b.fmu);
        CHECK(x.b.terminal == y.b.terminal);
        CHECK(x.numbers == y.numbers);
        CHECK(x.method == y.method);
    }
    const MasterSettings &m = a.system.master, &n = b.system.master;
    CHECK(m.method == n.method);
    CHECK(same_bits(m.start, n.start));
    CHECK(same_bits(m.step, n.step));
    CHECK(same_bits(m.stop, n.stop));
    CHECK(same_bits(m.tolerance, n.tolerance));
    CHECK(m.extrapolation == n.extrapolation);
    CHECK(m.adaptive == n.adaptive);
    CHECK(m.iteration == n.iteration);
    CHECK(m.corrections == n.corrections);
    CHECK(m.max_iterations == n.max_iterations);
}

std::string fmu_lines(const std::string& name, const std::string& file, const std::string& more = "") {
    return "[[fmu]]\nname = \"" + name + "\"\nfile = \"" + file + "\"\n" + more;
}

/// Two versions, arrays against scalars, units, joints, all kinds of settings.
CheckedSystem rich_system(const Rig& rig) {
    TestFmu a(fmi::Version::fmi3, "a");
    a.mechanical_units().unit("kN", {1, 1, -2}, 1000).frame("tip").output("y", "kN", fmi::Type::float64, {3});
    a.parameter("mass").parameter("v", "m", fmi::Type::float64, {2}).parameter("n", "", fmi::Type::int64);
    a.parameter("bits", "", fmi::Type::binary).parameter("small");
    a.save(rig.folder / "a.fmu");
    TestFmu b(fmi::Version::fmi2, "b");
    b.mechanical_units().frame("end").input("u[1]", "N").input("u[2]", "N").input("u[3]", "N");
    b.enumeration("mode", {{"slow", 1, ""}, {"fast <&>", 2, ""}})
        .parameter("mode", "", fmi::Type::enumeration);
    b.parameter("on", "", fmi::Type::boolean).parameter("label", "", fmi::Type::string).input("w");
    b.output("z", "", fmi::Type::enumeration).input("q", "", fmi::Type::enumeration);
    b.save(rig.folder / "b.fmu");
    return rig.check(
        "[system]\nname = \"rich_rare\"\n" +
        fmu_lines("a", "a.fmu",
                  "set = { mass = 0.3333333333333333, v = [1e-300, -2.5], n = -5, bits = \"00ff\", small = "
                  "4.9e-324 "
                  "}\nisolate = true\n") +
        fmu_lines("b", "b.fmu", "set = { mode = \"fast <&>\", on = true, label = \"a\\nb \\\"c\\\"\" }\n") +
        fmu_lines("c", "b.fmu") +
        "[[connection]]\nfrom = \"a.y\"\nto = \"b.u\"\nfactor = 0.1\noffset = 0.7\n"
        "[[connection]]\nfrom = \"a.y[2]\"\nto = \"c.u[1]\"\nsuppress_unit_conversion = true\n"
        "[[connection]]\nfrom = \"b.z\"\nto = \"c.q\"\n"
        "[[joint]]\nname = \"pin\"\ntype = \"universal\"\na = \"a/tip\"\nb = \"b/end\"\n"
        "axis = [0.1, 0.2, 0.3]\naxis2 = [1, 0, 0]\nmethod = \"dead-beat\"\n"
        "[[joint]]\nname = \"slide\"\ntype = \"prismatic\"\na = \"world\"\nb = \"c/end\"\n"
        "axis = [0, 0, 1]\nmotion = { time = [0, 0.1, 0.3], value = [0, 1e-3, 2e-3] }\n"
        "[master]\nmethod = \"newton\"\nstart = 0.1\nstep = 0.3333333333333333\nstop = 7.7\ntolerance = "
        "1e-9\n"
        "extrapolation = 2\nadaptive = true\niteration = \"quasi-newton\"\nmax_iterations = 12\n");
}

} // namespace

TEST_CASE("a system that was saved reads back the same, bit for bit") {
    const Rig rig;
    const CheckedSystem checked = rich_system(rig);
    CHECK(std::get<std::vector<double>>(checked.assignments[0][0].values).front() == third);
    CHECK(std::get<std::vector<double>>(checked.assignments[0].back().values).front() == tiny);
    check_same(checked, rig.saved_and_read(checked));
}

TEST_CASE("the same system gives the same bytes, and so does what was read back") {
    const Rig rig;
    const CheckedSystem checked = rich_system(rig);
    save_ssp(checked, rig.folder / "one.ssp");
    save_ssp(checked, rig.folder / "two.ssp");
    const std::string one = read_text_file(rig.folder / "one.ssp", 1u << 24);
    const bool again_same = one == read_text_file(rig.folder / "two.ssp", 1u << 24);
    CHECK(again_same);
    save_ssp(check_system(read_system(rig.folder / "one.ssp")), rig.folder / "three.ssp");
    CHECK(Archive(rig.folder / "one.ssp").read("SystemStructure.ssd") ==
          Archive(rig.folder / "three.ssp").read("SystemStructure.ssd"));
    const bool read_back_same = one == read_text_file(rig.folder / "three.ssp", 1u << 24);
    CHECK(read_back_same);
}

TEST_CASE("a saved SSP uses the prefixes that other tools look for, and scalar connectors") {
    const Rig rig;
    const std::string text = rig.structure(rich_system(rig));
    CHECK_THAT(text, Contains("<ssd:SystemStructureDescription "
                              "xmlns:ssc=\"http://ssp-standard.org/SSP1/SystemStructureCommon\" "
                              "xmlns:ssd=\"http://ssp-standard.org/SSP1/SystemStructureDescription\""));
    CHECK_THAT(text, Contains("<ssd:Connector name=\"y[2]\" kind=\"output\">"));
    CHECK_THAT(text, Contains("<ssc:Real unit=\"kN\"/>"));
    CHECK_THAT(text, Contains("<ssc:BaseUnit kg=\"1\" m=\"1\" s=\"-2\" factor=\"1000\"/>"));
    CHECK_THAT(text, Contains("<ssc:LinearTransformation factor=\"0.1\" offset=\"0.7\"/>"));
    CHECK_THAT(text, Contains("<ssd:DefaultExperiment startTime=\"0.1\" stopTime=\"7.7\">"));
    CHECK_THAT(text, Contains("source=\"resources/a.fmu\"") && Contains("source=\"resources/a.ssv\""));
    CHECK_THAT(text, Contains("<ssc:Annotation type=\"dev.tenon.glue\">"));
    CHECK_THAT(text, !Contains("<ssd:Dimension"));
}

TEST_CASE("the units of other connectors and of nested systems survive as factors") {
    Package package;
    package.fmu("m.fmu", block(fmi::Version::fmi2, "m"));
    package.fmu("plain.fmu", block());
    const std::string ports =
        "<ssd:Connectors>" + connector("y", "output") + connector("u", "input") + "</ssd:Connectors>";
    const std::string mm = "<ssc:Real unit=\"mm\"/>";
    const std::string inner =
        "<ssd:System name=\"inner\"><ssd:Connectors>" + connector("out", "output", mm) +
        connector("in", "input") + "</ssd:Connectors><ssd:Elements>" + component("p", "m.fmu", ports) +
        "</ssd:Elements><ssd:Connections>" + connection("in", "p.u") +
        connection("p.y", "out", "<ssc:LinearTransformation factor=\"0.1\" offset=\"0.3\"/>") +
        "</ssd:Connections></ssd:System>";
    const CheckedSystem checked = package.check(
        ssd("<ssd:System name=\"root\"><ssd:Connectors>" + connector("drive", "input") +
            connector("seen", "output") + "</ssd:Connectors><ssd:Elements>" + inner +
            component("b", "plain.fmu", ports) + "</ssd:Elements><ssd:Connections>" +
            connection("inner.out", "b.u") + connection("drive", "inner.in") + connection("b.y", "seen") +
            "</ssd:Connections></ssd:System><ssd:Units><ssc:Unit name=\"mm\"><ssc:BaseUnit m=\"1\" "
            "factor=\"0.001\"/>"
            "</ssc:Unit></ssd:Units>"));
    const Rig rig;
    const CheckedSystem back = rig.saved_and_read(checked);
    CHECK(back.system.fmus[0].name == "inner.p");
    CHECK(checked.wires.at(0).factor == 100);
    check_same_wires(checked, back);
    REQUIRE(back.system.exposed.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(back.system.exposed[i].name == checked.system.exposed[i].name);
        CHECK(back.system.exposed[i].endpoint.fmu == checked.system.exposed[i].endpoint.fmu);
        CHECK(back.system.exposed[i].endpoint.variable == checked.system.exposed[i].endpoint.variable);
    }
}

TEST_CASE("FMUs are stored once, and names that clash or are reserved are told apart") {
    const Rig rig;
    std::filesystem::create_directory(rig.folder / "x");
    block().save(rig.folder / "con.fmu");
    block().save(rig.folder / "x" / "Con.fmu");
    const CheckedSystem checked = rig.check(fmu_lines("one", "con.fmu", "set = { k = 1 }\n") +
                                            fmu_lines("two", "con.fmu") + fmu_lines("three", "x/Con.fmu"));
    save_ssp(checked, rig.folder / "out.ssp");
    const Archive archive(rig.folder / "out.ssp");
    CHECK(archive.entries().size() == 4); // the structure, two FMUs, one parameter set
    CHECK(archive.has("resources/_con.fmu"));
    CHECK(archive.has("resources/one.ssv"));
    CHECK(check_system(read_system(rig.folder / "out.ssp")).fmus.size() == 3);
}

TEST_CASE("the name of a saved system is an identifier, as OMSimulator wants it") {
    const Rig rig;
    block().save(rig.folder / "a.fmu");
    for (const auto& [name, saved] :
         {std::pair("a\\u0001b", "a_b"), {"four-bar 2", "four_bar_2"}, {"arm", "arm"}}) {
        save_ssp(rig.check(std::string("[system]\nname = \"") + name + "\"\n" + fmu_lines("a", "a.fmu")),
                 rig.folder / "out.ssp");
        CHECK(read_system(rig.folder / "out.ssp").name == saved);
    }
}
