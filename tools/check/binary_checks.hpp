#pragma once
// The libraries of an FMU for Linux: what they are, export and need, read from their bytes.

#include "tools/archive/archive.hpp"
#include "tools/check/findings.hpp"
#include "tools/import/elf.hpp"

namespace tenon::check {

/// All libraries for Linux in the archive. Those of other systems are only named by check_content().
void check_binaries(const Archive& archive, const fmi::Description& description, Findings& findings);

/// What a library must be for the platform folder that it lies in; `place` is its name in messages.
struct LibraryDuties {
    fmi::Version version = fmi::Version::fmi2;
    int machine = 0;
    int bits = 64;
    bool co_simulation = true;
    bool model_exchange = false;
};
void check_library(const fmi::Elf& library, const LibraryDuties& duties, const std::string& place,
                   Findings& findings);

} // namespace tenon::check
