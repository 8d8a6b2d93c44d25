#pragma once
// `tenon info` for FMUs and for systems of them, for people.

#include "tools/import/fmu.hpp"
#include "tools/system/system.hpp"

#include <string>

namespace tenon::cli {

void print_fmu(const fmi::Fmu& fmu, bool verbose);
void print_system(const master::CheckedSystem& checked, bool verbose);

/// "binaries/" of an FMU: the folders that hold a library, comma separated; empty where there are none.
std::string platforms(const fmi::Fmu& fmu);

} // namespace tenon::cli
