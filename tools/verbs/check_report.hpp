#pragma once
// What `tenon check` says: to people and to programs.

#include "tools/check/check_fmu.hpp"

#include <cstdio>
#include <string>

namespace tenon::verbs {

/// Findings with errors first, then one line that sums up; notes and the list of checks where `verbose`.
void print_check(const check::CheckReport& report, const std::string& file, bool verbose, std::FILE* stream);

/// "2 errors, 1 warning and 8 notes".
std::string finding_counts(const check::CheckReport& report);

/// The contract's `status` and `message`, the counts, every finding and every check.
std::string check_json(const check::CheckReport& report, const std::string& file, const std::string& status,
                       const std::string& message);

} // namespace tenon::verbs
