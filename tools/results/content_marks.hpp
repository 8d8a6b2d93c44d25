#pragma once
// The files that a run depends on, by their content: a continuation with other ones would be another run.

#include "tools/results/checkpoint.hpp"
#include "tools/system/system.hpp"

#include <vector>

namespace tenon::results {

/// "system", then one per FMU by its name. Throws InputError(unreadable) where a file cannot be read.
std::vector<ContentMark> content_marks(const system::CheckedSystem& system);

/// What the first difference is, for a message: "fmu 'crank' (crank.fmu) has changed"; empty where there is none.
std::string content_difference(const std::vector<ContentMark>& before, const system::CheckedSystem& system);

} // namespace tenon::results
