// Libraries for Windows: a PE file made here byte by byte, and our own where they were built.

#include "tests/check/sloppy.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/skip.hpp"
#include "tools/check/fmi_functions.hpp"
#include "tools/check/windows_checks.hpp"
#include "tools/platforms/platforms.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <set>

using namespace tenon;
using namespace tenon::check;

namespace {

constexpr int x86_64 = 0x8664;

/// A DLL with one section, whose addresses in memory are those in the file.
std::string dll(const std::vector<std::string>& exports, const std::vector<std::string>& needed,
                std::uint32_t machine = x86_64, std::uint32_t characteristics = 0x2022) {
    constexpr std::size_t header = 0x40, optional = header + 24, sections = optional + 0xf0, begin = 0x200;
    std::string bytes(begin, '\0');
    const auto put = [&](std::size_t at, std::uint32_t value, std::size_t size = 4) {
        if (bytes.size() < at + size)
            bytes.resize(at + size);
        for (std::size_t i = 0; i < size; ++i)
            bytes[at + i] = static_cast<char>(value >> (8 * i));
    };
    const auto text = [&](const std::string& name) {
        const std::size_t at = bytes.size();
        bytes += name + '\0';
        return static_cast<std::uint32_t>(at);
    };
    bytes[0] = 'M';
    bytes[1] = 'Z';
    put(0x3c, header);
    put(header, 0x4550);
    put(header + 4, machine, 2);
    put(header + 6, 1, 2);     // sections
    put(header + 20, 0xf0, 2); // size of the optional header
    put(header + 22, characteristics, 2);
    put(optional, 0x20b, 2);
    put(optional + 108, 16);
    put(optional + 112, begin); // exports
    const std::size_t names = begin + 40, imports = names + 4 * exports.size();
    put(optional + 120, static_cast<std::uint32_t>(imports));
    put(begin + 24, static_cast<std::uint32_t>(exports.size()));
    put(begin + 32, static_cast<std::uint32_t>(names));
    put(imports + 20 * needed.size() + 16, 0); // the entry of zeros at the end
    for (std::size_t i = 0; i < exports.size(); ++i)
        put(names + 4 * i, text(exports[i]));
    for (std::size_t i = 0; i < needed.size(); ++i)
        put(imports + 20 * i + 12, text(needed[i]));
    put(sections + 12, begin);
    put(sections + 16, static_cast<std::uint32_t>(bytes.size() - begin));
    put(sections + 20, begin);
    return bytes;
}

std::vector<std::string> functions(fmi::Version version) {
    std::vector<std::string> names;
    for (const FmiFunction& function : fmi_functions(version))
        if (function.group != FunctionGroup::model_exchange)
            names.emplace_back(function.name);
    return names;
}

std::string rules(const std::string& bytes) {
    Findings findings;
    check_library(read_pe(bytes), {fmi::Version::fmi2, x86_64, 64, true, false, true}, "x.dll", findings);
    std::string text;
    for (const auto& finding : findings.all())
        text += finding.rule + ": " + finding.message + "\n";
    return text;
}

} // namespace

TEST_CASE("a library for Windows is read: machine, exports, other libraries") {
    const Pe pe = read_pe(dll({"fmi2DoStep", "extra"}, {"KERNEL32.dll", "libstdc++-6.dll"}));
    CHECK(pe.machine == x86_64);
    CHECK(pe.bits == 64);
    CHECK(pe.library);
    CHECK(pe.exports == std::vector<std::string>{"fmi2DoStep", "extra"});
    CHECK(pe.needed == std::vector<std::string>{"KERNEL32.dll", "libstdc++-6.dll"});
}

TEST_CASE("a library for Windows that is cut anywhere is read or refused, never beyond its end") {
    const std::string whole = dll(functions(fmi::Version::fmi2), {"KERNEL32.dll"});
    CHECK_THROWS_AS(read_pe("\x7f"
                            "ELF"),
                    std::runtime_error);
    for (std::size_t size = 0; size + 1 < whole.size(); ++size)
        CHECK_THROWS_AS(read_pe(std::string_view(whole).substr(0, size)), std::runtime_error);
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string altered = whole;
        altered[at] = static_cast<char>(~altered[at]);
        try {
            read_pe(altered);
        } catch (const std::runtime_error&) { // as good: it was noticed
        }
    }
}

TEST_CASE("what is wrong with a library for Windows is found, and a good one has no findings") {
    const std::vector<std::string> all = functions(fmi::Version::fmi2);
    CHECK(rules(dll(all, {"KERNEL32.dll", "api-ms-win-crt-heap-l1-1-0.dll", "msvcrt.dll"})).empty());
    CHECK(rules(dll({all.begin() + 1, all.end()}, {})).find("symbol-missing: does not export " + all[0]) ==
          0);
    CHECK(rules(dll(all, {"VCRUNTIME140.dll"})).find("library-needed: needs VCRUNTIME140.dll") == 0);
    CHECK(rules(dll(all, {}, 0xaa64)).find("library-machine: ") == 0);
    CHECK(rules(dll(all, {}, x86_64, 0x22)).find("library-kind: ") == 0);
}

TEST_CASE("libraries that only help the FMU's own need no functions of FMI") {
    std::string xml =
        sloppy_xml; // for Model Exchange alone, where the description names no library for Co-Simulation
    xml.replace(xml.find("CoSimulation"), std::string("CoSimulation").size(), "ModelExchange");
    std::vector<std::string> all;
    for (const FmiFunction& function : fmi_functions(fmi::Version::fmi2))
        all.emplace_back(function.name);
    const auto missing = [&](const std::string& own) {
        const Scratch folder;
        write_archive(folder / "x.fmu", {{"modelDescription.xml", xml},
                                         {"binaries/win64/sloppy.dll", own},
                                         {"binaries/win64/python.dll", dll({"PyAST_Check"}, {})}});
        CheckOptions options;
        options.dynamic = false;
        const Rules found = rules(check_fmu(folder / "x.fmu", options), fmi::Severity::warning);
        return std::ranges::count(found, "symbol-missing");
    };
    CHECK(missing(dll(all, {})) == 0);
    CHECK(missing(dll({"fmi2GetVersion"}, {})) == 1);
}

TEST_CASE("our library for Windows exports the functions of FMI alone and needs the system alone") {
    const auto name = [](FmuLibrary library) { return library == FmuLibrary::fmi3 ? "fmi3" : "fmi2"; };
    if (prebuilt_library(FmuLibrary::fmi2, Platform::win64).empty())
        return tests::skip("built without the compiler for Windows");
    for (const FmuLibrary library : {FmuLibrary::fmi2, FmuLibrary::fmi3, FmuLibrary::coupler}) {
        const std::string_view bytes = prebuilt_library(library, Platform::win64);
        const Pe pe = read_pe(bytes);
        CHECK(pe.machine == x86_64);
        CHECK(pe.library);
        CHECK(pe.exports.size() == (library == FmuLibrary::fmi3 ? 75 : 34));
        for (const std::string& exported : pe.exports)
            CHECK(exported.starts_with(name(library)));
        CHECK(std::set<std::string>(pe.needed.begin(), pe.needed.end()) ==
              std::set<std::string>{"KERNEL32.dll", "msvcrt.dll"});
        CHECK(bytes.find(tests::source_folder()) == std::string_view::npos);
    }
}
