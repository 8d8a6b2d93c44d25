#pragma once
// The system that a run is about: read, changed by the options, checked.

#include "tools/results/checkpoint.hpp"
#include "tools/system/system.hpp"

namespace tenon::run {

/// Throws InputError for what is wrong in the files, Error(usage) for what is wrong in the options. `warnings` gets what is to be
/// said of models among the FMUs; `letter`: what becomes of FMUs that are against the letter of FMI.
system::CheckedSystem checked_system(const results::RunSettings& settings, fmi::Letter letter,
                                     std::vector<std::string>& warnings);

/// "2", "true", "[1, 2, 3]", "red": a number, a truth, a list of numbers, or a text; in quotes always a text.
system::SettingValue parse_setting(const std::string& text);

} // namespace tenon::run
