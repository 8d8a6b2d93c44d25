#pragma once
// Settings of an FMU as values of its variables: names, types, ranges and units checked.

#include "tools/system/check_context.hpp"

namespace tenon::system {

/// What is to be set in FMU number `fmu`. Fills in the sizes that structural parameters give; SSP's parameters that the FMU
/// does not have go to `remarks`. Throws InputError.
std::vector<CheckedSystem::Assignment> check_settings(CheckContext& context, std::size_t fmu,
                                                      std::vector<std::string>& remarks);

} // namespace tenon::system
