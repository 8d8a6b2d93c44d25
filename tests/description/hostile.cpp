// Texts that want to harm the reader, and those that are merely broken: each is refused in one line with its line number.

#include "modelDescription/reader.hpp"
#include "modelDescription/writer.hpp"

#include "tests/description/random_description.hpp"
#include "tests/description/samples.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <random>

using namespace tenon::fmi;
using Catch::Contains;

namespace {

/// "LINE: message" about `text`; fails where the text is accepted.
std::string refusal(const std::string& text) {
    try {
        read_description(text);
    } catch (const DescriptionError& error) {
        const std::string message = error.what();
        CHECK(message.find('\n') == std::string::npos);
        CHECK(message.size() < 500);
        return fmt::format("{}: {}", error.line(), message);
    }
    FAIL("accepted: " << text.substr(0, 1000));
    return {};
}

// The variables stand in line 3.
std::string fmi3(const std::string& variables, const std::string& structure = "") {
    return "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"m\" instantiationToken=\"g\">\n"
           "<CoSimulation modelIdentifier=\"m\"/><ModelVariables>\n" +
           variables + "</ModelVariables>\n<ModelStructure>" + structure +
           "</ModelStructure></fmiModelDescription>";
}

std::string fmi2(const std::string& variables, const std::string& structure = "") {
    return "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"m\" guid=\"g\">\n"
           "<CoSimulation modelIdentifier=\"m\"/><ModelVariables>\n" +
           variables + "</ModelVariables>\n<ModelStructure>" + structure +
           "</ModelStructure></fmiModelDescription>";
}

std::string real(const std::string& attributes) {
    return fmi3("<Float64 name=\"x\" valueReference=\"1\" " + attributes + "/>");
}

std::string repeated(const std::string& part, std::size_t count) {
    std::string text;
    text.reserve(part.size() * count);
    for (std::size_t i = 0; i < count; ++i)
        text += part;
    return text;
}

} // namespace

TEST_CASE("XML nested 100000 deep is refused before it is parsed") {
    CHECK_THAT(refusal(repeated("<a>", 100000)), Contains("nested too deeply (limit 64)"));
    CHECK_THAT(refusal(fmi3(repeated("<Float64 name=\"x\">", 100000))),
               Contains("3: elements are nested too deeply"));
    CHECK_THAT(refusal(fmi3(repeated("<a>", 100000) + repeated("</a>", 100000))),
               Contains("nested too deeply"));
    std::string terminals = "<fmiTerminalsAndIcons fmiVersion=\"3.0\"><Terminals>";
    terminals += repeated("<Terminal name=\"t\" matchingRule=\"plug\">", 100000);
    Description d;
    CHECK_THROWS_WITH(read_terminals(terminals, d), Contains("nested too deeply"));
}

TEST_CASE("a DOCTYPE is refused, whatever is in it") {
    const std::string laughs =
        "<?xml version=\"1.0\"?>\n<!DOCTYPE lolz [\n<!ENTITY a \"ha\">\n<!ENTITY b \"&a;&a;&a;\">"
        "]>\n<fmiModelDescription fmiVersion=\"3.0\" modelName=\"&b;\"/>";
    CHECK_THAT(refusal(laughs), Contains("2: a DOCTYPE"));
    CHECK_THAT(refusal("<!doctype x SYSTEM \"file:///etc/passwd\"><a/>"), Contains("1: a DOCTYPE"));
    CHECK_THAT(refusal(fmi3("<!ENTITY a \"b\">")), Contains("3: a DOCTYPE"));
}

