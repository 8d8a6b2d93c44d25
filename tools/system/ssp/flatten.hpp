#pragma once
// The tree of an SSP as one flat system: components with dotted names, connections followed through system connectors of any
// depth, parameters brought to the component they mean.

#include "tools/system/ssp/tree.hpp"

namespace tenon::system {

/// Adds FMUs, connections and exposed variables to `system`. Throws InputError.
void flatten_ssp(const SspElement& root, System& system);

} // namespace tenon::system
