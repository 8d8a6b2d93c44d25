// SSP packages: files in files, what is inside and what is not, hostile ones, annotations.

#include "tests/system/ssp_support.hpp"

using namespace tenon;
using namespace tenon::system;
using Catch::Contains;

namespace {

std::string root(const std::string& elements, const std::string& more = "", const std::string& tail = "") {
    return ssd("<ssd:System name=\"root\"><ssd:Elements>" + elements + "</ssd:Elements>" + more +
               "</ssd:System>" + tail);
}

std::string from_source(const std::string& source, const std::string& attributes = "") {
    return "\n<ssd:Component name=\"a\" source=\"" + source + "\" " + attributes + "/>";
}

struct Blocks : Package {
    Blocks() { fmu("block.fmu", block()); }
};

const std::string part =
    ssd("<ssd:System name=\"part\"><ssd:Connectors>" + connector("out", "output") +
        "</ssd:Connectors><ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues>" +
        parameter_set_text(real("p.k", "1")) +
        "</ssd:ParameterValues></ssd:ParameterBinding></ssd:ParameterBindings><ssd:Elements>"
        "<ssd:Component name=\"p\" source=\"block.fmu\"/></ssd:Elements><ssd:Connections>" +
        connection("p.y", "out") + "</ssd:Connections></ssd:System>");

} // namespace

TEST_CASE("a component may be another .ssd file, whose sources are relative to it") {
    Blocks package;
    package.file("resources/part.ssd", part);
    const std::string text = root(
        "<ssd:Component name=\"x\" type=\"application/x-ssp-definition\" source=\"resources/part.ssd\"/>" +
            component("b", "block.fmu"),
        "<ssd:Connections>" + connection("x.out", "b.u") + "</ssd:Connections>");
    const CheckedSystem checked = package.check(text);
    REQUIRE(checked.system.fmus.size() == 2);
    CHECK(checked.system.fmus[0].name == "x.p");
    CHECK(checked.wires.size() == 1);
    CHECK(set_value(checked, 0, "k") == 1);
}

TEST_CASE("bindings of a component that is a system come after those of the system itself") {
    Blocks package;
    package.file("resources/part.ssd", part);
    const CheckedSystem checked = package.check(
        root("<ssd:Component name=\"x\" "
             "source=\"resources/part.ssd\"><ssd:ParameterBindings><ssd:ParameterBinding>"
             "<ssd:ParameterValues>" +
             parameter_set_text(real("p.k", "2")) +
             "</ssd:ParameterValues></ssd:ParameterBinding></ssd:ParameterBindings></ssd:Component>"));
    CHECK(set_value(checked, 0, "k") == 2);
}

TEST_CASE("a package may hold packages, and select a variant of them") {
    Blocks package;
    const Scratch folder;
    std::vector<ArchiveContent> inner = {
        {"block.fmu", package.entries[0].data},
        {"SystemStructure.ssd", part},
        {"Other.ssd", ssd("<ssd:System name=\"o\"><ssd:Elements><ssd:Component name=\"q\" "
                          "source=\"block.fmu\"/></ssd:Elements></ssd:System>")}};
    write_archive(folder / "in.ssp", inner);
    package.file("resources/in.ssp", read_text_file(folder / "in.ssp", 1u << 20));
    CHECK(package.check(root(from_source("resources/in.ssp"))).system.fmus.at(0).name == "a.p");
    CHECK(package.check(root(from_source("resources/in.ssp#Other.ssd"))).system.fmus.at(0).name == "a.q");
    CHECK_THAT(package.refusal(root(from_source("resources/in.ssp#../package0/SystemStructure.ssd"))),
               Contains("leads upwards"));
    CHECK_THAT(package.refusal(root(from_source("resources/in.ssp#Othr.ssd"))),
               Contains("did you mean 'Other.ssd'?"));
}

TEST_CASE("a system of the same file may be used again by its id") {
    Blocks package;
    const CheckedSystem checked = package.check(
        root("<ssd:System name=\"first\" id=\"unit\"><ssd:Elements>" + component("p", "block.fmu") +
             "</ssd:Elements></ssd:System><ssd:Component name=\"second\" source=\"#unit\"/>"));
    REQUIRE(checked.system.fmus.size() == 2);
    CHECK(checked.system.fmus[1].name == "second.p");
}

