#pragma once
// What `tenon info --json` writes about FMUs and systems. All keys are there whether or not the file could be read.

#include "tools/verbs/info_system.hpp"

#include <string>

namespace tenon::verbs {

/// `fmu` may be null; `message` then says why.
std::string fmu_json(const std::string& file, const fmi::Fmu* fmu, const std::string& message);
std::string system_json(const std::string& file, const ShownSystem* shown, const std::string& message);

} // namespace tenon::verbs
