#pragma once
// Checkpoints on the disk: two generations, replaced so that no kill and no power failure leaves less than one.

#include "tools/results/checkpoint.hpp"

#include "tools/files/descriptor.hpp"

#include <filesystem>
#include <string>

namespace tenon::results {

/// FILE.previous, the generation before.
std::filesystem::path previous_checkpoint(const std::filesystem::path& file);

/// Throws OutputError. FILE becomes FILE.previous as well, and then the new one FILE, once it is on the disk.
void write_checkpoint(const std::filesystem::path& file, const Checkpoint& checkpoint);

/// Throws OutputError where FILE cannot be written, or is there and is not a checkpoint: it is somebody's work. Changes nothing.
void require_checkpoint_place(const std::filesystem::path& file);
/// Both generations of an earlier run; nothing where there are none. Throws OutputError.
void remove_checkpoints(const std::filesystem::path& file);

struct ReadCheckpoint {
    Checkpoint checkpoint;
    std::string remark; ///< why it is FILE.previous; empty otherwise
};
/// The newest generation that is whole. Throws InputError, unreadable where there is none and malformed where none is whole.
ReadCheckpoint read_checkpoint(const std::filesystem::path& file);
/// FILE.previous takes the place of a FILE that is not whole, so that the next generation does not drive it out.
void adopt_previous_checkpoint(const std::filesystem::path& file);

/// Held while a run writes its checkpoints: nobody can continue a run that is still going on. The lock is gone with the
/// process, however that ends.
class CheckpointLock {
  public:
    /// Throws OutputError where another process holds it.
    explicit CheckpointLock(const std::filesystem::path& checkpoint);
    ~CheckpointLock();
    CheckpointLock(const CheckpointLock&) = delete;
    CheckpointLock& operator=(const CheckpointLock&) = delete;

  private:
    std::filesystem::path path_;
    Descriptor file_;
};

} // namespace tenon::results
