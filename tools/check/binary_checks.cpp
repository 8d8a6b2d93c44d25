#include "tools/check/binary_checks.hpp"

#include "modelDescription/platforms.hpp"
#include "tools/check/fmi_functions.hpp"
#include "tools/check/windows_checks.hpp"
#include "tools/files/errors.hpp"
#include "tools/import/platform.hpp"

#include <array>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace tenon::check {
namespace {

/// Names shown of a list; the rest is counted.
constexpr std::size_t shown_names = 5;

/// Libraries that every system with glibc has.
constexpr std::array<std::string_view, 8> common_libraries = {
    "libc.so", "libm.so", "ld-linux", "libgcc_s.so", "libdl.so", "librt.so", "libpthread.so", "linux-vdso"};

/// The oldest distributions that are still in use (RHEL 8, Debian 10).
constexpr int old_glibc_major = 2, old_glibc_minor = 28;

std::string names_of(const std::vector<std::string>& names) {
    const std::size_t shown = std::min(names.size(), shown_names);
    std::string text =
        fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<long>(shown), ", "));
    if (names.size() > shown)
        text += fmt::format(" and {} more", names.size() - shown);
    return text;
}

void check_kind(const fmi::Elf& library, const LibraryDuties& duties, const std::string& place,
                Findings& findings) {
    if (library.machine != duties.machine || library.bits != duties.bits)
        findings.error(
            "library-machine", place,
            fmt::format("is for machine {} with {} bits, but its folder is for machine {} with {} bits",
                        library.machine, library.bits, duties.machine, duties.bits),
            "machine 62 is x86-64, 3 is x86, 183 is AArch64, 40 is ARM");
    if (!library.shared)
        findings.error("library-kind", place, "is not a shared library", "link it with -shared");
    if (library.executable_stack)
        findings.error("library-stack", place,
                       "asks for an executable stack; hardened systems refuse to load it",
                       "link with -z noexecstack; assembler sources need .note.GNU-stack");
}

bool required(FunctionGroup group, const LibraryDuties& duties) {
    return group == FunctionGroup::common ||
           (group == FunctionGroup::co_simulation ? duties.co_simulation : duties.model_exchange);
}

} // namespace

void check_exported(std::set<std::string_view> exported, const LibraryDuties& duties,
                    const std::string& place, Findings& findings) {
    std::vector<std::string> missing;
    for (const FmiFunction& function : fmi_functions(duties.version)) {
        if (required(function.group, duties) && !exported.contains(function.name))
            missing.emplace_back(function.name);
        exported.erase(function.name);
    }
    if (!missing.empty())
        findings.add({fmi::indispensable(missing).empty() ? fmi::Severity::warning : fmi::Severity::error,
                      "symbol-missing", place, fmt::format("does not export {}", names_of(missing)),
                      duties.version == fmi::Version::fmi3
                          ? "FMI 3.0 asks for all 75 functions, also those of interfaces that are not used"
                          : "export every function of the interface, also those that only return an error"});
    if (duties.windows) // where names of libraries cannot collide
        return;
    for (const std::string_view linker : {"_init", "_fini", "_edata", "_end", "__bss_start"})
        exported.erase(linker);
    if (!exported.empty())
        findings.warning(
            "symbol-extra", place,
            fmt::format("exports {} beside the functions of FMI: {}",
                        exported.size() == 1 ? "1 symbol" : fmt::format("{} symbols", exported.size()),
                        printable(names_of({exported.begin(), exported.end()}), 300)),
            "they can collide with those of the host and of other FMUs; link with a version script");
}

