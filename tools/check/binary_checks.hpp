#pragma once
// The libraries of an FMU: what they are, export and need, read from their bytes. Those for Linux are looked at here, those for
// Windows in windows_checks.hpp.

#include "tools/archive/archive.hpp"
#include "tools/check/findings.hpp"
#include "tools/import/elf.hpp"

#include <set>
#include <string_view>

namespace tenon::check {

/// All libraries for Linux and Windows in the archive. Those of other systems are only named by check_content().
void check_binaries(const Archive& archive, const fmi::Description& description, Findings& findings);

/// What a library must be for the platform folder that it lies in; `place` is its name in messages.
struct LibraryDuties {
    fmi::Version version = fmi::Version::fmi2;
    int machine = 0;
    int bits = 64;
    bool co_simulation = true;
    bool model_exchange = false;
    bool windows = false;
};
void check_library(const fmi::Elf& library, const LibraryDuties& duties, const std::string& place,
                   Findings& findings);

/// The functions of FMI that it must export, and on Linux nothing else.
void check_exported(std::set<std::string_view> exported, const LibraryDuties& duties,
                    const std::string& place, Findings& findings);

} // namespace tenon::check
