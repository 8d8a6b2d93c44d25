// Archives that would do harm are refused when they are opened: in one line that names the file, the entry and the rule.

#include "tools/archive/archive.hpp"
#include "tools/archive/archive_checks.hpp"
#include "tools/files/errors.hpp"

#include "tests/archive/zip_builder.hpp"
#include "tests/support/refusal.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::tests;
using Catch::Contains;

namespace {

/// The message about an archive with these bytes; fails where it is opened.
std::string refusal(const std::string& bytes, const ArchiveLimits& limits = {}) {
    const Scratch scratch;
    const std::filesystem::path file = written(scratch, bytes);
    const std::string message = tests::refusal([&] { const Archive archive(file, limits); });
    REQUIRE(message.starts_with(file.string() + ": "));
    CHECK(scratch.files() == 1);
    return message.substr(file.string().size() + 2);
}

/// Of a good entry and then this one.
std::string refusal(const ZipEntry& bad, const ArchiveLimits& limits = {}) {
    return refusal(ZipFile{{entry("modelDescription.xml"), bad}}.bytes(), limits);
}

struct BadName {
    std::string name, shown, rule;
};

} // namespace

TEST_CASE("an archive is refused for a name that is dangerous on any system") {
    using namespace std::string_literals;
    const BadName bad = GENERATE(values<BadName>({
        {"../evil", "../evil", "the name has '..'"},
        {"resources/../../evil", "resources/../../evil", "the name has '..'"},
        {"resources/..", "resources/..", "the name has '..'"},
        {"../", "../", "the name has '..'"},
        {"./../evil", "./../evil", "the name has '..'"},
        {".//etc/passwd", ".//etc/passwd", "the name is absolute"},
        {"./c:x", "./c:x", "the name has a colon"},
        {"resources/./x", "resources/./x", "the name has './'"},
        {"/etc/passwd", "/etc/passwd", "the name is absolute"},
        {"//server/share/x", "//server/share/x", "the name is absolute"},
        {"resources//x", "resources//x", "the name has '//'"},
        {"C:/windows/x", "C:/windows/x", "the name has a colon"},
        {"c:x", "c:x", "the name has a colon"},
        {"resources/x.txt:stream", "resources/x.txt:stream", "the name has a colon"},
        {"\\\\server\\share\\x", "\\\\server\\share\\x", "the name has a backslash"},
        {"resources\\x", "resources\\x", "the name has a backslash"},
        {"..\\evil", "..\\evil", "the name has a backslash"},
        {"a\0.txt"s, "a\\x00.txt", "the name has a NUL"},
        {"a\n.txt", "a\\x0a.txt", "the name has a control character"},
        {"\x1b[2J", "\\x1b[2J", "the name has a control character"},
        {"a\x7f", "a\\x7f", "the name has a control character"},
        {"a\xc2\x9b", "a\xc2\x9b", "the name has a control character"},
        {"a\xff.txt", "a\\xff.txt", "the name is not UTF-8"},
        {"\xc0\xae\xc0\xae/x", "\\xc0\\xae\\xc0\\xae/x", "the name is not UTF-8"},
        {"resources/..../x", "resources/..../x", "ends in a dot or a space"},
        {"x ", "x ", "ends in a dot or a space"},
        {"...", "...", "ends in a dot or a space"},
        {"CON", "CON", "'CON' is reserved on Windows"},
        {"resources/nul.txt", "resources/nul.txt", "'nul.txt' is reserved on Windows"},
        {"aux/x", "aux/x", "'aux' is reserved on Windows"},
        {"Com1 .c", "Com1 .c", "'Com1 .c' is reserved on Windows"},
        {"lpt¹", "lpt¹", "'lpt¹' is reserved on Windows"},
        {"", "", "the name is empty"},
        {"/", "/", "the name is absolute"},
        {std::string(256, 'a'), std::string(200, 'a') + "...", "256 bytes (limit 255)"},
    }));
    const std::string message = refusal(entry(bad.name));
    CHECK_THAT(message, Contains("entry '" + bad.shown + "': ") && Contains(bad.rule));
}

TEST_CASE("names that only look dangerous are taken") {
    for (const char* name : {"..a", "a..b", ".hidden", "resources/...x", "console.c", "com10.c", "comma",
                             "a b/c d", "lpt", "nulls", "größe/übung.txt", "日本語.txt", "a'b\"c%d$e;f"})
        CHECK(name_fault(name).empty());
}

TEST_CASE("an archive is refused for anything but files and folders") {
    const std::string link = "it is a symbolic link", device = "it is a device, a pipe or a socket";
    CHECK_THAT(refusal(entry("x", "/etc/passwd", 0).with_attributes(0120777u << 16)),
               Contains("entry 'x'") && Contains(link));
    CHECK_THAT(refusal(entry("x/", "", 0).with_attributes(0120777u << 16)), Contains(link));
    for (const unsigned kind :
         {010644u, 020644u, 060644u, 0140644u}) // pipe, character and block device, socket
        CHECK_THAT(refusal(entry("x").with_attributes(kind << 16)),
                   Contains("entry 'x'") && Contains(device));
    CHECK_THAT(refusal(entry("x").with_attributes(040755u << 16)),
               Contains("disagree whether it is a folder"));
    CHECK_THAT(refusal(entry("x").with_attributes(0x10)), Contains("disagree whether it is a folder"));
    CHECK_THAT(refusal(entry("x/", "", 0)), Contains("disagree whether it is a folder"));
    CHECK_THAT(refusal(entry("x/", "content").with_attributes(040755u << 16)),
               Contains("it is a folder with 7 bytes of content"));
}

