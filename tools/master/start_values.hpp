#pragma once
// What is set before and in the initialisation: sizes, parameters and start values, those of the description too, since a
// description may have been made for another binary; only what the standard lets be set.

#include "tools/master/ensemble.hpp"

namespace tenon::master {

/// All throw Error(computation) that names FMU, variable and value.

/// Between instantiation and initialisation.
void send_structure(Ensemble& ensemble, Participant& participant);
void send_start_values(Ensemble& ensemble, Participant& participant);
/// In initialisation mode: FMI 2.0 lets inputs be set there only.
void send_input_starts(Ensemble& ensemble, Participant& participant);

} // namespace tenon::master
