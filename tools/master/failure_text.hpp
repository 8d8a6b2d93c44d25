#pragma once
// Failures in words: one line with the time, the FMU, the call or the quantity, its value and its limit.

#include "tools/master/ensemble.hpp"

#include <string>

namespace tenon::master {

/// "t=1.234: fmu 'axle' (axle.fmu): DoStep(h=0.001) returned fmi3Discard; it says: ..."
std::string describe(const Ensemble& ensemble, double time, const Failure& failure);

/// A step size: a difference of times, whose last digits are round-off.
std::string size_text(double h);

/// "fmi3Discard"
std::string status_name(const Participant& participant, fmi::Status status);

} // namespace tenon::master