TEST_CASE("an archive is refused for encryption and foreign compression") {
    const auto flags = &ZipFields::flags, method = &ZipFields::method;
    for (const unsigned bit : {0u, 6u, 13u})
        CHECK_THAT(refusal(entry("x").with(flags, 1u << bit)), Contains("entry 'x': it is encrypted"));
    CHECK_THAT(refusal(entry("x").with(flags, 1u << 5)), Contains("it is a patch"));
    for (const unsigned foreign : {1u, 6u, 9u, 12u, 14u, 93u, 95u, 99u})
        CHECK_THAT(refusal(entry("x").with(method, foreign)),
                   Contains("entry 'x': compression method " + std::to_string(foreign)));
}

TEST_CASE("an archive is refused for two names that are one") {
    const auto two = [](const std::string& a, const std::string& b) {
        const auto made = [](const std::string& name) {
            return name.back() == '/' ? folder(name) : entry(name);
        };
        return refusal(ZipFile{{made(a), entry("m.xml"), made(b)}}.bytes());
    };
    CHECK_THAT(refusal(ZipFile{{entry("a/x", "one"), entry("a/x", "two")}}.bytes()),
               Contains("entry 'a/x': the name is there twice; see 'a/x'"));
    CHECK_THAT(refusal(ZipFile{{entry("a/x", "one"), entry("./a/x", "two")}}.bytes()), Contains("twice"));
    const std::string form = "differs only in case or in dots at an end from";
    CHECK_THAT(two("a", "a."), Contains(form));
    CHECK_THAT(two("a./b", "a/b"), Contains(form));
    CHECK_THAT(two("Model.xml", "model.xml"),
               Contains(form) && Contains("'Model.xml'") && Contains("'model.xml'"));
    CHECK_THAT(two("Resources/a", "resources/b"), Contains(form));
    const std::string both = "a file is also a folder";
    CHECK_THAT(two("a", "a/b"), Contains(both) && Contains("'a'") && Contains("'a/b'"));
    CHECK_THAT(two("a", "a/"), Contains(both));
    CHECK_THAT(two("a", "A/b"), Contains(both));
    CHECK_THAT(two("a/b/c", "a/b"), Contains(both));
}

TEST_CASE("names that differ in more than case stay apart") {
    CHECK_FALSE(find_clash(
        {"a", "ä", "á", "a.b", "a b", "ab/", "ab/c", "ab/d/", "ab/d/e", "abc", "ss", "ß", "o", "ø"}));
    CHECK(find_clash({"a", "a b", "a.b", "a/b"}));
    CHECK(find_clash({"x/a b", "X/c", "x/d"}));
}

TEST_CASE("an archive is refused above each limit and taken at it") {
    CHECK_THAT(refusal(entry("x").with(&ZipFields::size, (1u << 30) + 1)),
               Contains("entry 'x': it has 1073741825 bytes (limit 1073741824)"));
    const std::string content(100, 'x');
    ArchiveLimits limits;
    limits.total = 107;
    limits.entry = 100;
    limits.entries = 2;
    limits.depth = 3;
    const ZipFile good{{entry("a/b/c/d", content, 0), entry("e")}};
    const Scratch scratch;
    CHECK(Archive(written(scratch, good.bytes()), limits).entries().size() == 2);
    const auto with = [&](auto ArchiveLimits::*limit, auto value) {
        ArchiveLimits changed = limits;
        changed.*limit = value;
        return refusal(good.bytes(), changed);
    };
    CHECK_THAT(with(&ArchiveLimits::total, 106u),
               Contains("entry 'e'") && Contains("more than 106 bytes (limit)"));
    CHECK_THAT(with(&ArchiveLimits::entry, 99u), Contains("entry 'a/b/c/d': it has 100 bytes (limit 99)"));
    CHECK_THAT(with(&ArchiveLimits::entries, 1u), Contains("the archive has 2 entries (limit 1)"));
    CHECK_THAT(with(&ArchiveLimits::depth, 2u), Contains("entry 'a/b/c/d': it is 3 folders deep (limit 2)"));
}

TEST_CASE("an archive is refused for an entry of 200 times its packed size if it is large") {
    const ZipEntry packed = entry("x", std::string(6000, 'a'), 0).with(&ZipFields::method, 8);
    const Scratch scratch;
    const ZipFile taken{
        {packed.with(&ZipFields::size, 200 * 6000), entry("small", std::string(1 << 20, 'a'))}};
    CHECK(Archive(written(scratch, taken.bytes())).entries().size() == 2);
    CHECK_THAT(refusal(packed.with(&ZipFields::size, 200 * 6000 + 1)),
               Contains("entry 'x': 6000 bytes unpack to 1200001, more than 200 times as many (limit)"));
    CHECK_THAT(refusal(entry("x", std::string((1 << 20) + 1, 'a'))),
               Contains("more than 200 times as many (limit)"));
    CHECK_THAT(refusal(entry("x", "", 8).with(&ZipFields::size, 1 << 21).with(&ZipFields::packed, 0)),
               Contains("0 bytes unpack to 2097152"));
}

TEST_CASE("an archive is refused for two entries of one name and checksum with different bytes") {
    // CRC-32 of both is 0x4ddb0c25, found by search: "plumless" and "buckeroo".
    REQUIRE(checksum("plumless") == checksum("buckeroo"));
    CHECK_THAT(refusal(ZipFile{{entry("a/x", "plumless"), entry("a/x", "buckeroo")}}.bytes()),
               Contains("entry 'a/x': the name is there twice, with different content"));
}
