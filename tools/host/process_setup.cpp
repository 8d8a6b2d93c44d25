#include "tools/host/process_setup.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace tenon::host {

void reset_signals() {
    for (int signal = 1; signal < NSIG; ++signal)
        ::signal(signal, SIG_DFL);
    ::signal(SIGPIPE, SIG_IGN);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

Descriptor beyond_standard_streams(Descriptor descriptor) {
    if (!descriptor.valid() || descriptor.get() > STDERR_FILENO)
        return descriptor;
    return Descriptor(::fcntl(descriptor.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

void redirect_standard_streams(int output) {
    const Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    ::dup2(nothing.get(), STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(output, STDERR_FILENO);
}

void close_descriptors_but(int kept) {
    for (int i = STDERR_FILENO + 1; i < kept; ++i)
        ::close(i);
    ::closefrom(kept + 1);
}

void lower_limit(decltype(RLIMIT_AS) resource, rlim_t value) {
    rlimit limit{};
    ::getrlimit(resource, &limit);
    limit.rlim_cur = limit.rlim_max = std::min(value, limit.rlim_max);
    ::setrlimit(resource, &limit);
}

void forget_exit_handlers() {
    // Handlers run in the reverse order of their registration: this one comes before all that are there already.
    ::on_exit(
        [](int code, void*) {
            std::fflush(nullptr);
            ::_exit(code);
        },
        nullptr);
}

} // namespace tenon::host
