#pragma once
// A key: a value of a model as users name it, with its type, unit and meaning. The registries of joints and forces list
// theirs; reader, writer, JSON Schema, documentation, checks, bytes and the parameters of an FMU follow from them.

#include "core/math/types.hpp"
#include "core/model/choice.hpp"
#include "core/model/law.hpp"
#include "core/model/members.hpp"
#include "core/model/signal.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tenon {

struct Force;

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
    choice,       ///< table of a type in Key::choices() and its keys
    choices,      ///< list of such tables
    rows,         ///< list of lists of numbers
    road,         ///< name of a road
    vector_table, ///< table of load_table_keys(): another way to write the key of type load beside it
    effort,       ///< number, or table of table_keys()
    range,        ///< 2 numbers, least and largest
    law,          ///< table of law_keys()
    law_pieces,   ///< list of tables of law_piece_keys()
    pairs,        ///< any number of pairs of numbers
    six_laws,     ///< list of six laws, an empty table for none
    stop,         ///< table of stop_keys()
    six_stops,    ///< list of six stops, an empty table for none
    fmu_file,     ///< of a system: an FMU, relative to the file
    terminal,     ///< of a system: <fmu>/<terminal>, or "world"
    settings,     ///< of a system: table of variables and their values, checked against the FMU
};

/// What numbers are possible besides being finite.
enum class Limit { none, not_negative, positive, direction };

/// The columns are the value's components over time; an empty one is zero.
using VectorTable = std::array<Table, 3>;
inline bool is_empty(const VectorTable& table) {
    return table[0].empty() && table[1].empty() && table[2].empty();
}

/// A value of a force: number, boolean, word, vector, two_points, six_numbers, numbers or range, orientation; a load is a vector
/// or a table, an effort a number or a table; laws and stops. Of six laws or stops those that are absent are empty.
using Value =
    std::variant<double, bool, std::string, Vec3, std::array<Vec3, 2>, std::vector<double>, Mat3, VectorTable,
                 Table, Law, std::vector<Law>, Stop, std::vector<std::optional<Stop>>, Choice>;

struct ChoiceType;

struct Key {
    std::string_view name = {};
    ValueType type = ValueType::number;
    std::string_view unit = {};     ///< empty where there is none; of six_numbers two, with a comma
    std::string_view fallback = {}; ///< as documentation says it; empty where there is none
    bool required = false;
    std::string_view meaning = {};            ///< one sentence without its full stop
    std::vector<std::string_view> words = {}; ///< the first is the default
    Space space = Space::none;
    Limit limit = Limit::none;
    std::vector<std::string_view> instead = {}; ///< a required key may be absent where one of these is there

    // Of forces only.
    std::string_view parameter = {};    ///< describes it among the parameters of an FMU; empty: it is none
    std::string_view sliding_unit = {}; ///< instead of `unit`, where the force acts in a joint that slides
    double (*otherwise)(const Force&) = nullptr; ///< the number where it is absent; null: zero
    bool in_file = true; ///< false: a model file has no words for it, and placement gives it a value

    // Of choices.
    const std::vector<ChoiceType>& (*choices)() = nullptr;
};

/// One of the types of a choice, with its keys: numbers, numbers or rows.
struct ChoiceType {
    std::string_view name;
    std::string_view meaning; ///< one sentence without its full stop
    std::vector<Key> keys;
};
const ChoiceType* find_choice(const std::vector<ChoiceType>& types, std::string_view name);

/// "N/m, N m/rad" is N/m for the first three of six numbers and N m/rad for the others.
inline std::string_view unit_of(const Key& key, std::size_t i) {
    const std::size_t comma = key.unit.find(", ");
    if (comma == std::string_view::npos)
        return key.unit;
    return i < 3 ? key.unit.substr(0, comma) : key.unit.substr(comma + 2);
}

} // namespace tenon
