// What the reader makes of a description beyond what is written in it, and what it lets pass.

#include "modelDescription/reader.hpp"

#include "modelDescription/checker.hpp"
#include "modelDescription/writer.hpp"
#include "tests/description/dump.hpp"
#include "tests/description/samples.hpp"

#include <catch2/catch.hpp>

using namespace tenon::fmi;

namespace {

std::string fmi2(const std::string& variables, const std::string& structure = "",
                 const std::string& before = "") {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"2.0\" "
           "modelName=\"m\" "
           "guid=\"g\">\n<CoSimulation modelIdentifier=\"m\"/>" +
           before + "<ModelVariables>\n" + variables + "</ModelVariables>\n<ModelStructure>" + structure +
           "</ModelStructure></fmiModelDescription>";
}

std::string fmi3(const std::string& variables, const std::string& structure = "",
                 const std::string& before = "") {
    return "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"m\" instantiationToken=\"g\">\n"
           "<CoSimulation modelIdentifier=\"m\"/>" +
           before + "<ModelVariables>\n" + variables + "</ModelVariables>\n<ModelStructure>" + structure +
           "</ModelStructure></fmiModelDescription>";
}

const Variable& only(const Description& d) {
    REQUIRE(d.variables.size() == 1);
    return d.variables.front();
}

std::vector<double> reals(const Variable& v) { return std::get<std::vector<double>>(v.start); }

} // namespace

TEST_CASE("absent attributes of FMI 2.0 have the values of the standard") {
    const Description d =
        read_description(fmi2("<ScalarVariable name=\"x\" valueReference=\"7\"><Integer/></ScalarVariable>"));
    CHECK(d.version == Version::fmi2);
    CHECK(d.naming_convention == "flat");
    CHECK(d.token == "g");
    CHECK((d.has_co_simulation && !d.has_model_exchange));
    const Variable& v = only(d);
    CHECK(v.type == Type::int32);
    CHECK(v.reference == 7);
    CHECK(v.causality == Causality::local);
    CHECK(v.variability == Variability::continuous);
    CHECK(v.initial == Initial::calculated);
    CHECK(std::holds_alternative<std::monostate>(v.start));
    CHECK(v.line == 4);
}

TEST_CASE("absent initial and variability follow the tables of the standard") {
    struct Case {
        const char* element;
        const char* causality;
        Variability variability;
        Initial initial;
    };
    for (const Case& c : {Case{"Float64", "parameter", Variability::fixed, Initial::exact},
                          Case{"Float64", "structuralParameter", Variability::fixed, Initial::exact},
                          Case{"Int8", "calculatedParameter", Variability::fixed, Initial::calculated},
                          Case{"Float32", "input", Variability::continuous, Initial::exact},
                          Case{"UInt16", "input", Variability::discrete, Initial::exact},
                          Case{"Float64", "output", Variability::continuous, Initial::calculated},
                          Case{"String", "local", Variability::discrete, Initial::calculated},
                          Case{"Float64", "independent", Variability::continuous, Initial::none},
                          Case{"Clock", "output", Variability::discrete, Initial::none}}) {
        CAPTURE(c.element, c.causality);
        const std::string text =
            fmt::format("<{} name=\"x\" valueReference=\"1\" causality=\"{}\"/>", c.element, c.causality);
        const Description d = read_description(fmi3(text));
        CHECK(only(d).variability == c.variability);
        CHECK(only(d).initial == c.initial);
    }
    const auto fmi2_initial = [](const std::string& attributes) {
        return only(read_description(fmi2("<ScalarVariable name=\"x\" valueReference=\"1\" " + attributes +
                                          "><Real/></ScalarVariable>")))
            .initial;
    };
    CHECK(fmi2_initial("causality=\"input\"") == Initial::none);
    CHECK(fmi2_initial("causality=\"output\" variability=\"constant\"") == Initial::exact);
    CHECK(fmi2_initial("causality=\"parameter\" variability=\"tunable\"") == Initial::exact);
    CHECK(fmi2_initial("causality=\"parameter\"") == Initial::none); // continuous: there is no default
    CHECK(fmi2_initial("causality=\"local\" initial=\"approx\"") == Initial::approx);
}

