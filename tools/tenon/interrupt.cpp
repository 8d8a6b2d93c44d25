#include "tools/tenon/interrupt.hpp"

#include <csignal>

namespace tenon::cli {
namespace {

// A signal handler can reach nothing but a static object: the one piece of global state of the command.
volatile std::sig_atomic_t flag = 0;

extern "C" void raise_flag(int) { flag = 1; }

void install(void (*handler)(int)) {
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART | SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

} // namespace

InterruptGuard::InterruptGuard() {
    flag = 0;
    install(raise_flag);
}

InterruptGuard::~InterruptGuard() { install(SIG_DFL); }

WriteSignalGuard::WriteSignalGuard() {
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
}

WriteSignalGuard::~WriteSignalGuard() {
    std::signal(SIGPIPE, SIG_DFL);
    std::signal(SIGXFSZ, SIG_DFL);
}

bool InterruptGuard::raised() const { return flag != 0; }

} // namespace tenon::cli
