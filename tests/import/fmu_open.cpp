// Opening an FMU: what is read, and what is refused with which words.

#include "tools/files/errors.hpp"
#include "tools/files/text_file.hpp"
#include "tools/import/fmu.hpp"

#include "tests/import/slave_support.hpp"

using namespace tenon;
using namespace tenon::fmi;

namespace {

std::string refusal(const std::filesystem::path& file, InputFault fault = InputFault::malformed) {
    return tests::refusal([&] { Fmu fmu(file); }, fault);
}

} // namespace

TEST_CASE("an opened FMU has its variables, capabilities and terminals") {
    const int version = GENERATE(2, 3);
    const Fmu fmu = foreign("oscillator", version);
    const Description& description = fmu.description();
    CHECK(description.version == (version == 2 ? Version::fmi2 : Version::fmi3));
    CHECK(description.model_name == "oscillator");
    CHECK(description.token == "{oscillator}");
    CHECK(description.variables.size() == 8);
    CHECK(description.has_co_simulation);
    CHECK(description.capabilities.serialize_state);
    CHECK(description.capabilities.max_output_derivative_order == 1);
    REQUIRE(description.terminals.size() == 1);
    CHECK(description.terminals[0].kind == "dev.tenon.joint.flangeTrans");
    CHECK(description.terminals[0].members.size() == 3);
    CHECK(fmu.file() == foreign_file("oscillator", version));
}

TEST_CASE("the library for this machine is named where there is one") {
#if defined(__x86_64__)
    CHECK(foreign("gain", 2).binary() == "binaries/linux64/gain.so");
    CHECK(foreign("gain", 3).binary() == "binaries/x86_64-linux/gain.so");
#endif
    const int version = GENERATE(2, 3);
    auto content = content_of("gain", version);
    std::erase_if(content, [](const ArchiveContent& entry) { return entry.name.ends_with(".so"); });
    const Scratch scratch;
    write_archive(scratch / "gain.fmu", content);
    CHECK(Fmu(scratch / "gain.fmu").binary().empty());
}

TEST_CASE("what is wrong with a description is said with archive, entry and line") {
    const int version = GENERATE(2, 3);
    const Scratch scratch;
    auto content = content_of("gain", version);
    std::string& xml = entry_of(content, "modelDescription.xml");
    xml = replaced(xml, "valueReference=\"2\"", "valueReference=\"-2\"");
    const auto line = std::count(xml.begin(), xml.begin() + static_cast<long>(xml.find("\"-2\"")), '\n') + 1;
    write_archive(scratch / "bad.fmu", content);
    CHECK_THAT(refusal(scratch / "bad.fmu"),
               Catch::StartsWith((scratch / "bad.fmu").string() +
                                 ": modelDescription.xml:" + std::to_string(line) + ": "));
}

TEST_CASE("a broken terminals file is refused with its line, a missing one is none") {
    const int version = GENERATE(2, 3);
    const Scratch scratch;
    auto content = content_of("oscillator", version);
    std::string& xml = entry_of(content, "terminalsAndIcons.xml");
    xml = replaced(xml, "</Terminals>", "</Terminal>");
    write_archive(scratch / "bad.fmu", content);
    CHECK_THAT(refusal(scratch / "bad.fmu"),
               Catch::Contains("bad.fmu: terminalsAndIcons/terminalsAndIcons.xml:"));
    CHECK(foreign("gain", version).description().terminals.empty());
}

TEST_CASE("an archive without a description is not an FMU and one that is not there cannot be read") {
    const Scratch scratch;
    write_archive(scratch / "a.fmu", {{"folder/modelDescription.xml", "<x/>"}});
    CHECK_THAT(refusal(scratch / "a.fmu"), Catch::Contains("there is no modelDescription.xml at the top"));
    CHECK_FALSE(refusal(scratch / "b.fmu", InputFault::unreadable).empty());
    write_text_file(scratch / "c.fmu", "no archive");
    CHECK_FALSE(refusal(scratch / "c.fmu").empty());
}

TEST_CASE("opening an FMU leaves nothing on the disk") {
    const int version = GENERATE(2, 3);
    const Scratch scratch;
    const TemporaryDirectory temporary(scratch.folder());
    const Fmu fmu = foreign("misbehave-segfault", version);
    CHECK(scratch.files() == 0);
}
