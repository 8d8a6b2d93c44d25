// What an isolated FMU may do and what not, tried by one that tries (tests/fmus/escape.c).

#include "tests/host/isolated_support.hpp"
#include "tests/support/skip.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

using namespace tenon;
using namespace tenon::fmi;
using namespace tenon::host;

namespace {

/// As in escape.c.
enum Attempt {
    nothing,
    writes_file,
    reads_file,
    changes_mode,
    removes_file,
    fills_file,
    keeps_file,
    makes_socket,
    executes,
    forks,
    starts_thread,
    signals_parent,
    signals_by_descriptor,
    reads_parent,
    traces_parent,
    counts_environment,
    counts_descriptors,
    fills_channel,
    raises_limit,
    shares_memory
};

/// Where it has not, files are not protected, and the log of each instance says so.
bool kernel_has_landlock() { return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, 1) > 0; }

IsolationOptions unconfined() {
    IsolationOptions options = strict();
    options.sandbox = false;
    return options;
}

/// An isolated `escape`, asked for one thing after the other.
class Prisoner {
  public:
    explicit Prisoner(int version, const IsolationOptions& isolation = strict())
        : fmu_(foreign("escape", version)), slave_(started_isolated(fmu_, logging_to(log), isolation)) {}

    Status set(Attempt attempt, const std::string& path = {}) {
        const Reference number = reference(*slave_, "attempt"), place = reference(*slave_, "path");
        const std::int32_t value = attempt;
        REQUIRE(slave_->set(Type::string, {&place, 1}, &path, 1) == Status::ok);
        return slave_->set(Type::int32, {&number, 1}, &value, 1);
    }
    /// The number of the error, 0 where it was done.
    int tries(Attempt attempt, const std::string& path = {}) {
        REQUIRE(set(attempt, path) == Status::ok);
        REQUIRE(slave_->step(time_, 0.25).status == Status::ok);
        time_ += 0.25;
        return integer(*slave_, "answer");
    }
    Slave& slave() { return *slave_; }

    Log log;

  private:
    Fmu fmu_;
    std::unique_ptr<Slave> slave_;
    double time_ = 0;
};

void write(const std::filesystem::path& file) { std::ofstream(file) << "untouched"; }

} // namespace

TEST_CASE("sandbox: processes, programs, sockets and other processes are refused, the master above all") {
    Prisoner prisoner(GENERATE(2, 3));
    CHECK(prisoner.tries(makes_socket) == EPERM);
    CHECK(prisoner.tries(executes) == EPERM);
    CHECK(prisoner.tries(forks) == EPERM);
    CHECK(prisoner.tries(signals_parent) == EPERM);
    CHECK(prisoner.tries(signals_by_descriptor) == EPERM);
    CHECK(prisoner.tries(reads_parent) == EPERM);
    CHECK(prisoner.tries(traces_parent) == EPERM);
    CHECK(prisoner.tries(shares_memory) == EPERM);
    CHECK(prisoner.tries(nothing) == 0);
}

TEST_CASE("sandbox: threads and files in its own folder are allowed") {
    Prisoner prisoner(GENERATE(2, 3));
    CHECK(prisoner.tries(starts_thread) == 0);
    CHECK(prisoner.tries(keeps_file) == 0);
    CHECK(prisoner.tries(reads_file, "/etc/ld.so.cache") == 0);
    CHECK(prisoner.tries(writes_file, "/dev/null") == 0);
}

