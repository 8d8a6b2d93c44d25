#include "modelDescription/platforms.hpp"

#include <elf.h>

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

namespace tenon::fmi {
namespace {

// IMAGE_FILE_MACHINE_* of the PE format
constexpr int pe_x86 = 0x14c, pe_x86_64 = 0x8664, pe_aarch64 = 0xaa64, pe_arm = 0x1c4;

struct Folder {
    std::string_view name2; ///< in FMI 2.0; empty: it has none
    std::string_view name3; ///< in FMI 3.0
    Platform platform;
};

// FMI 2.0 has names of its own for x86, and takes those of 3.0 for all other processors (since 2.0.4).
constexpr std::array<Folder, 12> folders{{
    {"linux64", "x86_64-linux", {".so", EM_X86_64, 64, 0}},
    {"linux32", "x86-linux", {".so", EM_386, 32, 0}},
    {"aarch64-linux", "aarch64-linux", {".so", EM_AARCH64, 64, 0}},
    {"", "aarch32-linux", {".so", EM_ARM, 32, 0}},
    {"win64", "x86_64-windows", {".dll", 0, 64, pe_x86_64}},
    {"win32", "x86-windows", {".dll", 0, 32, pe_x86}},
    {"aarch64-windows", "aarch64-windows", {".dll", 0, 64, pe_aarch64}},
    {"", "aarch32-windows", {".dll", 0, 32, pe_arm}},
    {"darwin64", "x86_64-darwin", {".dylib", 0, 64, 0}},
    {"", "x86-darwin", {".dylib", 0, 32, 0}},
    {"aarch64-darwin", "aarch64-darwin", {".dylib", 0, 64, 0}},
    {"", "aarch32-darwin", {".dylib", 0, 32, 0}},
}};

std::string_view name(const Folder& folder, Version version) {
    return version == Version::fmi2 ? folder.name2 : folder.name3;
}

} // namespace

std::optional<Platform> find_platform(Version version, std::string_view folder) {
    if (folder.empty())
        return {};
    const auto found = std::find_if(folders.begin(), folders.end(),
                                    [&](const Folder& f) { return name(f, version) == folder; });
    if (found == folders.end())
        return {};
    return found->platform;
}

std::string_view folder_name(Version version, std::string_view name3) {
    const auto found = std::ranges::find(folders, name3, &Folder::name3);
    return found == folders.end() ? std::string_view() : name(*found, version);
}

std::string platform_names(Version version) {
    std::vector<std::string_view> names;
    for (const Folder& folder : folders)
        if (const std::string_view n = name(folder, version); !n.empty())
            names.push_back(n);
    return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace tenon::fmi
