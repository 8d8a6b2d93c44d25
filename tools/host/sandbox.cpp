#include "tools/host/sandbox.hpp"

#include "tools/host/landlock.hpp"
#include "tools/host/process_setup.hpp"
#include "tools/host/system_calls.hpp"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <system_error>

namespace tenon::host {
namespace {

/// More than any FMU needs.
constexpr rlim_t most_descriptors = 256;

void require(bool done, const char* what) {
    if (!done)
        throw std::system_error(errno, std::generic_category(), what);
}

#ifdef __SANITIZE_ADDRESS__
constexpr bool limits_memory = false; // its shadow memory alone takes terabytes of address space
#else
constexpr bool limits_memory = true;
#endif

std::uint64_t address_space() {
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void limit_resources(const SandboxRules& rules) {
    ::signal(SIGXFSZ, SIG_IGN); // writing too much is an error, not a death
    lower_limit(RLIMIT_CORE, 0);
    lower_limit(RLIMIT_NOFILE, most_descriptors);
    if (rules.file > 0)
        lower_limit(RLIMIT_FSIZE, rules.file);
    if (limits_memory && rules.memory > 0)
        lower_limit(RLIMIT_AS, address_space() + rules.memory);
}

/// Also root becomes a user like any other, but for the files that it owns.
void drop_privileges() {
    require(::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "new privileges cannot be given up");
    require(::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0, "the process cannot be made private");
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> none{};
    require(::syscall(SYS_capset, &header, none.data()) == 0, "capabilities cannot be given up");
}

void add_library_path(std::vector<std::filesystem::path>& paths) {
    const char* variable = std::getenv("LD_LIBRARY_PATH");
    for (std::string_view rest = variable ? variable : ""; !rest.empty();) {
        const std::size_t size = std::min(rest.find_first_of(":;"), rest.size());
        if (std::error_code error; size > 0 && std::filesystem::is_directory(rest.substr(0, size), error))
            paths.emplace_back(rest.substr(0, size));
        rest.remove_prefix(std::min(size + 1, rest.size()));
    }
}

} // namespace

std::vector<std::filesystem::path> system_readable() {
    std::vector<std::filesystem::path> paths;
    for (const char* path :
         {"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", "/etc/localtime",
          "/usr/share/zoneinfo", "/usr/share/locale", "/proc/cpuinfo", "/proc/meminfo",
          "/sys/devices/system/cpu", "/dev/zero", "/dev/random", "/dev/urandom"})
        if (std::error_code error; std::filesystem::exists(path, error))
            paths.emplace_back(path);
    add_library_path(paths); // the loader has read it at the start of this program, and will look there
    return paths;
}

std::vector<std::string> enter_sandbox(const SandboxRules& rules) {
    ::umask(077);
    require(::chdir(rules.scratch.c_str()) == 0, "its working folder cannot be entered");
    ::clearenv();
    ::setenv("TMPDIR", rules.scratch.c_str(), 1);
    limit_resources(rules);
    std::vector<std::string> remarks;
    if (!rules.confined)
        return remarks;
    drop_privileges();
    FileRules files{rules.readable, rules.writable};
    files.writable.push_back(rules.scratch);
    files.writable.emplace_back("/dev/null");
    if (!restrict_files(files))
        remarks.emplace_back("this kernel has no Landlock: the FMU can read and write files as you can");
    restrict_system_calls();
    return remarks;
}

} // namespace tenon::host
