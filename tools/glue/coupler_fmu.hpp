#pragma once
// The FMU of a coupler: description, library, data.

#include "fmu/coupler/coupler_data.hpp"
#include "tools/archive/archive.hpp"

#include <vector>

namespace tenon::glue {

/// A token that follows from all the data.
std::string coupler_token(const fmu::CouplerData& data);

/// What the FMU has inside. `data` has its token.
std::vector<ArchiveContent> coupler_content(const fmu::CouplerData& data);

} // namespace tenon::glue
