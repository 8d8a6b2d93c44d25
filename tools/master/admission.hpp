#pragma once
// What the master cannot run, found before a library is loaded.

#include "tools/system/system.hpp"

namespace tenon::master {

/// Throws InputError(65) for joints, clocks that have to be ticked, and methods that are for joints alone.
void admit(const CheckedSystem& system);

} // namespace tenon::master
