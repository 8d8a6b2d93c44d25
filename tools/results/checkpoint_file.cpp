#include "tools/results/checkpoint_file.hpp"

#include "tools/files/errors.hpp"
#include "tools/files/output_file.hpp"
#include "tools/files/replaced_file.hpp"
#include "tools/files/text_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace tenon::results {
namespace {

namespace fs = std::filesystem;

/// States of FMUs are megabytes at most; what is larger is not a checkpoint.
constexpr std::size_t size_limit = std::size_t(8) << 30;

fs::path with_ending(fs::path file, const char* ending) { return file += ending; }

Checkpoint read_one(const fs::path& file) {
    return checkpoint_from_bytes(read_text_file(file, size_limit), file.string());
}

/// Whether two descriptions of a file mean the same one.
bool same(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

} // namespace

fs::path previous_checkpoint(const fs::path& file) { return with_ending(file, ".previous"); }

void write_checkpoint(const fs::path& file, const Checkpoint& checkpoint) {
    ReplacedFile next(file);
    next.write(checkpoint_to_bytes(checkpoint));
    const fs::path previous = previous_checkpoint(file);
    ::unlink(previous.c_str());
    // A second name, so that FILE never lacks its own; where the file system knows no such thing, FILE.previous is there
    // while FILE is not, and resuming knows it.
    if (::link(file.c_str(), previous.c_str()) != 0 && errno != ENOENT &&
        ::rename(file.c_str(), previous.c_str()) != 0)
        throw OutputError(previous.string(), std::strerror(errno));
    next.commit();
}

void require_checkpoint_place(const fs::path& file) {
    std::error_code ignored;
    if (!fs::exists(file, ignored)) {
        OutputFile(file).discard();
        return;
    }
    if (!fs::is_regular_file(file, ignored))
        throw OutputError(file.string(), "it is not a plain file");
    std::string begin(checkpoint_magic.size(), '\0');
    std::ifstream(file, std::ios::binary).read(begin.data(), static_cast<std::streamsize>(begin.size()));
    if (begin != checkpoint_magic)
        throw OutputError(file.string(), "it is there already and is not a checkpoint; choose another name");
}

void remove_checkpoints(const fs::path& file) {
    for (const fs::path& generation : {file, previous_checkpoint(file)})
        if (::unlink(generation.c_str()) != 0 && errno != ENOENT)
            throw OutputError(generation.string(), std::strerror(errno));
}

void adopt_previous_checkpoint(const fs::path& file) {
    if (::rename(previous_checkpoint(file).c_str(), file.c_str()) != 0)
        throw OutputError(file.string(), std::strerror(errno));
}

ReadCheckpoint read_checkpoint(const fs::path& file) {
    try {
        return {read_one(file), {}};
    } catch (const InputError& error) {
        std::error_code ignored;
        const fs::path previous = previous_checkpoint(file);
        if (!fs::exists(previous, ignored))
            throw;
        return {read_one(previous), std::string(error.what()) + "; going on from " + previous.string()};
    }
}

CheckpointLock::CheckpointLock(const fs::path& checkpoint) : path_(with_ending(checkpoint, ".lock")) {
    for (;;) {
        file_ = Descriptor(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
        if (!file_.valid())
            throw OutputError(checkpoint.string(), std::strerror(errno));
        if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0)
            throw OutputError(checkpoint.string(), errno == EWOULDBLOCK
                                                       ? "another run is using it; wait for its end"
                                                       : std::strerror(errno));
        // Its holder may have removed it between the two calls: then the lock is on a file that nobody finds any more.
        struct stat locked {
        }, found{};
        if (::fstat(file_.get(), &locked) == 0 && ::stat(path_.c_str(), &found) == 0 && same(locked, found))
            return;
    }
}

CheckpointLock::~CheckpointLock() { ::unlink(path_.c_str()); }

} // namespace tenon::results
