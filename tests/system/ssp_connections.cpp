// SSP 1.0 and 2.0: systems in systems, their connectors and connections.

#include "tests/system/ssp_support.hpp"

using namespace tenon;
using namespace tenon::system;
using Catch::Contains;

namespace {

const std::string y = connector("y", "output"), u = connector("u", "input");
const std::string ports = "<ssd:Connectors>" + y + u + "</ssd:Connectors>";

std::string system_of(const std::string& elements, const std::string& connections,
                      const std::string& head = "") {
    return "<ssd:System name=\"root\">" + head + "<ssd:Elements>" + elements + "</ssd:Elements>" +
           (connections.empty() ? "" : "<ssd:Connections>" + connections + "</ssd:Connections>") +
           "</ssd:System>";
}

/// a and b of block.fmu at the root.
const std::string pair_of_blocks = component("a", "block.fmu", ports) + component("b", "block.fmu", ports);

} // namespace

TEST_CASE("two components of an SSP are connected whichever end is written first") {
    Package package;
    package.fmu("block.fmu", block());
    for (const std::string& line : {connection("a.y", "b.u"), connection("b.u", "a.y")}) {
        const CheckedSystem checked = package.check(ssd(system_of(pair_of_blocks, line)));
        REQUIRE(checked.wires.size() == 1);
        CHECK(checked.wires[0].from_fmu == 0);
        CHECK(checked.wires[0].to_fmu == 1);
        CHECK(checked.system.fmus[0].name == "a");
        CHECK(checked.fmus[0] == checked.fmus[1]);
        CHECK(checked.system.name == "rig");
    }
}

TEST_CASE("any namespace prefix of an SSP is accepted, and none") {
    Package package;
    package.fmu("block.fmu", block());
    std::string text = ssd(system_of(pair_of_blocks, connection("a.y", "b.u")));
    for (const std::string& prefix : {std::string("q:"), std::string()}) {
        std::string other = text;
        for (std::size_t at = other.find("ssd:"); at != other.npos; at = other.find("ssd:", at))
            other.replace(at, 4, prefix);
        other.replace(other.find("xmlns:ssd"), 9, prefix.empty() ? "xmlns" : "xmlns:q");
        CHECK(package.check("<!-- first --><?pi x?>\n" + other).wires.size() == 1);
    }
}

TEST_CASE("a connection is followed through connectors of nested systems, transformations in order") {
    Package package;
    package.fmu("block.fmu", block());
    const std::string times_two = "<ssc:LinearTransformation factor=\"2\" offset=\"1\"/>";
    const std::string times_ten = "<ssc:LinearTransformation factor=\"10\" offset=\"5\"/>";
    const std::string inner = "<ssd:System name=\"inner\"><ssd:Connectors>" + connector("out", "output") +
                              connector("in", "input") + "</ssd:Connectors><ssd:Elements>" +
                              component("p", "block.fmu", ports) + component("q", "block.fmu", ports) +
                              "</ssd:Elements><ssd:Connections>" + connection("p.y", "out", times_two) +
                              connection("in", "q.u") + connection("in", "p.u", times_ten) +
                              "</ssd:Connections></ssd:System>";
    const std::string outer = "<ssd:System name=\"outer\"><ssd:Connectors>" + connector("o", "output") +
                              connector("i", "input") + "</ssd:Connectors><ssd:Elements>" + inner +
                              "</ssd:Elements><ssd:Connections>" + connection("inner.out", "o", times_ten) +
                              connection("i", "inner.in", times_two) + "</ssd:Connections></ssd:System>";
    const CheckedSystem checked =
        package.check(ssd(system_of(component("a", "block.fmu", ports) + outer,
                                    connection("outer.o", "a.u") + connection("a.y", "outer.i"))));
    REQUIRE(checked.system.fmus.size() == 3);
    CHECK(checked.system.fmus[1].name == "outer.inner.p");
    CHECK(checked.system.fmus[2].name == "outer.inner.q");
    REQUIRE(checked.wires.size() == 3);
    std::map<std::size_t, const CheckedSystem::Wire*> to;
    for (const CheckedSystem::Wire& wire : checked.wires)
        to[wire.to_fmu] = &wire;
    // 10 (2 y + 1) + 5
    CHECK(to.at(0)->from_fmu == 1);
    CHECK(to.at(0)->factor == 20);
    CHECK(to.at(0)->offset == 15);
    CHECK(to.at(2)->factor == 2);
    CHECK(to.at(2)->offset == 1);
    CHECK(to.at(1)->factor == 20);
    CHECK(to.at(1)->offset == 15);
}

