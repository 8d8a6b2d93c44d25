#pragma once
// What must be known of a text before a TOML parser is let loose on it.

#include <optional>
#include <string>
#include <string_view>

namespace tenon {

/// A quote that no other one closes: its line, and what to say of it.
struct OpenQuote {
    int line = 0;
    std::string what;
};

/// Throws InputError(malformed) where the text is too large, is not UTF-8, holds control characters or is nested too deeply.
/// Returns the first quote that stays open, which a parser stumbles over somewhere behind it.
std::optional<OpenQuote> check_toml_text(std::string_view text, const std::string& file);

} // namespace tenon
