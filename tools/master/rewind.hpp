#pragma once
// The way back to the start of a step that failed. Saving all states before every step would double the cost of small
// FMUs, and hardly any step fails: so states are saved before every n-th step only, with the inputs of the steps since; the
// way back is the saved state and those steps made again.

#include "tools/master/ensemble.hpp"

#include <vector>

namespace tenon::master {

class Rewind {
  public:
    /// `stride`: 1 saves before every step. More is possible only where float64 inputs that are constant over a step are
    /// all that a step depends on.
    Rewind(Ensemble& ensemble, std::size_t stride);

    /// Before each attempt of a step. False: `failure` says which FMU could not save its state.
    bool begin(Failure& failure) {
        return steps_.size() < stride_ && saved_ && !always_ ? true : save(failure);
    }
    /// The step has been made, with the inputs that are in Signals.
    void done(double t, double h) {
        if (!always_)
            note(t, h);
    }
    /// All participants that can, back to the end of the last step made. False: `failure` says who could not.
    bool back(Failure& failure);
    /// Something else than a step has happened: the way back ends here.
    void cut() { saved_ = false; }

  private:
    struct Step {
        double t = 0, h = 0;
        std::vector<double> inputs;
    };

    bool save(Failure& failure);
    void note(double t, double h);
    bool repeat(Participant& participant);

    Ensemble& ensemble_;
    std::size_t stride_;
    bool always_, saved_ = false;
    std::vector<Step> memory_; ///< stride_ of them, so that nothing is allocated in a step
    std::span<const Step> steps_;
};

} // namespace tenon::master
