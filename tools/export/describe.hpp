#pragma once
// The description of an exported FMU, from what its binary will show.

#include "fmu/blueprint.hpp"
#include "modelDescription/description.hpp"

namespace tenon {

/// A C identifier of at most 40 characters from a model's name.
std::string model_identifier(const std::string& name);

/// Variables, units, types, structure, terminals and capabilities. `arrays`: as such (3.0), not a variable for each element.
fmi::Description describe(const fmu::Blueprint& blueprint, fmi::Version version, bool arrays);

} // namespace tenon
