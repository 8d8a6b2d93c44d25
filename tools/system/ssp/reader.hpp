#pragma once
// An SSP package (1.0 or 2.0) as a System: read, flattened, its glue found. FMUs are not opened.

#include "tools/system/system.hpp"

#include <filesystem>

namespace tenon::system {

/// How deep systems may be nested, in one file or through others.
inline constexpr int ssp_depth_limit = 16;
/// The most elements of all systems together: sixteen levels that include each other twice would be 65536.
inline constexpr std::size_t ssp_element_limit = 10'000;

/// An archive, or a folder with SystemStructure.ssd. Throws InputError.
System read_ssp(const std::filesystem::path& file);

} // namespace tenon::system
