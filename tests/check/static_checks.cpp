// What is found without running anything: archives and libraries.

#include "modelDescription/platforms.hpp"
#include "tests/check/sloppy.hpp"
#include "tools/check/binary_checks.hpp"
#include "tools/check/content_checks.hpp"
#include "tools/check/fmi_functions.hpp"

#include <algorithm>

using namespace tenon;
using namespace tenon::fmi;
using namespace tenon::host;
using namespace tenon::check;

namespace {

constexpr const char* x86_64 = "binaries/linux64/sloppy.so";

/// The check of an archive with just these entries, without running anything.
CheckReport check_archive(const std::vector<ArchiveContent>& entries) {
    const Scratch folder;
    write_archive(folder / "x.fmu", entries);
    CheckOptions options;
    options.dynamic = false;
    return check_fmu(folder / "x.fmu", options);
}

bool has(const CheckReport& report, Severity severity, const std::string& rule) {
    return std::any_of(
        report.findings.all().begin(), report.findings.all().end(),
        [&](const Finding& finding) { return finding.severity == severity && finding.rule == rule; });
}

/// All functions of FMI 2.0 for Co-Simulation, and nothing to complain about.
Elf good_library() {
    Elf library;
    library.bits = 64;
    library.machine = 62;
    library.shared = true;
    library.needed = {"libm.so.6", "libc.so.6"};
    for (const FmiFunction& function : fmi_functions(Version::fmi2))
        if (function.group != FunctionGroup::model_exchange)
            library.symbols.push_back({std::string(function.name), "", true, false, false});
    library.symbols.push_back({"memcpy", "GLIBC_2.14", false, false, false});
    return library;
}

std::vector<std::string> rules_of(const Elf& library,
                                  const LibraryDuties& duties = {Version::fmi2, 62, 64, true, false}) {
    Findings findings;
    check_library(library, duties, x86_64, findings);
    std::vector<std::string> list;
    for (const Finding& finding : findings.all())
        if (finding.severity > Severity::note)
            list.push_back(finding.rule);
    return list;
}

} // namespace

TEST_CASE("FMI 2.0 has 34 functions for Co-Simulation and 44 in all, FMI 3.0 has 75") {
    const auto two = fmi_functions(Version::fmi2);
    CHECK(two.size() == 44);
    CHECK(std::count_if(two.begin(), two.end(), [](const FmiFunction& function) {
              return function.group != FunctionGroup::model_exchange;
          }) == 34);
    CHECK(fmi_functions(Version::fmi3).size() == 75);
}

TEST_CASE("Platform folders have the names of their version") {
    CHECK(find_platform(Version::fmi2, "linux64")->elf_machine == 62);
    CHECK(find_platform(Version::fmi3, "x86_64-linux")->elf_machine == 62);
    CHECK(find_platform(Version::fmi3, "aarch64-linux")->elf_machine == 183);
    CHECK_FALSE(find_platform(Version::fmi3, "linux64"));
    CHECK_FALSE(find_platform(Version::fmi2, "x86_64-linux"));
    CHECK_FALSE(find_platform(Version::fmi2, ""));
}

TEST_CASE("An archive without a description is an error that names a folder too many") {
    CHECK(has(check_archive({{"readme.txt", "hello"}}), Severity::error, "description-missing"));
    const CheckReport wrapped = check_archive({{"sloppy/modelDescription.xml", sloppy_xml}});
    CHECK(has(wrapped, Severity::error, "description-missing"));
    CHECK(wrapped.findings.all().front().hint.find("it is in sloppy/") != std::string::npos);
}

TEST_CASE("A description that does not declare UTF-8 is a warning") {
    const std::string xml = std::string(sloppy_xml).substr(std::string(sloppy_xml).find('\n') + 1);
    CHECK(has(check_archive({{"modelDescription.xml", xml}}), Severity::warning, "description-encoding"));
    CHECK_FALSE(has(check_archive({{"modelDescription.xml", sloppy_xml}}), Severity::warning,
                    "description-encoding"));
}

TEST_CASE("A description that cannot be read is a finding, not the end") {
    const CheckReport report =
        check_archive({{"modelDescription.xml", "<?xml version='1.0' encoding='UTF-8'?><what/>"}});
    CHECK(has(report, Severity::error, "unusable"));
}

TEST_CASE("A file that is not an archive is a finding, and one that is not there an exception") {
    const Scratch folder;
    std::ofstream(folder / "x.fmu") << "no archive";
    CHECK(rules(check_fmu(folder / "x.fmu", {})) == Rules{"unusable"});
    CHECK_THROWS(check_fmu(folder / "y.fmu", {}));
}