TEST_CASE("units of system connectors take part in the conversion") {
    Package package;
    package.fmu("m.fmu", block(fmi::Version::fmi2, "m"));
    package.fmu("plain.fmu", block());
    const std::string mm = "<ssc:Real unit=\"mm\"/>";
    const std::string units =
        "<ssd:Units><ssc:Unit name=\"mm\"><ssc:BaseUnit m=\"1\" factor=\"0.001\"/></ssc:Unit></ssd:Units>";
    const std::string plus_one = "<ssc:LinearTransformation offset=\"1\"/>";
    const std::string inner = "<ssd:System name=\"inner\"><ssd:Connectors>" + connector("out", "output", mm) +
                              "</ssd:Connectors><ssd:Elements>" + component("p", "m.fmu", ports) +
                              "</ssd:Elements><ssd:Connections>" + connection("p.y", "out", plus_one) +
                              "</ssd:Connections></ssd:System>";
    // To a variable without unit the millimetres arrive as they are: 1000 y + 1.
    const CheckedSystem plain = package.check(
        ssd(system_of(inner + component("b", "plain.fmu", ports), connection("inner.out", "b.u")) + units));
    CHECK(plain.wires.at(0).factor == 1000);
    CHECK(plain.wires.at(0).offset == 1);
    // To metres they are converted back: (1000 y + 1) / 1000.
    const CheckedSystem metres = package.check(
        ssd(system_of(inner + component("b", "m.fmu", ports), connection("inner.out", "b.u")) + units));
    CHECK(metres.wires.at(0).factor == 1);
    CHECK(metres.wires.at(0).offset == Approx(0.001).epsilon(1e-15));
    const CheckedSystem raw =
        package.check(ssd(system_of(inner + component("b", "m.fmu", ports),
                                    connection("inner.out", "b.u", "", "suppressUnitConversion=\"true\"")) +
                          units));
    CHECK(raw.wires.at(0).factor == 1000);
}

TEST_CASE("the unit of a component's connector counts where its FMU gives none") {
    Package package;
    package.fmu("m.fmu", block(fmi::Version::fmi2, "m"));
    package.fmu("plain.fmu", block());
    const std::string units =
        "<ssd:Units><ssc:Unit name=\"mm\"><ssc:BaseUnit m=\"1\" factor=\"0.001\"/></ssc:Unit></ssd:Units>";
    const std::string in_mm =
        "<ssd:Connectors>" + connector("u", "input", "<ssc:Real unit=\"mm\"/>") + "</ssd:Connectors>";
    const CheckedSystem checked =
        package.check(ssd(system_of(component("a", "m.fmu", ports) + component("b", "plain.fmu", in_mm),
                                    connection("a.y", "b.u")) +
                          units));
    CHECK(checked.wires.at(0).factor == 1000);
}

TEST_CASE("connectors of the root system are exposed") {
    Package package;
    package.fmu("block.fmu", block());
    const CheckedSystem checked = package.check(ssd(system_of(
        pair_of_blocks, connection("in", "a.u") + connection("in", "b.u") + connection("b.y", "out"),
        "<ssd:Connectors>" + connector("in", "input") + connector("out", "output") + "</ssd:Connectors>")));
    CHECK(checked.wires.empty());
    const std::vector<Exposed>& exposed = checked.system.exposed;
    REQUIRE(exposed.size() == 3);
    CHECK(exposed[0].name == "in");
    CHECK(exposed[1].endpoint.fmu == 1);
    CHECK(exposed[2].name == "out");
    CHECK(exposed[2].endpoint.variable == "y");
}

