#pragma once
// What the applied loads, force and torque, share.

#include "core/model/forces/force_types.hpp"

namespace tenon::forces {

/// body, the load itself under `key`, table, axes and input.
inline std::vector<Key> load_keys(std::string_view key, std::string_view unit, std::string_view meaning) {
    using enum ValueType;
    return {
        {.name = "body", .type = body, .required = true, .meaning = "the body that is loaded"},
        {.name = key, .type = load, .unit = unit, .meaning = meaning, .space = Space::load, .parameter = key},
        {.name = "table", .type = vector_table, .meaning = "the same as a table in the key above"},
        {.name = "axes",
         .type = word,
         .fallback = "\"world\"",
         .meaning = "axes of the components",
         .words = {"world", "body"}},
        {.name = "input",
         .type = boolean,
         .fallback = "false",
         .meaning = "true: an input of the model; the vector, if given, is its start value"}};
}

/// The load before force or torque is put in.
inline AppliedLoad load_on_body(const Force& force) {
    AppliedLoad load;
    load.body = force.second;
    load.body_axes = force.word("axes") == "body";
    return load;
}

} // namespace tenon::forces