TEST_CASE("text that is not UTF-8 is refused") {
    CHECK_THAT(refusal(real("description=\"\n\xff\"")), Contains("4: invalid UTF-8 (byte \\xff)"));
    CHECK_THAT(refusal(std::string("\xff\xfe<\0a", 5)), Contains("invalid UTF-16"));
    CHECK_THAT(refusal(std::string("\xff\xfe<\0\x00\xd8>\0", 8)), Contains("invalid UTF-16"));
    CHECK_THAT(refusal(std::string("\xfe\xff\0<\xdc\0\0>", 8)), Contains("invalid UTF-16"));
    CHECK_THAT(refusal(std::string("<\0a\0/\0>\0", 8)),
               Contains("control character")); // UTF-16 without a mark
    CHECK_THAT(refusal(real("description=\"\xed\xa0\x80\"")), Contains("invalid UTF-8"));
    CHECK_THAT(refusal("<?xml version=\"1.0\" encoding=\"EBCDIC-CP-US\"?>\n" + real("")),
               Contains("1: encoding 'ebcdic-cp-us'"));
    CHECK_THAT(refusal("<?xml version=\"1.0\" encoding=\"US-ASCII\"?>\n" + real("description=\"\xe4\"")),
               Contains("byte \\xe4, which us-ascii does not have"));
    CHECK_THAT(refusal("<?xml version=\"1.0\" encoding=\"windows-1252\"?>\n" + real("description=\"\x81\"")),
               Contains("byte \\x81, which windows-1252 does not have"));
    CHECK_THAT(refusal("<?xml version=\"1.0\" encoding=utf-8?>\n" + real("")), Contains("without quotes"));
    CHECK_NOTHROW(read_description("<?xml version='1.0' encoding='utf-8'?>\n" + real("")));
    CHECK_THAT(refusal(real(std::string("description=\"\0\"", 15))), Contains("control character \\x00"));
    CHECK_THAT(refusal(real("description=\"\x1b[2J\"")), Contains("control character \\x1b"));
}

TEST_CASE("XML that is not well-formed is refused") {
    CHECK_THAT(refusal(""), Contains("not well-formed XML"));
    CHECK_THAT(refusal("x"), Contains("text outside the root element"));
    CHECK_THAT(refusal("<a></b>"), Contains("not well-formed XML"));
    CHECK_THAT(refusal("<a/><a/>"), Contains("more than one root"));
    CHECK_THAT(refusal("<a>\n<b"), Contains("2: a tag that never ends"));
    CHECK_THAT(refusal("<a b=\"c/>"), Contains("an attribute that never ends"));
    CHECK_THAT(refusal("<a \"c\"/>"), Contains("a quote in a tag"));
    CHECK_THAT(refusal("<a>\n\n<!-- "), Contains("3: a comment that never ends"));
    CHECK_THAT(refusal("<a><![CDATA[ "), Contains("a CDATA section that never ends"));
    CHECK_THAT(refusal("<a b=\"1\" b=\"2\"/>"), Contains("attribute 'b' is given twice"));
    CHECK_THAT(refusal("<a b=\"<\"/>"), Contains("'<' in attribute 'b'"));
    for (const char* entity :
         {"&x;", "&", "&amp", "&#0;", "&#x1;", "&#xD800;", "&#1114112;", "&#99999999999;", "&#;"})
        CHECK_THAT(refusal(fmt::format("<a b=\"{}\"/>", entity)), Contains("begins no entity"));
    CHECK_THAT(refusal("<html/>"), Contains("1: the root element is 'html', not fmiModelDescription"));
}

TEST_CASE("too much of anything in XML is refused") {
    CHECK_THAT(refusal(std::string((64u << 20) + 1, ' ')), Contains("67108865 bytes, limit 67108864"));
    CHECK_THAT(refusal(real("description=\"" + std::string((1u << 20) + 1, 'x') + "\"")),
               Contains("3: attribute 'description' is too long (1048577 bytes, limit 1048576)"));
    CHECK_NOTHROW(read_description(real("description=\"" + std::string(1u << 20, 'x') + "\"")));
    std::string attributes;
    for (int i = 0; i < 101; ++i)
        attributes += fmt::format("a{}=\"\" ", i);
    CHECK_THAT(refusal("<a " + attributes + "/>"), Contains("too many attributes (limit 100)"));
    CHECK_THAT(refusal("<a>" + repeated("<b/>", 5'000'000) + "</a>"),
               Contains("too many elements and attributes"));
    CHECK_THAT(refusal(fmi3(repeated("<Clock/>", 1'000'001))),
               Contains("too many variables (1000001, limit 1000000)"));
}

