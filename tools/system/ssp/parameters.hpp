#pragma once
// Parameter sets (.ssv) and parameter mappings (.ssm) of SSP, and common parts of its files.

#include "tools/system/ssp/tree.hpp"
#include "tools/system/ssp/xml.hpp"

#include <map>
#include <string>
#include <vector>

namespace tenon::system {

using SspUnits = std::map<std::string, fmi::BaseUnit>;

/// The Units of a file's root element.
SspUnits read_units(const Element& root);

/// One of the four transformations among the children; none is the identity.
SspTransformation read_transformation(const Element& element);

/// The values of a ParameterSet with their names, `source` being the index of its file.
std::vector<Setting> read_parameter_set(const Element& set, std::size_t source);

/// What a ParameterMapping makes of the values: names changed, values transformed, the unmapped left out. Refuses two values
/// for one name.
std::vector<Setting> map_parameters(const Element& mapping, const std::vector<Setting>& values);

} // namespace tenon::system
