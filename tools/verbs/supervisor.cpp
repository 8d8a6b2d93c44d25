#include "tools/verbs/supervisor.hpp"

#include "tools/files/errors.hpp"
#include "tools/files/temporary_folder.hpp"
#include "tools/run/number_text.hpp"
#include "tools/run/summary.hpp"
#include "tools/verbs/console.hpp"
#include "tools/verbs/crash_notice.hpp"
#include "tools/verbs/exit_code.hpp"
#include "tools/verbs/summary_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace tenon::verbs {
namespace {

using Clock = std::chrono::steady_clock;

/// A step that takes longer than this after Ctrl-C may never end.
constexpr std::chrono::seconds patience(2);

RunFacts& shared_facts() {
    void* place =
        ::mmap(nullptr, sizeof(RunFacts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED)
        throw std::system_error(errno, std::generic_category(), "no memory can be shared with the run");
    return *new (place) RunFacts{};
}

sigset_t watched_signals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGINT, SIGTERM, SIGCHLD})
        sigaddset(&set, signal);
    return set;
}

/// "fmu 'a' (DoStep)": those that threads of the run are in.
std::string fmus_in_calls(const RunFacts& facts) {
    std::string text;
    const auto add = [&](const fmi::CallBoard::Slot& slot) {
        const fmi::CallBoard::Call call = facts.calls.read(slot);
        if (call.function != fmi::Function::none)
            text += fmt::format("{}fmu '{}' in {}", text.empty() ? "" : " or ", printable(call.fmu),
                                fmi::function_name(call.function));
    };
    if (const std::uint64_t culprit = facts.culprit.load()) {
        fmi::CallBoard::Slot slot;
        slot.call = culprit;
        add(slot);
    } else
        std::ranges::for_each(facts.calls.slots, add);
    return text;
}

class Supervisor {
  public:
    Supervisor(const Supervision& about, RunFacts& facts, results::RowJournal& journal, pid_t child,
               std::string mark)
        : about_(about), facts_(facts), journal_(journal), child_(child), mark_(std::move(mark)) {}

    [[noreturn]] void watch() {
        const siginfo_t end = wait();
        std::fflush(nullptr);
        if (facts_.finished && end.si_code == CLD_EXITED)
            leave(end.si_status);
        clean_up();
        if (end.si_code != CLD_EXITED && !is_crash(end.si_status))
            die_of(end.si_status);
        const std::string fmus = fmus_in_calls(facts_);
        if (fmus.empty() && !hung_ && end.si_code == CLD_EXITED && end.si_status != 0)
            leave(end.si_status); // it has said why itself
        report(message(end, fmus));
        leave(static_cast<int>(ExitCode::computation));
    }

  private:
    static bool is_crash(int signal) {
        static constexpr int others[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGALRM};
        return std::ranges::find(others, signal) == std::end(others);
    }

    [[noreturn]] static void leave(int code) {
        std::fflush(nullptr);
        std::_Exit(code);
    }

    /// As the run did, so that a shell sees the same.
    [[noreturn]] static void die_of(int signal) {
        std::signal(signal, SIG_DFL);
        sigset_t all;
        sigfillset(&all);
        std::raise(signal);
        ::sigprocmask(SIG_UNBLOCK, &all, nullptr);
        leave(128 + signal);
    }

    siginfo_t wait() {
        const sigset_t set = watched_signals();
        for (;;) {
            siginfo_t end{};
            if (::waitid(P_PID, static_cast<id_t>(child_), &end, WEXITED | WNOHANG) == 0 && end.si_pid != 0)
                return end;
            siginfo_t info{};
            const std::chrono::nanoseconds pause = longest_pause();
            const timespec limit{pause.count() / 1'000'000'000, pause.count() % 1'000'000'000};
            const int signal = ::sigtimedwait(&set, &info, &limit);
            if (signal == SIGINT || signal == SIGTERM)
                interrupt(signal);
            tell_who_is_late();
            keep_deadline();
        }
    }

