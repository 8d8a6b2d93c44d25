// Archives whose records contradict each other are refused: two tools would see two different archives.

#include "tools/archive/archive.hpp"
#include "tools/files/errors.hpp"

#include "tests/archive/zip_builder.hpp"
#include "tests/support/refusal.hpp"

#include <catch2/catch.hpp>

#include <sys/stat.h>

using namespace tenon;
using namespace tenon::tests;
using Catch::Contains;

namespace {

std::string refusal(const std::string& bytes) {
    const Scratch scratch;
    const std::filesystem::path file = written(scratch, bytes);
    const std::string message = tests::refusal([&] { const Archive archive(file); });
    CHECK(message.starts_with(file.string() + ": "));
    return message;
}

std::string refusal(const ZipEntry& bad) {
    return refusal(ZipFile{{entry("modelDescription.xml"), bad}}.bytes());
}

/// Two good entries.
ZipFile good() { return {{entry("modelDescription.xml"), entry("b")}}; }

/// good() after a change.
template <class Change> std::string changed(Change change) {
    ZipFile file = good();
    change(file);
    return refusal(file.bytes());
}

bool unreadable(const std::filesystem::path& file) {
    return tests::refusal([&] { const Archive archive(file); }, InputFault::unreadable)
        .starts_with(file.string() + ": cannot be read");
}

} // namespace

TEST_CASE("what is not a zip archive is said to be none") {
    CHECK_THAT(refusal(std::string()), Contains("the file is empty"));
    CHECK_THAT(refusal("hello"), Contains("not a zip archive"));
    CHECK_THAT(refusal(std::string(100000, 'P')), Contains("not a zip archive"));
    CHECK_THAT(refusal(std::string("PK\5\6")), Contains("bytes are missing or follow it"));
}

TEST_CASE("an archive that is not a plain file or not there cannot be read") {
    const Scratch scratch;
    CHECK(unreadable(scratch / "nowhere.fmu"));
    CHECK(unreadable(scratch.folder()));
    REQUIRE(::mkfifo((scratch / "pipe").c_str(), 0600) == 0);
    CHECK(unreadable(scratch / "pipe"));
    CHECK(unreadable("/dev/null"));
}

TEST_CASE("an archive that was cut anywhere is refused") {
    const std::string bytes = good().bytes();
    for (std::size_t length = 0; length < bytes.size(); ++length)
        CHECK_FALSE(refusal(bytes.substr(0, length)).empty());
}

TEST_CASE("an archive is refused for bytes that belong to no entry") {
    CHECK_THAT(refusal("#!/bin/sh\n" + good().bytes()), Contains("does not end at the end record"));
    CHECK_THAT(changed([](ZipFile& file) { file.entries[0].before = "#!/bin/sh\n"; }),
               Contains("10 bytes from byte 0 on, before an entry, belong to no entry"));
    CHECK_THAT(changed([](ZipFile& file) { file.entries[1].before = "xyz"; }),
               Contains("3 bytes") && Contains("before an entry"));
    CHECK_THAT(changed([](ZipFile& file) { file.before_directory = "xyz"; }),
               Contains("3 bytes") && Contains("before the central directory"));
    CHECK_THAT(changed([](ZipFile& file) { file.in_directory = "xyz"; }),
               Contains("3 bytes of the central directory follow its last entry"));
    CHECK_THAT(changed([](ZipFile& file) { file.after_directory = "xyz"; }),
               Contains("does not end at the end record"));
    CHECK_THAT(changed([](ZipFile& file) { file.after = "xyz"; }),
               Contains("bytes are missing or follow it"));
    // An entry that the central directory does not list.
    CHECK_THAT(changed([](ZipFile& file) { file.count = 1; }), Contains("follow its last entry"));
    CHECK_THAT(changed([](ZipFile& file) { file.count = 3; }),
               Contains("the central directory is broken at entry 3 of 3"));
}

TEST_CASE("an archive is refused for a second end record") {
    CHECK_THAT(changed([](ZipFile& file) { file.comment = ZipFile{}.bytes(); }), Contains("two end records"));
    CHECK_THAT(changed([](ZipFile& file) { file.comment = "PK\5\6"; }), Contains("two end records"));
}