TEST_CASE("numbers that are none are refused with their value") {
    for (const char* number : {"1,5", "1.5.2", "0x10", "", " ", "abc", "1e", "--1", "+-1", "1.5f"}) {
        CAPTURE(number);
        if (std::string(number).find_first_not_of(' ') != std::string::npos)
            CHECK_THAT(refusal(real(fmt::format("start=\"{}\"", number))),
                       Contains("3: Float64 'x': start is '") && Contains("not a finite number"));
        CHECK_THAT(refusal(real(fmt::format("max=\"{}\"", number))), Contains("not a finite number"));
    }
    CHECK_THAT(refusal(real("start=\"\"")), Contains("start has 0 values for 1 elements"));
    CHECK_THAT(refusal(real("start=\"1 2\"")), Contains("start has 2 values for 1 elements"));
    CHECK_THAT(refusal(fmi3("<Float32 name=\"x\" valueReference=\"1\" start=\"1e39\"/>")),
               Contains("largest 3.40282e+38"));
    CHECK_THAT(refusal(fmi3("<Int8 name=\"x\" valueReference=\"1\" start=\"128\"/>")),
               Contains("start is '128', which is out of range (limits -128 and 127)"));
    CHECK_THAT(refusal(fmi3("<Int32 name=\"x\" valueReference=\"1\" start=\"1.5\"/>")),
               Contains("no whole number"));
    CHECK_THAT(refusal(fmi3("<Boolean name=\"x\" valueReference=\"1\" start=\"yes\"/>")),
               Contains("neither true nor false"));
    CHECK_THAT(refusal(fmi3("<Binary name=\"x\" valueReference=\"1\"><Start value=\"00f\"/></Binary>")),
               Contains("'f' at byte 2"));
    CHECK_THAT(refusal(fmi3("<Binary name=\"x\" valueReference=\"1\"><Start value=\"0g\"/></Binary>")),
               Contains("'0g'"));
    CHECK_THAT(refusal(fmi2("<ScalarVariable name=\"x\" valueReference=\"1\"><Integer "
                            "start=\"2147483648\"/></ScalarVariable>")),
               Contains("3: Integer of ScalarVariable 'x': start is '2147483648'"));
}

TEST_CASE("value references are unsigned 32-bit numbers") {
    for (const char* reference : {"-1", "4294967296", "99999999999999999999"})
        CHECK_THAT(refusal(fmi3(fmt::format("<Float64 name=\"x\" valueReference=\"{}\"/>", reference))),
                   Contains("out of range (limits 0 and 4294967295)"));
    for (const char* reference : {"", "1.0", "one", "-", "-1x"})
        CHECK_THAT(refusal(fmi3(fmt::format("<Float64 name=\"x\" valueReference=\"{}\"/>", reference))),
                   Contains("no whole number"));
    CHECK_THAT(refusal(fmi3("<Float64 name=\"x\"/>")), Contains("attribute valueReference is missing"));
}

TEST_CASE("arrays that are too large are refused before memory is asked for") {
    const auto array = [](const std::string& dimensions, const std::string& attributes = "") {
        return fmi3("<Float64 name=\"x\" valueReference=\"1\" " + attributes + ">" + dimensions +
                    "</Float64>");
    };
    const std::string huge = "<Dimension start=\"4294967296\"/>";
    CHECK_THAT(refusal(array(huge + huge)),
               Contains("Dimension of Float64 'x': the array is too large") && Contains("limit 100000000"));
    CHECK_THAT(refusal(array("<Dimension start=\"0\"/>" + huge + huge)), Contains("too large"));
    CHECK_THAT(refusal(array("<Dimension start=\"10000\"/><Dimension start=\"10001\"/>")),
               Contains("too large"));
    CHECK_NOTHROW(read_description(array("<Dimension start=\"9999\"/><Dimension start=\"10000\"/>")));
    CHECK_THAT(refusal(array("<Dimension start=\"-1\"/>")), Contains("out of range"));
    CHECK_THAT(refusal(array("<Dimension/>")), Contains("neither start nor valueReference"));
    CHECK_THAT(refusal(array("<Dimension start=\"50000000\"/>", "start=\"0\"")), Contains("too much memory"));
    std::string many;
    for (int i = 0; i < 3; ++i)
        many += fmt::format(
            "<Float64 name=\"x{}\" valueReference=\"{}\"><Dimension start=\"40000000\"/></Float64>", i, i);
    CHECK_THAT(refusal(fmi3(many)), Contains("Float64 'x2': the arrays of the model are too large"));
}