TEST_CASE("a calculated parameter may feed an input in an SSP") {
    Package package;
    TestFmu fmu = block();
    fmu.description().variables[2].causality = fmi::Causality::calculated_parameter;
    fmu.description().variables[2].initial = fmi::Initial::calculated;
    fmu.description().variables[2].start = {};
    fmu.description().initial_unknowns.push_back({2, {}, {}});
    package.fmu("block.fmu", fmu);
    const std::string k =
        "<ssd:Connectors>" + connector("k", "calculatedParameter") + u + "</ssd:Connectors>";
    CHECK(package
              .check(ssd(system_of(component("a", "block.fmu", k) + component("b", "block.fmu", k),
                                   connection("a.k", "b.u"))))
              .wires.size() == 1);
}

TEST_CASE("connections to nothing, between two outputs, and two sources are refused with their line") {
    Package package;
    package.fmu("block.fmu", block());
    const auto refused = [&](const std::string& lines) {
        return package.refusal(ssd(system_of(pair_of_blocks, "\n" + lines)));
    };
    CHECK_THAT(refused(connection("a.y", "c.u")),
               Contains("rig.ssp/SystemStructure.ssd:5: connection of 'a.y' and 'c.u': there is no element "
                        "'c'; did you mean"));
    CHECK_THAT(refused(connection("a.x", "b.u")), Contains("fmu 'a' has no variable 'x'; did you mean 'y'?"));
    CHECK_THAT(refused(connection("a.y", "out")), Contains("'root' has no connector 'out'"));
    CHECK_THAT(refused(connection("a.y", "b.y")), Contains("both ends are sources"));
    CHECK_THAT(refused(connection("a.u", "b.u")), Contains("both ends are targets"));
    CHECK_THAT(refused(connection("a.y", "b.u") + connection("b.y", "b.u")),
               Contains("SystemStructure.ssd:6:") && Contains("'u' has two sources (the first in line 5)"));
}

TEST_CASE("connectors that feed each other in a circle are refused") {
    Package package;
    package.fmu("block.fmu", block());
    const std::string io =
        "<ssd:Connectors>" + connector("i", "input") + connector("o", "output") + "</ssd:Connectors>";
    const std::string through = "<ssd:System name=\"x\">" + io + "<ssd:Connections>" + connection("i", "o") +
                                "</ssd:Connections></ssd:System>";
    CHECK_THAT(package.refusal(ssd(
                   system_of(pair_of_blocks + through, connection("x.o", "x.i") + connection("x.o", "a.u")))),
               Contains("the connections go in a circle"));
}

TEST_CASE("a signal dictionary passes a value on to all who refer to it") {
    Package package;
    package.fmu("block.fmu", block());
    const std::string reference =
        "<ssd:SignalDictionaryReference name=\"bus\" dictionary=\"can\"><ssd:Connectors>" +
        connector("speed", "inout") + "</ssd:Connectors></ssd:SignalDictionaryReference>";
    const std::string inner = "<ssd:System name=\"inner\"><ssd:Elements>" +
                              component("p", "block.fmu", ports) + reference +
                              "</ssd:Elements><ssd:Connections>" + connection("bus.speed", "p.u") +
                              "</ssd:Connections></ssd:System>";
    const std::string dictionaries =
        "<ssd:SignalDictionaries><ssd:SignalDictionary name=\"can\"/></ssd:SignalDictionaries>";
    const std::string root = "<ssd:System name=\"root\"><ssd:Elements>" + pair_of_blocks + reference + inner +
                             "</ssd:Elements><ssd:Connections>" + connection("a.y", "bus.speed") +
                             connection("bus.speed", "b.u") + "</ssd:Connections>" + dictionaries +
                             "</ssd:System>";
    const CheckedSystem checked = package.check(ssd(root));
    REQUIRE(checked.wires.size() == 2);
    CHECK(checked.wires[0].from_fmu == 0);
    CHECK(checked.wires[1].from_fmu == 0);
    CHECK(checked.wires[0].to_fmu + checked.wires[1].to_fmu == 3);
}

