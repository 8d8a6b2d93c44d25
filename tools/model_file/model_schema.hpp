#pragma once
// What the format's data (model_format.hpp) says to others: a JSON Schema for editors and key tables for people.

#include "tools/model_file/model_format.hpp"

#include <string>
#include <vector>

namespace tenon {

/// JSON Schema (draft 7) of model files, as editors with TOML support use it.
std::string model_schema();

/// Key tables of a format in Markdown, a heading for each section.
std::string sections_markdown(const std::vector<Section>& sections);

/// The key tables of docs/model-file.md in Markdown; a test holds the page to them.
std::string model_reference_markdown();

} // namespace tenon
