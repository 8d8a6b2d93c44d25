#pragma once
// What must be known of a text before a TOML parser is let loose on it.

#include <string>
#include <string_view>

namespace tenon {

/// Throws InputError(malformed) where the text is too large, is not UTF-8, holds control characters or is nested too deeply.
void check_toml_text(std::string_view text, const std::string& file);

} // namespace tenon
