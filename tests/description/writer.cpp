// The bytes of modelDescription.xml and terminalsAndIcons.xml.

#include "modelDescription/writer.hpp"

#include "tests/description/samples.hpp"

#include <catch2/catch.hpp>

#include <limits>
#include <locale>
#include <stdexcept>

using namespace tenon::fmi;
using Catch::Contains;

namespace {

/// An input, an output that depends on it, and a parameter.
Description small(Version version) {
    samples::Builder b(version);
    b.d.model_name = "m";
    b.d.token = "t";
    b.d.has_co_simulation = true;
    b.d.capabilities.model_identifier = "m";
    b.d.capabilities.get_and_set_state = true;
    b.add("time", Causality::independent, "s");
    b.add("u", Causality::input, "N").start = samples::reals({0.1});
    b.add("y", Causality::output).derivative_of = 1;
    b.parameter("n", Type::int32, std::vector<std::int64_t>{3});
    b.d.outputs = {{2, std::vector<std::size_t>{1, 0}, {"constant", "dependent"}}};
    b.d.initial_unknowns = {{2, std::vector<std::size_t>{}, {}}};
    return b.d;
}

struct CommaDecimals : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

} // namespace

TEST_CASE("a description of FMI 2.0 is written with positions in ascending order") {
    CHECK(write_description(small(Version::fmi2)) == R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="m" guid="t" variableNamingConvention="structured">
  <CoSimulation modelIdentifier="m" canGetAndSetFMUstate="true"/>
  <ModelVariables>
    <ScalarVariable name="time" valueReference="100" causality="independent" variability="continuous">
      <Real/>
    </ScalarVariable>
    <ScalarVariable name="u" valueReference="101" causality="input" variability="continuous">
      <Real unit="N" start="0.1"/>
    </ScalarVariable>
    <ScalarVariable name="y" valueReference="102" causality="output" variability="continuous">
      <Real derivative="2"/>
    </ScalarVariable>
    <ScalarVariable name="n" valueReference="103" causality="parameter" variability="fixed">
      <Integer start="3"/>
    </ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs>
      <Unknown index="3" dependencies="1 2" dependenciesKind="dependent constant"/>
    </Outputs>
    <InitialUnknowns>
      <Unknown index="3" dependencies=""/>
    </InitialUnknowns>
  </ModelStructure>
</fmiModelDescription>
)");
}

TEST_CASE("a description of FMI 3.0 is written with value references") {
    CHECK(write_description(small(Version::fmi3)) == R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="m" instantiationToken="t" variableNamingConvention="structured">
  <CoSimulation modelIdentifier="m" canGetAndSetFMUState="true"/>
  <ModelVariables>
    <Float64 name="time" valueReference="100" causality="independent"/>
    <Float64 name="u" valueReference="101" causality="input" unit="N" start="0.1"/>
    <Float64 name="y" valueReference="102" causality="output" derivative="101"/>
    <Int32 name="n" valueReference="103" causality="parameter" start="3"/>
  </ModelVariables>
  <ModelStructure>
    <Output valueReference="102" dependencies="101 100" dependenciesKind="constant dependent"/>
    <InitialUnknown valueReference="102" dependencies=""/>
  </ModelStructure>
</fmiModelDescription>
)");
}

TEST_CASE("terminals are written with their icons and nested terminals") {
    Description d;
    Terminal inner{"aux", "bus", "k.aux", "", {{"a.b", "b", "signal"}}, {}, "", {}};
    d.terminals = {{"a", "sequence", "", "text", {{"a.x", "", "inflow"}}, {inner}, "icon", {-1, 0.5, 1, 2}}};
    CHECK(write_terminals(d) == R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiTerminalsAndIcons fmiVersion="3.0">
  <Terminals>
    <Terminal name="a" matchingRule="sequence" description="text">
      <TerminalMemberVariable variableName="a.x" variableKind="inflow"/>
      <Terminal name="aux" matchingRule="bus" terminalKind="k.aux">
        <TerminalMemberVariable variableName="a.b" memberName="b" variableKind="signal"/>
      </Terminal>
      <TerminalGraphicalRepresentation x1="-1" y1="0.5" x2="1" y2="2" iconBaseName="icon"/>
    </Terminal>
  </Terminals>
</fmiTerminalsAndIcons>
)");
    CHECK_THAT(write_terminals({}), Contains("<fmiTerminalsAndIcons fmiVersion=\"3.0\"/>"));
}

TEST_CASE("initial is written only where it is not the default, and never for inputs of FMI 2.0") {
    for (const Version version : {Version::fmi2, Version::fmi3}) {
        Description d = small(version);
        d.variables[1].initial = Initial::exact;
        CHECK_THAT(write_description(d), !Contains("initial="));
        d.variables[2].initial = Initial::approx;
        CHECK_THAT(write_description(d), Contains("initial=\"approx\""));
    }
}

