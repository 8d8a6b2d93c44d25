#pragma once
// The FMU of a coupler: description, library, data.

#include "tools/archive/archive.hpp"
#include "tools/glue/coupler/coupler_data.hpp"

#include <vector>

namespace tenon::glue {

/// A token that follows from all the data.
std::string coupler_token(const CouplerData& data);

/// What the FMU has inside. `data` has its token.
std::vector<ArchiveContent> coupler_content(const CouplerData& data);

} // namespace tenon::glue
