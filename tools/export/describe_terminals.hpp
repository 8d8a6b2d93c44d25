#pragma once
// Ports and flanges of a model as terminals (docs/contract.md section 5).

#include "fmu/blueprint.hpp"
#include "modelDescription/description.hpp"

#include <vector>

namespace tenon {

/// Names of the icons that the terminals refer to, without extension.
inline constexpr const char* frame_icon = "frame3d";
inline constexpr const char* flange_icon = "flange";

/// `arrays`: members are arrays, not their elements.
std::vector<fmi::Terminal> describe_terminals(const fmu::Blueprint& blueprint, bool arrays);

} // namespace tenon
