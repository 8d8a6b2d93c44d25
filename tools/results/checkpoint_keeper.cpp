#include "tools/results/checkpoint_keeper.hpp"

#include <utility>

namespace tenon::results {

CheckpointKeeper::CheckpointKeeper(std::filesystem::path file, double every_seconds, Checkpoint about)
    : file_(std::move(file)), lock_(file_),
      interval_(std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(every_seconds))),
      about_(std::move(about)) {}

void CheckpointKeeper::write(master::Master& master, long step, bool finished, Recorder* recorder) {
    Checkpoint checkpoint = about_;
    checkpoint.step = step;
    checkpoint.time = master.time();
    checkpoint.finished = finished;
    checkpoint.master = master.to_bytes();
    checkpoint.wall_seconds += std::chrono::duration<double>(Clock::now() - begun_).count();
    // The results first: a checkpoint never speaks of rows that a power failure may take back.
    if (recorder)
        checkpoint.results = recorder->sync();
    write_checkpoint(file_, checkpoint);
    last_ = Clock::now();
}

} // namespace tenon::results
