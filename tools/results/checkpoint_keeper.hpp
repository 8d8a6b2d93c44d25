#pragma once
// Writes the checkpoints of a run: when they are due, and so that each fits the results beside it.

#include "tools/master/master.hpp"
#include "tools/results/checkpoint_file.hpp"
#include "tools/results/recorder.hpp"

#include <chrono>

namespace tenon::results {

class CheckpointKeeper {
  public:
    /// `about` is what all checkpoints of the run have in common. Holds the lock on `file`. Throws OutputError.
    CheckpointKeeper(std::filesystem::path file, double every_seconds, Checkpoint about);

    bool is_due() const { return Clock::now() - last_ >= interval_; }
    /// The rows so far go to the disk, then the checkpoint; `recorder` may be null. Throws OutputError, or Error where an FMU
    /// cannot give its state: the checkpoint before stays.
    void write(master::Master& master, long step, bool finished, Recorder* recorder);

    const std::filesystem::path& file() const { return file_; }

  private:
    using Clock = std::chrono::steady_clock;

    std::filesystem::path file_;
    CheckpointLock lock_;
    Clock::duration interval_;
    Checkpoint about_;
    Clock::time_point begun_ = Clock::now(), last_ = begun_;
};

} // namespace tenon::results
