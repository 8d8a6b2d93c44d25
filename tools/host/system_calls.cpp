// A seccomp filter: a program of classic BPF that the kernel runs before each system call. It is a list of refusals, since
// nobody knows what the libraries of a foreign FMU need; refusals are errors, so that a library which only tries something
// can go on without. Calls that need a capability are not listed: the process has none.

#include "tools/host/system_calls.hpp"

#include <asm/ioctls.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <system_error>
#include <vector>

namespace tenon::host {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t machine = AUDIT_ARCH_X86_64;
/// The calls of an older time that this machine still has beside those which took their place.
constexpr std::array older_calls{SYS_fork,  SYS_vfork,  SYS_chmod,     SYS_chown,     SYS_lchown,
                                 SYS_utime, SYS_utimes, SYS_futimesat, SYS_modify_ldt};
#elif defined(__aarch64__)
constexpr std::uint32_t machine = AUDIT_ARCH_AARCH64;
constexpr std::array<int, 0> older_calls{};
#endif

constexpr std::array refused_calls{
    // programs
    SYS_execve, SYS_execveat,
    // the network, and other ways to reach a process
    SYS_socket, SYS_socketpair, SYS_shmget, SYS_shmat, SYS_msgget, SYS_semget, SYS_mq_open, SYS_mq_unlink,
    // other processes
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_process_madvise, SYS_kcmp, SYS_pidfd_open,
    SYS_pidfd_getfd, SYS_pidfd_send_signal, SYS_tkill, SYS_move_pages, SYS_migrate_pages, SYS_setpriority,
    SYS_ioprio_set,
    // files by their names, where Landlock does not look: owners, modes, times
    SYS_fchmodat, SYS_fchownat, SYS_fchown, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr,
    SYS_lremovexattr, SYS_fremovexattr, SYS_utimensat, SYS_truncate,
    // memory that no limit counts
    SYS_memfd_create, SYS_memfd_secret,
    // doors of the kernel that were often found open
    SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register, SYS_bpf, SYS_perf_event_open,
    SYS_userfaultfd, SYS_add_key, SYS_request_key, SYS_keyctl, SYS_unshare, SYS_setns, SYS_name_to_handle_at};
/// Without a name in the headers of Debian 12.
constexpr int fchmodat2 = 452, newest_call = 462; // mseal

/// Their first argument is a process.
constexpr std::array signalling_calls{SYS_kill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo};
constexpr std::array calls_with_process{SYS_prlimit64, SYS_sched_setaffinity, SYS_sched_setscheduler,
                                        SYS_sched_setparam, SYS_sched_setattr};
/// Whom a descriptor signals; what a terminal was typed.
constexpr std::array refused_fcntl{F_SETOWN, F_SETOWN_EX, F_SETSIG};
constexpr std::array refused_ioctl{FIOSETOWN, SIOCSPGRP, TIOCSTI};

constexpr std::uint32_t refusal = SECCOMP_RET_ERRNO | EPERM, unknown = SECCOMP_RET_ERRNO | ENOSYS;

/// The filter as it grows. Each piece leaves the number of the call in the accumulator, or ends.
class Filter {
  public:
    Filter() {
        load(offsetof(seccomp_data, arch));
        unless_equal(machine, refusal); // the calls of 32-bit programs have other numbers
        load(offsetof(seccomp_data, nr));
        jump(BPF_JGT, newest_call, 0, 1); // also those of x32, far above
        answer(unknown);
    }
    void refuse(long call, std::uint32_t answer_with = refusal) {
        jump(BPF_JEQ, static_cast<std::uint32_t>(call), 0, 1);
        answer(answer_with);
    }
    /// Allowed where the argument, of which 32 bits count, is one of `values`.
    void allow_only(long call, int argument, std::initializer_list<std::uint32_t> values) {
        const auto count = static_cast<std::uint8_t>(2 * values.size());
        jump(BPF_JEQ, static_cast<std::uint32_t>(call), 0, static_cast<std::uint8_t>(count + 2));
        load_argument(argument);
        for (const std::uint32_t value : values)
            if_equal(value, SECCOMP_RET_ALLOW);
        answer(refusal);
    }
    /// Refused where it is one of them.
    template <class Values> void refuse_if(long call, int argument, const Values& values) {
        const auto count = static_cast<std::uint8_t>(2 * values.size());
        jump(BPF_JEQ, static_cast<std::uint32_t>(call), 0, static_cast<std::uint8_t>(count + 2));
        load_argument(argument);
        for (const auto value : values)
            if_equal(static_cast<std::uint32_t>(value), refusal);
        answer(SECCOMP_RET_ALLOW);
    }
    void allow_with_flag(long call, int argument, std::uint32_t flag) {
        jump(BPF_JEQ, static_cast<std::uint32_t>(call), 0, 4);
        load_argument(argument);
        jump(BPF_JSET, flag, 0, 1);
        answer(SECCOMP_RET_ALLOW);
        answer(refusal);
    }
    void install() {
        answer(SECCOMP_RET_ALLOW);
        const sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
        if (::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0)
            throw std::system_error(errno, std::generic_category(), "system calls cannot be restricted");
    }

  private:
    void load(std::size_t offset) {
        code_.push_back({BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<std::uint32_t>(offset)});
    }
    void load_argument(int i) { // its lower half: both machines are little-endian
        load(offsetof(seccomp_data, args) + sizeof(std::uint64_t) * static_cast<std::size_t>(i));
    }
    void jump(int condition, std::uint32_t value, std::uint8_t if_true, std::uint8_t if_false) {
        code_.push_back({static_cast<std::uint16_t>(BPF_JMP | BPF_K | condition), if_true, if_false, value});
    }
    void if_equal(std::uint32_t value, std::uint32_t what) {
        jump(BPF_JEQ, value, 0, 1);
        answer(what);
    }
    void unless_equal(std::uint32_t value, std::uint32_t what) {
        jump(BPF_JEQ, value, 1, 0);
        answer(what);
    }
    void answer(std::uint32_t what) { code_.push_back({BPF_RET | BPF_K, 0, 0, what}); }

    std::vector<sock_filter> code_;
};

} // namespace

void restrict_system_calls() {
    const auto self = static_cast<std::uint32_t>(::getpid());
    Filter filter;
    for (const auto call : refused_calls)
        filter.refuse(call);
    for (const auto call : older_calls)
        filter.refuse(call);
    filter.refuse(fchmodat2);
    filter.refuse(SYS_clone3, unknown); // its flags cannot be seen; libraries take clone instead
    filter.allow_with_flag(SYS_clone, 0, CLONE_THREAD);
    for (const auto call : signalling_calls)
        filter.allow_only(call, 0, {self});
    for (const auto call : calls_with_process)
        filter.allow_only(call, 0, {0, self});
    filter.refuse_if(SYS_fcntl, 1, refused_fcntl);
    filter.refuse_if(SYS_ioctl, 1, refused_ioctl);
    filter.install();
}

} // namespace tenon::host
