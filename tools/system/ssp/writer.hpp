#pragma once
// The parts of an SSP 1.0 file that save_ssp() puts together.

#include "modelDescription/xml_writer.hpp"
#include "tools/system/system.hpp"
#include "tools/system/variable_index.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace tenon::system {

/// Units and enumerations of one file, whose names must be unique in it.
class SspDefinitions {
  public:
    /// The name under which the unit can be used; empty where it is not defined, or where another one has its name.
    std::string unit(const fmi::Unit& unit);
    /// The same for an enumeration; a second one of the same name gets a number.
    std::string enumeration(const fmi::TypeDefinition& type);

    /// The elements <tag:Enumerations> and <tag:Units>, where there are any.
    void write(fmi::XmlWriter& xml, std::string_view enumerations_tag, std::string_view units_tag) const;

  private:
    std::map<std::string, fmi::BaseUnit> units_;
    std::map<std::string, std::vector<fmi::EnumerationItem>> enumerations_;
};

/// Sizes that the assignments of an FMU set.
Sizes set_sizes(const fmi::Description& description,
                const std::vector<CheckedSystem::Assignment>& assignments);

/// A parameter set (.ssv) with all values that are set in an FMU, element by element.
std::string parameter_set(const std::string& name, const VariableIndex& index, const Sizes& sizes,
                          const std::vector<CheckedSystem::Assignment>& assignments);

} // namespace tenon::system
