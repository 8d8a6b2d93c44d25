// Loading the library of an FMU: why it cannot be loaded, what is unpacked, and that nothing stays.

#include "tools/files/text_file.hpp"
#include "tools/import/fmu.hpp"

#include "tests/import/slave_support.hpp"

using namespace tenon;
using namespace tenon::fmi;
using Catch::Contains;
using Catch::StartsWith;

namespace {

/// The LoadError of `gain` after a change of its archive.
template <class Change> std::string error_after(int version, Change&& change) {
    const Scratch scratch;
    auto content = content_of("gain", version);
    change(content);
    write_archive(scratch / "gain.fmu", content);
    return load_error(Fmu(scratch / "gain.fmu"));
}

std::string error_of_library(int version, const std::function<void(std::string&)>& change) {
    return error_after(version, [&](auto& content) { change(entry_of(content, ".so")); });
}

/// Moves the library elsewhere.
std::string error_of_place(int version, const std::string& place) {
    return error_after(version, [&](auto& content) {
        for (ArchiveContent& entry : content)
            if (entry.name.ends_with(".so"))
                entry.name = place;
    });
}

std::vector<std::string> folders_in(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        names.push_back(entry.path().lexically_relative(folder).string());
    std::ranges::sort(names);
    return names;
}

bool is_mapped(const std::filesystem::path& folder) {
    return read_text_file("/proc/self/maps", 1 << 26).find(folder.string()) != std::string::npos;
}

} // namespace

TEST_CASE("a missing library is reported with the platforms that the FMU is for") {
    const int version = GENERATE(2, 3);
    CHECK_THAT(error_of_place(version, "binaries/win64/gain.dll"),
               Contains("gain.fmu: there is no library for this machine (binaries/") &&
                   Contains("is for win64") && Contains("export it for"));
    CHECK_THAT(error_of_place(version, "sources/gain.c"),
               Contains("is for sources") && Contains("fmpy compile"));
    CHECK_THAT(error_of_place(version, "documentation/index.html"), Contains("nor any other, nor sources"));
    const std::string folder = foreign("gain", version).binary();
    CHECK_THAT(error_of_place(version, folder.substr(0, folder.rfind('/')) + "/libgain.so"),
               Contains("libgain.so") && Contains("modelIdentifier"));
}

TEST_CASE("a library of another machine is refused before it is loaded") {
    const int version = GENERATE(2, 3);
    constexpr std::size_t machine = 18; // e_machine in the header of an ELF file
    CHECK_THAT(error_of_library(version, [](std::string& bytes) { bytes[machine] = static_cast<char>(243); }),
               Contains("gain.so is for machine 243 (64 bits); this machine is"));
    CHECK_THAT(error_of_library(version, [](std::string& bytes) { bytes = "MZ, this is a DLL"; }),
               Contains("gain.so is not a shared library"));
    CHECK_THAT(error_of_library(version, [](std::string& bytes) { bytes.resize(100); }),
               Contains("gain.so is not a shared library"));
}

TEST_CASE("a library that lacks a function is refused with the function's name") {
    const int version = GENERATE(2, 3);
    const std::string error = load_error(foreign("broken-symbol", version));
    CHECK_THAT(error, StartsWith(foreign_file("broken-symbol", version).string() + ": binaries/"));
    CHECK_THAT(error, Contains("does not export fmi" + std::to_string(version) +
                               "DoStep (1 of its functions missing)"));
}

TEST_CASE("a library that needs another one is refused with the other one's name") {
    const int version = GENERATE(2, 3);
    const Scratch scratch;
    const TemporaryDirectory temporary(scratch.folder());
    CHECK_THAT(load_error(foreign("broken-library", version)),
               Contains("broken_library.so cannot be loaded: libabsent.so: ") &&
                   Contains("install that library"));
    const std::string error = load_error(foreign("broken-undefined", version));
    CHECK_THAT(error, Contains("undefined symbol: nobody_has_this") && Contains("linked incompletely"));
    CHECK(error.find(scratch.folder().string()) == error.npos); // a folder that is gone helps nobody
}

TEST_CASE("a library of another version is not used") {
    CHECK_THAT(error_of_library(2,
                                [](std::string& bytes) {
                                    bytes = replaced(bytes,
                                                     std::string("\0"
                                                                 "2.0\0",
                                                                 5),
                                                     std::string("\0"
                                                                 "1.0\0",
                                                                 5));
                                }),
               Contains("fmi2GetVersion returns '1.0'"));
}

TEST_CASE("a library that calls its types platform otherwise is used all the same") {
    CHECK(error_of_library(2, [](std::string& bytes) {
              const std::string before = bytes;
              bytes = replaced(bytes, std::string("default\0", 8), std::string("another\0", 8));
              REQUIRE(bytes != before);
          }).empty());
}

TEST_CASE("an FMU without Co-Simulation is refused with what it has") {
    const int version = GENERATE(2, 3);
    CHECK_THAT(error_after(version,
                           [](auto& content) {
                               std::string& xml = entry_of(content, "modelDescription.xml");
                               const std::size_t at = xml.find("<CoSimulation");
                               xml.replace(at, xml.find("/>", at) - at,
                                           "<ModelExchange modelIdentifier=\"gain\"");
                           }),
               Contains("is not an FMU for Co-Simulation; it has Model Exchange"));
}