TEST_CASE("an archive is refused for a directory with an end record in the data of an entry") {
    const ZipEntry right = entry("a.txt", "right"), wrong = entry("a.txt", "wrong");
    ZipFile inner{{wrong}};
    const Scratch scratch; // offsets of an archive in the archive count from its own start
    CHECK_NOTHROW(Archive(written(scratch, ZipFile{{right, entry("b.zip", inner.bytes(), 0)}}.bytes())));
    const std::uint64_t header = 30 + 5, start = header + right.data.size() + header;
    inner.entries[0].offset = start;
    inner.directory_offset = start + header + wrong.data.size();
    CHECK_THAT(refusal(ZipFile{{right, entry("b.zip", inner.bytes(), 0)}}.bytes()),
               Contains("two end records"));
}

TEST_CASE("an archive is refused that is split over several files") {
    const std::string split = "split over several files";
    CHECK_THAT(changed([](ZipFile& file) { file.disk = 1; }), Contains(split));
    CHECK_THAT(changed([](ZipFile& file) { file.directory_disk = 1; }), Contains(split));
    CHECK_THAT(changed([](ZipFile& file) { file.total = 3; }), Contains(split));
    CHECK_THAT(changed([](ZipFile& file) { file.entries[1].disk = 1; }),
               Contains("entry 'b': it is in another part of a split archive"));
}

TEST_CASE("an archive is refused for places outside of it") {
    CHECK_THAT(changed([](ZipFile& file) { file.directory_offset = 0xFFFFFFF0; }),
               Contains("does not end at"));
    CHECK_THAT(changed([](ZipFile& file) { file.directory_size = 0x00FFFFFF; }), Contains("does not end at"));
    CHECK_THAT(changed([](ZipFile& file) { file.directory_size = 0x7FFFFFFF; }),
               Contains("(limit 16777216)"));
    CHECK_THAT(changed([](ZipFile& file) { file.entries[1].offset = 0xFFFFFF00; }),
               Contains("entry 'b': there is no local header at byte 4294967040"));
    CHECK_THAT(changed([](ZipFile& file) { file.entries[1].offset = 1; }),
               Contains("entry 'b': there is no local header at byte 1"));
    CHECK_THAT(refusal(entry("b").with(&ZipFields::packed, 5000)),
               Contains("entry 'b': its 5000 packed bytes go beyond"));
    CHECK_THAT(changed([](ZipFile& file) { file.entries[1].local.name.resize(60000, 'x'); }),
               Contains("entry 'b': its local header calls it"));
}

TEST_CASE("an archive is refused for entries that share bytes") {
    // The first entry's data are said to be as long as the whole second entry and more.
    ZipFile overlap = good();
    const auto rest = overlap.entries[1].data.size() + 31;
    overlap.entries[0] = overlap.entries[0].with(&ZipFields::packed, overlap.entries[0].data.size() + rest);
    CHECK_THAT(refusal(overlap.bytes()),
               Contains("entry 'b': it begins at byte") && Contains("inside the entry"));
    // Two entries of the directory, one local header.
    ZipFile same = good();
    same.entries[1] = same.entries[0];
    same.entries[1].offset = 0;
    same.entries[1].central.name = "b";
    CHECK_THAT(refusal(same.bytes()),
               Contains("entry 'b': its local header calls it 'modelDescription.xml'"));
}

TEST_CASE("an archive is refused where local header and central directory differ") {
    const auto differing = [](auto ZipFields::*field, auto value) {
        ZipEntry bad = entry("b");
        bad.local.*field = value;
        return refusal(bad);
    };
    CHECK_THAT(differing(&ZipFields::name, "c"), Contains("entry 'b': its local header calls it 'c'"));
    CHECK_THAT(differing(&ZipFields::name, "../c"), Contains("entry 'b': its local header calls it '../c'"));
    CHECK_THAT(differing(&ZipFields::method, 0u),
               Contains("its local header has method 0, the central directory 8"));
    CHECK_THAT(differing(&ZipFields::flags, 1u),
               Contains("its local header has flags 1, the central directory 0"));
    CHECK_THAT(differing(&ZipFields::checksum, 7u), Contains("its local header has checksum 7,"));
    CHECK_THAT(differing(&ZipFields::packed, 7u), Contains("its local header has packed size 7,"));
    CHECK_THAT(differing(&ZipFields::size, 0u),
               Contains("its local header has size 0, the central directory 7"));
    CHECK_THAT(refusal(entry("b", "content", 0).with(&ZipFields::size, 9)),
               Contains("it is stored, but 9 bytes are 7 bytes in the archive"));
}

