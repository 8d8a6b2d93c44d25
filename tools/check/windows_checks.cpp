#include "tools/check/windows_checks.hpp"

#include "tools/files/errors.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tenon::check {
namespace {

/// Libraries that every Windows has since Windows 10; in lower case. The C++ runtime of Visual C++ is not among them.
constexpr std::array<std::string_view, 22> system_libraries = {
    "kernel32.dll", "kernelbase.dll", "ntdll.dll",   "msvcrt.dll",  "ucrtbase.dll", "advapi32.dll",
    "user32.dll",   "gdi32.dll",      "shell32.dll", "shlwapi.dll", "ole32.dll",    "oleaut32.dll",
    "ws2_32.dll",   "bcrypt.dll",     "crypt32.dll", "psapi.dll",   "version.dll",  "winmm.dll",
    "rpcrt4.dll",   "iphlpapi.dll",   "secur32.dll", "dbghelp.dll"};

bool is_of_the_system(std::string name) {
    std::ranges::transform(name, name.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return name.starts_with("api-ms-win-") ||
           std::ranges::find(system_libraries, name) != system_libraries.end();
}

} // namespace

void check_library(const Pe& library, const LibraryDuties& duties, const std::string& place,
                   Findings& findings) {
    if (library.machine != duties.machine || library.bits != duties.bits)
        findings.error(
            "library-machine", place,
            fmt::format("is for machine {:#x} with {} bits, but its folder is for machine {:#x} with {} bits",
                        library.machine, library.bits, duties.machine, duties.bits),
            "machine 0x8664 is x86-64, 0x14c is x86, 0xaa64 is AArch64, 0x1c4 is ARM");
    if (!library.library)
        findings.error("library-kind", place, "is not a shared library", "link it with /DLL or -shared");
    check_exported({library.exports.begin(), library.exports.end()}, duties, place, findings);
    std::vector<std::string> foreign;
    std::ranges::copy_if(library.needed, std::back_inserter(foreign),
                         [](const std::string& name) { return !is_of_the_system(name); });
    if (!foreign.empty())
        findings.warning(
            "library-needed", place,
            fmt::format("needs {}", printable(fmt::format("{}", fmt::join(foreign, ", ")), 300)),
            "not every Windows has them, and importers differ in where they look; link them statically");
}

} // namespace tenon::check