    std::chrono::nanoseconds longest_pause() const {
        if (about_.deadline > 0) {
            constexpr double shortest = 1e-3, longest = 0.1, part = 0.05;
            const std::chrono::duration<double> pause(std::clamp(part * about_.deadline, shortest, longest));
            return std::chrono::duration_cast<std::chrono::nanoseconds>(pause);
        }
        return asked_ && !told_ ? std::chrono::milliseconds(100) : std::chrono::seconds(60);
    }

    /// The first time the run is asked to end behind its step; the second time, and before the first step, it ends at once.
    void interrupt(int signal) {
        if (facts_.stepping && !asked_) {
            asked_ = Clock::now();
            facts_.stop = true;
            return;
        }
        ::kill(child_, SIGKILL);
        ::waitpid(child_, nullptr, 0);
        clean_up();
        save_rows();
        die_of(signal);
    }

    void tell_who_is_late() {
        if (!asked_ || told_ || Clock::now() - *asked_ < patience)
            return;
        told_ = true;
        const std::string fmus = fmus_in_calls(facts_);
        clear_line();
        std::fputs(fmt::format("tenon: still waiting for {}; Ctrl-C again ends at once\n",
                               fmus.empty() ? "the step to end" : fmus)
                       .c_str(),
                   stderr);
    }

    /// Kills the child where one of its threads has been in the same call for too long.
    void keep_deadline() {
        if (!(about_.deadline > 0))
            return;
        const Clock::time_point now = Clock::now();
        for (std::size_t i = 0; i < seen_.size(); ++i) {
            const std::uint64_t call = facts_.calls.slots[i].call.load(std::memory_order_relaxed);
            if (call == 0 || call != seen_[i].call)
                seen_[i] = {call, now};
            else if (std::chrono::duration<double>(now - seen_[i].since).count() > about_.deadline) {
                facts_.culprit = call;
                hung_ = true;
                ::kill(child_, SIGKILL);
                return;
            }
        }
    }

    std::string message(const siginfo_t& end, const std::string& fmus) const {
        const std::string at = facts_.stepping ? fmt::format("t={:.12g}: ", facts_.time.load()) : "";
        constexpr const char* hint = "; --isolate runs each FMU in a process of its own";
        if (hung_)
            return fmt::format("{}{}: no answer within {} s (--deadline)", at, fmus, about_.deadline);
        const std::string who = fmus.empty() ? "the run" : fmus;
        if (end.si_code == CLD_EXITED)
            return fmt::format("{}{} has ended the process by calling exit (exit code {}){}", at, who,
                               end.si_status, hint);
        return fmt::format("{}{} has crashed ({}){}", at, who,
                           facts_.stack_overflow ? "stack overflow" : crash_name(end.si_status),
                           fmus.empty() ? "" : hint);
    }

    static std::string crash_name(int signal) {
        if (signal == SIGKILL)
            return "killed, as the system does where memory runs out";
        const char* name = ::strsignal(signal);
        return fmt::format("signal {}, {}", signal, name ? name : "unknown");
    }

    /// What the child has written of results so far, completed.
    std::string save_rows() {
        try {
            if (const auto saved = journal_.save()) {
                rows_ = saved->rows;
                last_time_ = saved->last_time;
                return fmt::format("; {} up to t = {:.12g} kept in {}", counted(rows_, "row"), last_time_,
                                   shown(about_.out));
            }
        } catch (const std::exception& error) {
            return fmt::format("; {}", error.what());
        }
        return "";
    }

    void clean_up() {
        remove_temporary_folders(mark_);
        if (about_.out.empty())
            return;
        std::error_code ignored; // HDF5 files that have not got their name
        const std::string part = fmt::format("{}.part-{}-", about_.out.filename().string(), child_);
        const std::filesystem::path folder = std::filesystem::absolute(about_.out, ignored).parent_path();
        for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
            if (entry.path().filename().string().starts_with(part))
                std::filesystem::remove(entry.path(), ignored);
    }

