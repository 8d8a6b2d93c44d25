#pragma once
// A system may name a model file where it wants an FMU: it is exported for the run, as `tenon export` would.

#include "tools/system/system.hpp"

namespace tenon::cli {

/// read_system, with every `[[fmu]] file` that is a .toml made an FMU (FMI 2.0, which SSP 1.0 carries) in a folder that lives as long
/// as the system. The same model gives the same bytes, so checkpoints know it again. Throws InputError with file and line.
master::System read_system_of_parts(const std::filesystem::path& file);

} // namespace tenon::cli
