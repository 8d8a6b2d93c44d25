// Archives of other tools are read, also those that FMI calls illegal but that do no harm; what is illegal can be seen.

#include "tools/archive/archive.hpp"
#include "tools/files/errors.hpp"

#include "tests/archive/zip_builder.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::tests;

namespace {

std::string from_hex(const std::string& hex) {
    std::string bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2)
        bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    return bytes;
}

/// Python 3.11, zipfile.ZipFile(BytesIO()).writestr of a deflated file, a folder and a stored file.
const std::string python =
    "504b03041400000008008318225839f1d0391c0000005c000000140000006d6f64656c4465736372697074696f6e2e786d6c"
    "b349cbcdf4cd4f49cd71492d4e2eca2c28c9cccfd3b7e3b2a1863000504b0304140000000000831822580000000000000000"
    "000000000a0000007265736f75726365732f504b03041400000800008318225815ec8a080500000005000000150000007265"
    "736f75726365732f6772c3b6c39f652e7478743132206d0a504b010214031400000008008318225839f1d0391c0000005c00"
    "0000140000000000000000000000a481000000006d6f64656c4465736372697074696f6e2e786d6c504b0102140314000000"
    "0000831822580000000000000000000000000a0000000000000000001000ed414e0000007265736f75726365732f504b0102"
    "14031400000800008318225815ec8a080500000005000000150000000000000000000000a481760000007265736f75726365"
    "732f6772c3b6c39f652e747874504b05060000000003000300bd000000ae0000000000";

/// The same to a stream that cannot seek: descriptors behind the data, also of stored entries.
const std::string python_streamed =
    "504b030414000800080083182258000000000000000000000000140000006d6f64656c4465736372697074696f6e2e786d6c"
    "b349cbcdf4cd4f49cd71492d4e2eca2c28c9cccfd3b7e3b2a1863000504b070839f1d0391c0000005c000000504b03041400"
    "08000000831822580000000000000000000000000a0000007265736f75726365732f504b0708000000000000000000000000"
    "504b030414000808000083182258000000000000000000000000150000007265736f75726365732f6772c3b6c39f652e7478"
    "743132206d0a504b070815ec8a080500000005000000504b010214031400080008008318225839f1d0391c0000005c000000"
    "140000000000000000000000a481000000006d6f64656c4465736372697074696f6e2e786d6c504b01021403140008000000"
    "831822580000000000000000000000000a0000000000000000001000ed415e0000007265736f75726365732f504b01021403"
    "1400080800008318225815ec8a080500000005000000150000000000000000000000a481960000007265736f75726365732f"
    "6772c3b6c39f652e747874504b05060000000003000300bd000000de0000000000";

/// One entry with force_zip64 to such a stream: version 45, sizes in a zip64 field, a descriptor of 24 bytes.
const std::string python_zip64 =
    "504b03042d00080008008318225800000000ffffffffffffffff05001400612e747874010010000000000000000000000000"
    "0000000000b349cbcdf4cd4f49cd71492d4e2eca2c28c9cccfd3b7e3b2a1863000504b070839f1d0391c000000000000005c"
    "00000000000000504b01022d032d00080008008318225839f1d0391c0000005c000000050000000000000000000000a48100"
    "000000612e747874504b05060000000001000100330000006b0000000000";

const std::string description = "<fmiModelDescription/>\n<fmiModelDescription/>\n<fmiModelDescription/>\n"
                                "<fmiModelDescription/>\n";

} // namespace

TEST_CASE("archives of Python's zipfile are read") {
    const Scratch scratch;
    for (const std::string& hex : {python, python_streamed}) {
        const Archive archive(written(scratch, from_hex(hex), "python.fmu"));
        REQUIRE(archive.entries().size() == 3);
        CHECK(archive.file() == scratch / "python.fmu");
        CHECK(archive.entries()[0].name == "modelDescription.xml");
        CHECK(archive.entries()[0].method == 8);
        CHECK(archive.entries()[0].size == 92);
        CHECK(archive.entries()[0].packed == 28);
        CHECK(archive.entries()[0].version_needed == 20);
        CHECK(archive.entries()[2].method == 0);
        CHECK((archive.entries()[2].flags & 0x800) != 0);
        CHECK(archive.has("resources/"));
        CHECK(archive.read("modelDescription.xml") == description);
        CHECK(archive.read("resources/größe.txt") == "12 m\n");
        CHECK(((archive.entries()[2].flags & 8) != 0) == (hex == python_streamed));
    }
}

TEST_CASE("an archive of version 45 with zip64 fields is read and says so") {
    const Scratch scratch;
    const Archive archive(written(scratch, from_hex(python_zip64)));
    REQUIRE(archive.entries().size() == 1);
    CHECK(archive.entries()[0].version_needed == 45);
    CHECK(archive.entries()[0].flags == 8);
    CHECK(archive.read("a.txt") == description);
}

TEST_CASE("every form of data descriptor is read") {
    const Scratch scratch;
    for (const int size : {4, 8})
        for (const bool marked : {true, false})
            for (const std::string content : {"content", ""}) {
                const ZipFile file{{entry("a", content).streamed(size, marked), entry("b"),
                                    entry("c", content).streamed(size, marked)}};
                const Archive archive(written(scratch, file.bytes()));
                CHECK(archive.read("a") == content);
                CHECK(archive.read("b") == "content");
                CHECK(archive.read("c") == content);
            }
}

