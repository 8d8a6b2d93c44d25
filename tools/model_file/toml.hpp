#pragma once
// TOML as a plain tree with line numbers. toml++ is behind it, in toml.cpp alone: it is slow to compile.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tenon {

struct TomlEntry;

/// Text of a date or time, which none of our files has a use for.
struct TomlDate {};

struct TomlNode {
    using Array = std::vector<TomlNode>;
    using Table = std::vector<TomlEntry>; ///< in the order of the file

    std::variant<bool, std::int64_t, double, std::string, TomlDate, Array, Table> value;
    int line = 0;

    bool is_number() const {
        return std::holds_alternative<double>(value) || std::holds_alternative<std::int64_t>(value);
    }
    bool is_text() const { return std::holds_alternative<std::string>(value); }
    bool is_boolean() const { return std::holds_alternative<bool>(value); }
    bool is_array() const { return std::holds_alternative<Array>(value); }
    bool is_table() const { return std::holds_alternative<Table>(value); }

    /// These throw std::bad_variant_access where the kind is another.
    double number() const {
        const auto* integer = std::get_if<std::int64_t>(&value);
        return integer ? static_cast<double>(*integer) : std::get<double>(value);
    }
    bool boolean() const { return std::get<bool>(value); }
    const std::string& text() const { return std::get<std::string>(value); }
    const Array& items() const { return std::get<Array>(value); }
    const Table& entries() const { return std::get<Table>(value); }
    /// Null where the table has no such key.
    const TomlEntry* find(std::string_view key) const;
};

struct TomlEntry {
    std::string key;
    int line = 0;
    TomlNode node;
};

/// The largest file that is read: a hundred thousand bodies with room to spare.
inline constexpr std::size_t toml_size_limit = 16u << 20;
/// The deepest nesting of brackets and of dotted keys; a model needs five. Trees are walked by recursion.
inline constexpr int toml_depth_limit = 32;
/// The most values, so that a file of commas takes neither all memory nor more than a second.
inline constexpr std::size_t toml_value_limit = 1'000'000;

/// The root table. Throws InputError(malformed) with the line; `file` is what the message calls the file.
TomlNode parse_toml(std::string_view text, const std::string& file);

} // namespace tenon
