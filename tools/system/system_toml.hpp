#pragma once
// System files in TOML (docs/contract.md section 4).

#include "tools/system/system.hpp"

#include <string>
#include <string_view>

namespace tenon::system {

/// `file` is what messages call the file; FMUs are relative to its folder. Throws InputError.
System parse_system(std::string_view text, const std::string& file);

/// Whether a TOML text is a system and no model; false where it is not a TOML either.
bool is_system_text(std::string_view text);

} // namespace tenon::system
