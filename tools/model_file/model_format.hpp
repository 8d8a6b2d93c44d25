#pragma once
// The model file's format as data: which tables there are, which keys they take, of what type, in what unit, with
// what default. From it come the checks of the reader, the JSON Schema and the tables of docs/model-file.md.

#include "core/model/key.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tenon {

/// A type of joint or force, with the keys that it alone takes.
struct Variant {
    std::string_view name;
    std::string_view meaning;
    std::vector<Key> keys;
    std::string_view spares = {}; ///< a required key of the section that this type does not need
};

struct Section {
    std::string_view name;
    bool repeated = false; ///< [[name]] instead of [name]
    std::string_view meaning;
    std::vector<Key> keys; ///< that all variants take
    std::vector<Variant> variants = {};

    /// The word in brackets as it stands in the file.
    std::string heading() const;
    const Variant* variant(std::string_view type) const;
    /// The section's keys and the variant's.
    std::vector<Key> keys_of(const Variant& variant) const;
};

/// In the order of the documentation.
const std::vector<Section>& model_sections();
/// Null where there is no such table.
const Section* find_section(std::string_view name);

const std::vector<Key>& orientation_keys();
const std::vector<Key>& friction_keys();
const std::vector<Key>& shape_keys();
const std::vector<Key>& motion_keys();
const std::vector<Key>& table_keys();
const std::vector<Key>& load_table_keys();
const std::vector<Key>& law_keys();
const std::vector<Key>& law_piece_keys();
const std::vector<Key>& stop_keys();

const Key* find_key(const std::vector<Key>& keys, std::string_view name);

/// "a number", "3 numbers": what a value of this type is, and an example of it as it stands in a file.
std::string_view type_text(ValueType type);
std::string_view type_example(ValueType type);

/// The table that people may have meant by `name`: near spellings, plurals and words of other tools. May be empty.
std::string meant_section(std::string_view name);

} // namespace tenon
