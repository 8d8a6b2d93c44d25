#pragma once
// The loop of `simulate`: steps a Simulation along its schedule and hands over the rows.

#include "core/simulation/simulation.hpp"
#include "tools/verbs/schedule.hpp"

#include <functional>
#include <span>
#include <vector>

namespace tenon::verbs {

enum class Ending { done, interrupted };

struct LoopHooks {
    /// A row of the result: time and the values of Simulation::columns(), or of all columns.
    std::function<void(double time, std::span<const double> values)> row;
    bool on_request = false; ///< all columns
    /// After every step.
    std::function<void(double time)> progress;
    /// Asked after every step; true ends the loop.
    std::function<bool()> stop;
};

/// How far a run has come: at its last state whose numbers are all finite.
struct Reached {
    double time = 0;
    RunReport report;
};

/// Error(model) that names a variable where the start state has one that is not finite.
void require_finite_start(const Simulation& simulation);

/// Rows at the start, after every `every` steps and at the end, whatever ends it: also before an Error(computation)
/// leaves this function, the last good state has become a row. A step whose energies are not finite is such an error.
Ending run_loop(Simulation& simulation, const Schedule& schedule, long every, const LoopHooks& hooks,
                Reached& reached);

} // namespace tenon::verbs
