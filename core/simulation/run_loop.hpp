#pragma once
// The loop of a run: steps a machine along its schedule and tells an observer. The same for a model in the core and for a system
// of FMUs; knows no files.

#include "core/simulation/schedule.hpp"
#include "core/simulation/simulation.hpp"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace tenon {

using RowSink = std::function<void(double time, std::span<const double> values)>;

/// What a run steps.
class Stepped {
  public:
    virtual ~Stepped() = default;

    virtual double time() const = 0;
    /// One step; false where the machine ends the run by itself, there or before. On failure throws Error, and time() is that
    /// of the last good state.
    virtual bool step(double until) = 0;
    /// Takes the last step back, where its values turn out to be unfit for a row; false where that is not possible.
    virtual bool undo() { return false; }

    virtual std::size_t columns() const = 0;
    virtual void read(std::span<double> values) = 0;
    /// Rows around events of the last step, which lie before the row of time(); false where there were none.
    virtual bool events(const RowSink&) { return false; }
};

/// Who watches a run; called between its steps.
class Observer {
  public:
    virtual ~Observer() = default;

    /// Rows come at the start, around every event, after every so many steps and at the end, whatever ends it: also before an
    /// Error leaves the loop, the last good state has become a row. May throw Error(computation) for values that are not finite.
    virtual void row(double, std::span<const double>) {}
    /// After every step.
    virtual void stepped(double) {}
    /// Asked after every step; true ends the run.
    virtual bool stops() { return false; }
    virtual bool wants_checkpoint() { return false; }
    /// At the start, at the end, and where one is wanted; before a row that only an interruption or a failure adds, so that a
    /// continuation cuts it off.
    virtual void checkpoint(long, bool) {}
    /// A step has failed after this many; must not throw.
    virtual void failed(long) {}
};

enum class Ending { done, ended_early, interrupted };

struct LoopOptions {
    long every = 1;                 ///< steps from one row to the next
    bool rows = true;               ///< false: nothing is read
    long done = 0;                  ///< steps that were made before
    std::optional<double> last_row; ///< time of the last row that was written before
};

Ending run_loop(Stepped& machine, const Schedule& schedule, const LoopOptions& options, Observer& observer);

/// Throws Error(model) that names a variable where the start state has one that is not finite.
void require_finite_start(const Simulation& simulation);

/// A model in the core.
class SteppedModel : public Stepped {
  public:
    /// `columns`: those of Simulation::all_columns() that become values of a row.
    SteppedModel(Simulation& simulation, std::vector<std::size_t> columns);

    double time() const override { return simulation_.time(); }
    bool step(double until) override;
    bool undo() override;
    std::size_t columns() const override { return columns_.size(); }
    void read(std::span<double> values) override;

  private:
    Simulation& simulation_;
    std::vector<std::size_t> columns_;
    std::vector<double> values_;
    State before_;
};

} // namespace tenon
