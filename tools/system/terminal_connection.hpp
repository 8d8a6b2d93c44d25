#pragma once
// Terminals that signals alone connect: [[connection]] between two terminals of any kind, and joints of type fixed between a port that
// gives motion and takes efforts (mass side) and one that takes motion and gives efforts (spring side: a tyre, a bushing, a coupler).
// The rules are those of FMI 3.0.2, 2.4.9, and of docs/contract.md section 5: members are matched by name (plug: all of them, bus: those that
// both have) or by order (sequence); a signal is passed on, an inflow or effort to another one with the other sign.

#include "tools/system/check_context.hpp"

#include <string>
#include <vector>

namespace tenon::system {

/// Puts connections of members in the place of connections between terminals and of joints that need no glue; a remark for each such
/// joint. `system` is that of `context`. Throws InputError.
void connect_terminals(const CheckContext& context, System& system, std::vector<std::string>& remarks);

} // namespace tenon::system