TEST_CASE("what the declared type says is not said again, and the rest is") {
    Description d = samples::good(Version::fmi3);
    CHECK_THAT(write_description(d), Contains("declaredType=\"Angle\" start=\"0.1\"/>"));
    Variable& phi = *std::ranges::find(d.variables, "axle.phi", &Variable::name);
    phi.unit = "m";
    phi.display_unit = "mm";
    phi.min = -4;
    phi.relative_quantity = true;
    CHECK_THAT(
        write_description(d),
        Contains(
            "declaredType=\"Angle\" unit=\"m\" displayUnit=\"mm\" relativeQuantity=\"true\" min=\"-4\""));
    d.types.clear();
    CHECK_THAT(write_description(d), Contains("declaredType=\"Angle\" quantity=\"Angle\" unit=\"m\""));
}

TEST_CASE("the unit of time is written where it is defined") {
    Description d = small(Version::fmi3);
    d.units.push_back({"s", BaseUnit{{0, 0, 1}, 1, 0}, {}});
    CHECK_THAT(write_description(d), Contains("causality=\"independent\" unit=\"s\"/>"));
}

TEST_CASE("numbers in XML have the fewest digits that read back, in any locale") {
    const std::locale before = std::locale::global(std::locale(std::locale::classic(), new CommaDecimals));
    Description d = small(Version::fmi3);
    d.variables[1].start = samples::reals({1.0 / 3, 1e300, -0.0, 123456789, 5e-324});
    const std::string text = write_description(d);
    std::locale::global(before);
    CHECK_THAT(text, Contains("start=\"0.3333333333333333 1e+300 -0 123456789 5e-324\""));
}

TEST_CASE("the limits of 64-bit integers are written as integers") {
    Description d = small(Version::fmi3);
    for (const auto& [type, min, max] :
         {std::tuple{Type::int64, "min=\"-9223372036854775808\"", "max=\"9223372036854775807\""},
          std::tuple{Type::uint64, "min=\"0\"", "max=\"18446744073709551615\""}}) {
        Variable& v = d.variables[3];
        v.type = type;
        v.start = {};
        v.min = type == Type::int64 ? -0x1p63 : 0;
        v.max = type == Type::int64 ? 0x1p63 : 0x1p64;
        CHECK_THAT(write_description(d), Contains(min) && Contains(max));
    }
}

TEST_CASE("a description that FMI cannot express is not written") {
    const auto refused = [](Version version, auto change, const std::string& why) {
        Description d = small(version);
        change(d);
        CHECK_THROWS_AS(write_description(d), std::invalid_argument);
        CHECK_THROWS_WITH(write_description(d), Contains(why));
    };
    const auto y = [](auto change) { return [=](Description& d) { change(d.variables[2]); }; };
    const auto fmi2 = Version::fmi2, fmi3 = Version::fmi3;
    refused(fmi2, y([](Variable& v) {
                v.dimensions = {{3, {}}};
            }),
            "variable 'y' cannot be written: FMI 2.0 has no arrays");
    refused(fmi2, y([](Variable& v) { v.type = Type::float32; }), "no such type");
    refused(fmi2, y([](Variable& v) { v.causality = Causality::structural_parameter; }),
            "structural parameters");
    refused(fmi2, y([](Variable& v) { v.aliases = {{"z", "", ""}}; }), "aliases");
    refused(fmi2, y([](Variable& v) { v.intermediate_update = true; }), "intermediate updates");
    refused(
        fmi2,
        [](Description& d) {
            d.units = {{"m", {}, {{"1/m", 1, 0, true}}}};
        },
        "inverse");
    refused(fmi3, y([](Variable& v) { v.clocked = true; }), "which clocks");
    refused(fmi3, y([](Variable& v) { v.derivative_of = 4; }), "no variable 4 to refer to (there are 4)");
    refused(fmi3, y([](Variable& v) { v.start = samples::reals({std::nan("")}); }), "nan is not a number");
    refused(fmi3, y([](Variable& v) { v.max = std::numeric_limits<double>::infinity(); }),
            "inf is not a number");
    refused(fmi3, y([](Variable& v) { v.start = std::vector<std::int64_t>{1}; }), "none of a Float64");
    refused(fmi3, y([](Variable& v) { v.name = "a\x01"; }),
            "attribute name cannot be written as XML: 'a\\x01'");
    refused(fmi3, y([](Variable& v) { v.name = "\xff"; }), "'\\xff'");
    refused(
        fmi3, [](Description& d) { d.outputs[0].variable = 9; }, "no variable 9");
    refused(
        fmi3, [](Description& d) { d.outputs[0].dependencies->push_back(9); }, "no variable 9");
    refused(
        fmi3, [](Description& d) { d.variables[3].start = std::vector<std::int64_t>{1LL << 31}; },
        "no Int32");
    refused(
        fmi3, [](Description& d) { d.variables[3].min = 0.5; }, "its min 0.5 is no Int32");
    refused(
        fmi3, [](Description& d) { d.has_co_simulation = false; }, "not for Co-Simulation");
}
