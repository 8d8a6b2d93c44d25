#pragma once
// Joints between FMUs: their sides, types and numbers.

#include "tools/system/check_context.hpp"

namespace tenon::system {

/// Throws InputError for a joint that nobody could glue. `wires` may not feed the efforts of a glued port.
void check_joints(const CheckContext& context, const std::vector<CheckedSystem::Wire>& wires);

} // namespace tenon::system
