#pragma once
// One step, in halves where it does not converge.

#include "core/integrators/integrator.hpp"

#include <array>
#include <string>

namespace tenon {

/// Who keeps what evaluation remembers (expected angles, inputs) in line with the state.
class StateFollower {
  public:
    virtual ~StateFollower() = default;
    /// A part of the step was accepted: the state's angles are found, and remembered.
    virtual void accept(State& state) = 0;
    /// The state is as it was before: what is remembered goes back to it.
    virtual void remember(const State& state) = 0;
    virtual std::string row_name(int row) const = 0;
};

class Stepper {
  public:
    static constexpr int max_halvings = 12;

    /// Advances the state by h; returns iterations, adds to `halvings`. Throws Error(computation); the state is then as
    /// it was.
    int step(Integrator& integrator, State& state, double h, int& halvings, StateFollower& follower);

    /// The state before the last step.
    const State& before() const { return saved_[0]; }
    /// The shortest part in which the last step was made, s.
    double shortest_part() const { return shortest_; }

  private:
    int part(Integrator& integrator, State& state, double h, int depth);

    std::array<State, max_halvings + 1> saved_;
    StateFollower* follower_ = nullptr;
    NotConverged last_;
    int halvings_ = 0;
    double shortest_ = 0;
};

} // namespace tenon
