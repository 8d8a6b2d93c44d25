#pragma once
// What the master cannot run, found before a library is loaded.

#include "tools/system/system.hpp"

namespace tenon::master {

/// Throws InputError(malformed) for clocks that have to be ticked, settings that mean nothing, methods that are for joints alone, and those
/// that are not for joints.
void admit(const system::CheckedSystem& system);

} // namespace tenon::master
