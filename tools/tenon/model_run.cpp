#include "tools/tenon/model_run.hpp"

#include "core/math/error.hpp"

namespace tenon::cli {
namespace {

class Rows {
  public:
    Rows(const Simulation& simulation, const LoopHooks& hooks)
        : simulation_(simulation), hooks_(hooks), values_(simulation.variables().size()) {}

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

} // namespace

Ending run_loop(Simulation& simulation, const Schedule& schedule, long every, const LoopHooks& hooks) {
    Rows rows(simulation, hooks);
    rows.write(0);
    for (long i = 1; i <= schedule.steps(); ++i) {
        try {
            simulation.step(schedule.time(i) - simulation.time());
        } catch (const Error&) {
            rows.write(i - 1);
            throw;
        }
        const bool stopped = hooks.stop && hooks.stop();
        if (i % every == 0 || i == schedule.steps() || stopped)
            rows.write(i);
        if (stopped && i < schedule.steps())
            return Ending::interrupted;
        if (hooks.progress)
            hooks.progress(simulation.time());
    }
    return Ending::done;
}

} // namespace tenon::cli
