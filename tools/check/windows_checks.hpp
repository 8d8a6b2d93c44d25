#pragma once
// The libraries of an FMU for Windows: what they are, export and need.

#include "tools/check/binary_checks.hpp"
#include "tools/check/pe.hpp"

namespace tenon::check {

/// `duties.machine` is that of PE files; `place` is the library's name in messages.
void check_library(const Pe& library, const LibraryDuties& duties, const std::string& place,
                   Findings& findings);

} // namespace tenon::check
