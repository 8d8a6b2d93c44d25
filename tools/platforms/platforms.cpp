#include "tools/platforms/platforms.hpp"

#include "modelDescription/platforms.hpp"

#include <algorithm>

// libraries.S
extern "C" {
extern const char tenon_linux64_fmi2_begin, tenon_linux64_fmi2_end, tenon_linux64_fmi3_begin,
    tenon_linux64_fmi3_end, tenon_linux64_coupler_begin, tenon_linux64_coupler_end, tenon_win64_fmi2_begin,
    tenon_win64_fmi2_end, tenon_win64_fmi3_begin, tenon_win64_fmi3_end, tenon_win64_coupler_begin,
    tenon_win64_coupler_end, tenon_aarch64_fmi2_begin, tenon_aarch64_fmi2_end, tenon_aarch64_fmi3_begin,
    tenon_aarch64_fmi3_end, tenon_aarch64_coupler_begin, tenon_aarch64_coupler_end;
}

namespace tenon {
namespace {

struct Carried {
    const char* begin;
    const char* end;
};

struct Entry {
    std::string_view name, name3; ///< ours, and that of FMI 3.0
    std::string_view package;
    std::array<Carried, 3> libraries; ///< in the order of FmuLibrary
};

/// In the order of Platform.
constexpr std::array<Entry, 3> table{{
    {"linux64",
     "x86_64-linux",
     "g++-x86-64-linux-gnu",
     {{{&tenon_linux64_fmi2_begin, &tenon_linux64_fmi2_end},
       {&tenon_linux64_fmi3_begin, &tenon_linux64_fmi3_end},
       {&tenon_linux64_coupler_begin, &tenon_linux64_coupler_end}}}},
    {"win64",
     "x86_64-windows",
     "g++-mingw-w64-x86-64-posix",
     {{{&tenon_win64_fmi2_begin, &tenon_win64_fmi2_end},
       {&tenon_win64_fmi3_begin, &tenon_win64_fmi3_end},
       {&tenon_win64_coupler_begin, &tenon_win64_coupler_end}}}},
    {"aarch64",
     "aarch64-linux",
     "g++-aarch64-linux-gnu",
     {{{&tenon_aarch64_fmi2_begin, &tenon_aarch64_fmi2_end},
       {&tenon_aarch64_fmi3_begin, &tenon_aarch64_fmi3_end},
       {&tenon_aarch64_coupler_begin, &tenon_aarch64_coupler_end}}}},
}};

const Entry& entry(Platform platform) { return table[static_cast<std::size_t>(platform)]; }

} // namespace

std::string_view platform_name(Platform platform) { return entry(platform).name; }

std::string_view compiler_package(Platform platform) { return entry(platform).package; }

std::vector<Platform> built_platforms() {
    std::vector<Platform> built;
    std::ranges::copy_if(all_platforms, std::back_inserter(built),
                         [](Platform p) { return !prebuilt_library(FmuLibrary::fmi2, p).empty(); });
    return built;
}

std::string_view prebuilt_library(FmuLibrary library, Platform platform) {
    const Carried& carried = entry(platform).libraries[static_cast<std::size_t>(library)];
    return {carried.begin, carried.end};
}

ArchiveContent library_content(FmuLibrary library, Platform platform, const std::string& identifier) {
    const fmi::Version version = library == FmuLibrary::fmi3 ? fmi::Version::fmi3 : fmi::Version::fmi2;
    const std::string folder(fmi::folder_name(version, entry(platform).name3));
    const std::string extension(fmi::find_platform(version, folder)->extension);
    return {"binaries/" + folder + "/" + identifier + extension,
            std::string(prebuilt_library(library, platform))};
}

} // namespace tenon