TEST_CASE("sandbox: files outside cannot be read, written, removed or changed") {
    if (!kernel_has_landlock())
        return tests::skip("this kernel has no Landlock");
    const Scratch scratch;
    const std::filesystem::path mine = scratch / "mine", none = scratch / "none";
    write(mine);
    REQUIRE(::chmod(mine.c_str(), 0640) == 0);
    Prisoner prisoner(GENERATE(2, 3));
    CHECK(prisoner.tries(writes_file, mine) == EACCES);
    CHECK(prisoner.tries(writes_file, none) == EACCES);
    CHECK(prisoner.tries(reads_file, mine) == EACCES);
    CHECK(prisoner.tries(reads_file, "/etc/passwd") == EACCES);
    CHECK(prisoner.tries(removes_file, mine) == EACCES);
    CHECK(prisoner.tries(changes_mode, mine) == EPERM);
    CHECK_FALSE(std::filesystem::exists(none));
    struct stat status {};
    REQUIRE(::stat(mine.c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0640);
    CHECK_FALSE(prisoner.log.has("no Landlock"));
}

TEST_CASE("sandbox: it holds already when the constructors of the library run") {
    if (!kernel_has_landlock())
        return tests::skip("this kernel has no Landlock");
    Prisoner prisoner(GENERATE(2, 3)), free(3, unconfined());
    CHECK(integer(prisoner.slave(), "at_load") == EACCES);
    CHECK(integer(free.slave(), "at_load") == 0);
}

TEST_CASE("sandbox: folders that are granted can be used, and what was granted for reading is not written") {
    if (!kernel_has_landlock())
        return tests::skip("this kernel has no Landlock");
    const Scratch readable, writable;
    write(readable / "file");
    IsolationOptions isolation = strict();
    isolation.readable = {readable.folder()};
    isolation.writable = {writable.folder()};
    Prisoner prisoner(3, isolation);
    CHECK(prisoner.tries(reads_file, readable / "file") == 0);
    CHECK(prisoner.tries(writes_file, readable / "file") == EACCES);
    CHECK(prisoner.tries(writes_file, writable / "file") == 0);
    CHECK(std::filesystem::exists(writable / "file"));
    CHECK(prisoner.tries(removes_file, writable / "file") == 0);
}

TEST_CASE("sandbox: a file has a largest size, and the limit cannot be raised") {
    Prisoner prisoner(3);
    CHECK(prisoner.tries(fills_file) == EFBIG);
    CHECK(prisoner.tries(raises_limit) == EPERM);
    CHECK(prisoner.tries(fills_file) == EFBIG);
    IsolationOptions generous = strict();
    generous.file_limit = 0;
    Prisoner other(3, generous);
    CHECK(other.tries(fills_file) == 0);
}

TEST_CASE("sandbox: there is no environment but the temporary folder, and no descriptor but the lifeline") {
    const int descriptor = ::open("/dev/null", O_RDONLY); // of the master, open while the process is made
    Prisoner prisoner(3, GENERATE(strict(), unconfined()));
    CHECK(prisoner.tries(counts_environment) == 1);
    CHECK(prisoner.tries(counts_descriptors) == 1);
    ::close(descriptor);
}

TEST_CASE("sandbox: without it the same FMU does all of this") {
    const Scratch scratch;
    Prisoner prisoner(GENERATE(2, 3), unconfined());
    CHECK(prisoner.tries(makes_socket) == 0);
    CHECK(prisoner.tries(forks) == 0);
    CHECK(prisoner.tries(signals_parent) == 0);
    CHECK(prisoner.tries(signals_by_descriptor) == 0);
    CHECK(prisoner.tries(writes_file, scratch / "file") == 0);
    CHECK(prisoner.tries(changes_mode, scratch / "file") == 0);
    CHECK(prisoner.tries(reads_file, "/etc/passwd") == 0);
    CHECK(prisoner.tries(removes_file, scratch / "file") == 0);
}

TEST_CASE("sandbox: an FMU that fills the channel with rubbish is lost, and nothing else") {
    Log log;
    const Fmu fmu = foreign("escape", GENERATE(2, 3));
    IsolationOptions isolation = unconfined(); // confined, it does not find the memory
    isolation.deadline_seconds = 0.5;
    isolation.channel_bytes = 1 << 16;
    const auto slave = started_isolated(fmu, logging_to(log), isolation);
    const Reference number = reference(*slave, "attempt");
    const std::int32_t attempt = fills_channel;
    REQUIRE(slave->set(Type::int32, {&number, 1}, &attempt, 1) == Status::ok);
    CHECK(slave->step(0, 0.25).status == Status::fatal);
    CHECK(slave->step(0, 0.25).status == Status::fatal);
    CHECK(log.has("escape."));
    CHECK(has_no_child());
}