TEST_CASE("a system that includes itself is refused with the way") {
    Blocks package;
    package.file("resources/a.ssd",
                 ssd("<ssd:System name=\"a\"><ssd:Elements><ssd:Component name=\"b\" source=\"b.ssd\"/>"
                     "</ssd:Elements></ssd:System>"));
    package.file("resources/b.ssd",
                 ssd("<ssd:System name=\"b\"><ssd:Elements><ssd:Component name=\"a\" source=\"a.ssd\"/>"
                     "</ssd:Elements></ssd:System>"));
    CHECK_THAT(package.refusal(root(from_source("resources/a.ssd"))),
               Contains("the system includes itself:") && Contains("a.ssd > ") && Contains("b.ssd > "));
    CHECK_THAT(package.refusal(root(
                   "<ssd:System name=\"s\" id=\"s\"><ssd:Elements><ssd:Component name=\"t\" source=\"#s\"/>"
                   "</ssd:Elements></ssd:System>" +
                   component("a", "block.fmu"))),
               Contains("includes itself"));
}

TEST_CASE("systems are nested at most 16 deep") {
    Blocks package;
    const auto nested = [&](int levels) {
        std::string text = component("a", "block.fmu");
        for (int i = 0; i < levels; ++i)
            text = "<ssd:System name=\"s\"><ssd:Elements>" + text + "</ssd:Elements></ssd:System>";
        return ssd(text);
    };
    CHECK(package.check(nested(16)).system.fmus.size() == 1);
    CHECK_THAT(package.refusal(nested(17)), Contains("systems are nested too deep (limit 16)"));
}

TEST_CASE("files that include each other many times are refused before they fill the memory") {
    Blocks package;
    for (int i = 0; i < 14; ++i) {
        const std::string next = i == 13 ? "block.fmu" : "l" + std::to_string(i + 1) + ".ssd";
        package.file("resources/l" + std::to_string(i) + ".ssd",
                     ssd("<ssd:System name=\"l\"><ssd:Elements><ssd:Component name=\"x\" source=\"" + next +
                         "\"/><ssd:Component name=\"y\" source=\"" + next +
                         "\"/></ssd:Elements></ssd:System>"));
    }
    CHECK_THAT(package.refusal(root(from_source("resources/l0.ssd"))),
               Contains("too many elements (limit 10000)"));
}

TEST_CASE("sources outside of the package are refused") {
    Blocks package;
    const auto refused = [&](const std::string& source) {
        return package.refusal(root(from_source(source)));
    };
    CHECK_THAT(refused("http://example.com/a.fmu"),
               Contains("rig.ssp/SystemStructure.ssd:3:") && Contains("is not inside the package"));
    CHECK_THAT(refused("file:///etc/passwd"), Contains("is not inside the package"));
    CHECK_THAT(refused("//host/a.fmu"), Contains("is not inside the package"));
    CHECK_THAT(refused("/etc/passwd"), Contains("is an absolute path"));
    CHECK_THAT(refused("../a.fmu"), Contains("leads upwards"));
    CHECK_THAT(refused("resources/%2e%2e/%2E%2e/a.fmu"), Contains("leads upwards"));
    CHECK_THAT(refused("resources\\a.fmu"), Contains("has a backslash"));
    CHECK_THAT(refused("resources/%00a.fmu"), Contains("control character"));
    CHECK_THAT(refused("resources/%zz.fmu"), Contains("broken percent code"));
    CHECK_THAT(
        refused("resources/blok.fmu"),
        Contains(
            "there is no file 'resources/blok.fmu' in the package; did you mean 'resources/block.fmu'?"));
    CHECK_THAT(refused("resources"), Contains("there is no file"));
    CHECK_THAT(refused(""), Contains("names no file"));
}

TEST_CASE("percent codes in sources are decoded") {
    Package package;
    package.fmu("my block.fmu", block());
    CHECK(package.check(root(from_source("./resources/my%20block.fmu"))).fmus.size() == 1);
}

TEST_CASE("a package may be a folder, which links do not lead out of") {
    const Scratch folder;
    std::filesystem::create_directories(folder / "rig" / "resources");
    block().save(folder / "rig" / "resources" / "block.fmu");
    block().save(folder / "outside.fmu");
    write_text_file(folder / "rig" / "SystemStructure.ssd", root(component("a", "block.fmu")));
    CHECK(check_system(read_system(folder / "rig")).fmus.size() == 1);
    std::filesystem::create_symlink(folder / "outside.fmu", folder / "rig" / "resources" / "link.fmu");
    write_text_file(folder / "rig" / "SystemStructure.ssd", root(component("a", "link.fmu")));
    CHECK_THROWS_WITH(read_system(folder / "rig"), Contains("is a link that leads out of the package"));
}