TEST_CASE("dimensions that depend on nothing, on themselves or on each other are refused") {
    const auto sized = [](int reference, int by, const std::string& attributes) {
        return fmt::format(
            "<UInt64 name=\"v{}\" valueReference=\"{}\" {}><Dimension valueReference=\"{}\"/></UInt64>",
            reference, reference, attributes, by);
    };
    const std::string structural = "causality=\"structuralParameter\" start=\"2\"";
    CHECK_THAT(refusal(fmi3(sized(1, 2, ""))), Contains("no variable with value reference 2"));
    CHECK_THAT(refusal(fmi3(sized(1, 1, structural))), Contains("the array gives its own size"));
    CHECK_THAT(refusal(fmi3(sized(1, 2, structural) + sized(2, 1, structural))),
               Contains("'v2', which is an array itself"));
    const auto by = [&](const std::string& giver) { return refusal(fmi3(sized(1, 2, "") + giver)); };
    CHECK_THAT(by("<UInt64 name=\"n\" valueReference=\"2\" causality=\"parameter\" start=\"2\"/>"),
               Contains("'n', which is neither a structural parameter nor a constant"));
    CHECK_THAT(by("<UInt64 name=\"n\" valueReference=\"2\" causality=\"structuralParameter\"/>"),
               Contains("no whole number"));
    CHECK_THAT(by("<Float64 name=\"n\" valueReference=\"2\" causality=\"structuralParameter\" start=\"2\"/>"),
               Contains("no whole number"));
    CHECK_THAT(by("<Int32 name=\"n\" valueReference=\"2\" causality=\"structuralParameter\" start=\"-2\"/>"),
               Contains("no whole number"));
    CHECK_THAT(
        refusal(fmi3(
            "<Float64 name=\"x\" valueReference=\"1\"><Dimension start=\"3\" valueReference=\"2\"/></Float64>"
            "<UInt64 name=\"n\" valueReference=\"2\" causality=\"structuralParameter\" start=\"2\"/>")),
        Contains("start is 3, but the variable that gives the size is 2"));
}

TEST_CASE("model identifiers that are paths or no names of files are refused") {
    for (const char* name : {"../../evil", "/evil", "", "..", ".a", "a/b", "a\\b", "c:a", "&#9;"}) {
        std::string text = real("");
        text.replace(text.find("\"m\"/>"), 5, fmt::format("\"{}\"/>", name));
        CHECK_THAT(refusal(text), Contains("2: CoSimulation: modelIdentifier is"));
    }
    std::string text = real("");
    text.replace(text.find("\"m\"/>"), 5, "\"" + std::string(129, 'a') + "\"/>");
    CHECK_THAT(refusal(text), Contains("129 bytes, limit 128"));
    text = real("");
    text.insert(text.find("<CoSimulation"), "<ModelExchange modelIdentifier=\"../x\"/>");
    CHECK_THAT(refusal(text), Contains("ModelExchange: modelIdentifier is '../x'"));
}

TEST_CASE("ModelStructure without the number of a variable is refused") {
    const std::string x = "<ScalarVariable name=\"x\" valueReference=\"1\"><Real/></ScalarVariable>";
    CHECK_THAT(refusal(fmi2(x, "<Outputs><Unknown/></Outputs>")), Contains("attribute index is missing"));
    CHECK_THAT(refusal(fmi2(x, "<Outputs><Unknown index=\"one\"/></Outputs>")), Contains("no whole number"));
    CHECK_THAT(refusal(real("derivative=\"9\"")), Contains("no variable with value reference 9"));
    CHECK_THAT(refusal(real("clocks=\"9\"")), Contains("no variable with value reference 9"));
}

