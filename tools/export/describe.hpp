#pragma once
// The description of an exported FMU, from what its binary will show.

#include "fmu/blueprint.hpp"
#include "modelDescription/description.hpp"

namespace tenon {

/// A C identifier of at most 40 characters from a model's name.
std::string model_identifier(const std::string& name);

/// Variables, units, types, structure, terminals and capabilities of version 2.0 (arrays as scalars) or 3.0.
fmi::Description describe(const fmu::Blueprint& blueprint, fmi::Version version);

} // namespace tenon
