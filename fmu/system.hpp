#pragma once
// What an FMU asks of the operating system. Paths are UTF-8 everywhere.

#include <string>
#include <vector>

namespace tenon::fmu {

/// Whether paths have drive letters and backslashes.
#if defined(_WIN32)
inline constexpr bool on_windows = true;
#else
inline constexpr bool on_windows = false;
#endif

/// All bytes of a file. Throws Error(model) that names it.
std::vector<unsigned char> read_file(const std::string& path);

/// The file that this code was loaded from, with forward slashes; empty where the system does not say.
std::string own_file();

} // namespace tenon::fmu
