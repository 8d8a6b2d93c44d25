#include "tools/verbs/fmu_end.hpp"

#include "tools/import/called_fmu.hpp"
#include "tools/verbs/exit_code.hpp"

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <utility>

namespace tenon::verbs {
namespace {

struct Crash {
    int signal;
    const char* what;
};
constexpr std::array crashes = {Crash{SIGSEGV, "a segmentation fault"}, Crash{SIGBUS, "a bus error"},
                                Crash{SIGFPE, "an arithmetic error"}, Crash{SIGILL, "an illegal instruction"},
                                Crash{SIGABRT, "abort"}};

// What handlers can reach: static objects only. Isolated FMUs are copies of this process, and none of their business.
FmuEndGuard* active = nullptr;
pid_t owner = 0;

/// write() alone is safe in a signal handler; where the line cannot be written there is nobody left to tell.
void say_crash(const char* text) {
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text, std::strlen(text));
}

extern "C" void name_the_fmu(int signal) {
    if (fmi::called_fmu && ::getpid() == owner) {
        say_crash("tenon: fmu '");
        say_crash(fmi::called_fmu);
        say_crash("' has crashed (");
        for (const Crash& crash : crashes)
            if (crash.signal == signal)
                say_crash(crash.what);
        say_crash("); --isolate runs each FMU in a process of its own\n");
    }
    std::raise(signal); // with its usual effect, as soon as this handler has returned
}

void install_handler(int signal, void (*handler)(int), void (*instead_of)(int)) {
    struct sigaction now = {};
    if (::sigaction(signal, nullptr, &now) != 0 || now.sa_handler != instead_of)
        return; // somebody else looks after it: a sanitizer, a debugger's library
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = handler == SIG_DFL ? 0 : static_cast<int>(SA_RESETHAND | SA_ONSTACK);
    sigemptyset(&action.sa_mask);
    ::sigaction(signal, &action, nullptr);
}

} // namespace

FmuEndGuard::FmuEndGuard(std::function<void(const std::string& fmu)> exits) : exits_(std::move(exits)) {
    static const bool registered = std::atexit(at_exit) == 0;
    active = registered ? this : nullptr;
    owner = ::getpid();
    for (const Crash& crash : crashes)
        install_handler(crash.signal, name_the_fmu, SIG_DFL);
}

FmuEndGuard::~FmuEndGuard() {
    active = nullptr;
    for (const Crash& crash : crashes)
        install_handler(crash.signal, SIG_DFL, name_the_fmu);
}

void FmuEndGuard::at_exit() {
    const char* fmu = std::exchange(fmi::called_fmu, nullptr);
    if (!active || !fmu || ::getpid() != owner)
        return;
    active->exits_(fmu);
    std::fflush(stdout);
    ::_exit(static_cast<int>(
        ExitCode::computation)); // the FMU's caller is still on the stack and cannot be ended in order
}

} // namespace tenon::verbs
