#pragma once
// Whether an energy error is small, or the sign of a run that has blown up.

#include "core/simulation/simulation.hpp"

namespace tenon::verbs {

/// The energy that a machine exchanges, roughly: what it starts with, what its weight can do over its own size, and
/// what inputs, drivers and dissipative forces have moved in and out since.
class EnergyScale {
  public:
    explicit EnergyScale(const Simulation& simulation);

    /// To be called after every step.
    void follow(const Simulation& simulation);
    double joules() const { return joules_; }
    /// The energy error is half of all that was exchanged, or no number at all: these results describe nothing.
    bool diverged(const RunReport& report) const;

  private:
    double joules_ = 0;
    double work_ = 0;
};

} // namespace tenon::verbs
