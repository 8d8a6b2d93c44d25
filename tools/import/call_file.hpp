#pragma once
// Records of calls as files.

#include "tools/import/recorded_calls.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace tenon::fmi {

/// Lines before the first call.
inline constexpr std::size_t call_file_head = 2;

/// Writes a record to a new file, line by line to the system, so that a crash loses none. Throws OutputError, also in each
/// call of what it returns. `fmu` is the name of the FMU's file, for whoever reads the record.
CallLines call_file(const std::filesystem::path& file, const std::string& fmu);

/// All lines, with the head checked. Throws InputError.
std::vector<std::string> read_calls(const std::filesystem::path& file);

} // namespace tenon::fmi
