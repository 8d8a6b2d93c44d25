#pragma once
// What is set before and in the initialisation: sizes, parameters and start values that the system gives; only what the
// standard lets be set. An FMU has the start values of its description without being told.

#include "tools/master/ensemble.hpp"

namespace tenon::master {

/// All throw Error(computation) that names FMU, variable and value.

/// Between instantiation and initialisation.
void send_structure(Ensemble& ensemble, Participant& participant);
void send_start_values(Ensemble& ensemble, Participant& participant);
/// In initialisation mode: FMI 2.0 lets inputs be set there only.
void send_input_starts(Ensemble& ensemble, Participant& participant);

} // namespace tenon::master