TEST_CASE("an FMU that gives no instance is reported with its last message") {
    const int version = GENERATE(2, 3);
    Log log;
    const Fmu fmu = foreign("misbehave-null", version);
    CHECK_THAT(load_error(fmu, logging_to(log)), Contains("misbehave-null") && Contains("gave no instance") &&
                                                     Contains("the licence server does not answer"));
    CHECK(log.has("the licence server does not answer"));
    if (version == 3) // it must not log then
        CHECK_THAT(load_error(fmu), Contains("with logging switched on"));
}

TEST_CASE("a wrong token gives no instance") {
    const int version = GENERATE(2, 3);
    const Scratch scratch;
    auto content = content_of("gain", version);
    entry_of(content, "modelDescription.xml") =
        replaced(entry_of(content, "modelDescription.xml"), "{gain}", "{other}");
    write_archive(scratch / "gain.fmu", content);
    Log log;
    CHECK_THAT(load_error(Fmu(scratch / "gain.fmu"), logging_to(log)),
               Contains("the token is not that of this library"));
}

TEST_CASE("only the resources and this machine's folder are unpacked and all is gone in the end") {
    const int version = GENERATE(2, 3);
    const Scratch scratch;
    const TemporaryDirectory temporary(scratch.folder());
    auto content = content_of("feedthrough", version);
    content.push_back({"binaries/win64/feedthrough.dll", "x"});
    content.push_back({"documentation/index.html", "x"});
    write_archive(scratch / "f.fmu", content);
    const auto working_directory = std::filesystem::current_path();
    auto fmu = std::make_unique<Fmu>(scratch / "f.fmu");
    std::unique_ptr<Slave> first = fmu->instantiate({}), second = fmu->instantiate({});
    REQUIRE(scratch.files() == 2);
    for (const auto& entry : std::filesystem::directory_iterator(scratch.folder()))
        if (entry.is_directory()) {
            const std::string library = fmu->binary();
            CHECK(folders_in(entry.path()) ==
                  std::vector<std::string>{"binaries", library.substr(0, library.rfind('/')), library,
                                           "resources", "resources/folder", "resources/folder/more.txt",
                                           "resources/text.txt"});
        }
    CHECK(is_mapped(scratch.folder()));
    fmu.reset();
    first.reset();
    CHECK(scratch.files() == 2);
    CHECK(is_mapped(scratch.folder()));
    initialize(*second);
    CHECK(second->description().model_name == "feedthrough");
    second.reset();
    CHECK(scratch.files() == 1);
    CHECK_FALSE(is_mapped(scratch.folder()));
    CHECK(std::filesystem::current_path() == working_directory);
}

TEST_CASE("a library that cannot be loaded leaves nothing on the disk") {
    const int version = GENERATE(2, 3);
    const Scratch scratch;
    const TemporaryDirectory temporary(scratch.folder());
    load_error(foreign("broken-library", version));
    CHECK(scratch.files() == 0);
}

TEST_CASE("two instances of one FMU do not know of each other") {
    const int version = GENERATE(2, 3);
    const Fmu fmu = foreign("oscillator", version);
    auto first = fmu.instantiate({}), second = fmu.instantiate({});
    REQUIRE(set_real(*first, "x", 2) == Status::ok);
    initialize(*first);
    initialize(*second);
    for (int i = 0; i < 10; ++i) {
        REQUIRE(first->step(i * 0.1, 0.1).status == Status::ok);
        REQUIRE(second->step(i * 0.1, 0.1).status == Status::ok);
    }
    CHECK(real(*first, "x") == 2 * real(*second, "x"));
    second.reset();
    CHECK(first->step(1, 0.1).status == Status::ok);
}

TEST_CASE("an FMU that allows one instance in a process gets more through copies of its library") {
    const int version = GENERATE(2, 3);
    CHECK_THAT(
        [&] {
            Log log;
            const Fmu fmu = foreign("misbehave-second", version); // does not say so: nothing can be done
            const auto first = fmu.instantiate({});
            return load_error(fmu, logging_to(log));
        }(),
        Contains("there is an instance already"));

    const Scratch scratch;
    const TemporaryDirectory temporary(scratch.folder());
    {
        const Fmu fmu = foreign("misbehave-once", version);
        std::vector<std::unique_ptr<Slave>> slaves;
        for (int i = 0; i < 3; ++i) {
            slaves.push_back(fmu.instantiate({}));
            REQUIRE(set_real(*slaves.back(), "x", i) == Status::ok);
            initialize(*slaves.back());
        }
        for (int i = 0; i < 3; ++i)
            CHECK(real(*slaves[static_cast<std::size_t>(i)], "y") == i);
        slaves.erase(slaves.begin());
        slaves.push_back(fmu.instantiate({}));
    }
    CHECK(scratch.files() == 0);
    CHECK_FALSE(is_mapped(scratch.folder()));
}

TEST_CASE("an FMU can be unloaded and loaded again many times") {
    const int version = GENERATE(2, 3);
    const Scratch scratch;
    const TemporaryDirectory temporary(scratch.folder());
    for (int i = 0; i < 20; ++i) {
        const Fmu fmu = foreign("gain", version);
        auto slave = started(fmu);
        CHECK(real(*slave, "y") == 0);
    }
    CHECK(scratch.files() == 0);
    CHECK_FALSE(is_mapped(scratch.folder()));
}
