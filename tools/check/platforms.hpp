#pragma once
// The folders that binaries/ of an FMU may have.

#include "modelDescription/description.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace tenon::check {

struct Platform {
    std::string_view extension; ///< of a shared library there: ".so"
    int elf_machine = 0;        ///< 0: no ELF files there
    int bits = 64;
};

/// What the folder name means in that version of FMI; nothing where the standard does not know it.
std::optional<Platform> find_platform(fmi::Version version, std::string_view folder);

/// The folder names of that version, for a hint.
std::string platform_names(fmi::Version version);

} // namespace tenon::check
