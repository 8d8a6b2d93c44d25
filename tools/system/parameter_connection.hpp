#pragma once
// Connections between parameters, as SSP has them: the value of one is given to the other before the start, and then there
// is nothing left of the connection.

#include "tools/system/check_context.hpp"
#include "tools/system/system.hpp"

namespace tenon::system {

/// Puts settings in the place of such connections and brings `checked.assignments` up to date. Connections whose source has
/// no known value, and those that go in a circle, stay: the check of connections refuses them.
void apply_parameter_connections(CheckContext& context, CheckedSystem& checked);

} // namespace tenon::system
