#pragma once
// The system file's format as data, like that of the model file: tables, keys, types, defaults. docs/system-file.md is held to
// it by a test.

#include "tools/model_file/model_format.hpp"

namespace tenon::system {

/// [system], [[fmu]], [[connection]], [[joint]] with the types of joints as variants, [master].
const std::vector<Section>& system_sections();

/// The table that people may have meant by `name`. May be empty.
std::string meant_system_section(std::string_view name);

/// The names of `words` of a key: methods of [master] and of joints.
std::vector<std::string> words_of(std::string_view section, std::string_view key);

} // namespace tenon::system
