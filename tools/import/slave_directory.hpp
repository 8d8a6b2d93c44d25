#pragma once
// The slaves of this process, found by what their FMUs pass back. FMUs call the logger with another environment than they were
// given, with none, from threads of their own and after their end: a pointer is looked up here and never followed before.

#include "tools/import/log_relay.hpp"

#include <memory>
#include <string>

namespace tenon::fmi {

class LocalSlave;

/// A number for the slave on the call board; 0 where there are more slaves than places.
unsigned add_slave(LocalSlave& slave, const std::string& name, std::shared_ptr<LogRelay> relay);
void remove_slave(const LocalSlave& slave);

/// The slave that gave this environment, or else the one that this thread is in; null: nobody knows.
LocalSlave* find_slave(const void* environment);

/// Where a message goes: to the slave that gave the environment, or else to the one that this thread is in, or else to the
/// only one of that name; null: nobody knows. `instance` may be anything.
std::shared_ptr<LogRelay> find_relay(const void* environment, const char* instance);

} // namespace tenon::fmi
