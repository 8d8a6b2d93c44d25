// Unpacking: where files may appear, and with which modes.

#include "tools/archive/archive.hpp"
#include "tools/files/errors.hpp"
#include "tools/files/temporary_folder.hpp"
#include "tools/files/text_file.hpp"

#include "tests/archive/zip_builder.hpp"

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <sys/stat.h>

using namespace tenon;
using namespace tenon::tests;
using Catch::Contains;

namespace fs = std::filesystem;

namespace {

unsigned mode_of(const fs::path& path) {
    struct stat status {};
    REQUIRE(::lstat(path.c_str(), &status) == 0);
    return status.st_mode & 07777;
}

std::string content(const fs::path& path) { return read_text_file(path, 1 << 20); }

/// Everything below a folder, with `/` behind folders.
std::vector<std::string> listing(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& found : fs::recursive_directory_iterator(folder))
        names.push_back(fs::relative(found.path(), folder).string() + (found.is_directory() ? "/" : ""));
    std::sort(names.begin(), names.end());
    return names;
}

const ZipFile fmu{{entry("modelDescription.xml", "<xml/>"), folder("empty/"),
                   entry("binaries/x86_64-linux/m.so", "\177ELF", 0).with_attributes(0106777u << 16),
                   entry("resources/a b/größe.txt", "12")}};

} // namespace

TEST_CASE("an archive is unpacked with modes of our own") {
    const Scratch scratch;
    const Archive archive(written(scratch, fmu.bytes()));
    fs::create_directory(scratch / "Ordner für alles");
    const fs::path out = scratch / "Ordner für alles";
    archive.unpack(out);
    CHECK(listing(out) == std::vector<std::string>{"binaries/", "binaries/x86_64-linux/",
                                                   "binaries/x86_64-linux/m.so", "empty/",
                                                   "modelDescription.xml", "resources/", "resources/a b/",
                                                   "resources/a b/größe.txt"});
    CHECK(content(out / "resources/a b/größe.txt") == "12");
    CHECK(mode_of(out / "modelDescription.xml") == 0600);
    CHECK(mode_of(out / "binaries/x86_64-linux/m.so") == 0500);
    CHECK(mode_of(out / "binaries") == 0700);
    CHECK(mode_of(out / "empty") == 0700);
}

TEST_CASE("only what is below a folder of the archive is unpacked where one is named") {
    const Scratch scratch;
    ZipFile file = fmu;
    file.entries.push_back(entry("resources2/x"));
    const Archive archive(written(scratch, file.bytes()));
    for (const char* prefix : {"resources", "resources/"}) {
        const TemporaryFolder out;
        archive.unpack(out.path(), prefix);
        CHECK(listing(out.path()) ==
              std::vector<std::string>{"resources/", "resources/a b/", "resources/a b/größe.txt"});
    }
}

TEST_CASE("unpacking overwrites nothing") {
    const Scratch scratch;
    const Archive archive(written(scratch, fmu.bytes()));
    const TemporaryFolder out;
    fs::create_directories(out.path() / "resources/a b");
    write_text_file(out.path() / "resources/a b/größe.txt", "precious");
    CHECK_THROWS_WITH(archive.unpack(out.path()), Contains("größe.txt: cannot be written (File exists)"));
    CHECK(content(out.path() / "resources/a b/größe.txt") == "precious");
}

TEST_CASE("unpacking follows no symbolic link") {
    const Scratch scratch;
    const Archive archive(written(scratch, fmu.bytes()));
    const TemporaryFolder elsewhere;
    const std::string linked = GENERATE("resources", "resources/a b", "resources/a b/größe.txt", "empty");
    const fs::path target = elsewhere.path() / (fs::path(linked).has_extension() ? "file" : "");
    const TemporaryFolder out;
    fs::create_directories((out.path() / linked).parent_path());
    fs::create_symlink(target, out.path() / linked);
    CHECK_THROWS_AS(archive.unpack(out.path()), OutputError);
    CHECK(fs::is_empty(elsewhere.path()));
}

TEST_CASE("unpacking refuses a file where a folder should be and a folder that is not there") {
    const Scratch scratch;
    const Archive archive(written(scratch, fmu.bytes()));
    const TemporaryFolder out;
    write_text_file(out.path() / "resources", "a file");
    CHECK_THROWS_WITH(archive.unpack(out.path()), Contains("größe.txt: cannot be written (Not a directory)"));
    CHECK_THROWS_WITH(archive.unpack(out.path() / "nowhere"), Contains("cannot be written (No such file"));
}

TEST_CASE("a temporary folder is private and goes with its object") {
    fs::path path, other_path;
    {
        TemporaryFolder folder;
        path = folder.path();
        CHECK(mode_of(path) == 0700);
        write_text_file(path / "x", "x");
        fs::permissions(path / "x", fs::perms::owner_read);
        TemporaryFolder moved = std::move(folder);
        CHECK(moved.path() == path);
        TemporaryFolder other;
        other_path = other.path();
        CHECK(other_path != path);
        other = std::move(moved);
        CHECK_FALSE(fs::exists(other_path));
        CHECK(fs::exists(path / "x"));
    }
    CHECK_FALSE(fs::exists(path));
}
