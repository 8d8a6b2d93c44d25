#pragma once
// The model file's format as data: which tables there are, which keys they take, of what type, in what unit, with
// what default. From it come the checks of the reader, the JSON Schema and the tables of docs/model-file.md.

#include <string>
#include <string_view>
#include <vector>

namespace tenon {

enum class ValueType {
    text,
    name,     ///< of the element itself
    variable, ///< name of a result or input variable
    word,     ///< one of Key::words
    number,
    boolean,
    vector,  ///< 3 numbers
    inertia, ///< 3 or 6 numbers
    six_numbers,
    sizes,      ///< 1 to 3 numbers
    numbers,    ///< any number of them
    vectors,    ///< any number of vectors
    two_points, ///< 2 vectors
    body,       ///< name of a body
    two_bodies,
    joint, ///< name of a joint
    two_joints,
    orientation,  ///< quaternion, or table of orientation_keys()
    friction,     ///< table of friction_keys()
    shape,        ///< table of shape_keys()
    motion,       ///< table of motion_keys() or table_keys()
    load,         ///< vector, or table of load_table_keys()
    scalar_table, ///< table of table_keys()
    vector_table, ///< table of load_table_keys()
    fmu_file,     ///< of a system: an FMU, relative to the file
    terminal,     ///< of a system: <fmu>/<terminal>, or "world"
    settings,     ///< of a system: table of variables and their values, checked against the FMU
};

struct Key {
    std::string_view name;
    ValueType type = ValueType::number;
    std::string_view unit;     ///< empty where there is none
    std::string_view fallback; ///< as documentation says it; empty where there is none
    bool required = false;
    std::string_view meaning; ///< one sentence without its full stop
    std::vector<std::string_view> words = {};
};

/// A type of joint or force, with the keys that it alone takes.
struct Variant {
    std::string_view name;
    std::string_view meaning;
    std::vector<Key> keys;
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

const Key* find_key(const std::vector<Key>& keys, std::string_view name);

/// "a number", "3 numbers": what a value of this type is, and an example of it as it stands in a file.
std::string_view type_text(ValueType type);
std::string_view type_example(ValueType type);

/// The table that people may have meant by `name`: near spellings, plurals and words of other tools. May be empty.
std::string meant_section(std::string_view name);

/// Names of docs/contract.md section 2, also of integrators that this build does not have.
const std::vector<std::string>& reserved_integrators();

} // namespace tenon