TEST_CASE("components that cannot be run are refused") {
    Blocks package;
    CHECK_THAT(package.refusal(root("\n<ssd:Component name=\"a\"/>")),
               Contains(":3:") && Contains("it has no source"));
    CHECK_THAT(package.refusal(root(from_source("resources/block.fmu", "implementation=\"ModelExchange\""))),
               Contains("implementation 'ModelExchange' is wanted"));
    CHECK_THAT(package.refusal(root(from_source("resources/block.fmu", "type=\"text/x-modelica\""))),
               Contains("components of type 'text/x-modelica' cannot be run"));
    CHECK_THAT(package.refusal(root("")), Contains("system 'root' has no components"));
    CHECK_THAT(package.refusal(ssd("")), Contains("it has no System"));
    CHECK_THAT(package.refusal(root(component("a", "block.fmu") + component("a", "block.fmu"))),
               Contains("the system has two elements of this name"));
    package.file("resources/bad.fmu", "not an archive");
    CHECK_THAT(package.refusal(root(component("a", "bad.fmu"))),
               Contains("SystemStructure.ssd:2: fmu 'a': ") && Contains("rig.ssp/resources/bad.fmu"));
}

TEST_CASE("hostile XML of an SSP is refused with the line") {
    Blocks package;
    CHECK_THAT(package.refusal("<!DOCTYPE x [<!ENTITY a \"b\">]>\n" + root(component("a", "block.fmu"))),
               Contains("rig.ssp/SystemStructure.ssd:1:") && Contains("DOCTYPE"));
    CHECK_THAT(package.refusal("<ssd:SystemStructureDescription version=\"1.0\" name=\"x\">\n<ssd:System"),
               Contains("rig.ssp/SystemStructure.ssd:"));
    CHECK_THAT(package.refusal("<other/>"),
               Contains("the root element is 'other', not SystemStructureDescription"));
    CHECK_THAT(package.refusal(""), Contains("SystemStructure.ssd"));
    std::string deep;
    for (int i = 0; i < 100000; ++i)
        deep += "<x>";
    CHECK_THAT(package.refusal(ssd(deep)), Contains("SystemStructure.ssd:2:"));
    CHECK_THAT(package.refusal(ssd(root(""), "3.0")), Contains("version '3.0' is not read; 1.0 and 2.0 are"));
}

TEST_CASE("an archive without SystemStructure.ssd and an FMU are said to be no SSP") {
    const Scratch folder;
    write_archive(folder / "x.ssp", {{"readme.txt", "x"}});
    CHECK_THROWS_WITH(read_system(folder / "x.ssp"),
                      Contains("x.ssp: this archive is not an SSP: it has no SystemStructure.ssd"));
    block().save(folder / "block.fmu");
    CHECK_THROWS_WITH(read_system(folder / "block.fmu"), Contains("this is an FMU, not a system"));
    write_text_file(folder / "empty.ssp", "");
    CHECK_THROWS_AS(read_system(folder / "empty.ssp"), InputError);
    CHECK_THROWS_WITH(read_system(folder / "none.ssp"), Contains("none.ssp: cannot be read"));
}

TEST_CASE("start and stop are those of the DefaultExperiment, the step that of other tools' annotations") {
    Blocks package;
    const auto annotated = [&](const std::string& system, const std::string& experiment) {
        return package
            .check(
                root(component("a", "block.fmu"),
                     system.empty() ? "" : "<ssd:Annotations>" + system + "</ssd:Annotations>",
                     "<ssd:DefaultExperiment startTime=\"1.5\" stopTime=\"3\">" +
                         (experiment.empty() ? "" : "<ssd:Annotations>" + experiment + "</ssd:Annotations>") +
                         "</ssd:DefaultExperiment>"))
            .system;
    };
    const System plain = annotated("", "");
    CHECK(plain.master.start == 1.5);
    CHECK(plain.master.stop == 3);
    CHECK(plain.master.step == 0.01);
    REQUIRE(plain.remarks.size() == 1);
    CHECK_THAT(plain.remarks[0], Contains("gives no step size"));
    const std::string osp =
        "<ssc:Annotation type=\"com.opensimulationplatform\"><osp:Algorithm xmlns:osp=\"x\">"
        "<osp:FixedStepAlgorithm baseStepSize=\"1e-4\"/></osp:Algorithm></ssc:Annotation>";
    const std::string oms = "<ssc:Annotation type=\"org.openmodelica\"><oms:Annotations xmlns:oms=\"y\">"
                            "<oms:SimulationInformation><oms:FixedStepMaster stepSize=\"0.25\"/>"
                            "</oms:SimulationInformation></oms:Annotations></ssc:Annotation>";
    const std::string strange =
        "<ssc:Annotation type=\"com.example\"><x:Any xmlns:x=\"z\"><x:Deep/></x:Any></ssc:Annotation>";
    CHECK(annotated(strange, osp).master.step == 1e-4);
    CHECK(annotated(oms + strange, osp).master.step == 0.25);
    CHECK(annotated(oms, "").remarks.empty());
}

