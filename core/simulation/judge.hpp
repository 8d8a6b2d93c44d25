#pragma once
// Whether a step can be believed. Every step is judged by numbers that every machine has: what the total energy should be and is, how fast
// bodies move and how fast joints come apart.
//
//   error    e = E - W - C - (E - W)_start     E energy, W work of inputs, drivers and dissipative forces, C what the method has put in by
//                                              itself so that the balance closes (explicit-correction)
//   scale    K + S + |W|                       the largest kinetic energy so far, the most that springs have held so far, and all that was
//                                              moved in and out; never the potential of the weight, whose zero is arbitrary
//
//   |e|           < 0.1 scale                  over the run
//   |e - e_last|  < 0.1 (K + S + |dW|)         in one step: growth, and leaps off a branch
//   |G v|         < 0.5 (largest speed)        velocities of joints that no longer fit
//
// K and S are counted without the energy that came out of nothing: it is no measure of itself. A method that damps what the step does not
// resolve may lose twice as much, and all that springs hold besides. A prescribed motion that jumps changes the
// energy by no work that anyone could count: the account goes on behind it. docs/divergence.md has the margins.

#include "core/equations/state.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace tenon {

/// What is wrong with a step.
struct Verdict {
    enum class Of { energy_of_step, energy, velocity, not_finite } of = Of::energy;
    double value = 0, limit = 0, scale = 0;
};

/// How a refusal begins.
inline constexpr std::string_view divergence_words = "the motion has diverged: ";

/// "from t = 0.3 s the energy changes by 12 J in one step without any work (limit 2 J, ...)".
std::string description(const Verdict& verdict, double from);
/// The same for a step that was refused, also in so many parts, with what can be tried.
std::string refusal(const Verdict& verdict, double from, int parts);

/// A state, as far as it is judged.
struct Judged {
    double kinetic = 0, springs = 0;
    double energy = 0, work = 0;
    double exchanged = 0; ///< by inputs, drivers and dissipative forces in this step
    double velocity_violation = 0, speed = 0;
    bool jumped = false; ///< a prescribed motion has jumped at the start of the step
};

class Judge {
  public:
    static constexpr double energy_limit = 0.1, step_limit = 0.1, velocity_limit = 0.5;

    /// `dissipates`: Integrator::dissipates; `weight_work`: what the weight of the machine can do over its own size; `unit_kinetic`: its
    /// kinetic energy at 1 m/s and 1 rad/s.
    Judge(bool dissipates, double weight_work, double unit_kinetic);

    /// Opens the account.
    void start(EnergyAccount& account, const Judged& now) const;
    /// Goes on from another energy (other parameters) with the same error.
    void shift(EnergyAccount& account, const Judged& now) const;
    /// Enters a step; what is wrong with it, if anything.
    std::optional<Verdict> step(EnergyAccount& account, const Judged& now) const;
    /// What energy errors are compared with.
    double scale(const EnergyAccount& account) const;

  private:
    bool dissipates_ = false;
    double rest_ = 0; ///< energies that a machine at rest may show: rounding, and the tolerance of the solver
};

} // namespace tenon
