#pragma once
// The rules for the archive of an FMU: how it is packed and what is in it.

#include "tools/archive/archive.hpp"
#include "tools/check/findings.hpp"

namespace tenon::check {

/// Headers and names of the entries, and whether there is a description. Needs no description.
void check_entries(const Archive& archive, Findings& findings);

/// Folders and files that the standard asks for, or that do not belong there.
void check_content(const Archive& archive, const fmi::Description& description, Findings& findings);

} // namespace tenon::check
