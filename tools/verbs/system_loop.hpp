#pragma once
// The loop of `run` and `resume`: steps a Master along its schedule and hands over rows and checkpoints.

#include "tools/master/master.hpp"
#include "tools/results/recorder.hpp"
#include "tools/verbs/schedule.hpp"

#include <functional>
#include <vector>

namespace tenon::verbs {

enum class SystemEnding { done, ended_early, interrupted };

struct SystemHooks {
    std::function<void(double time)> progress; ///< after every step
    std::function<bool()> stop;                ///< asked after every step; true ends the loop
    std::function<bool()> checkpoint_due;      ///< asked after every step; may be empty: no checkpoints
    /// After `step` steps, before a row that only an interruption or a failure adds.
    std::function<void(long step, bool finished)> checkpoint;
    std::function<void(long step)> checkpoint_after_failure; ///< must not throw
};

/// Rows: at the start, around every event, after every `every` steps and at the end, whatever ends it: also before an Error
/// leaves run(), the last good state has become a row. Rows that an uninterrupted run would not have come after the
/// checkpoint, so that a continuation cuts them off.
class SystemLoop {
  public:
    /// `recorder` may be null. `done`: steps that the master has made already.
    SystemLoop(master::Master& master, const Schedule& schedule, long every, results::Recorder* recorder,
               long done);

    SystemEnding run(const SystemHooks& hooks);
    /// Steps made, those before included.
    long done() const { return done_; }

  private:
    bool is_scheduled(long step) const { return step % every_ == 0 || step == schedule_.steps(); }
    bool step(const SystemHooks& hooks);
    void write_events();
    void write_row();
    void after_failure(const SystemHooks& hooks);

    master::Master& master_;
    const Schedule& schedule_;
    long every_;
    results::Recorder* recorder_;
    long done_;
    bool unwritten_; ///< the state of the master is no row yet
    std::vector<double> values_;
};

} // namespace tenon::verbs
