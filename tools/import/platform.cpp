#include "tools/import/platform.hpp"

#include "tools/files/errors.hpp"
#include "tools/import/elf.hpp"

#include <elf.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace tenon::fmi {
namespace {

#if defined(__aarch64__)
constexpr bool on_arm = true;
#elif defined(__x86_64__)
constexpr bool on_arm = false;
#else
#error "FMUs are loaded on x86-64 and on AArch64"
#endif

std::string machine_name(int bits, int machine) {
    switch (machine) {
    case EM_386:
        return "x86 (32 bits)";
    case EM_X86_64:
        return bits == 64 ? "x86-64" : "x86-64 with 32-bit pointers";
    case EM_AARCH64:
        return "AArch64";
    default:
        return fmt::format("machine {} ({} bits)", machine, bits);
    }
}

/// The folders below binaries/ that have a file, and "sources" where there are any.
std::set<std::string> what_there_is(const Archive& archive) {
    constexpr std::string_view binaries = "binaries/";
    std::set<std::string> found;
    for (const ArchiveEntry& entry : archive.entries()) {
        const std::string_view name = entry.name;
        if (name.ends_with('/'))
            continue;
        if (name.starts_with("sources/"))
            found.insert("sources");
        const std::size_t slash = name.find('/', binaries.size());
        if (name.starts_with(binaries) && slash != name.npos)
            found.insert(printable(name.substr(binaries.size(), slash - binaries.size())));
    }
    return found;
}

/// A library of this machine's folder that has another name than the description says; empty: there is none.
std::string misnamed_library(const Archive& archive, std::string_view folder) {
    const std::string prefix = fmt::format("binaries/{}/", folder);
    for (const ArchiveEntry& entry : archive.entries())
        if (entry.name.starts_with(prefix) && entry.name.ends_with(".so"))
            return printable(entry.name, 200);
    return {};
}

} // namespace

std::string_view platform_folder(Version version) {
    return on_arm ? "aarch64-linux" : version == Version::fmi2 ? "linux64" : "x86_64-linux";
}

std::string library_entry(const Description& description) {
    return fmt::format("binaries/{}/{}.so", platform_folder(description.version),
                       description.capabilities.model_identifier);
}

std::string missing_library(const Archive& archive, const Description& description) {
    const std::string_view folder = platform_folder(description.version);
    const std::string missing =
        fmt::format("there is no library for this machine ({})", library_entry(description));
    if (const std::string other = misnamed_library(archive, folder); !other.empty())
        return fmt::format("{}, but {}; the library must have the name that modelIdentifier gives", missing,
                           other);
    const std::set<std::string> found = what_there_is(archive);
    if (found.empty())
        return fmt::format("{}, nor any other, nor sources; export the FMU again with its library", missing);
    const bool sources_only = found == std::set<std::string>{"sources"};
    return fmt::format("{}; the FMU is for {}; {}", missing, fmt::join(found, ", "),
                       sources_only || found.contains("sources")
                           ? fmt::format("compile its sources for {}, as `fmpy compile` does", folder)
                           : fmt::format("export it for {}, or run it on such a machine", folder));
}

std::string library_problem(std::string_view bytes, std::span<const std::string> functions) {
    Elf elf;
    try {
        elf = read_elf(bytes);
    } catch (const std::runtime_error& error) {
        return fmt::format("is not a shared library: {}", error.what());
    }
    constexpr int here = on_arm ? EM_AARCH64 : EM_X86_64;
    if (elf.bits != 64 || elf.machine != here)
        return fmt::format("is for {}; this machine is {}", machine_name(elf.bits, elf.machine),
                           machine_name(64, here));
    if (!elf.shared)
        return "is not a shared library, but a program or an object file";
    std::set<std::string_view> exported;
    for (const ElfSymbol& symbol : elf.symbols)
        if (symbol.defined)
            exported.insert(symbol.name);
    const auto missing =
        std::ranges::find_if(functions, [&](const auto& name) { return !exported.contains(name); });
    if (missing == functions.end())
        return {};
    const auto count =
        std::ranges::count_if(functions, [&](const auto& name) { return !exported.contains(name); });
    return fmt::format("does not export {} ({} of {} functions are missing); the FMU was linked incompletely",
                       *missing, count, functions.size());
}

} // namespace tenon::fmi
