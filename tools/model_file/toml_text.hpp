#pragma once
// TOML being written: a table after the other, a key a line. Numbers have the fewest digits that read back as the same number.

#include "core/math/digits.hpp"

#include <span>
#include <string>
#include <string_view>

namespace tenon {

/// In quotes, with escapes where TOML wants them.
std::string toml_quoted(std::string_view text);
std::string toml_number(double number);
/// [1, 2, 3]
std::string toml_list(std::span<const double> numbers);
inline std::string toml_list(const Vec3& v) { return toml_list(std::span(v.data(), 3)); }

class TomlText {
  public:
    /// "[model]" or "[[body]]", with an empty line before.
    TomlText& table(std::string_view head);
    /// `value` as TOML: a number, a quoted text, a list.
    TomlText& raw(std::string_view key, std::string_view value);
    TomlText& line(std::string_view key, std::string_view text) { return raw(key, toml_quoted(text)); }
    TomlText& line(std::string_view key, double number) { return raw(key, toml_number(number)); }
    TomlText& line(std::string_view key, const Vec3& v) { return raw(key, toml_list(v)); }
    const std::string& text() const { return text_; }

  private:
    std::string text_;
};

} // namespace tenon
