#include "tools/import/platform.hpp"

#include "tools/archive/archive_checks.hpp"
#include "tools/files/errors.hpp"
#include "tools/import/elf.hpp"
#include "tools/import/functions2.hpp"
#include "tools/import/functions3.hpp"
#include "tools/import/open_library.hpp"

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

template <class Functions> std::vector<std::string> function_names() {
    Functions functions;
    std::vector<std::string> names;
    for_each_function(functions, [&](const char* name, auto) { names.emplace_back(name); });
    return names;
}

std::vector<std::string> required_functions(Version version) {
    return version == Version::fmi2 ? function_names<Functions2>() : function_names<Functions3>();
}

std::set<std::string> exports(const Elf& elf) {
    std::set<std::string> names;
    for (const ElfSymbol& symbol : elf.symbols)
        if (symbol.defined)
            names.insert(symbol.name);
    return names;
}

/// Of the C and C++ runtimes.
bool is_of_the_system(std::string_view library) {
    for (const std::string_view known :
         {"libc.so", "libm.so", "ld-linux", "libgcc_s.so", "libdl.so", "librt.so", "libpthread.so",
          "libstdc++.so", "libutil.so", "libgfortran.so", "libquadmath.so", "libgomp.so"})
        if (library.starts_with(known))
            return true;
    return false;
}

/// Adds what the libraries export that `elf`, the content of `entry`, needs, and those that they need. False where one of
/// them is nobody knows where.
bool add_needed(const Archive& archive, const std::string& entry, const Elf& elf,
                std::set<std::string>& names) {
    constexpr std::size_t most = 200; // libraries
    bool complete = true;
    std::set<std::string> seen{entry};
    std::vector<std::pair<std::string, Elf>> open{{entry, elf}};
    while (!open.empty() && seen.size() < most) {
        const auto [from, library] = std::move(open.back());
        open.pop_back();
        for (const std::string& needed : library.needed) {
            if (is_of_the_system(needed))
                continue;
            std::vector<std::string> folders{"$ORIGIN"};
            folders.insert(folders.end(), library.runpath.begin(), library.runpath.end());
            bool found = false;
            for (std::string folder : folders) {
                for (const std::string_view origin : {"$ORIGIN", "${ORIGIN}"})
                    if (const std::size_t at = folder.find(origin); at != folder.npos)
                        folder.replace(at, origin.size(), from.substr(0, from.rfind('/')));
                const std::string file = (std::filesystem::path(folder) / needed).lexically_normal().string();
                if (!archive.has(file))
                    continue;
                found = true;
                if (seen.insert(file).second)
                    try {
                        Elf other = read_elf(archive.read(file));
                        names.merge(exports(other));
                        open.emplace_back(file, std::move(other));
                    } catch (const InputError&) {
                        throw;
                    } catch (const std::runtime_error&) { // the loader says what is wrong with it
                        complete = false;
                    }
                break;
            }
            complete = complete && found;
        }
    }
    return complete && open.empty();
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

std::string find_library(const Archive& archive, const Description& description) {
    const std::string wanted = library_entry(description);
    if (archive.has(wanted))
        return wanted;
    const std::string folded = folded_name(wanted);
    // One at most: names that differ in case only are refused in an archive.
    const auto found = std::ranges::find_if(
        archive.entries(), [&](const ArchiveEntry& entry) { return folded_name(entry.name) == folded; });
    return found == archive.entries().end() ? std::string() : found->name;
}

LibraryContent read_library(const Archive& archive, const std::string& entry, Version version) {
    LibraryContent content;
    Elf elf;
    try {
        elf = read_elf(archive.read(entry));
    } catch (const InputError&) {
        throw;
    } catch (const std::runtime_error& error) {
        content.problem = fmt::format("is not a shared library: {}", error.what());
        return content;
    }
    constexpr int here = on_arm ? EM_AARCH64 : EM_X86_64;
    if (elf.bits != 64 || elf.machine != here) {
        content.problem = fmt::format("is for {}; this machine is {}", machine_name(elf.bits, elf.machine),
                                      machine_name(64, here));
        return content;
    }
    if (!elf.shared) {
        content.problem = "is not a shared library, but a program or an object file";
        return content;
    }
    std::set<std::string> own = exports(elf), others;
    const bool complete = add_needed(archive, entry, elf, others);
    for (const std::string& name : required_functions(version)) {
        if (own.contains(name))
            continue;
        if (others.contains(name))
            content.borrowed.push_back(name);
        else if (complete)
            content.missing.push_back(name);
    }
    for (const ElfSymbol& symbol : elf.symbols)
        if (!symbol.defined && is_of_python(symbol.name) && !others.contains(symbol.name))
            content.python.push_back(symbol.name);
    if (std::ranges::any_of(elf.needed, [](std::string_view name) { return name.starts_with("libpython"); }))
        content.python.clear();
    return content;
}

std::vector<std::string> indispensable(const std::vector<std::string>& missing) {
    static const std::set<std::string_view> needed{"fmi2Instantiate",
                                                   "fmi2SetupExperiment",
                                                   "fmi2EnterInitializationMode",
                                                   "fmi2ExitInitializationMode",
                                                   "fmi2DoStep",
                                                   "fmi3InstantiateCoSimulation",
                                                   "fmi3EnterInitializationMode",
                                                   "fmi3ExitInitializationMode",
                                                   "fmi3DoStep"};
    std::vector<std::string> result;
    std::ranges::copy_if(missing, std::back_inserter(result),
                         [&](const std::string& name) { return needed.contains(name); });
    return result;
}

} // namespace tenon::fmi
