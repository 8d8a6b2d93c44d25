#pragma once
// What kind of file somebody named: the verbs say so when they get the wrong one.

#include "tools/system/system.hpp"

#include <filesystem>

namespace tenon::system {

enum class FileKind { model, system, fmu, ssp, other_archive };

/// From what is in the file, not from its name. Files that cannot be read, and pipes, count as models: reading them says why.
FileKind file_kind(const std::filesystem::path& file);

} // namespace tenon::system
