#pragma once
// SSP's mapping transformations of booleans, integers and enumerations as pairs of numbers.

#include "tools/system/system.hpp"
#include "tools/system/variable_index.hpp"

namespace tenon::system {

struct ValueMap {
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
    std::string problem; ///< why there are none
};

/// `entries` between two variables of one kind; booleans are 0 and 1.
ValueMap value_map(const std::vector<MapEntry>& entries, const VariableIndex& source, std::size_t from,
                   const VariableIndex& target, std::size_t to);

} // namespace tenon::system