TEST_CASE("what other tools write besides is no hindrance") {
    ZipEntry time =
        entry("time"); // extra fields of Info-ZIP differ between the headers; the last 3 bytes are padding
    time.local.extra = number(0x5455, 2) + number(9, 2) + number(3, 1) + number(1, 8);
    time.central.extra =
        number(0x5455, 2) + number(5, 2) + number(3, 1) + number(1, 4) + std::string(3, '\0');
    ZipEntry renamed = entry("name");
    renamed.local.extra =
        number(0x7075, 2) + number(9, 2) + number(1, 1) + number(checksum("name"), 4) + "name";
    ZipEntry version = entry("version").with(&ZipFields::version, 63);
    version.local.version = 20;
    ZipEntry hint = entry("hint"); // how hard the packer has tried
    hint.local.flags = 2;
    const ZipFile file{{time, renamed, version, hint, entry("dos").with_attributes(0x20),
                        entry("folder/", "").with_attributes(0x10)}, // Java deflates folders
                       "",
                       "",
                       "",
                       "a comment",
                       ""};
    const Scratch scratch;
    const Archive archive(written(scratch, file.bytes()));
    CHECK(archive.entries().size() == 6);
    for (const char* name : {"time", "name", "version", "hint", "dos"})
        CHECK(archive.read(name) == "content");
    CHECK(archive.entries()[2].version_needed == 63);
}

TEST_CASE("entries may lie in another order than the directory lists them") {
    ZipFile file{{entry("b", "second"), entry("a", "first", 0)}};
    const std::uint64_t second = 30 + 1 + file.entries[0].data.size();
    std::swap(file.entries[0].central, file.entries[1].central);
    file.entries[0].offset = second;
    file.entries[1].offset = 0;
    const Scratch scratch;
    const Archive archive(written(scratch, file.bytes()));
    CHECK(archive.read("a") == "first");
    CHECK(archive.read("b") == "second");
}

TEST_CASE("an archive of nothing is an archive") {
    const Scratch scratch;
    CHECK(Archive(written(scratch, ZipFile{}.bytes())).entries().empty());
}

namespace {

std::vector<std::string> rules_of(const Archive& archive) {
    std::vector<std::string> rules;
    for (const Finding& finding : archive.deviations().all())
        rules.push_back(finding.rule + " " + finding.place);
    return rules;
}

} // namespace

TEST_CASE("names that begin with './' are read as those without, and noted") {
    const Scratch scratch;
    const Archive archive(written(scratch, ZipFile{{folder("./"), entry("./modelDescription.xml", "<a/>"),
                                                    entry("././resources/x", "1"), entry("y")}}
                                               .bytes()));
    CHECK(archive.read("modelDescription.xml") == "<a/>");
    CHECK(archive.read("resources/x") == "1");
    CHECK_FALSE(archive.has("./modelDescription.xml"));
    CHECK(archive.entries().size() == 3);
    CHECK(rules_of(archive) == std::vector<std::string>{"archive-name ./",
                                                        "archive-name ./modelDescription.xml",
                                                        "archive-name ././resources/x"});
    std::filesystem::create_directory(scratch / "out");
    archive.unpack(scratch / "out");
    CHECK(std::filesystem::exists(scratch / "out" / "resources" / "x"));
}

TEST_CASE("an entry that is there twice with the same bytes is taken once, and noted") {
    const Scratch scratch;
    const Archive archive(written(scratch, ZipFile{{folder("a/"), entry("a/x", "one"), folder("a/"),
                                                    entry("a/x", "one", 0), entry("./a/x", "one")}}
                                               .bytes()));
    CHECK(archive.entries().size() == 2);
    CHECK(archive.read("a/x") == "one");
    CHECK(rules_of(archive) == std::vector<std::string>{"archive-duplicate a/", "archive-duplicate a/x",
                                                        "archive-name ./a/x", "archive-duplicate ./a/x"});
    std::filesystem::create_directory(scratch / "out");
    archive.unpack(scratch / "out");
    CHECK(std::filesystem::exists(scratch / "out" / "a" / "x"));
}

TEST_CASE("names that end in a dot are taken, and noted") {
    const Scratch scratch;
    const Archive archive(
        written(scratch, ZipFile{{entry("resources./notes.", "1"), entry("..a", "2")}}.bytes()));
    CHECK(archive.read("resources./notes.") == "1");
    CHECK(rules_of(archive) == std::vector<std::string>{"archive-name-dot resources./notes."});
}

TEST_CASE("zip64 where sizes are small and descriptors of stored entries are noted") {
    const Scratch scratch;
    CHECK(rules_of(Archive(written(scratch, from_hex(python_zip64)))) ==
          std::vector<std::string>{"archive-version a.txt"});
    CHECK(rules_of(Archive(written(scratch, from_hex(python_streamed)))).size() == 2);
    CHECK(rules_of(Archive(written(scratch, from_hex(python)))).empty());
}
