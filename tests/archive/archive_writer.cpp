// Archives that we write: the same bytes from the same content, legal for FMI, and never half of one.

#include "tools/archive/archive.hpp"
#include "tools/files/errors.hpp"
#include "tools/files/text_file.hpp"

#include "tests/archive/zip_builder.hpp"
#include "tests/support/refusal.hpp"

#include <catch2/catch.hpp>

#include <stdlib.h>
#include <sys/resource.h>

#include <csignal>

using namespace tenon;
using namespace tenon::tests;
using Catch::Contains;

namespace fs = std::filesystem;

namespace {

std::string content(const fs::path& path) { return read_text_file(path, 1 << 26); }

/// SOURCE_DATE_EPOCH while it lives; unset for null.
class Epoch {
  public:
    explicit Epoch(const char* value) {
        if (const char* old = ::getenv("SOURCE_DATE_EPOCH"))
            old_ = old;
        set(value);
    }
    ~Epoch() { set(old_ ? old_->c_str() : nullptr); }
    Epoch(const Epoch&) = delete;
    Epoch& operator=(const Epoch&) = delete;

  private:
    static void set(const char* value) {
        if (value)
            ::setenv("SOURCE_DATE_EPOCH", value, 1);
        else
            ::unsetenv("SOURCE_DATE_EPOCH");
    }
    std::optional<std::string> old_;
};

const std::vector<ArchiveContent> contents = {{"modelDescription.xml", std::string(5000, 'x')},
                                              {"resources/", ""},
                                              {"resources/a b.txt", "short"},
                                              {"resources/größe", std::string(300, 'y')},
                                              {"empty", ""}};

/// Empty entries.
std::vector<ArchiveContent> numbered(std::size_t count) {
    std::vector<ArchiveContent> entries(count);
    for (std::size_t i = 0; i < count; ++i)
        entries[i].name = std::to_string(i);
    return entries;
}

std::uint64_t field(const std::string& bytes, std::size_t at, int size) {
    std::uint64_t value = 0;
    for (int i = size; i-- > 0;)
        value = value << 8 | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)]);
    return value;
}

/// DOS date and time of the first entry.
std::uint64_t time_with(const char* epoch) {
    const Epoch set(epoch);
    const Scratch scratch;
    write_archive(scratch / "t.fmu", {{"a", ""}});
    return field(content(scratch / "t.fmu"), 10, 4);
}

std::uint64_t dos(int year, int month, int day, int hour, int minute, int second) {
    return static_cast<std::uint64_t>((year - 1980) << 9 | month << 5 | day) << 16 |
           static_cast<std::uint64_t>(hour << 11 | minute << 5 | second / 2);
}

} // namespace

TEST_CASE("what was written to an archive is read from it") {
    const Scratch scratch;
    write_archive(scratch / "Größe 1.fmu", contents);
    CHECK(scratch.files() == 1);
    const Archive archive(scratch / "Größe 1.fmu");
    REQUIRE(archive.entries().size() == contents.size());
    for (std::size_t i = 0; i < contents.size(); ++i) {
        CHECK(archive.entries()[i].name == contents[i].name);
        CHECK(archive.read(contents[i].name) == contents[i].data);
    }
}

TEST_CASE("an archive has the version, method, flags and attributes that FMI allows") {
    const Epoch unset(nullptr);
    const Scratch scratch;
    write_archive(scratch / "a.fmu", contents);
    const std::string bytes = content(scratch / "a.fmu");
    struct Expected {
        std::uint64_t version, flags, method, attributes;
    };
    const std::vector<Expected> expected = {{20, 2, 8, 0100644u << 16}, // 2: packed as far as it goes
                                            {20, 0, 0, 040755u << 16 | 0x10},
                                            {20, 2, 8, 0100644u << 16},
                                            {20, 0x802, 8, 0100644u << 16},
                                            {10, 0, 0, 0100644u << 16}};
    std::size_t central = field(bytes, bytes.size() - 6, 4);
    for (std::size_t i = 0; i < contents.size(); ++i) {
        const std::size_t local = field(bytes, central + 42, 4);
        REQUIRE(field(bytes, central, 4) == 0x02014b50);
        REQUIRE(field(bytes, local, 4) == 0x04034b50);
        for (const std::size_t common : {central + 6, local + 4}) {
            CHECK(field(bytes, common, 2) == expected[i].version);
            CHECK(field(bytes, common + 2, 2) == expected[i].flags);
            CHECK(field(bytes, common + 4, 2) == expected[i].method);
            CHECK(field(bytes, common + 6, 4) == dos(1980, 1, 1, 0, 0, 0));
            CHECK(field(bytes, common + 10, 4) == checksum(contents[i].data));
            CHECK(field(bytes, common + 18, 4) == contents[i].data.size());
            CHECK(field(bytes, common + 24, 2) == 0); // extra fields
        }
        CHECK(field(bytes, central + 5, 1) == 3); // made by Unix
        CHECK(field(bytes, central + 38, 4) == expected[i].attributes);
        central += 46 + contents[i].name.size();
    }
    CHECK(central == bytes.size() - 22);
}