TEST_CASE("a variable takes over what its declared type says") {
    const std::string types =
        "<TypeDefinitions><Float64Type name=\"Angle\" unit=\"rad\" displayUnit=\"deg\" "
        "quantity=\"q\" min=\"-1\" max=\"1\" nominal=\"0.5\" relativeQuantity=\"true\"/>"
        "</TypeDefinitions>";
    const auto read = [&](const std::string& attributes) {
        return only(read_description(
            fmi3("<Float64 name=\"x\" valueReference=\"1\" declaredType=\"Angle\" " + attributes + "/>", "",
                 types)));
    };
    const Variable all = read("");
    CHECK(all.unit == "rad");
    CHECK(all.display_unit == "deg");
    CHECK(all.quantity == "q");
    CHECK(all.min == -1);
    CHECK(all.max == 1);
    CHECK(all.nominal == 0.5);
    CHECK(all.relative_quantity);
    const Variable own = read("unit=\"m\" min=\"-2\" relativeQuantity=\"false\"");
    CHECK(own.unit == "m");
    CHECK(own.display_unit.empty()); // deg is one of rad
    CHECK(own.min == -2);
    CHECK(own.max == 1);
    CHECK_FALSE(own.relative_quantity);
    // A type that is not there or of another kind is for the checker.
    CHECK(only(read_description(fmi3("<Float64 name=\"x\" valueReference=\"1\" declaredType=\"None\"/>")))
              .unit.empty());
    CHECK(only(read_description(
                   fmi3("<Int32 name=\"x\" valueReference=\"1\" declaredType=\"Angle\"/>", "", types)))
              .quantity.empty());
}

TEST_CASE("the independent variable is in seconds unless it says otherwise") {
    CHECK(only(read_description(fmi3("<Float64 name=\"t\" valueReference=\"0\" causality=\"independent\"/>")))
              .unit == "s");
    CHECK(only(read_description(
                   fmi3("<Float64 name=\"t\" valueReference=\"0\" causality=\"independent\" unit=\"h\"/>")))
              .unit == "h");
    CHECK(only(read_description(
                   fmi2("<ScalarVariable name=\"t\" valueReference=\"0\" causality=\"independent\">"
                        "<Real/></ScalarVariable>")))
              .unit == "s");
}

TEST_CASE("one start value fills an array, also one sized by a later variable") {
    const Description d = read_description(
        fmi3("<Float64 name=\"a\" valueReference=\"1\" causality=\"parameter\" start=\"2.5\"><Dimension "
             "start=\"2\"/>"
             "<Dimension valueReference=\"9\"/></Float64>"
             "<String name=\"s\" valueReference=\"2\" causality=\"parameter\"><Dimension start=\"2\"/><Start "
             "value=\"x\"/></String>"
             "<UInt64 name=\"n\" valueReference=\"9\" causality=\"structuralParameter\" start=\"3\"/>"));
    CHECK(d.variables[0].elements() == 6);
    CHECK(d.variables[0].dimensions[1].variable == 2u);
    CHECK(reals(d.variables[0]) == std::vector<double>(6, 2.5));
    CHECK(std::get<std::vector<std::string>>(d.variables[1].start) == std::vector<std::string>{"x", "x"});
}

TEST_CASE("numbers are read as the XML schema writes them") {
    const auto start = [](const std::string& type, const std::string& value) {
        return only(read_description(
                        fmi3("<" + type + " name=\"x\" valueReference=\"1\" start=\"" + value + "\"/>")))
            .start;
    };
    CHECK(start("Float64", " +1.5E3\t") == Start(std::vector<double>{1500}));
    CHECK(start("Float64", "-.5") == Start(std::vector<double>{-0.5}));
    CHECK(start("Float64", "1.79769313486232E+308") ==
          Start(std::vector<double>{std::numeric_limits<double>::max()}));
    CHECK(start("Float32", "0.1") == Start(std::vector<double>{static_cast<double>(0.1f)}));
    CHECK(start("Int64", "-9223372036854775808") ==
          Start(std::vector{std::numeric_limits<std::int64_t>::min()}));
    CHECK(start("UInt64", "+18446744073709551615") ==
          Start(std::vector{std::numeric_limits<std::uint64_t>::max()}));
    CHECK(start("UInt8", "-0") == Start(std::vector<std::uint64_t>{0}));
    CHECK(start("Boolean", "1") == Start(std::vector<std::int64_t>{1}));
    CHECK(start("Boolean", "false") == Start(std::vector<std::int64_t>{0}));
}

