#pragma once
// Single ports read and set, as the initialisation does it.

#include "tools/master/ensemble.hpp"

namespace tenon::master {

/// Gets an output into Signals::now or its block. False: Participant::failure says why; values that are not finite are
/// such a failure.
bool read_port(Ensemble& ensemble, std::size_t output);
/// Sets an input from Signals::inputs or its block.
bool set_port(Ensemble& ensemble, std::size_t input);

/// The same, with an input's value from its wires first. Throw Error(computation).
void require_read(Ensemble& ensemble, std::size_t output);
void require_fed(Ensemble& ensemble, std::size_t input);
void require_set(Ensemble& ensemble, std::size_t input);
/// One wire. Throws Error(computation) where the value does not fit.
void require_transfer(Ensemble& ensemble, const Wiring::Wire& wire, bool* changed = nullptr);

} // namespace tenon::master
