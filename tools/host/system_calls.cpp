// Two seccomp filters, which the kernel runs before each system call; the stricter answer counts. They are lists of
// refusals, since nobody knows what the libraries of a foreign FMU need; refusals are errors, so that a library which only
// tries something can go on without. Calls that need a capability are not listed: the process has none.

#include "tools/host/system_calls.hpp"

#include <asm/ioctls.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <linux/sockios.h>
#include <seccomp.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <system_error>

namespace tenon::host {
namespace {

/// Without a name in the headers of Debian 12.
constexpr int fchmodat2 = 452, newest_call = 462; // mseal
/// Room for the calls of a kernel of the next ten years; the kernel itself knows none above.
constexpr int last_number = 511;

/// Those that a machine does not have are passed over by libseccomp.
constexpr std::array refused_calls{
    // programs and processes
    SCMP_SYS(execve), SCMP_SYS(execveat), SCMP_SYS(fork), SCMP_SYS(vfork),
    // the network, and other ways to reach a process
    SCMP_SYS(socket), SCMP_SYS(socketpair), SCMP_SYS(shmget), SCMP_SYS(shmat), SCMP_SYS(msgget),
    SCMP_SYS(semget), SCMP_SYS(mq_open), SCMP_SYS(mq_unlink),
    // other processes
    SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(process_madvise),
    SCMP_SYS(kcmp), SCMP_SYS(pidfd_open), SCMP_SYS(pidfd_getfd), SCMP_SYS(pidfd_send_signal), SCMP_SYS(tkill),
    SCMP_SYS(move_pages), SCMP_SYS(migrate_pages), SCMP_SYS(setpriority), SCMP_SYS(ioprio_set),
    // files by their names, where Landlock does not look: owners, modes, times
    SCMP_SYS(chmod), SCMP_SYS(fchmodat), fchmodat2, SCMP_SYS(chown), SCMP_SYS(lchown), SCMP_SYS(fchown),
    SCMP_SYS(fchownat), SCMP_SYS(setxattr), SCMP_SYS(lsetxattr), SCMP_SYS(fsetxattr), SCMP_SYS(removexattr),
    SCMP_SYS(lremovexattr), SCMP_SYS(fremovexattr), SCMP_SYS(utime), SCMP_SYS(utimes), SCMP_SYS(futimesat),
    SCMP_SYS(utimensat), SCMP_SYS(truncate),
    // memory that no limit counts
    SCMP_SYS(memfd_create), SCMP_SYS(memfd_secret),
    // doors of the kernel that were often found open
    SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter), SCMP_SYS(io_uring_register), SCMP_SYS(bpf),
    SCMP_SYS(perf_event_open), SCMP_SYS(userfaultfd), SCMP_SYS(add_key), SCMP_SYS(request_key),
    SCMP_SYS(keyctl), SCMP_SYS(unshare), SCMP_SYS(setns), SCMP_SYS(name_to_handle_at), SCMP_SYS(modify_ldt)};

/// Their first argument is a process.
constexpr std::array signalling_calls{SCMP_SYS(kill), SCMP_SYS(tgkill), SCMP_SYS(rt_sigqueueinfo),
                                      SCMP_SYS(rt_tgsigqueueinfo)};
constexpr std::array calls_with_process{SCMP_SYS(prlimit64), SCMP_SYS(sched_setaffinity),
                                        SCMP_SYS(sched_setscheduler), SCMP_SYS(sched_setparam),
                                        SCMP_SYS(sched_setattr)};
/// Whom a descriptor signals; what a terminal was typed.
constexpr std::array refused_fcntl{F_SETOWN, F_SETOWN_EX, F_SETSIG};
constexpr std::array refused_ioctl{FIOSETOWN, SIOCSPGRP, TIOCSTI};

constexpr std::uint32_t refusal = SCMP_ACT_ERRNO(EPERM), unknown = SCMP_ACT_ERRNO(ENOSYS);

class Filter {
  public:
    explicit Filter(std::uint32_t otherwise) : context_(seccomp_init(otherwise), seccomp_release) {
        require(context_ ? 0 : -ENOMEM);
        // The calls of 32-bit programs have other numbers.
        require(seccomp_attr_set(context_.get(), SCMP_FLTATR_ACT_BADARCH, refusal));
        require(seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2)); // a binary search
    }
    void add(std::uint32_t action, int call) { require(seccomp_rule_add(context_.get(), action, call, 0)); }
    /// Where the argument has, of the bits in `mask`, those of `value`.
    void add(std::uint32_t action, int call, unsigned argument, std::uint32_t mask, std::uint32_t value) {
        const scmp_arg_cmp condition{argument, SCMP_CMP_MASKED_EQ, mask, value};
        require(seccomp_rule_add_array(context_.get(), action, call, 1, &condition));
    }
    void install() { require(seccomp_load(context_.get())); }

  private:
    static void require(int answer) {
        if (answer < 0)
            throw std::system_error(-answer, std::generic_category(), "system calls cannot be restricted");
    }
    std::unique_ptr<void, decltype(&seccomp_release)> context_;
};

/// The kernel looks only at the lower half of an int.
constexpr std::uint32_t whole_int = 0xFFFFFFFF;

/// All calls but those that name a process or make one; these for the process itself and its threads.
Filter own_process_only() {
    const auto self = static_cast<std::uint32_t>(::getpid());
    Filter filter(refusal);
    filter.add(SCMP_ACT_ALLOW, SCMP_SYS(clone), 0, CLONE_THREAD, CLONE_THREAD);
    for (const int call : signalling_calls)
        filter.add(SCMP_ACT_ALLOW, call, 0, whole_int, self);
    for (const int call : calls_with_process)
        for (const std::uint32_t process : {0u, self})
            filter.add(SCMP_ACT_ALLOW, call, 0, whole_int, process);
    for (int call = 0; call <= last_number; ++call)
        if (call != SCMP_SYS(clone) && std::ranges::count(signalling_calls, call) == 0 &&
            std::ranges::count(calls_with_process, call) == 0)
            filter.add(SCMP_ACT_ALLOW, call);
    return filter;
}

Filter listed_refusals() {
    Filter filter(SCMP_ACT_ALLOW);
    for (const int call : refused_calls)
        filter.add(refusal, call);
    filter.add(unknown, SCMP_SYS(clone3)); // its flags cannot be seen; libraries take clone instead
    for (int call = newest_call + 1; call <= last_number; ++call)
        filter.add(unknown, call);
    for (const int what : refused_fcntl)
        filter.add(refusal, SCMP_SYS(fcntl), 1, whole_int, static_cast<std::uint32_t>(what));
    for (const auto what : refused_ioctl)
        filter.add(refusal, SCMP_SYS(ioctl), 1, whole_int, static_cast<std::uint32_t>(what));
    return filter;
}

} // namespace

void restrict_system_calls() {
    Filter first = own_process_only(), second = listed_refusals();
    first.install();
    second.install();
}

} // namespace tenon::host
