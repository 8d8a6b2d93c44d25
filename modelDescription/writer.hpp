#pragma once
// A Description as the files of an FMU. The same description gives the same bytes.

#include "modelDescription/description.hpp"

#include <string>

namespace tenon::fmi {

/// modelDescription.xml in the version that the description names, Co-Simulation only. Arrays cannot be written in
/// version 2.0: their elements must be variables of their own.
std::string write_description(const Description& description);

/// terminalsAndIcons/terminalsAndIcons.xml, with fmiVersion 3.0 in both versions.
std::string write_terminals(const Description& description);

} // namespace tenon::fmi
