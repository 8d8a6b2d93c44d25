#pragma once
// The libraries that FMUs get, prebuilt for several machines and carried inside the command.

#include "modelDescription/description.hpp"
#include "tools/archive/archive.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace tenon {

/// A machine that FMUs can be for. Those that the command was built without have no libraries.
enum class Platform { linux64, win64, aarch64 };

/// What a library is for.
enum class FmuLibrary { fmi2, fmi3, coupler };

/// The machine that this command runs on.
constexpr Platform this_platform =
#if defined(__aarch64__)
    Platform::aarch64;
#else
    Platform::linux64;
#endif

/// All, in the order in which they are packed and listed.
inline constexpr std::array<Platform, 3> all_platforms{Platform::linux64, Platform::win64, Platform::aarch64};

/// "linux64", "win64", "aarch64", as `export --platforms` takes them.
std::string_view platform_name(Platform platform);

/// The package of Debian with the compiler that the command's libraries for it are built with.
std::string_view compiler_package(Platform platform);

/// Those that the command has libraries for.
std::vector<Platform> built_platforms();

/// Empty where the command was built without it.
std::string_view prebuilt_library(FmuLibrary library, Platform platform);

/// The entry of an archive: "binaries/win64/<identifier>.dll".
ArchiveContent library_content(FmuLibrary library, Platform platform, const std::string& identifier);

} // namespace tenon
