#pragma once
// Numbers in messages and tables.

#include <string>
#include <string_view>

namespace tenon::run {

/// Four significant digits, enough for people: 0.001234, 1.5e-12.
std::string short_number(double value);
/// "1 step", "2 steps".
std::string counted(long number, std::string_view singular);

} // namespace tenon::run
