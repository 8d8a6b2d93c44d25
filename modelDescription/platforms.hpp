#pragma once
// The folders that binaries/ of an FMU may have.

#include "modelDescription/description.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace tenon::fmi {

struct Platform {
    std::string_view extension; ///< of a shared library there: ".so"
    int elf_machine = 0;        ///< 0: no ELF files there
    int bits = 64;
    int pe_machine = 0; ///< 0: no PE files there
};

/// What the folder name means in that version of FMI; nothing where the standard does not know it.
std::optional<Platform> find_platform(Version version, std::string_view folder);

/// The folder of a platform that FMI 3.0 calls so ("x86_64-windows"); empty: that version has none.
std::string_view folder_name(Version version, std::string_view name3);

/// The folder names of that version, for a hint.
std::string platform_names(Version version);

} // namespace tenon::fmi