TEST_CASE("arrays of SSP 2.0 are connected whole and by indices that begin at 1") {
    Package package;
    TestFmu fmu(fmi::Version::fmi3, "arrays");
    fmu.output("y", "", fmi::Type::float64, {2, 2})
        .input("u", "", fmi::Type::float64, {2, 2})
        .output("s")
        .input("t");
    package.fmu("arrays.fmu", fmu);
    const std::string size = "<ssc:Float64/><ssd:Dimension size=\"2\"/><ssd:Dimension size=\"2\"/>";
    const std::string all = "<ssd:Connectors>" + connector("y", "output", size) +
                            connector("u", "input", size) + connector("s", "output") +
                            connector("t", "input") + "</ssd:Connectors>";
    const std::string two = component("a", "arrays.fmu", all) + component("b", "arrays.fmu", all);
    CHECK(package.check(ssd(system_of(two, connection("a.y", "b.u")), "2.0")).wires.size() == 4);
    const CheckedSystem single =
        package.check(ssd(system_of(two, connection("a.y", "b.t", "", "startIndices=\"2 1\"") +
                                             connection("a.s", "b.u", "", "endIndices=\"1 2\"")),
                          "2.0"));
    REQUIRE(single.wires.size() == 2);
    CHECK(single.wires[0].from_element == 2);
    CHECK(single.wires[1].to_element == 1);
    CHECK_THAT(
        package.refusal(ssd(system_of(two, connection("a.y", "b.t", "", "startIndices=\"0 1\"")), "2.0")),
        Contains("startIndices begin at 1"));
}

TEST_CASE("an array connector of a system may be filled element by element") {
    Package package;
    TestFmu fmu(fmi::Version::fmi3, "arrays");
    fmu.input("u", "", fmi::Type::float64, {2}).output("s");
    package.fmu("arrays.fmu", fmu);
    const std::string all =
        "<ssd:Connectors>" + connector("u", "input") + connector("s", "output") + "</ssd:Connectors>";
    const std::string inner = "<ssd:System name=\"inner\"><ssd:Connectors>" + connector("v", "input") +
                              "</ssd:Connectors><ssd:Elements>" + component("p", "arrays.fmu", all) +
                              "</ssd:Elements><ssd:Connections>" + connection("v", "p.u") +
                              "</ssd:Connections></ssd:System>";
    const CheckedSystem checked = package.check(
        ssd(system_of(component("a", "arrays.fmu", all) + component("b", "arrays.fmu", all) + inner,
                      connection("a.s", "inner.v", "", "endIndices=\"1\"") +
                          connection("b.s", "inner.v", "", "endIndices=\"2\"")),
            "2.0"));
    REQUIRE(checked.wires.size() == 2);
    for (const CheckedSystem::Wire& wire : checked.wires)
        CHECK(wire.to_element == wire.from_fmu);
}

TEST_CASE("mapping transformations of a connection become pairs of numbers") {
    Package package;
    TestFmu fmu(fmi::Version::fmi2, "logic");
    fmu.enumeration("mode", {{"off", 0, ""}, {"slow", 1, ""}, {"fast", 2, ""}});
    fmu.output("on", "", fmi::Type::boolean).input("off", "", fmi::Type::boolean);
    fmu.output("mode", "", fmi::Type::enumeration).input("wish", "", fmi::Type::enumeration);
    fmu.output("n", "", fmi::Type::int32).input("m", "", fmi::Type::int32);
    package.fmu("logic.fmu", fmu);
    const std::string two = component("a", "logic.fmu") + component("b", "logic.fmu");
    const auto mapped = [](const std::string& kind, const std::string& from, const std::string& to) {
        return "<ssc:" + kind + "MappingTransformation><ssc:MapEntry source=\"" + from + "\" target=\"" + to +
               "\"/></ssc:" + kind + "MappingTransformation>";
    };
    const CheckedSystem checked = package.check(
        ssd(system_of(two, connection("a.on", "b.off", mapped("Boolean", "true", "false")) +
                               connection("a.mode", "b.wish", mapped("Enumeration", "slow", "fast")) +
                               connection("a.n", "b.m", mapped("Integer", "-3", "7")))));
    REQUIRE(checked.wires.size() == 3);
    using Pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;
    CHECK(checked.wires[0].map == Pairs{{1, 0}});
    CHECK(checked.wires[1].map == Pairs{{1, 2}});
    CHECK(checked.wires[2].map == Pairs{{-3, 7}});
    CHECK_THAT(package.refusal(ssd(
                   system_of(two, connection("a.mode", "b.wish", mapped("Enumeration", "slow", "fats"))))),
               Contains("'fats' in a mapping is not a value of 'wish'; did you mean 'fast'?"));
}
