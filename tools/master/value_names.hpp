#pragma once
// What single values are called in results and messages.

#include "tools/system/system.hpp"
#include "tools/system/variable_index.hpp"

#include <string>

namespace tenon::master {

/// Values of the structural parameters that the system sets.
system::Sizes sizes_of(const system::CheckedSystem& system, std::size_t fmu);

/// "x", or "R[1,3]" for an element of an array.
std::string value_name(const fmi::Variable& variable, const system::Sizes& sizes, std::size_t element);

/// "crank.R[1,3]"
std::string value_name(const system::CheckedSystem& system, std::size_t fmu, std::size_t variable,
                       std::size_t element);

} // namespace tenon::master
