#include "tools/host/host_process.hpp"

#include "tools/host/pipe.hpp"

#include "tools/host/child.hpp"
#include "tools/host/process_setup.hpp"
#include "tools/import/call_board.hpp"
#include "tools/import/log_relay.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>

namespace tenon::host {
namespace {

constexpr int exit_orphaned = 119;
/// A longer one is passed in pieces.
constexpr std::size_t longest_line = 4096;

Pipe process_pipe() {
    Pipe pipe = make_pipe(O_NONBLOCK, "no pipe to the process of an FMU can be made");
    return {beyond_standard_streams(std::move(pipe.out)), beyond_standard_streams(std::move(pipe.in))};
}

/// Kills this process when the last writer of the pipe is gone. (PR_SET_PDEATHSIG would do so when the thread is gone that
/// forked, and a master's threads come and go.)
void tie_to_parent(int pipe, pid_t parent) {
    ::fcntl(pipe, F_SETOWN, ::getpid());
    ::fcntl(pipe, F_SETSIG, SIGKILL);
    ::fcntl(pipe, F_SETFL, ::fcntl(pipe, F_GETFL) | O_ASYNC);
    if (::getppid() != parent) // it died before the lines above
        ::_exit(exit_orphaned);
}

ChildReport report_of(const siginfo_t& info) {
    ChildReport report;
    report.end = info.si_code == CLD_EXITED ? ChildReport::End::exited : ChildReport::End::signalled;
    report.code = info.si_status;
    return report;
}

} // namespace

HostProcess::HostProcess(const std::function<void(int)>& work) {
    Pipe lifeline = process_pipe(), output = process_pipe();
    std::fflush(nullptr); // or both processes write what is in the buffers
    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ < 0)
        fail("no process for an FMU can be made");
    if (pid_ == 0) {
        ::setsid();
        reset_signals();
        fmi::use_call_board(fmi::own_call_board); // the other is the master's
        redirect_standard_streams(output.in.get());
        std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ); // what was printed before a crash must not die with it
        lifeline.in = Descriptor();
        tie_to_parent(lifeline.out.get(), parent);
        [&]() noexcept {
            work(lifeline.out.get());
        }(); // an exception must not find its way into the parent's functions
        ::_exit(0);
    }
    lifeline_ = std::move(lifeline.in);
    output_ = std::move(output.out);
    watch_ = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
    if (!watch_.valid()) {
        const int error = errno;
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
        errno = error;
        fail("the process of an FMU cannot be watched");
    }
}

HostProcess::~HostProcess() {
    if (pid_ > 0)
        finish();
}

bool HostProcess::has_ended() const {
    siginfo_t info{};
    const int result = ::waitid(P_PIDFD, static_cast<id_t>(watch_.get()), &info, WEXITED | WNOHANG | WNOWAIT);
    return result != 0 || info.si_pid != 0; // an error: somebody else has reaped it
}

std::string HostProcess::finish() {
    const auto watch = static_cast<id_t>(watch_.get());
    ::syscall(SYS_pidfd_send_signal, watch_.get(), SIGKILL, nullptr,
              0); // nothing to a process that has ended
    siginfo_t info{};
    int result = 0;
    while ((result = ::waitid(P_PIDFD, watch, &info, WEXITED | WNOWAIT)) != 0 && errno == EINTR) {
    }
    const pid_t pid = std::exchange(pid_, -1);
    if (result != 0)
        return "has ended, and somebody else has been told how"; // SIGCHLD is ignored in this process
    ::kill(-pid, SIGKILL); // its children; not yet reaped, its number belongs to nobody else
    ::waitid(P_PIDFD, watch, &info, WEXITED);
    const ChildReport report = report_of(info);
    return (report.end == ChildReport::End::exited ? "ended by itself with " : "died of ") +
           describe_end(report, {});
}

void HostProcess::pass_printed(fmi::LogRelay& relay) {
    std::array<char, 1 << 12> buffer{};
    // Not without end: a process that prints faster than we read must not keep us here.
    for (int i = 0; i < 64; ++i) {
        const ssize_t size = ::read(output_.get(), buffer.data(), buffer.size());
        if (size <= 0)
            break;
        printed_.append(buffer.data(), static_cast<std::size_t>(size));
        pass_lines(relay, false);
    }
    if (pid_ < 0)
        pass_lines(relay, true);
}

void HostProcess::pass_lines(fmi::LogRelay& relay, bool all) {
    std::size_t begin = 0;
    while (begin < printed_.size()) {
        const std::size_t end = printed_.find('\n', begin);
        const std::size_t size = std::min(std::min(end, printed_.size()) - begin, longest_line);
        if (end == printed_.npos && size < longest_line && !all)
            break;
        relay.pass(static_cast<int>(fmi::Status::ok), "printed", printed_.substr(begin, size).c_str());
        begin += size + (begin + size == end ? 1 : 0);
    }
    printed_.erase(0, begin);
}

} // namespace tenon::host
