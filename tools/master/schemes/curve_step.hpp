#pragma once
// Steps along input curves, which all schemes with an order above 0 make.

#include "tools/master/ensemble.hpp"

namespace tenon::master {

/// Each of `members` gets its curve and makes its step; outputs go to Signals::next. Returns their Flags.
unsigned step_along_curves(Ensemble& ensemble, std::span<const std::size_t> members, double t, double h);

/// The curves begin at t with what the outputs of now give, through the values known so far. False: `failure` says why.
bool begin_curves(Ensemble& ensemble, double t, Failure& failure);

/// Quadratic extrapolation has no past to start from, and one constant step would cost it its third order. So the first
/// step is made a second time, along the lines to the values that the first attempt came to.
bool needs_correction(const Ensemble& ensemble);
Outcome corrected(Ensemble& ensemble, double t, double h);

} // namespace tenon::master
