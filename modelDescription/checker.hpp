#pragma once
// The rules of FMI 2.0 and 3.0 for a description beyond what the schema can say.

#include "modelDescription/description.hpp"
#include "tools/files/finding.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::fmi {

using tenon::Finding;
using tenon::Severity;

/// How an FMU is taken that breaks a rule (docs/foreign-fmus.md).
enum class Degree {
    advice, ///< said by the checker only
    letter, ///< noted in a run, refused where that is asked for
    refused ///< no FMU: variables cannot be told apart
};

struct DescriptionFindings {
    FindingList advice, letter, refused;
};
DescriptionFindings findings_of(const Description& description);
/// All of them.
std::vector<Finding> check_description(const Description& description);

/// A rule of check_description(): what its findings are called, how grave they are, and what a description must be like.
struct Rule {
    std::string_view id;
    Severity severity;
    Degree degree;
    std::string_view sentence;
};
std::span<const Rule> rule_catalogue();
/// Of the rule of that name, which is in the catalogue.
const Rule& rule_of(std::string_view id);

} // namespace tenon::fmi
