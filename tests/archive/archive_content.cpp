// The content of entries: counted and summed while it is unpacked, whatever the headers say.

#include "tools/archive/archive.hpp"
#include "tools/files/errors.hpp"

#include "tests/archive/zip_builder.hpp"
#include "tests/support/random.hpp"
#include "tests/support/refusal.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::tests;
using Catch::Contains;

namespace {

/// The message of read() and of unpack(), of an archive of a good entry and this one.
std::string refusal(const ZipEntry& bad) {
    const Scratch scratch;
    const Archive archive(written(scratch, ZipFile{{entry("a/good"), bad}}.bytes()));
    CHECK(archive.read("a/good") == "content");
    const std::string message = tests::refusal([&] { archive.read(bad.central.name); });
    std::filesystem::create_directory(scratch / "out");
    CHECK_THROWS_WITH(archive.unpack(scratch / "out"), Catch::Equals(message));
    return message;
}

/// Arbitrary bytes that do not pack well.
std::string noise(std::size_t size) {
    Random random(7);
    std::string bytes;
    while (bytes.size() < size)
        bytes += static_cast<char>(random.below(256));
    return bytes;
}

} // namespace

TEST_CASE("an entry that unpacks to more than its header says is stopped there") {
    const std::string bomb(3 << 20, '\0');
    CHECK_THAT(refusal(entry("x", bomb).with(&ZipFields::size, 1000)),
               Contains("entry 'x': it unpacks to more than the 1000 bytes of its header"));
    CHECK_THAT(refusal(entry("x", bomb).with(&ZipFields::size, 0)), Contains("more than the 0 bytes"));
}

TEST_CASE("an entry that unpacks to less than its header says is refused") {
    CHECK_THAT(refusal(entry("x").with(&ZipFields::size, 8)),
               Contains("entry 'x': it unpacks to 7 bytes, its header says 8"));
}

TEST_CASE("an entry with another checksum is refused") {
    CHECK_THAT(refusal(entry("x").with(&ZipFields::checksum, 0x12345678)),
               Contains("entry 'x': its content does not have the checksum of its header"));
    ZipEntry stored = entry("x", "content", 0);
    stored.data[3] ^= 1;
    CHECK_THAT(refusal(stored), Contains("checksum"));
}

TEST_CASE("packed data that are broken are refused") {
    ZipEntry garbage = entry("x");
    garbage.data[0] = '\xff'; // the third kind of block does not exist
    CHECK_THAT(refusal(garbage), Contains("entry 'x': its packed data are broken (Zlib error: data error)"));
    ZipEntry cut = entry("x", noise(200000));
    cut.data.resize(100000);
    CHECK_THAT(refusal(cut.with(&ZipFields::packed, cut.data.size())),
               Contains("entry 'x': its content does not have the checksum of its header"));
}

TEST_CASE("bytes behind the end of packed data are not part of the content") {
    ZipEntry longer = entry("x");
    longer.data += "tail";
    const Scratch scratch;
    const ZipFile file{{longer.with(&ZipFields::packed, longer.data.size())}};
    CHECK(Archive(written(scratch, file.bytes())).read("x") == "content");
}

TEST_CASE("content of every size comes back, stored and deflated") {
    const Scratch scratch;
    for (const std::size_t size : {0u, 1u, 65535u, 65536u, 65537u, 300000u})
        for (const std::uint64_t method : {0u, 8u}) {
            const std::string content = noise(size), zeros(size, '\0');
            const Archive archive(written(
                scratch, ZipFile{{entry("noise", content, method), entry("zeros", zeros, method)}}.bytes()));
            CHECK((archive.read("noise") == content));
            CHECK((archive.read("zeros") == zeros));
        }
}

TEST_CASE("a deflated entry of no bytes at all is empty") {
    ZipEntry empty = entry("x", "");
    empty.data.clear();
    const Scratch scratch;
    const Archive archive(written(scratch, ZipFile{{empty.with(&ZipFields::packed, 0)}}.bytes()));
    CHECK(archive.read("x").empty());
}

TEST_CASE("a name that is not in the archive is said to be missing") {
    const Scratch scratch;
    const Archive archive(written(scratch, ZipFile{{entry("a/b")}}.bytes()));
    CHECK(archive.has("a/b"));
    CHECK_FALSE(archive.has("a"));
    CHECK_FALSE(archive.has("A/b"));
    CHECK_THROWS_WITH(archive.read("a"), Contains("bad.fmu: there is no entry 'a' in the archive"));
}

TEST_CASE("an archive that is cut after it was opened cannot be read any more") {
    const Scratch scratch;
    const std::filesystem::path file = written(scratch, ZipFile{{entry("x", noise(100000))}}.bytes());
    const Archive archive(file);
    std::filesystem::resize_file(file, 50000);
    CHECK_THAT(tests::refusal([&] { archive.read("x"); }, InputFault::unreadable),
               Contains("it has become shorter"));
}
