#include "tools/verbs/crash_notice.hpp"

#include <csignal>
#include <cstdint>
#include <sys/mman.h>
#include <ucontext.h>

namespace tenon::verbs {
namespace {

// A signal handler can reach nothing but a static object.
RunFacts* noted = nullptr;

constexpr std::size_t stack_bytes = 64 << 10;
/// A fault so near to the stack pointer is one of the stack: what lies below it, and a guard page or two.
constexpr std::uintptr_t near_stack = 1 << 20;

std::uintptr_t stack_pointer(const void* context) {
    const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    return static_cast<std::uintptr_t>(machine.gregs[REG_RSP]);
#elif defined(__aarch64__)
    return static_cast<std::uintptr_t>(machine.sp);
#else
    static_cast<void>(machine);
    return 0;
#endif
}

extern "C" void note_crash(int signal, siginfo_t* info, void* context) {
    if (noted && noted->culprit.load() == 0) {
        noted->culprit = fmi::call_slot->call.load();
        const auto fault = reinterpret_cast<std::uintptr_t>(info->si_addr), top = stack_pointer(context);
        const std::uintptr_t apart = fault < top ? top - fault : fault - top;
        noted->stack_overflow = signal == SIGSEGV && info->si_code > 0 && top != 0 && apart < near_stack;
    }
    std::raise(signal); // with its usual effect, as soon as this handler has returned
}

} // namespace

void note_crashes(RunFacts& facts) {
    noted = &facts;
    void* stack = ::mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack != MAP_FAILED) {
        stack_t place{};
        place.ss_sp = stack;
        place.ss_size = stack_bytes;
        ::sigaltstack(&place, nullptr);
    }
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
        struct sigaction now = {};
        if (::sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL)
            continue;
        struct sigaction action = {};
        action.sa_sigaction = note_crash;
        action.sa_flags = static_cast<int>(SA_RESETHAND | SA_ONSTACK | SA_SIGINFO);
        sigemptyset(&action.sa_mask);
        ::sigaction(signal, &action, nullptr);
    }
}

} // namespace tenon::verbs
