#pragma once
// How files that programs read look: JSON with two blanks a level.

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace tenon {

/// Members keep their order.
using Json = nlohmann::ordered_json;

/// With a line break at the end. Numbers have the fewest digits that read back exactly; what is not finite becomes null, and
/// broken UTF-8 U+FFFD.
std::string json_text(const Json& json);

} // namespace tenon