TEST_CASE("what the reader does not know is ignored") {
    const Description d = read_description(
        fmi3("<Annotations><x:y xmlns:x=\"urn:x\" name=\"z\">text<![CDATA[<a>]]></x:y></Annotations><!-- "
             "<Float64/> -->"
             "<Float128 name=\"q\" valueReference=\"8\"/>"
             "<Float64 name=\"x\" valueReference=\"1\" colour=\"red\"><Annotations/></Float64><?pi x?>",
             "<Unheard/><Output valueReference=\"1\"/><EventIndicator valueReference=\"77\"/>",
             "<Annotations/><LogCategories><Category name=\"a\"/></LogCategories>"));
    CHECK(only(d).name == "x");
    CHECK(d.outputs.size() == 1);
    CHECK(d.log_categories.size() == 1);
    CHECK(d.outputs[0].variable == 0);
    CHECK_FALSE(d.outputs[0].dependencies);
}

TEST_CASE("a byte order mark and releases of FMI 2.0 and 3.0 are accepted") {
    const std::string variable = "<Float64 name=\"x\" valueReference=\"1\"/>";
    std::string text = fmi3(variable);
    CHECK(read_description("\xef\xbb\xbf" + text).variables[0].line == 3);
    text.replace(text.find("3.0"), 3, "3.0.2");
    CHECK(read_description(text).version == Version::fmi3);
}

TEST_CASE("the order of ModelStructure is kept as it is written") {
    const std::string x =
        "<ScalarVariable name=\"x\" valueReference=\"1\" causality=\"output\"><Real/></ScalarVariable>";
    const Description d = read_description(fmi2(
        x + x, "<Outputs><Unknown index=\"2\" dependencies=\"2 1\" dependenciesKind=\"fixed dependent\"/>"
               "<Unknown index=\"1\" dependencies=\"\"/></Outputs><Derivatives/>"
               "<InitialUnknowns><Unknown index=\"2\"/><Unknown index=\"1\"/></InitialUnknowns>"));
    CHECK(d.outputs[0].variable == 1);
    CHECK(d.outputs[0].dependencies == std::vector<std::size_t>{1, 0});
    CHECK(d.outputs[0].kinds == std::vector<std::string>{"fixed", "dependent"});
    CHECK(d.outputs[1].dependencies->empty());
    CHECK(d.initial_unknowns[0].variable == 1);
}

TEST_CASE("faults against the standard alone are read, and found by the checker with their line") {
    const Description d =
        read_description(fmi3("<Float64 name=\"x\" valueReference=\"1\" causality=\"input\" "
                              "variability=\"fixed\" unit=\"parsec\" min=\"1\" "
                              "max=\"-1\"/>\n<Float64 name=\"x\" valueReference=\"1\" declaredType=\"T\"/>"));
    std::vector<std::string> found;
    for (const Finding& finding : check_description(d))
        found.push_back(finding.rule + " @ " + finding.place);
    const auto has = [&](const std::string& text) { return std::ranges::find(found, text) != found.end(); };
    CHECK(has("causality-variability @ modelDescription.xml:3 variable 'x'"));
    CHECK(has("unit-undefined @ modelDescription.xml:3 variable 'x'"));
    CHECK(has("bounds @ modelDescription.xml:3 variable 'x'"));
    CHECK(has("name-duplicate @ modelDescription.xml:4 variable 'x'"));
    CHECK(has("reference-duplicate @ modelDescription.xml:4 variable 'x'"));
    CHECK(has("declared-type-undefined @ modelDescription.xml:4 variable 'x'"));
}

TEST_CASE("the interfaces of an FMU are told apart, and the capabilities are those of Co-Simulation") {
    const std::string text =
        fmi3("<Float64 name=\"x\" valueReference=\"1\"/>", "",
             "<ModelExchange modelIdentifier=\"me\" canGetAndSetFMUState=\"true\"/><ScheduledExecution "
             "modelIdentifier=\"se\"/>");
    const Description d = read_description(text);
    CHECK((d.has_model_exchange && d.has_co_simulation && d.has_scheduled_execution));
    CHECK(d.capabilities.model_identifier == "m");
    CHECK_FALSE(d.capabilities.get_and_set_state);
}

TEST_CASE("terminals are added to the description") {
    Description d;
    const std::string text =
        "<fmiTerminalsAndIcons fmiVersion=\"3.0\"><GraphicalRepresentation/><Terminals>"
        "<Terminal name=\"a\" matchingRule=\"plug\"><Annotations/></Terminal></Terminals>"
        "</fmiTerminalsAndIcons>";
    read_terminals(text, d);
    read_terminals(text, d);
    CHECK(d.terminals.size() == 2);
    CHECK(d.terminals[1].name == "a");
    CHECK_THROWS_AS(read_terminals("<fmiTerminalsAndIcons fmiVersion=\"1.0\"/>", d), DescriptionError);
    CHECK_THROWS_AS(read_terminals("<other fmiVersion=\"3.0\"/>", d), DescriptionError);
}
