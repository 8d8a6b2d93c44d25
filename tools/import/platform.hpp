#pragma once
// Which library of an FMU is for this machine, and whether it can be loaded.

#include "modelDescription/description.hpp"
#include "tools/archive/archive.hpp"

#include <span>
#include <string>
#include <string_view>

namespace tenon::fmi {

/// The folder below binaries/ for this machine: "linux64" (2.0), "x86_64-linux" (3.0), "aarch64-linux".
std::string_view platform_folder(Version version);

/// Where the library for this machine is, whether or not it is there: "binaries/linux64/x.so".
std::string library_entry(const Description& description);

/// Why there is no library for this machine, from what the archive has instead, and what to do. One sentence.
std::string missing_library(const Archive& archive, const Description& description);

/// What is wrong with the bytes of a library before it is loaded: another machine's, or a function is missing. One
/// sentence; empty: nothing.
std::string library_problem(std::string_view bytes, std::span<const std::string> functions);

} // namespace tenon::fmi