    static void clear_line() {
        if (is_terminal(stderr))
            std::fputs("\r\x1b[K", stderr);
    }

    void report(std::string text) {
        facts_.words[sizeof facts_.words - 1] = '\0';
        if (facts_.words[0] != '\0')
            text += fmt::format("; it said: {}", printable(std::string(facts_.words), 200));
        text += save_rows();
        if (facts_.has_checkpoint)
            text += fmt::format("; continue with: tenon resume {}", shown(about_.checkpoint));
        clear_line();
        if (!about_.json.empty())
            write_summary_file(about_.json, to_json(summary(text)), true);
        print_error(text);
    }

    run::Summary summary(const std::string& text) const {
        run::Summary s;
        s.of = run::Summary::Of::system;
        s.file = about_.system;
        s.name = about_.system.stem().string();
        s.message = text;
        s.out = about_.out;
        s.rows = rows_;
        if (!facts_.stepping)
            return s;
        s.started = true;
        s.step = facts_.step;
        s.stop = facts_.stop_time;
        s.steps = facts_.steps;
        s.end_time = facts_.time;
        s.wall_seconds = std::chrono::duration<double>(Clock::now() - begun_).count();
        return s;
    }

    struct Seen {
        std::uint64_t call = 0;
        Clock::time_point since{};
    };

    const Supervision& about_;
    RunFacts& facts_;
    results::RowJournal& journal_;
    pid_t child_;
    std::string mark_; ///< of its temporary folders
    std::array<Seen, fmi::CallBoard::most_threads> seen_{};
    std::optional<Clock::time_point> asked_; ///< to end
    Clock::time_point begun_ = Clock::now();
    bool told_ = false, hung_ = false;
    long rows_ = 0;
    double last_time_ = 0;
};

/// From here on this process is the run.
void become_run(RunFacts& facts, const std::string& mark, const sigset_t& mask, pid_t parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent)
        std::_Exit(static_cast<int>(ExitCode::computation));
    for (const int signal : {SIGINT, SIGTERM})
        std::signal(signal, SIG_IGN); // the parent is told, and tells
    ::sigprocmask(SIG_SETMASK, &mask, nullptr);
    mark_temporary_folders(mark);
    fmi::use_call_board(facts.calls);
    note_crashes(facts);
}

} // namespace

bool is_supervision_wanted() {
    if (const char* off = std::getenv("TENON_NO_SUPERVISOR"); off && *off)
        return false;
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (constexpr std::string_view key = "TracerPid:"; line.starts_with(key))
            return std::strtol(line.c_str() + key.size(), nullptr, 10) == 0;
    return true;
}

void supervised(const Supervision& about, const std::function<void(WatchedRun&)>& work) {
    RunFacts& facts = shared_facts();
    results::RowJournal journal;
    const std::string mark =
        fmt::format("tenon-{:x}-{:x}", ::getpid(), Clock::now().time_since_epoch().count());
    const sigset_t set = watched_signals();
    sigset_t before;
    ::sigprocmask(SIG_BLOCK, &set, &before);
    std::signal(SIGCHLD, SIG_DFL); // whoever ignores it is not told how a child has ended
    std::fflush(nullptr);          // or both processes write what is in the buffers
    const pid_t parent = ::getpid(), child = ::fork();
    if (child < 0) {
        ::sigprocmask(SIG_SETMASK, &before, nullptr);
        throw std::system_error(errno, std::generic_category(), "no process for the run can be made");
    }
    if (child > 0)
        Supervisor(about, facts, journal, child, mark).watch();
    become_run(facts, mark, before, parent);
    struct Finish {
        RunFacts& facts;
        ~Finish() { facts.finished = true; }
    } finish{facts};
    WatchedRun run{facts, journal};
    work(run);
}

} // namespace tenon::verbs
