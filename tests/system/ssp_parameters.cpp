// Parameter sets and mappings of SSP: inline and in files, prefixes, precedence, units.

#include "tests/system/ssp_support.hpp"

using namespace tenon;
using namespace tenon::system;
using Catch::Contains;

namespace {

std::string inline_values(const std::string& parameters, const std::string& attributes = "",
                          const std::string& mapping = "", const std::string& more = "") {
    return "<ssd:ParameterBinding " + attributes + "><ssd:ParameterValues>" +
           parameter_set_text(parameters, more) + "</ssd:ParameterValues>" + mapping +
           "</ssd:ParameterBinding>";
}

std::string bindings(const std::string& content) {
    return "<ssd:ParameterBindings>" + content + "</ssd:ParameterBindings>";
}

std::string mapping_text(const std::string& entries) {
    return "<ssm:ParameterMapping version=\"1.0\" "
           "xmlns:ssm=\"http://ssp-standard.org/SSP1/SystemStructureParameterMapping\" "
           "xmlns:ssc=\"http://ssp-standard.org/SSP1/SystemStructureCommon\">" +
           entries + "</ssm:ParameterMapping>";
}

std::string root(const std::string& elements, const std::string& binding = "") {
    return ssd("<ssd:System name=\"root\">" + (binding.empty() ? "" : bindings(binding)) + "<ssd:Elements>" +
               elements + "</ssd:Elements></ssd:System>");
}

struct Blocks : Package {
    Blocks() { fmu("block.fmu", block()); }
};

} // namespace

TEST_CASE("parameters of a component are read inline, from the package and from inside the FMU") {
    Blocks package;
    CHECK(
        set_value(package.check(root(component("a", "block.fmu", bindings(inline_values(real("k", "2.5")))))),
                  0, "k") == 2.5);
    package.file("resources/a.ssv", parameter_set_text(real("k", "1e-3")));
    CHECK(set_value(package.check(root(component(
                        "a", "block.fmu", bindings("<ssd:ParameterBinding source=\"resources/a.ssv\"/>")))),
                    0, "k") == 1e-3);
    const Scratch folder;
    std::vector<ArchiveContent> content = block().content();
    content.push_back({"resources/own.ssv", parameter_set_text(real("k", "7"))});
    write_archive(folder / "own.fmu", content);
    package.file("resources/own.fmu", read_text_file(folder / "own.fmu", 1u << 20));
    CHECK(
        set_value(
            package.check(root(component(
                "a", "own.fmu",
                bindings("<ssd:ParameterBinding source=\"resources/own.ssv\" sourceBase=\"component\"/>")))),
            0, "k") == 7);
}

TEST_CASE("later bindings win over earlier ones and higher systems over lower ones") {
    Blocks package;
    const std::string a =
        component("a", "block.fmu",
                  bindings(inline_values(real("k", "1") + real("u", "1")) + inline_values(real("k", "2"))));
    const CheckedSystem own = package.check(root(a));
    CHECK(set_value(own, 0, "k") == 2);
    CHECK(set_value(own, 0, "u") == 1);
    const std::string inner = "<ssd:System name=\"inner\">" + bindings(inline_values(real("a.k", "3"))) +
                              "<ssd:Elements>" + a + "</ssd:Elements></ssd:System>";
    CHECK(set_value(package.check(root(inner)), 0, "k") == 3);
    CHECK(set_value(package.check(root(inner, inline_values(real("inner.a.k", "4")))), 0, "k") == 4);
    CHECK(set_value(package.check(root(inner, inline_values(real("inner.a.k", "4")) +
                                                  inline_values(real("inner.a.k", "5")))),
                    0, "k") == 5);
}

TEST_CASE("a prefix is put before all names of a set, before any mapping") {
    Blocks package;
    const std::string a = component("a", "block.fmu");
    CHECK(set_value(package.check(root(a, inline_values(real("k", "3"), "prefix=\"a.\""))), 0, "k") == 3);
    const std::string mapping =
        "<ssd:ParameterMapping>" +
        mapping_text("<ssm:MappingEntry source=\"x.stiffness\" target=\"a.k\">"
                     "<ssc:LinearTransformation factor=\"10\" offset=\"1\"/></ssm:MappingEntry>") +
        "</ssd:ParameterMapping>";
    const CheckedSystem mapped = package.check(
        root(a, inline_values(real("stiffness", "3") + real("u", "9"), "prefix=\"x.\"", mapping)));
    CHECK(set_value(mapped, 0, "k") == 31);
    CHECK(mapped.assignments[0].size() == 1); // what is not mapped is not applied
}