namespace {

std::set<std::string_view> exported_names(const fmi::Elf& library) {
    std::set<std::string_view> exported;
    for (const fmi::ElfSymbol& symbol : library.symbols)
        if (symbol.defined)
            exported.insert(symbol.name);
    return exported;
}

void check_unique(const fmi::Elf& library, const std::string& place, Findings& findings) {
    std::vector<std::string> unique;
    for (const fmi::ElfSymbol& symbol : library.symbols)
        if (symbol.defined && symbol.unique)
            unique.push_back(symbol.name);
    if (!unique.empty())
        findings.warning(
            "symbol-unique", place,
            fmt::format("has symbols that are unique in the process: {}", printable(names_of(unique), 300)),
            "the library can never be unloaded, and FMUs share these objects; compile with "
            "-fno-gnu-unique");
}

void check_needed(const fmi::Elf& library, const std::string& place, Findings& findings) {
    std::vector<std::string> foreign;
    for (const std::string& name : library.needed) {
        const bool common = std::any_of(common_libraries.begin(), common_libraries.end(),
                                        [&](std::string_view known) { return name.starts_with(known); });
        if (!common)
            foreign.push_back(name);
    }
    if (!foreign.empty())
        findings.warning("library-needed", place, fmt::format("needs {}", printable(names_of(foreign), 300)),
                         "not every machine has them in this version; link them statically");
}

/// 28 of "GLIBC_2.28"; -1 where it is none or private.
int glibc_minor(std::string_view version) {
    const std::string prefix = fmt::format("GLIBC_{}.", old_glibc_major);
    if (!version.starts_with(prefix))
        return -1;
    int minor = -1;
    const std::string_view digits = version.substr(prefix.size());
    std::from_chars(digits.data(), digits.data() + digits.size(), minor);
    return minor;
}

void check_versions(const fmi::Elf& library, const std::string& place, Findings& findings) {
    int highest = -1;
    std::string symbol_of_highest, newest_cxx;
    for (const fmi::ElfSymbol& symbol : library.symbols) {
        if (symbol.defined)
            continue;
        if (const int minor = glibc_minor(symbol.version); minor > highest) {
            highest = minor;
            symbol_of_highest = symbol.name;
        }
        if (symbol.version.starts_with("GLIBCXX_") || symbol.version.starts_with("CXXABI_"))
            newest_cxx = symbol.version;
    }
    const std::string text =
        fmt::format("needs glibc {}.{} (for {})", old_glibc_major, highest, printable(symbol_of_highest));
    if (highest > old_glibc_minor)
        findings.warning("glibc-version", place, text,
                         fmt::format("does not load on systems older than that; aim for {}.{}",
                                     old_glibc_major, old_glibc_minor));
    else if (highest >= 0)
        findings.note("glibc-version", place, text);
    if (!newest_cxx.empty())
        findings.warning("libstdcxx-version", place,
                         fmt::format("needs symbols of the C++ library, such as of version {}", newest_cxx),
                         "hosts such as MATLAB bring an older one; link with -static-libstdc++");
}

struct LibraryEntry {
    std::string name;
    fmi::Platform platform;
};

/// Libraries directly in the platform folders for Linux and Windows: the one that the description names, or all where it names
/// none.
std::vector<LibraryEntry> known_libraries(const Archive& archive, const fmi::Description& description) {
    std::vector<LibraryEntry> libraries;
    constexpr std::string_view prefix = "binaries/";
    for (const ArchiveEntry& entry : archive.entries()) {
        const std::size_t slash = entry.name.rfind('/');
        if (!entry.name.starts_with(prefix) || slash <= prefix.size() || slash == std::string::npos)
            continue;
        const auto platform =
            fmi::find_platform(description.version, entry.name.substr(prefix.size(), slash - prefix.size()));
        const std::string_view file = std::string_view(entry.name).substr(slash + 1);
        const std::string& identifier = description.capabilities.model_identifier;
        if (!platform || (platform->elf_machine == 0 && platform->pe_machine == 0))
            continue;
        const std::string extension(platform->extension);
        if (identifier.empty() ? file.ends_with(extension) : file == identifier + extension)
            libraries.push_back({entry.name, *platform});
    }
    return libraries;
}

/// Another library beside it may be the one for Model Exchange: the two interfaces can have identifiers of their own.
bool has_neighbour(const Archive& archive, const std::string& library) {
    const std::string folder = library.substr(0, library.rfind('/') + 1);
    return std::any_of(archive.entries().begin(), archive.entries().end(), [&](const ArchiveEntry& entry) {
        return entry.name != library && entry.name.starts_with(folder) &&
               entry.name.ends_with(library.substr(library.rfind('.')));
    });
}

/// A library that brings what the FMU's own needs: it has no function of FMI, which only counts where the description names no
/// library (Model Exchange alone) and others are beside it.
bool is_helper(const std::set<std::string_view>& exported, fmi::Version version) {
    return std::ranges::none_of(fmi_functions(version), [&](const FmiFunction& function) {
        return exported.contains(function.name);
    });
}

} // namespace

void check_library(const fmi::Elf& library, const LibraryDuties& duties, const std::string& place,
                   Findings& findings) {
    check_kind(library, duties, place, findings);
    check_exported(exported_names(library), duties, place, findings);
    check_unique(library, place, findings);
    check_needed(library, place, findings);
    check_versions(library, place, findings);
}

void check_binaries(const Archive& archive, const fmi::Description& description, Findings& findings) {
    for (const LibraryEntry& entry : known_libraries(archive, description)) {
        const bool unnamed =
            description.capabilities.model_identifier.empty() && has_neighbour(archive, entry.name);
        const auto is_nobodys = [&](const std::set<std::string_view>& exported) {
            return unnamed && is_helper(exported, description.version);
        };
        const bool windows = entry.platform.pe_machine != 0;
        const LibraryDuties duties{description.version,
                                   windows ? entry.platform.pe_machine : entry.platform.elf_machine,
                                   entry.platform.bits,
                                   description.has_co_simulation,
                                   description.has_model_exchange && !has_neighbour(archive, entry.name),
                                   windows};
        try {
            if (windows) {
                const Pe library = read_pe(archive.read(entry.name));
                if (!is_nobodys({library.exports.begin(), library.exports.end()}))
                    check_library(library, duties, entry.name, findings);
                continue;
            }
            fmi::Elf library = fmi::read_elf(archive.read(entry.name));
            // As the loader sees it: what a library that it needs exports is there, too (symbol-borrowed).
            for (const std::string& name :
                 fmi::read_library(archive, entry.name, description.version).borrowed)
                library.symbols.push_back({.name = name, .version = {}, .defined = true});
            if (!is_nobodys(exported_names(library)))
                check_library(library, duties, entry.name, findings);
        } catch (const std::runtime_error& error) {
            findings.error("library-broken", entry.name, error.what());
        }
    }
}

} // namespace tenon::check
