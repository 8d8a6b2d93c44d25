#pragma once
// Connections as wires between single values: who may feed whom, sizes, types and units.

#include "tools/system/check_context.hpp"

namespace tenon::system {

/// All wires of the system, in the order of its connections. Throws InputError.
std::vector<CheckedSystem::Wire> check_connections(const CheckContext& context);

} // namespace tenon::system