TEST_CASE("a mapping in a file is read, and two values for one name are refused") {
    Blocks package;
    package.file(
        "resources/map.ssm",
        mapping_text(
            "<ssm:MappingEntry source=\"s\" target=\"k\"/><ssm:MappingEntry source=\"s\" target=\"u\"/>"));
    package.file(
        "resources/twice.ssm",
        mapping_text(
            "<ssm:MappingEntry source=\"s\" target=\"k\"/>\n<ssm:MappingEntry source=\"t\" target=\"k\"/>"));
    const auto with = [&](const std::string& file) {
        return root(
            component("a", "block.fmu",
                      bindings(inline_values(real("s", "3") + real("t", "4"), "",
                                             "<ssd:ParameterMapping source=\"resources/" + file + "\"/>"))));
    };
    const CheckedSystem checked = package.check(with("map.ssm"));
    CHECK(set_value(checked, 0, "k") == 3);
    CHECK(set_value(checked, 0, "u") == 3);
    CHECK_THAT(package.refusal(with("twice.ssm")),
               Contains("rig.ssp/resources/twice.ssm:2:") && Contains("two entries have the target 'k'"));
}

TEST_CASE("a parameter's unit is converted to that of the variable, before the mapping's factor") {
    Package package;
    package.fmu("mm.fmu", block(fmi::Version::fmi2, "mm", 0.001));
    const std::string units = "<ssv:Units><ssc:Unit name=\"m\"><ssc:BaseUnit m=\"1\"/></ssc:Unit>"
                              "<ssc:Unit name=\"s\"><ssc:BaseUnit s=\"1\"/></ssc:Unit></ssv:Units>";
    const auto with = [&](const std::string& unit, const std::string& entry) {
        return root(
            component("a", "mm.fmu",
                      bindings(inline_values(real("k", "2", unit), "",
                                             entry.empty() ? ""
                                                           : "<ssd:ParameterMapping>" + mapping_text(entry) +
                                                                 "</ssd:ParameterMapping>",
                                             units))));
    };
    const std::string plus = "<ssc:LinearTransformation offset=\"1\"/>";
    CHECK(set_value(package.check(with("m", "")), 0, "k") == 2000);
    CHECK(set_value(package.check(with("", "")), 0, "k") == 2);
    CHECK(set_value(package.check(with("m", "<ssm:MappingEntry source=\"k\" target=\"k\">" + plus +
                                                "</ssm:MappingEntry>")),
                    0, "k") == 2001);
    CHECK(
        set_value(package.check(with(
                      "m", "<ssm:MappingEntry source=\"k\" target=\"k\" suppressUnitConversion=\"true\"/>")),
                  0, "k") == 2);
    CHECK_THAT(package.refusal(with("s", "")), Contains("unit 's' (s) cannot be converted to 'mm' (m)"));
    CHECK_THAT(package.refusal(with("ell", "")), Contains("'ell'") && Contains("is not defined"));
}

TEST_CASE("a parameter that means nothing has no effect, and a remark says so") {
    Blocks package;
    const CheckedSystem checked =
        package.check(root(component("a", "block.fmu", bindings(inline_values(real("kk", "1")))),
                           inline_values(real("b.k", "1"))));
    CHECK(checked.assignments[0].empty());
    std::string all;
    for (const std::string& remark : checked.system.remarks)
        all += remark + "\n";
    CHECK_THAT(all, Contains("fmu 'a' has no variable 'kk'") &&
                        Contains("parameter 'b.k' of system 'root' means nothing"));
}

TEST_CASE("a parameter of a system connector reaches the component behind it") {
    Blocks package;
    const std::string ports = "<ssd:Connectors>" + connector("k", "parameter") + "</ssd:Connectors>";
    const std::string text =
        ssd("<ssd:System name=\"root\"><ssd:Connectors>" + connector("stiffness", "parameter") +
            "</ssd:Connectors>" + bindings(inline_values(real("stiffness", "3"))) + "<ssd:Elements>" +
            component("a", "block.fmu", ports) + component("b", "block.fmu", ports) +
            "</ssd:Elements><ssd:Connections>" + connection("stiffness", "a.k") +
            connection("stiffness", "b.k", "<ssc:LinearTransformation factor=\"2\"/>") +
            "</ssd:Connections></ssd:System>");
    const CheckedSystem checked = package.check(text);
    CHECK(set_value(checked, 0, "k") == 3);
    CHECK(set_value(checked, 1, "k") == 6);
    CHECK(checked.wires.empty());
}

