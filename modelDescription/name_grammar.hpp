#pragma once
// Structured variable names (FMI 2.0 section 2.2.9, FMI 3.0 section 2.4.7.5.1):
//
//   name       = identifier | "der(" identifier [ "," integer ] ")"
//   identifier = part { "." part },   part = ( word | quoted ) [ "[" integer { "," integer } "]" ]
//   word       = a C identifier,      quoted = "'" one or more printable characters or escapes "'"

#include <string_view>

namespace tenon::fmi {

bool is_structured_name(std::string_view name);

/// x of "x[1,2]"; empty where the name does not end with an index.
std::string_view array_of_element(std::string_view name);

} // namespace tenon::fmi
