#include "tools/verbs/model_run.hpp"

#include "core/math/error.hpp"

#include <cmath>
#include <fmt/format.h>

namespace tenon::verbs {
namespace {

class Rows {
  public:
    Rows(const Simulation& simulation, const LoopHooks& hooks)
        : simulation_(simulation), hooks_(hooks),
          values_(hooks.on_request ? simulation.all_columns().size() : simulation.columns().size()) {}

    /// Once for each step: asking again after the same step does nothing.
    void write(long step) {
        if (!hooks_.row || step == written_)
            return;
        simulation_.read(values_);
        hooks_.row(simulation_.time(), values_);
        written_ = step;
    }

  private:
    const Simulation& simulation_;
    const LoopHooks& hooks_;
    std::vector<double> values_;
    long written_ = -1;
};

/// Numbers of 1e200 m are still finite; their squares are not, and no row could be written.
void require_finite_energy(const Simulation& simulation) {
    const double energy = simulation.report().energy;
    const double work = simulation.state().work;
    if (!std::isfinite(energy) || !std::isfinite(work))
        throw Error(ErrorKind::computation,
                    fmt::format("{} is not finite ({}) at t = {} s",
                                std::isfinite(energy) ? "energy.work" : "energy.total",
                                std::isfinite(energy) ? work : energy, simulation.time()));
}

} // namespace

void require_finite_start(const Simulation& simulation) {
    std::vector<double> values(simulation.columns().size());
    simulation.read(values);
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!std::isfinite(values[i]))
            throw Error(ErrorKind::model,
                        fmt::format("{} is not finite ({}) at the start; does the model have "
                                    "values that are very large or very small?",
                                    simulation.columns()[i].name, values[i]));
}

Ending run_loop(Simulation& simulation, const Schedule& schedule, long every, const LoopHooks& hooks,
                Reached& reached) {
    Rows rows(simulation, hooks);
    rows.write(0);
    reached = {simulation.time(), simulation.report()};
    State before;
    for (long i = 1; i <= schedule.steps(); ++i) {
        bool stopped = false;
        before = simulation.state();
        try {
            simulation.step(schedule.time(i) - simulation.time());
            require_finite_energy(simulation);
            stopped = hooks.stop && hooks.stop();
            if (i % every == 0 || i == schedule.steps() || stopped)
                rows.write(i);
        } catch (const Error&) {
            simulation.restore(before);
            rows.write(i - 1);
            throw;
        }
        reached = {simulation.time(), simulation.report()};
        if (hooks.progress)
            hooks.progress(simulation.time());
        if (stopped && i < schedule.steps())
            return Ending::interrupted;
    }
    return Ending::done;
}

} // namespace tenon::verbs
