#pragma once
// A system may name a model file where it wants an FMU: it is exported for the run, as `tenon export` would.

#include "tools/system/system.hpp"

#include <string>
#include <vector>

namespace tenon::run {

struct SystemOfParts {
    system::System system;
    std::vector<std::string> named;    ///< one per FMU: the file that the system names, be it a model
    std::vector<std::string> warnings; ///< about those models, with file and line
};

/// read_system, with every `[[fmu]] file` that is a .toml made an FMU (FMI 2.0, which SSP 1.0 carries) in a folder that lives as long
/// as the system. The same model gives the same bytes, so checkpoints know it again. Throws InputError with file and line.
SystemOfParts read_system_of_parts(const std::filesystem::path& file);

} // namespace tenon::run
