#include "tools/verbs/interrupt.hpp"

#include "tools/import/call_board.hpp"

#include <csignal>
#include <cstring>
#include <initializer_list>
#include <unistd.h>

namespace tenon::verbs {
namespace {

// A signal handler can reach nothing but a static object: the one piece of global state of the command.
volatile std::sig_atomic_t flag = 0;

/// A step that takes longer than this after Ctrl-C may never end.
constexpr unsigned patience = 2; // seconds

extern "C" void raise_flag(int) {
    flag = 1;
    ::alarm(patience);
}

void say(const char* text) {
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text, std::strlen(text));
}

extern "C" void say_who_is_late(int) {
    say("tenon: still waiting for ");
    const std::uint64_t call = fmi::call_slot->call.load(std::memory_order_relaxed);
    if (call != 0) {
        say("fmu '");
        say(fmi::call_board->names[(call >> 8) % fmi::CallBoard::most_fmus]);
        say("'");
    } else
        say("the step to end");
    say("; Ctrl-C again ends at once\n");
}

void install(std::initializer_list<int> signals, void (*handler)(int)) {
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART | SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    for (const int signal : signals)
        sigaction(signal, &action, nullptr);
}

} // namespace

InterruptGuard::InterruptGuard() {
    flag = 0;
    install({SIGINT, SIGTERM}, raise_flag);
    install({SIGALRM}, say_who_is_late);
}

InterruptGuard::~InterruptGuard() {
    ::alarm(0);
    install({SIGINT, SIGTERM, SIGALRM}, SIG_DFL);
}

WriteSignalGuard::WriteSignalGuard() {
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
}

WriteSignalGuard::~WriteSignalGuard() {
    std::signal(SIGPIPE, SIG_DFL);
    std::signal(SIGXFSZ, SIG_DFL);
}

bool InterruptGuard::raised() const { return flag != 0; }

} // namespace tenon::verbs
