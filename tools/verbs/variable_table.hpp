#pragma once
// Lists of variables for people: arrays in one line, long lists cut.

#include "tools/verbs/console.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tenon::verbs {

/// The table under a bold title; nothing where it has no rows.
void print_section(std::string_view title, const TextTable& table);

struct ListedVariable {
    std::string name, unit, description;
};

/// Variables with indices are one line: crank.r_0[1..3], tip.R[1,1..3,3]. Without `verbose` the first 40 lines.
void print_variables(std::string_view title, const std::vector<ListedVariable>& variables, bool verbose);

} // namespace tenon::verbs