TEST_CASE("an archive is refused for a data descriptor that is missing or says something else") {
    const std::string missing = "entry 'b': the data descriptor behind it is missing or differs";
    ZipEntry bad = entry("b").streamed();
    bad.after.clear();
    CHECK_THAT(refusal(bad), Contains(missing));
    for (const std::size_t place : {4u, 8u, 12u}) {
        bad = entry("b").streamed();
        bad.after[place] ^= 1;
        CHECK_THAT(refusal(bad), Contains(missing));
    }
    bad = entry("b").streamed();
    bad.local.size = 8;
    CHECK_THAT(refusal(bad), Contains("its local header has size 8, the central directory 7"));
}

TEST_CASE("an archive is refused for extra fields that are broken or bring a second name") {
    ZipEntry bad = entry("b");
    bad.central.extra = number(0x5455, 2) + number(9, 2) + "12345";
    CHECK_THAT(refusal(bad), Contains("entry 'b': extra field 0x5455 has 9 bytes, room is for 5"));
    bad = entry("b");
    bad.local.extra =
        number(0x7075, 2) + number(5 + 7, 2) + number(1, 1) + number(checksum("b"), 4) + "../evil";
    CHECK_THAT(refusal(bad), Contains("entry 'b': an extra field calls it '../evil'"));
    bad.central.extra = bad.local.extra;
    CHECK_THAT(refusal(bad), Contains("entry 'b': an extra field calls it '../evil'"));
}

TEST_CASE("an archive is refused for headers of more than 16 MB") {
    ZipFile file;
    for (int i = 0; i < 280; ++i) {
        file.entries.push_back(entry(std::to_string(i), "", 0));
        file.entries.back().local.extra = number(0x5455, 2) + number(60000, 2) + std::string(60000, 'x');
    }
    CHECK_THAT(refusal(file.bytes()), Contains("the headers have more than 16777216 bytes (limit)"));
}

TEST_CASE("an archive is refused for zip64 records that contradict the others") {
    const auto with_end = [](std::uint64_t entries, std::uint64_t more_size, std::uint64_t more_offset) {
        ZipFile file = good();
        const std::uint64_t size = 2 * 46 + 20 + 1, offset = file.bytes().size() - 22 - size;
        file.after_directory = zip64_end(entries, size + more_size, offset + more_offset);
        return file;
    };
    const Scratch scratch;
    CHECK(Archive(written(scratch, with_end(2, 0, 0).bytes())).entries().size() == 2);
    ZipFile elsewhere = with_end(2, 0, 0);
    elsewhere.count = elsewhere.total = 0xFFFF;
    elsewhere.directory_size = elsewhere.directory_offset = 0xFFFFFFFF;
    CHECK(Archive(written(scratch, elsewhere.bytes())).entries().size() == 2);

    CHECK_THAT(refusal(with_end(1, 0, 0).bytes()),
               Contains("the end record and the zip64 end record disagree"));
    CHECK_THAT(refusal(with_end(2, 1, 0).bytes()), Contains("is not where its locator says"));
    CHECK_THAT(refusal(with_end(2, 0, ~0ull >> 1).bytes()), Contains("is not where its locator says"));
    ZipFile split = with_end(2, 0, 0);
    split.after_directory[split.after_directory.size() - 4] = 2; // files
    CHECK_THAT(refusal(split.bytes()), Contains("split over several files"));
    elsewhere.after_directory.clear();
    CHECK_THAT(refusal(elsewhere.bytes()), Contains("central directory has 4294967295 bytes"));
    elsewhere = with_end(1ull << 40, 0, 0);
    elsewhere.count = elsewhere.total = 0xFFFF;
    CHECK_THAT(refusal(elsewhere.bytes()), Contains("the archive has 1099511627776 entries (limit 20000)"));

    ZipEntry large = entry("b");
    large.central.size = 0xFFFFFFFF;
    large.central.extra = number(1, 2) + number(8, 2) + number(1ull << 40, 8);
    CHECK_THAT(refusal(large), Contains("entry 'b': it has 1099511627776 bytes (limit 1073741824)"));
}
