#pragma once
// From instances to step mode: start values, then outputs and inputs in the order in which they depend on each other, then
// the first events.

#include "tools/master/ensemble.hpp"

namespace tenon::master {

/// All participants to step mode, or to event mode where they have one; inputs and outputs of all are known. Throws
/// Error(computation) that names FMU, variable and value. `placements` are set after the start values.
void initialize(Ensemble& ensemble, const std::vector<Placement>& placements = {});
/// Back to where instances begin.
void reset(Ensemble& ensemble);

} // namespace tenon::master
