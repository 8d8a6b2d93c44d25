#pragma once
// What the settings of a run may be, wherever they come from.

#include "tools/system/system.hpp"

#include <string>

namespace tenon::system {

/// What is wrong with the settings: begins with the name of the setting. Empty where nothing is.
std::string master_problem(const MasterSettings& master);

} // namespace tenon::system
