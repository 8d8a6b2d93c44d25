#pragma once
// Which library of an FMU is for this machine, and whether it can be loaded.

#include "modelDescription/description.hpp"
#include "tools/archive/archive.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tenon::fmi {

/// The folder below binaries/ for this machine: "linux64" (2.0), "x86_64-linux" (3.0), "aarch64-linux".
std::string_view platform_folder(Version version);

/// Where the library for this machine should be, whether or not it is there: "binaries/linux64/x.so".
std::string library_entry(const Description& description);

/// The entry that is this library: that of library_entry(), or the only one whose name differs from it in case alone. Empty:
/// there is none.
std::string find_library(const Archive& archive, const Description& description);

/// Why there is no library for this machine, from what the archive has instead, and what to do. One sentence.
std::string missing_library(const Archive& archive, const Description& description);

/// What a library offers, read without loading it.
struct LibraryContent {
    std::string
        problem; ///< why it cannot be loaded: another machine's, no library; one sentence; empty: nothing
    std::vector<std::string>
        missing; ///< functions of the version for Co-Simulation that neither it exports nor a library that it needs
    std::vector<std::string> borrowed; ///< those that a library exports which it needs
    std::vector<std::string> python;   ///< functions of Python that it takes from nowhere (open_library.hpp)
};

/// The libraries that `entry` needs are looked for as the loader does it: beside it, in its run paths, and among those of
/// the system, of which it is taken that they have no functions of FMI. Where one is in none of these places nothing is
/// known to be missing.
LibraryContent read_library(const Archive& archive, const std::string& entry, Version version);

/// Of `missing` those without which there is no run at all.
std::vector<std::string> indispensable(const std::vector<std::string>& missing);

} // namespace tenon::fmi
