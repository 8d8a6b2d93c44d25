#include "tools/verbs/system_loop.hpp"

#include "core/math/error.hpp"

namespace tenon::verbs {

SystemLoop::SystemLoop(master::Master& master, const Schedule& schedule, long every,
                       results::Recorder* recorder, long done)
    : master_(master), schedule_(schedule), every_(every), recorder_(recorder), done_(done),
      unwritten_(!recorder || recorder->rows() == 0 || recorder->last_time() != master.time()),
      values_(master.columns().size()) {}

SystemEnding SystemLoop::run(const SystemHooks& hooks) {
    if (done_ == 0) {
        write_events(); // of the start
        write_row();
        if (hooks.checkpoint)
            hooks.checkpoint(0, schedule_.steps() == 0);
    }
    while (done_ < schedule_.steps()) {
        const bool goes_on = step(hooks);
        const bool last = !goes_on || done_ == schedule_.steps();
        const bool stopped = !last && hooks.stop && hooks.stop();
        if (last || is_scheduled(done_) || !master_.event_rows().empty())
            write_row();
        if (hooks.progress)
            hooks.progress(master_.time());
        if (hooks.checkpoint && (last || stopped || hooks.checkpoint_due()))
            hooks.checkpoint(done_, last);
        if (!goes_on)
            return SystemEnding::ended_early;
        if (stopped) {
            write_row();
            return SystemEnding::interrupted;
        }
    }
    return SystemEnding::done;
}

/// False where the FMUs end the simulation.
bool SystemLoop::step(const SystemHooks& hooks) {
    const double before = master_.time();
    bool goes_on = true;
    try {
        goes_on = master_.step(schedule_.time(done_ + 1));
    } catch (const Error&) {
        after_failure(hooks);
        throw;
    }
    ++done_;
    unwritten_ = unwritten_ || master_.time() != before || !master_.event_rows().empty();
    write_events();
    return goes_on;
}

void SystemLoop::after_failure(const SystemHooks& hooks) {
    if (hooks.checkpoint_after_failure)
        hooks.checkpoint_after_failure(done_);
    // The failed step may have made a part of its way before.
    unwritten_ = unwritten_ || (recorder_ && master_.time() > recorder_->last_time());
    try {
        write_row();
    } catch (const Error&) { // an FMU that has failed need not answer; the failure itself is what is reported
    }
}

void SystemLoop::write_events() {
    if (!recorder_)
        return;
    for (const master::Master::EventRow& row : master_.event_rows())
        recorder_->write(row.time, row.values);
}

/// Asking again for the same state does nothing.
void SystemLoop::write_row() {
    if (!recorder_ || !unwritten_)
        return;
    master_.read(values_);
    recorder_->write(master_.time(), values_);
    unwritten_ = false;
}

} // namespace tenon::verbs