TEST_CASE("An FMU without library and sources is an error, one without documentation not even a warning") {
    const CheckReport report = check_archive({{"modelDescription.xml", sloppy_xml}});
    CHECK(rules(report) == Rules{"no-implementation"});
    for (const char* rule : {"icon", "documentation", "licence"})
        CHECK(has(report, Severity::note, rule));
}

TEST_CASE("Folders that the standard does not know are warnings") {
    const CheckReport report = check_archive({{"modelDescription.xml", sloppy_xml},
                                              {"binaries/linux65/sloppy.so", ""},
                                              {"stuff/a.txt", ""},
                                              {"sources/fmi2Functions.h", ""}});
    CHECK(has(report, Severity::warning, "platform-unknown"));
    CHECK(has(report, Severity::warning, "archive-unknown-entry"));
    CHECK(has(report, Severity::note, "headers-shipped"));
}

TEST_CASE("A platform folder without the library of the right name is an error") {
    const CheckReport report =
        check_archive({{"modelDescription.xml", sloppy_xml}, {"binaries/win64/libsloppy.dll", "x"}});
    CHECK(has(report, Severity::error, "library-missing"));
}

TEST_CASE("A library that is none is an error") {
    CHECK(has(check_archive({{"modelDescription.xml", sloppy_xml}, {x86_64, "no library"}}), Severity::error,
              "library-broken"));
}

TEST_CASE("An archive that needs a newer zip than FMI allows is a warning") {
    const Scratch folder;
    write_archive(folder / "x.fmu",
                  {{"modelDescription.xml", sloppy_xml}, {"binaries/win64/sloppy.dll", "x"}});
    std::string bytes = content_of(folder / "x.fmu");
    for (const auto& [signature, offset] :
         {std::pair<std::string, std::size_t>{"PK\x03\x04", 4}, {"PK\x01\x02", 6}})
        bytes[bytes.find(signature) + offset] = 45; // "version needed", of the first entry
    std::ofstream(folder / "x.fmu", std::ios::binary) << bytes;
    const CheckReport report = check_fmu(folder / "x.fmu", {});
    CHECK(has(report, Severity::warning, "archive-version"));
}

TEST_CASE("A good library has no findings") { CHECK(rules_of(good_library()).empty()); }

TEST_CASE(
    "A function that is not exported is an error, and one of Model Exchange only where that is claimed") {
    Elf library = good_library();
    CHECK(rules_of(library, {Version::fmi2, 62, 64, true, true}) == Rules{"symbol-missing"});
    std::erase_if(library.symbols, [](const ElfSymbol& symbol) { return symbol.name == "fmi2DoStep"; });
    CHECK(rules_of(library) == Rules{"symbol-missing"});
}

TEST_CASE("Exports beside the functions of FMI are a warning, those of the linker not") {
    Elf library = good_library();
    library.symbols.push_back({"_edata", "", true, false, false});
    CHECK(rules_of(library).empty());
    library.symbols.push_back({"solve", "", true, false, false});
    CHECK(rules_of(library) == Rules{"symbol-extra"});
}

TEST_CASE("A library for another machine than its folder's is an error") {
    Elf library = good_library();
    library.machine = 183;
    CHECK(rules_of(library) == Rules{"library-machine"});
}

TEST_CASE("What makes a library hard to load elsewhere is a warning") {
    Elf library = good_library();
    library.needed.emplace_back("libgfortran.so.5");
    CHECK(rules_of(library) == Rules{"library-needed"});

    library = good_library();
    library.symbols.push_back({"arc4random", "GLIBC_2.36", false, false, false});
    CHECK(rules_of(library) == Rules{"glibc-version"});

    library = good_library();
    library.symbols.push_back({"_ZSt4cout", "GLIBCXX_3.4", false, false, false});
    CHECK(rules_of(library) == Rules{"libstdcxx-version"});
}

TEST_CASE("glibc 2.28 is old enough, 2.29 is not") {
    Elf library = good_library();
    library.symbols.push_back({"fcntl64", "GLIBC_2.28", false, false, false});
    CHECK(rules_of(library).empty());
    library.symbols.push_back({"exp", "GLIBC_2.29", false, false, false});
    CHECK(rules_of(library) == Rules{"glibc-version"});
}

TEST_CASE("An executable stack and a symbol that is unique in the process are warnings") {
    Elf library = good_library();
    library.executable_stack = true;
    CHECK(rules_of(library) == Rules{"library-stack"});
    library = good_library();
    library.symbols.front().unique = true;
    CHECK(rules_of(library) == Rules{"symbol-unique"});
}