TEST_CASE("two archives of the same content have the same bytes wherever they are") {
    const Scratch scratch;
    write_archive(scratch / "a.fmu", contents);
    fs::create_directory(scratch / "other");
    write_archive(scratch / "other/b.fmu", contents);
    CHECK((content(scratch / "a.fmu") == content(scratch / "other/b.fmu")));
}

TEST_CASE("the time in an archive is SOURCE_DATE_EPOCH in UTC or the beginning of DOS time") {
    CHECK(time_with(nullptr) == dos(1980, 1, 1, 0, 0, 0));
    CHECK(time_with("1704164645") == dos(2024, 1, 2, 3, 4, 5)); // date -u -d @1704164645
    CHECK(time_with("0") == dos(1980, 1, 1, 0, 0, 0));
    CHECK(time_with("-5") == dos(1980, 1, 1, 0, 0, 0));
    CHECK(time_with("9999999999") == dos(2107, 12, 31, 23, 59, 58));
    CHECK_THROWS_WITH(time_with("yesterday"),
                      Contains("SOURCE_DATE_EPOCH is 'yesterday', not a number of seconds"));
    CHECK_THROWS_WITH(time_with(""), Contains("SOURCE_DATE_EPOCH is ''"));
    CHECK_THROWS_WITH(time_with("12 "), Contains("SOURCE_DATE_EPOCH is '12 '"));
}

TEST_CASE("an archive that could not be read is not written") {
    const Scratch scratch;
    const auto refusal = [&](const std::vector<ArchiveContent>& entries) {
        const std::string message =
            tests::refusal<OutputError>([&] { write_archive(scratch / "x.fmu", entries); });
        CHECK(scratch.files() == 0);
        return message;
    };
    CHECK_THAT(refusal({{"../x", ""}}),
               Contains("x.fmu: cannot be written (entry '../x': the name has '..')"));
    CHECK_THAT(refusal({{"a", ""}, {"A", ""}}), Contains("differs only in case"));
    CHECK_THAT(refusal({{"a/", "content"}}), Contains("it is a folder with 7 bytes"));
    CHECK_THAT(refusal(numbered(65535)), Contains("65535 entries, a zip archive has at most 65534"));
}

TEST_CASE("the largest number of entries is written and read") {
    const Scratch scratch;
    const std::vector<ArchiveContent> many = numbered(65534);
    write_archive(scratch / "many.fmu", many);
    ArchiveLimits limits;
    limits.entries = many.size();
    CHECK(Archive(scratch / "many.fmu", limits).entries().size() == many.size());
}

TEST_CASE("an archive that cannot be written leaves the older one and nothing else") {
    const Scratch scratch;
    write_archive(scratch / "x.fmu", {{"a", "old"}});
    const std::string old = content(scratch / "x.fmu");
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{}, low{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    low = before;
    low.rlim_cur = 50; // as a full disk
    ::setrlimit(RLIMIT_FSIZE, &low);
    const std::string message =
        tests::refusal<OutputError>([&] { write_archive(scratch / "x.fmu", contents); });
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    CHECK_THAT(message, Contains("x.fmu: cannot be written (File too large)"));
    CHECK(content(scratch / "x.fmu") == old);
    CHECK(scratch.files() == 1);
    CHECK_THROWS_WITH(write_archive(scratch / "no/x.fmu", contents),
                      Contains("no/x.fmu: cannot be written (No such"));
    CHECK_THROWS_WITH(write_archive(scratch.folder(), contents),
                      Contains("cannot be written (Is a directory)"));
}

TEST_CASE("writing through a symbolic link replaces what it points at") {
    const Scratch scratch;
    write_text_file(scratch / "real.fmu", "old");
    fs::create_symlink("real.fmu", scratch / "link.fmu");
    write_archive(scratch / "link.fmu", contents);
    CHECK(fs::is_symlink(scratch / "link.fmu"));
    CHECK(Archive(scratch / "real.fmu").entries().size() == contents.size());
    CHECK(scratch.files() == 2);
    write_archive("/dev/null", contents);
    CHECK(fs::is_character_file("/dev/null"));
}
