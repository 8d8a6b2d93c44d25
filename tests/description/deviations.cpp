// Descriptions that are against the letter and do no harm: read, and noted.

#include "modelDescription/reader.hpp"

#include <catch2/catch.hpp>

#include <fmt/format.h>

using namespace tenon;
using namespace tenon::fmi;

namespace {

std::string body2(const std::string& variables, const std::string& structure = "",
                  const std::string& more = "") {
    return "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"m\" guid=\"g\"><CoSimulation "
           "modelIdentifier=\"m\"/>" +
           more + "<ModelVariables>" + variables + "</ModelVariables><ModelStructure>" + structure +
           "</ModelStructure></fmiModelDescription>";
}

std::string x2(const std::string& attributes) {
    return "<ScalarVariable name=\"x\" valueReference=\"1\"><Real " + attributes + "/></ScalarVariable>";
}

struct Read {
    Description description;
    FindingList found;
};

Read read(const std::string& text) {
    Read result;
    result.description = read_description(text, &result.found);
    return result;
}

/// Of a description in UTF-8 with its declaration.
Read read2(const std::string& variables, const std::string& structure = "", const std::string& more = "") {
    return read("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + body2(variables, structure, more));
}

std::string rules(const FindingList& found) {
    std::string text;
    for (const Finding& finding : found.all())
        text += (text.empty() ? "" : " ") + finding.rule;
    return text;
}

std::string utf16(const std::u16string& text, bool big) {
    std::string bytes = big ? "\xfe\xff" : "\xff\xfe";
    for (const char16_t c : text)
        for (const int byte : {big ? 1 : 0, big ? 0 : 1})
            bytes += static_cast<char>(c >> 8 * byte & 0xFF);
    return bytes;
}

} // namespace

TEST_CASE("texts in other encodings than UTF-8 are converted, and noted with their line") {
    const auto text = [](const std::string& encoding, const std::string& description) {
        return read("<?xml version=\"1.0\" encoding=\"" + encoding + "\"?>\n" +
                    body2("<ScalarVariable name=\"x\" description=\"" + description +
                          "\" valueReference=\"1\"><Real/></ScalarVariable>"));
    };
    struct Case {
        std::string encoding, bytes, expected;
    };
    for (const auto& [encoding, bytes, expected] :
         std::vector<Case>{{"ISO-8859-1",
                            "Gr\xf6\xdf"
                            "e \xb5",
                            "Größe µ"},
                           {"iso-8859-15", "\xa4 \xbd", "€ œ"},
                           {"windows-1252", "\x80 \x96 \xfc", "€ – ü"},
                           {"US-ASCII", "plain", "plain"},
                           {"utf8", "Größe", "Größe"}}) {
        CAPTURE(encoding);
        const Read result = text(encoding, bytes);
        CHECK(result.description.variables[0].description == expected);
        REQUIRE(rules(result.found) == "description-encoding");
        CHECK(result.found.kept()[0].place == "modelDescription.xml:1");
    }
    CHECK(text("utf-8", "Größe").found.empty());
    CHECK(rules(read(body2(x2(""))).found) == "description-encoding"); // says nothing
    for (const char* encoding :
         {"GBK", "gb2312", "Shift_JIS", "windows-1251", "ANSI"}) { // as ASCII, where it is that
        CAPTURE(encoding);
        CHECK(rules(text(encoding, "plain").found) == "description-encoding");
        CHECK_THROWS_AS(text(encoding, "\xc4\xe3"), DescriptionError);
    }
    CHECK_THROWS_AS(text("UTF-7", "plain"), DescriptionError);
}

TEST_CASE("UTF-16 with a mark is converted, also beyond the basic plane") {
    const std::u16string text =
        u"<?xml version=\"1.0\" encoding=\"UTF-16\"?>\n<fmiModelDescription fmiVersion=\"2.0\" "
        u"modelName=\"ü\U0001F600\" "
        u"guid=\"g\"><CoSimulation "
        u"modelIdentifier=\"m\"/><ModelVariables/><ModelStructure/></fmiModelDescription>";
    for (const bool big : {false, true}) {
        const Read result = read(utf16(text, big));
        CHECK(result.description.model_name == "ü\U0001F600");
        CHECK(rules(result.found) == "description-encoding");
    }
}

TEST_CASE("bounds, start values and experiments that are not finite are left out and noted") {
    for (const char* number : {"NaN", "INF", "-INF", "Infinity", "1.#INF", "-1e999"}) {
        const Read result = read2(x2(fmt::format("min=\"{0}\" max=\"{0}\" start=\"{0}\"", number)), "",
                                  fmt::format("<DefaultExperiment stopTime=\"{}\"/>", number));
        const Variable& x = result.description.variables[0];
        CHECK_FALSE(x.min);
        CHECK_FALSE(x.max);
        CHECK(std::holds_alternative<std::monostate>(x.start));
        CHECK_FALSE(result.description.experiment.stop);
        CHECK(rules(result.found) == "number-finite number-finite number-finite start-finite");
    }
    const Read whole =
        read2("<ScalarVariable name=\"n\" valueReference=\"1\"><Integer start=\"3.0\"/></ScalarVariable>");
    CHECK(whole.description.variables[0].start == Start(std::vector<std::int64_t>{3}));
    CHECK(rules(whole.found) == "start-type");
    CHECK(rules(read2(x2("start=\"1 2\"")).found) == "start-count");
    const Read bound = read2("<ScalarVariable name=\"n\" valueReference=\"1\"><Integer min=\"0\" "
                             "max=\"4294967295\"/></ScalarVariable>");
    CHECK(bound.description.variables[0].min == 0);
    CHECK_FALSE(bound.description.variables[0].max);
    CHECK(rules(bound.found) == "number-range");
}

TEST_CASE("an experiment with empty numbers is one that does not give them, and is noted") {
    const Read result =
        read2(x2(""), "", "<DefaultExperiment startTime=\"\" stopTime=\"\" stepSize=\"0.1\"/>");
    CHECK_FALSE(result.description.experiment.start);
    CHECK_FALSE(result.description.experiment.stop);
    CHECK(result.description.experiment.step == 0.1);
    CHECK(rules(result.found) == "number-finite number-finite");
    CHECK_THROWS_AS(read2(x2(""), "", "<DefaultExperiment stopTime=\"soon\"/>"), DescriptionError);
}

TEST_CASE("ModelStructure that points nowhere is read without, and noted") {
    for (const char* index : {"0", "2", "4294967295"}) {
        const Read result = read2(
            x2(""), fmt::format("<Outputs><Unknown index=\"{}\"/><Unknown index=\"1\"/></Outputs>", index));
        CHECK(result.description.outputs.size() == 1);
        CHECK(rules(result.found) == "structure-bounds");
    }
    // Who has unusable dependencies depends on everything.
    for (const auto& [attributes, rule] : {std::pair("dependencies=\"2\"", "structure-bounds"),
                                           {"dependencies=\"1 1\"", "dependencies-count"}}) {
        const Read result =
            read2(x2(""), fmt::format("<Outputs><Unknown index=\"1\" {}/></Outputs>", attributes));
        REQUIRE(result.description.outputs.size() == 1);
        CHECK_FALSE(result.description.outputs[0].dependencies);
        CHECK(rules(result.found) == rule);
    }
    const Read kind =
        read2(x2(""), "<Outputs><Unknown index=\"1\" dependencies=\"1\" dependenciesKind=\"x\"/></Outputs>");
    CHECK(kind.description.outputs[0].dependencies == std::vector<std::size_t>{0});
    CHECK(kind.description.outputs[0].kinds.empty());
    CHECK(rules(kind.found) == "dependencies-kind");
    CHECK(rules(read2(x2("derivative=\"2\"")).found) == "structure-bounds");
}

TEST_CASE("units with factor 0 are units of unknown meaning, and truth may begin with a capital") {
    const Read unit =
        read2(x2("unit=\"u\" relativeQuantity=\"True\""), "",
              "<UnitDefinitions><Unit name=\"u\"><BaseUnit factor=\"0\"/><DisplayUnit name=\"d\" "
              "factor=\"0\"/></Unit></UnitDefinitions>");
    CHECK_FALSE(unit.description.units[0].base);
    CHECK(unit.description.units[0].display_units.empty());
    CHECK(unit.description.variables[0].relative_quantity);
    CHECK(rules(unit.found) == "unit-factor unit-factor boolean");
}

TEST_CASE("of many deviations of one kind the first are kept and all are counted") {
    std::string variables;
    for (int i = 0; i < 1000; ++i)
        variables += fmt::format(
            "<ScalarVariable name=\"x{}\" valueReference=\"{}\"><Real max=\"INF\"/></ScalarVariable>", i, i);
    const Read result = read2(variables);
    CHECK(result.found.count() == 1000);
    CHECK(result.found.kept().size() == 25);
    CHECK(result.found.all().back().message == "and 975 more of these");
}
