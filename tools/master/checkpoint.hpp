#pragma once
// What a run needs to be continued, as bytes: bound to the system, versioned, checksummed.

#include "tools/master/driver.hpp"

#include <span>
#include <vector>

namespace tenon::master {

/// The first FMU that cannot write its state; empty where all can.
std::string cannot_checkpoint(const Ensemble& ensemble);

/// Throws Error(computation) where an FMU cannot.
std::vector<unsigned char> write_checkpoint(Ensemble& ensemble, const Scheme& scheme, Driver& driver);

/// Instances that have just been made come to where the bytes were written. Throws Error(model) for bytes that are damaged
/// or those of another system, Error(computation) where an FMU does not take its state.
void read_checkpoint(Ensemble& ensemble, Scheme& scheme, Driver& driver,
                     std::span<const unsigned char> bytes);

/// Of everything that decides the results: FMUs, wires, values and settings, not the stop time.
std::uint64_t fingerprint(const system::CheckedSystem& system);

} // namespace tenon::master
