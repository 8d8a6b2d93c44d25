#include "tools/check/platforms.hpp"

#include <elf.h>

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

namespace tenon::check {
namespace {

struct Folder {
    std::string_view name2; ///< in FMI 2.0; empty: it has none
    std::string_view name3; ///< in FMI 3.0
    Platform platform;
};

constexpr std::array<Folder, 12> folders{{
    {"linux64", "x86_64-linux", {".so", EM_X86_64, 64}},
    {"linux32", "x86-linux", {".so", EM_386, 32}},
    {"aarch64-linux", "aarch64-linux", {".so", EM_AARCH64, 64}},
    {"", "aarch32-linux", {".so", EM_ARM, 32}},
    {"win64", "x86_64-windows", {".dll", 0, 64}},
    {"win32", "x86-windows", {".dll", 0, 32}},
    {"aarch64-windows", "aarch64-windows", {".dll", 0, 64}},
    {"", "aarch32-windows", {".dll", 0, 32}},
    {"darwin64", "x86_64-darwin", {".dylib", 0, 64}},
    {"", "x86-darwin", {".dylib", 0, 32}},
    {"aarch64-darwin", "aarch64-darwin", {".dylib", 0, 64}},
    {"", "aarch32-darwin", {".dylib", 0, 32}},
}};

std::string_view name(const Folder& folder, fmi::Version version) {
    return version == fmi::Version::fmi2 ? folder.name2 : folder.name3;
}

} // namespace

std::optional<Platform> find_platform(fmi::Version version, std::string_view folder) {
    if (folder.empty())
        return {};
    const auto found = std::find_if(folders.begin(), folders.end(),
                                    [&](const Folder& f) { return name(f, version) == folder; });
    if (found == folders.end())
        return {};
    return found->platform;
}

std::string platform_names(fmi::Version version) {
    std::vector<std::string_view> names;
    for (const Folder& folder : folders)
        if (const std::string_view n = name(folder, version); !n.empty())
            names.push_back(n);
    return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace tenon::check
