#include "tools/files/nearby_file.hpp"

#include "tests/support/refusal.hpp"
#include "tools/files/errors.hpp"
#include "tools/files/plain_file.hpp"
#include "tools/files/temporary_folder.hpp"
#include "tools/files/text_file.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using Catch::Contains;
namespace fs = std::filesystem;

TEST_CASE("the file that was probably meant is found beside the wrong path") {
    const TemporaryFolder scratch;
    const fs::path root = scratch.path();
    fs::create_directories(root / "parts/inner");
    for (const char* name :
         {"crank.toml", "crank.csv", "boom.fmu", "parts/wheel.toml", "parts/inner/rim.obj"})
        write_text_file(root / name, "");
    const auto meant = [&](const char* path) {
        const auto found = nearby_file(root / path);
        return found ? found->lexically_relative(root).string() : "";
    };
    CHECK(meant("crnak.toml") == "crank.toml");
    CHECK(meant("Crank.toml") == "crank.toml");
    CHECK(meant("crank") == "crank.toml");
    CHECK(meant("crank.tml") == "crank.toml");
    CHECK(meant("crank.fmu") == "crank.toml");
    CHECK(meant("bom.fmu") == "boom.fmu");
    CHECK(meant("wheel.toml") == "parts/wheel.toml");
    CHECK(meant("parts/boom.fmu") == "boom.fmu");
    CHECK(meant("part/wheel.toml") == "parts/wheel.toml");
    CHECK(meant("parts/iner/rim.obj") == "parts/inner/rim.obj");
    CHECK(meant("nothing_like_it.toml") == "");
    CHECK(meant("nowhere/at/all.toml") == "");
    CHECK(meant("parts/") == "");
    for (const auto& read : {+[](const fs::path& path) { read_text_file(path, 100); },
                             +[](const fs::path& path) { PlainFile{path}; }})
        CHECK_THROWS_WITH(read(root / "crnak.toml"),
                          Contains("cannot be read (No such file or directory); did you mean '") &&
                              Contains("crank.toml'?"));
    CHECK_THROWS_WITH(read_text_file(root / "nothing_like_it.toml", 100), !Contains("did you mean"));
}

TEST_CASE("writing a file leaves a user's X.part alone") {
    const TemporaryFolder scratch;
    for (const char* name : {"x.csv.part", "x.part", "x.csv.part-0"})
        write_text_file(scratch.path() / name, "mine");
    write_text_file(scratch.path() / "x.csv", "new");
    write_text_file(scratch.path() / "x", "new");
    for (const char* name : {"x.csv.part", "x.part", "x.csv.part-0"})
        CHECK(read_text_file(scratch.path() / name, 100) == "mine");
    CHECK(std::distance(fs::directory_iterator(scratch.path()), fs::directory_iterator()) == 5);
}
