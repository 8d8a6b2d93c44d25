#include "tools/host/child.hpp"

#include "tools/host/pipe.hpp"

#include "tools/files/descriptor.hpp"
#include "tools/host/process_setup.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace tenon::host {
namespace {

using Clock = std::chrono::steady_clock;
using End = ChildReport::End;

/// What a frame in the pipe carries. The last two are sent once, at the end: an exit() from somewhere inside the function
/// sends neither, and is so told apart from a return.
enum class FrameKind : unsigned char { message = 1, finished = 2, threw = 3 };
constexpr std::size_t frame_head = 1 + sizeof(std::uint64_t);

constexpr int poll_milliseconds = 100; ///< how often `cancelled` is asked

#ifdef __SANITIZE_ADDRESS__
constexpr bool limits_memory = false; // its shadow memory alone takes terabytes of address space
#else
constexpr bool limits_memory = true;
#endif

Pipe child_pipe() { return make_pipe(0, "no pipe to a child process can be made"); }

// ---- in the child --------------------------------------------------------------------------------------------------

/// Exit codes of a child that has nobody to tell; unlikely to be chosen by anybody else.
constexpr int exit_unheard = 119;

void send_frame(int descriptor, FrameKind kind, std::string_view content) {
    std::string frame(frame_head, '\0');
    frame[0] = static_cast<char>(kind);
    const std::uint64_t size = content.size();
    std::memcpy(frame.data() + 1, &size, sizeof size);
    frame += content;
    if (!write_all(descriptor, frame))
        ::_exit(exit_unheard);
}

void set_limit(decltype(RLIMIT_AS) resource, rlim_t value) {
    rlimit limit{};
    ::getrlimit(resource, &limit);
    limit.rlim_cur = std::min(value, limit.rlim_max);
    ::setrlimit(resource, &limit);
}

void settle_in(pid_t parent, int output, const ChildLimits& limits) {
    ::setsid();
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) // it died before the line above
        ::_exit(exit_unheard);
    reset_signals();
    redirect_standard_streams(output);
    set_limit(RLIMIT_CORE, 0);
    if (limits_memory && limits.memory > 0)
        set_limit(RLIMIT_AS, limits.memory);
}

[[noreturn]] void be_the_child(const std::function<void(const ChildChannel&)>& work, int answers) {
    try {
        work(ChildChannel(answers));
        std::fflush(nullptr);
        send_frame(answers, FrameKind::finished, {});
    } catch (const std::exception& error) {
        send_frame(answers, FrameKind::threw, error.what());
    } catch (...) {
        send_frame(answers, FrameKind::threw, "an exception of unknown type");
    }
    ::_exit(
        0); // neither destructors nor what was registered with atexit(): this copy of the parent just ends
}

// ---- in the parent -------------------------------------------------------------------------------------------------

