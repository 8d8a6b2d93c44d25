#pragma once
// The loop of `simulate`: steps a Simulation along its schedule and hands over the rows.

#include "core/simulation/simulation.hpp"
#include "tools/tenon/schedule.hpp"

#include <functional>
#include <span>
#include <vector>

namespace tenon::cli {

enum class Ending { done, interrupted };

struct LoopHooks {
    /// A row of the result: time and the values of Simulation::variables().
    std::function<void(double time, std::span<const double> values)> row;
    /// After every step.
    std::function<void(double time)> progress;
    /// Asked after every step; true ends the loop.
    std::function<bool()> stop;
};

/// Rows at the start, after every `every` steps and at the end, whatever ends it: also before an Error(computation)
/// leaves this function, the last good state has become a row.
Ending run_loop(Simulation& simulation, const Schedule& schedule, long every, const LoopHooks& hooks);

} // namespace tenon::cli
