#pragma once
// The rules of FMI 2.0 and 3.0 for a description beyond what the schema can say.

#include "modelDescription/description.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::fmi {

enum class Severity { note, warning, error };

/// One thing found: which rule, where, what, and what to do about it.
struct Finding {
    Severity severity = Severity::error;
    std::string rule;  ///< short and stable: "unit-undefined", "initial-unknowns", "symbol-missing", ...
    std::string place; ///< file and line, entry of the archive, variable, function; may be empty
    std::string message;
    std::string hint; ///< may be empty
};

std::vector<Finding> check_description(const Description& description);

/// A rule of check_description(): what its findings are called, how grave they are, and what a description must be like.
struct Rule {
    std::string_view id;
    Severity severity;
    std::string_view sentence;
};
std::span<const Rule> rule_catalogue();

} // namespace tenon::fmi