/// A running child, seen from its parent. Ended and reaped at the latest with this object.
class ChildProcess {
  public:
    ChildProcess(const std::function<void(const ChildChannel&)>& work, const ChildLimits& limits)
        : limits_(limits), answers_(child_pipe()), output_(child_pipe()) {
        std::fflush(nullptr); // or both processes write what is in the buffers
        const pid_t parent = ::getpid();
        pid_ = ::fork();
        if (pid_ < 0)
            fail("no child process can be made");
        if (pid_ == 0) {
            settle_in(parent, output_.in.get(), limits);
            answers_.out = Descriptor();
            output_.out = Descriptor();
            be_the_child(work, answers_.in.get());
        }
        answers_.in = Descriptor();
        output_.in = Descriptor();
        for (const Pipe* pipe : {&answers_, &output_})
            ::fcntl(pipe->out.get(), F_SETFL, O_NONBLOCK);
        ended_ =
            Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0))); // glibc 2.36 has no C++ name
        if (!ended_.valid()) {
            const int error = errno;
            reap();
            errno = error;
            fail("a child process cannot be watched");
        }
    }
    ~ChildProcess() {
        if (pid_ > 0)
            reap();
    }
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    ChildReport wait(const std::function<bool()>& cancelled) {
        ChildReport report;
        last_sign_ = begun_;
        std::optional<End> ended_by_us;
        while (!ended_by_us && !has_ended(report)) {
            if (cancelled && cancelled())
                ended_by_us = End::cancelled;
            else if (confused_)
                ended_by_us = End::talkative;
            else if (seconds_since(last_sign_) > limits_.seconds)
                ended_by_us = End::silent;
        }
        const int status = reap();
        drain(report);
        report.seconds = seconds_since(begun_);
        if (ended_by_us)
            report.end = *ended_by_us;
        else
            note_end(report, status);
        return report;
    }

  private:
    static double seconds_since(Clock::time_point then) {
        return std::chrono::duration<double>(Clock::now() - then).count();
    }

    /// Waits a moment for something to happen, takes what there is to read, and says whether the child is gone. Pipes can
    /// stay open behind it, held by processes that it has made.
    bool has_ended(ChildReport& report) {
        std::array<pollfd, 3> watched{pollfd{ended_.get(), POLLIN, 0}, pollfd{answers_.out.get(), POLLIN, 0},
                                      pollfd{output_.out.get(), POLLIN, 0}};
        const double left = std::max(limits_.seconds - seconds_since(last_sign_), 0.0) * 1e3 + 1;
        ::poll(watched.data(), watched.size(), static_cast<int>(std::min<double>(left, poll_milliseconds)));
        drain(report);
        return (watched[0].revents & POLLIN) != 0;
    }

    void drain(ChildReport& report) {
        read_some(output_.out, [&](std::string_view text) {
            report.printed +=
                text.substr(0, limits_.printed - std::min(limits_.printed, report.printed.size()));
        });
        read_some(answers_.out, [&](std::string_view bytes) {
            received_ += bytes.size();
            confused_ = confused_ || received_ > limits_.messages;
            if (!confused_)
                frames_ += bytes;
        });
        take_frames(report);
    }

    template <class Take> void read_some(Descriptor& from, const Take& take) {
        std::array<char, 1 << 16> buffer{};
        // Not without end: a child that writes faster than we read must not keep us from looking at the clock.
        for (int i = 0; from.valid() && i < 64; ++i) {
            const ssize_t size = ::read(from.get(), buffer.data(), buffer.size());
            if (size > 0)
                take(std::string_view(buffer.data(), static_cast<std::size_t>(size)));
            else if (size == 0)
                from = Descriptor();
            else if (errno != EINTR)
                return;
        }
    }

    void take_frames(ChildReport& report) {
        std::size_t at = 0;
        while (!confused_ && frames_.size() - at >= frame_head) {
            std::uint64_t size = 0;
            std::memcpy(&size, frames_.data() + at + 1, sizeof size);
            confused_ = size > limits_.messages;
            if (confused_ || frames_.size() - at - frame_head < size)
                break;
            take_frame(static_cast<FrameKind>(frames_[at]), frames_.substr(at + frame_head, size), report);
            at += frame_head + size;
        }
        frames_.erase(0, at);
    }

    void take_frame(FrameKind kind, std::string content, ChildReport& report) {
        last_sign_ = Clock::now();
        switch (kind) {
        case FrameKind::message:
            report.messages.push_back(std::move(content));
            return;
        case FrameKind::finished:
            last_word_ = End::finished;
            return;
        case FrameKind::threw:
            last_word_ = End::threw;
            report.what = std::move(content);
            return;
        }
        confused_ = true;
    }

    void note_end(ChildReport& report, int status) const {
        if (WIFSIGNALED(status)) {
            report.end = End::signalled;
            report.code = WTERMSIG(status);
        } else if (confused_) {
            report.end = End::talkative;
        } else if (last_word_) {
            report.end = *last_word_;
        } else {
            report.end = End::exited;
            report.code = WEXITSTATUS(status);
        }
    }

    /// Ends the child and the processes it made, those that left its session excepted; the status of the child.
    int reap() {
        ::kill(-pid_, SIGKILL); // before waitpid: until then the number belongs to nobody else
        ::kill(pid_, SIGKILL);  // it may not have come to setsid() yet
        int status = 0;
        while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
        }
        pid_ = -1;
        return status;
    }

    const ChildLimits& limits_;
    Pipe answers_, output_;
    Descriptor ended_;
    pid_t pid_ = -1;
    std::string frames_; ///< received and not yet complete
    std::size_t received_ = 0;
    std::optional<End> last_word_;
    bool confused_ = false;
    Clock::time_point begun_ = Clock::now(), last_sign_ = begun_;
};

} // namespace

void ChildChannel::send(std::string_view message) const {
    send_frame(descriptor_, FrameKind::message, message);
}

ChildReport run_in_child(const std::function<void(const ChildChannel&)>& work, const ChildLimits& limits,
                         const std::function<bool()>& cancelled) {
    return ChildProcess(work, limits).wait(cancelled);
}

std::string describe_end(const ChildReport& report, const ChildLimits& limits) {
    switch (report.end) {
    case End::finished:
        return "an ordinary end";
    case End::threw:
        return report.what;
    case End::exited:
        return fmt::format("exit code {}", report.code);
    case End::signalled:
        return fmt::format("signal {} ({})", report.code, ::strsignal(report.code));
    case End::silent:
        return fmt::format("no answer within {} s", limits.seconds);
    case End::talkative:
        return fmt::format("an answer that is broken or larger than {} MB", limits.messages >> 20);
    case End::cancelled:
        return "cancelled";
    }
    return {};
}

} // namespace tenon::host
