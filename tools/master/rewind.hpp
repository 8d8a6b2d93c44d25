#pragma once
// The way back to the start of a step that failed: the states of all that can save them, from right before the step. Older states are
// of no use: FMUs are told that none will be restored (noSetFMUStatePriorToCurrentPoint), and some commit a step only then.

#include "tools/master/ensemble.hpp"

namespace tenon::master {

class Rewind {
  public:
    explicit Rewind(Ensemble& ensemble) : ensemble_(ensemble) {}

    /// Before each attempt of a step from `t`. False: `failure` says which FMU could not save its state.
    bool begin(double t, Failure& failure) { return saved_ = ensemble_.save_base(t, failure); }
    /// All participants that can, back to the start of the step. False: `failure` says who could not.
    bool back(Failure& failure);
    /// Something else than a step has happened: the way back ends here.
    void cut();

  private:
    Ensemble& ensemble_;
    bool saved_ = false;
};

} // namespace tenon::master
