#pragma once
// The summary of a run for people.

#include "tools/run/summary.hpp"

#include <cstdio>

namespace tenon::verbs {

/// `verbose`: redundant joints of a model, what each FMU of a system has done.
void print_summary(const run::Summary& summary, bool verbose, std::FILE* stream);

/// How each joint would be glued, before any step: method, rows, redundant ones.
void print_glue(const run::Summary& summary, std::FILE* stream);

} // namespace tenon::verbs