TEST_CASE("all types of parameters are read, and arrays of SSP 2.0") {
    Package package;
    TestFmu fmu(fmi::Version::fmi3, "types");
    fmu.parameter("f", "", fmi::Type::float32)
        .parameter("i", "", fmi::Type::int64)
        .parameter("b", "", fmi::Type::boolean);
    fmu.parameter("s", "", fmi::Type::string).enumeration("e", {{"x", 1, ""}, {"y", 5, ""}});
    fmu.parameter("e", "", fmi::Type::enumeration).parameter("v", "", fmi::Type::float64, {3});
    fmu.parameter("w", "", fmi::Type::boolean, {2}).parameter("t", "", fmi::Type::string, {2});
    package.fmu("types.fmu", fmu);
    const auto parameter = [](const std::string& name, const std::string& content) {
        return "<ssv:Parameter name=\"" + name + "\">" + content + "</ssv:Parameter>";
    };
    const std::string parameters =
        parameter("f", "<ssv:Float32 value=\"0.5\"/>") +
        parameter("i", "<ssv:Int64 value=\"9007199254740993\"/>") +
        parameter("b", "<ssv:Boolean value=\"0\"/>") + parameter("s", "<ssv:String value=\"a &lt; b\"/>") +
        parameter("e", "<ssv:Enumeration value=\"y\"/>") +
        parameter("v", "<ssv:Float64 value=\"1 2 3\"/><ssv:Dimension size=\"3\"/>") +
        parameter("w", "<ssv:Boolean value=\"true false\"/><ssv:Dimension size=\"2\"/>") +
        parameter("t", "<ssv:String><ssv:Value value=\"p q\"/><ssv:Value "
                       "value=\"r\"/></ssv:String><ssv:Dimension size=\"2\"/>");
    const CheckedSystem checked =
        package.check(root(component("a", "types.fmu", bindings(inline_values(parameters)))));
    const auto values = [&](std::size_t i) { return checked.assignments.at(0).at(i).values; };
    REQUIRE(checked.assignments[0].size() == 8);
    CHECK(std::get<std::vector<std::int64_t>>(values(1)).front() == 9007199254740993);
    CHECK(std::get<std::vector<std::int64_t>>(values(2)).front() == 0);
    CHECK(std::get<std::vector<std::string>>(values(3)).front() == "a < b");
    CHECK(std::get<std::vector<std::int64_t>>(values(4)).front() == 5);
    CHECK(std::get<std::vector<double>>(values(5)) == std::vector{1.0, 2.0, 3.0});
    CHECK(std::get<std::vector<std::int64_t>>(values(6)) == std::vector<std::int64_t>{1, 0});
    CHECK(std::get<std::vector<std::string>>(values(7)) == std::vector<std::string>{"p q", "r"});
}

TEST_CASE("broken parameter sets are refused with their own file and line") {
    Blocks package;
    const auto with = [&](const std::string& parameters) {
        Blocks fresh;
        fresh.file("resources/a.ssv", parameter_set_text("\n" + parameters));
        return fresh.refusal(root(
            component("a", "block.fmu", bindings("<ssd:ParameterBinding source=\"resources/a.ssv\"/>"))));
    };
    CHECK_THAT(with(real("k", "1e999")),
               Contains("rig.ssp/resources/a.ssv:2:") && Contains("not a finite number"));
    CHECK_THAT(with(real("k", "nan")), Contains("not a finite number"));
    CHECK_THAT(with(real("k", "1") + real("k", "2")), Contains("the name stands twice"));
    CHECK_THAT(with("<ssv:Parameter name=\"k\"/>"), Contains("it has no value"));
    CHECK_THAT(with("<ssv:Parameter name=\"k\"><ssv:String value=\"x\"/></ssv:Parameter>"),
               Contains("rig.ssp/resources/a.ssv:2: fmu 'a': 'k' must be a number, not a text"));
}
