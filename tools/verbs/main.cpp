// tenon: the command line. Hands the words over, and turns what goes wrong into exit codes.

#include "tools/verbs/command.hpp"
#include "tools/verbs/console.hpp"
#include "tools/verbs/failure.hpp"

#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <unistd.h>

namespace {

using namespace tenon::verbs;

/// Whoever read standard output has left, as `head` does.
bool nobody_reads() {
    pollfd output{STDOUT_FILENO, POLLOUT, 0};
    return ::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

} // namespace

int main(int argc, char** argv) {
    // With a standard stream closed, the next file to be opened would take its place, and messages would go there.
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(stream, F_GETFD) < 0 && ::open("/dev/null", O_RDWR) < 0)
            return static_cast<int>(ExitCode::output);
    // An FMU that calls setlocale may have its comma, but not in our numbers: a thread's own locale goes before it.
    ::uselocale(::newlocale(LC_ALL_MASK, "C", nullptr));
    try {
        run_command({argv + 1, argv + argc});
        return static_cast<int>(ExitCode::done);
    } catch (...) {
        const Failure failure = as_failure(std::current_exception());
        if (failure.code() == ExitCode::output && nobody_reads()) {
            std::signal(SIGPIPE, SIG_DFL);
            std::raise(SIGPIPE); // quietly, as other programs in a pipe
        }
        print_error(failure.what());
        return static_cast<int>(failure.code());
    }
}