TEST_CASE("the glue annotation brings joints and the master's settings, and leaves couplers out") {
    Package package;
    TestFmu fmu(fmi::Version::fmi2, "arm");
    fmu.mechanical_units().frame("tip");
    package.fmu("arm.fmu", fmu);
    package.fmu("block.fmu", block());
    const auto glued = [&](const std::string& content) {
        return root(component("p", "arm.fmu") + component("q", "arm.fmu") +
                        component("pin_coupler", "block.fmu"),
                    "<ssd:Connections>" + connection("p.tip.r_0[1]", "pin_coupler.u") +
                        connection("pin_coupler.y", "p.tip.f_0[1]") +
                        "</ssd:Connections><ssd:Annotations><ssc:Annotation type=\"dev.tenon.glue\">"
                        "<g:Glue xmlns:g=\"urn:dev.tenon.glue:1\" version=\"1\">" +
                        content + "</g:Glue></ssc:Annotation></ssd:Annotations>");
    };
    const CheckedSystem checked = package.check(glued(
        "<g:Joint name=\"pin\" type=\"revolute\" a=\"p/tip\" b=\"q/tip\" axis=\"0 0 2.5\" motion.rate=\"3\" "
        "method=\"newton\" coupler=\"pin_coupler\"/><g:Fmu name=\"q\" isolate=\"true\"/>"
        "<g:Master method=\"newton\" step=\"1e-3\" tolerance=\"1e-7\" extrapolation=\"1\" adaptive=\"true\" "
        "iteration=\"quasi-newton\" maxIterations=\"9\"/>"));
    const System& system = checked.system;
    REQUIRE(system.fmus.size() == 2);
    CHECK(system.connections.empty());
    CHECK(system.fmus[1].isolate);
    REQUIRE(system.joints.size() == 1);
    CHECK(system.joints[0].a.terminal == "tip");
    CHECK(system.joints[0].numbers.at("axis") == std::vector{0.0, 0.0, 2.5});
    CHECK(system.joints[0].numbers.at("motion.rate") == std::vector{3.0});
    CHECK(system.joints[0].method == "newton");
    CHECK(system.master.step == 1e-3);
    CHECK(system.master.adaptive);
    CHECK(system.master.max_iterations == 9);
    const auto joint = [&](const std::string& attributes) {
        return package.refusal(glued("\n<g:Joint name=\"pin\" " + attributes + " coupler=\"pin_coupler\"/>"));
    };
    CHECK_THAT(joint("type=\"revolute\" a=\"p/tip\" b=\"q/tip\""),
               Contains("rig.ssp/SystemStructure.ssd:8: joint 'pin': 'axis' is missing"));
    CHECK_THAT(joint("type=\"hinge\" a=\"p/tip\" b=\"q/tip\""), Contains("unknown type 'hinge'"));
    CHECK_THAT(joint("type=\"fixed\" a=\"p/tip\" b=\"r/tip\""), Contains("'r/tip' is not <fmu>/<terminal>"));
    CHECK_THAT(joint("type=\"fixed\" a=\"p/tip\" b=\"q/tip\" axis=\"0 0 1\""),
               Contains("a fixed joint takes no 'axis'"));
    CHECK_THAT(joint("type=\"revolute\" a=\"p/tip\" b=\"q/tip\" axis=\"0 1\""),
               Contains("'axis' takes 3 numbers (2 given)"));
    CHECK_THAT(package.refusal(glued("<g:Master method=\"magic\" step=\"1\"/>")),
               Contains("method cannot be 'magic'"));
}