TEST_CASE("derivatives and clocks that go round in a circle are refused, and the circle is printed") {
    const auto variable = [](const std::string& name, int reference, int derivative) {
        return fmt::format("<Float64 name=\"{}\" valueReference=\"{}\" derivative=\"{}\"/>", name, reference,
                           derivative);
    };
    CHECK_THAT(refusal(fmi3(variable("a", 1, 1))), Contains("derivatives go round in a circle: 'a' -> 'a'"));
    CHECK_THAT(refusal(fmi3(variable("a", 1, 2) + variable("b", 2, 3) + variable("c", 3, 2))),
               Contains("'b' -> 'c' -> 'b'"));
    CHECK_THAT(
        refusal(fmi3(
            "<Clock name=\"a\" valueReference=\"1\" clocks=\"2\"/><Clock name=\"b\" valueReference=\"2\" "
            "clocks=\"1\"/>")),
        Contains("clocks go round in a circle"));
    std::string chain; // long, but no circle
    for (int i = 0; i < 50000; ++i)
        chain += variable("x", i, i + 1);
    CHECK_NOTHROW(read_description(fmi3(chain + "<Float64 name=\"x\" valueReference=\"50000\"/>")));
}

TEST_CASE("other versions of FMI are refused by name") {
    const auto version = [](const std::string& text) {
        return refusal("<fmiModelDescription fmiVersion=\"" + text +
                       "\" modelName=\"m\" modelIdentifier=\"m\"/>");
    };
    CHECK_THAT(version("1.0"), Contains("this is FMI '1.0'; FMI 2.0 and 3.0 are read"));
    CHECK_THAT(version("3.1"), Contains("this is FMI '3.1'"));
    CHECK_THAT(version("3.0-beta.2"), Contains("this is FMI '3.0-beta.2'"));
    for (const char* other : {"2.1", "3.01", "3.0.", "4.0", "x"})
        CHECK_THAT(version(other), Contains("this is FMI"));
    CHECK_THAT(refusal("<fmiModelDescription/>"), Contains("attribute fmiVersion is missing"));
}

TEST_CASE("words, units and doubled parts that make no sense are refused") {
    CHECK_THAT(refusal(real("causality=\"inptu\"")),
               Contains("causality is 'inptu'; it must be one of") && Contains("input"));
    CHECK_THAT(refusal(real("variability=\"\"")), Contains("variability is ''"));
    CHECK_THAT(refusal(real("initial=\"\"")), Contains("initial is ''"));
    CHECK_THAT(refusal(real("intermediateUpdate=\"yes\"")), Contains("neither true nor false"));
    CHECK_THAT(refusal(fmi2("<ScalarVariable name=\"x\" valueReference=\"1\"/>")),
               Contains("none of Real, Integer"));
    const auto unit = [](const std::string& base) {
        std::string text = real("");
        text.insert(text.find("<ModelVariables"),
                    "<UnitDefinitions><Unit name=\"u\">" + base + "</Unit></UnitDefinitions>");
        return refusal(text);
    };
    CHECK_THAT(unit("<BaseUnit kg=\"128\"/>"), Contains("exponent of kg is 128 (limits -128 and 127)"));
    std::string twice = real("");
    twice.insert(twice.find("<ModelStructure"), "<ModelVariables/>");
    CHECK_THAT(refusal(twice), Contains("ModelVariables: there must be only one"));
}

TEST_CASE("descriptions with random bytes changed are read or refused, and never harm") {
    std::mt19937 random(7);
    const std::string bytes = "<>\"'&/=! \n0aA-\xff\x01[]?";
    for (const Version version : {Version::fmi2, Version::fmi3}) {
        const std::string good = write_description(samples::good(version));
        int refused = 0;
        for (int i = 0; i < 1500; ++i) {
            std::string text = good;
            for (std::size_t k = 0, n = 1 + random() % 3; k < n; ++k)
                switch (const std::size_t at = random() % text.size(); random() % 3) {
                case 0:
                    text[at] = bytes[random() % bytes.size()];
                    break;
                case 1:
                    text.erase(at, random() % 40);
                    break;
                default:
                    text.insert(at, text.substr(random() % text.size(), random() % 60));
                }
            try {
                read_description(text);
            } catch (const DescriptionError&) {
                ++refused;
            }
        }
        CHECK(refused > 500);
        CHECK(refused < 1500);
    }
}
