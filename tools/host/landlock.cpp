// The kernel's interface is that of Linux 6.12 (Landlock's version 6), written out here: the header of an older system
// lacks half of it.

#include "tools/host/landlock.hpp"

#include "tools/files/descriptor.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace tenon::host {
namespace {

// Rights to files.
constexpr std::uint64_t execute = 1 << 0, write_file = 1 << 1, read_file = 1 << 2, read_folder = 1 << 3,
                        remove_folder = 1 << 4, remove_file = 1 << 5, make_character = 1 << 6,
                        make_folder = 1 << 7, make_file = 1 << 8, make_socket = 1 << 9, make_fifo = 1 << 10,
                        make_block = 1 << 11, make_link = 1 << 12;
constexpr std::uint64_t rename_across = 1 << 13;  ///< since version 2
constexpr std::uint64_t truncate_file = 1 << 14;  ///< since version 3
constexpr std::uint64_t control_device = 1 << 15; ///< since version 5

constexpr std::uint64_t of_files = execute | write_file | read_file | truncate_file | control_device;
constexpr std::uint64_t to_read = read_file | read_folder;
constexpr std::uint64_t to_write = to_read | write_file | remove_folder | remove_file | make_folder |
                                   make_file | make_fifo | make_link | rename_across | truncate_file;

constexpr std::uint64_t bind_tcp = 1 << 0, connect_tcp = 1 << 1;     ///< since version 4
constexpr std::uint64_t abstract_sockets = 1 << 0, signals = 1 << 1; ///< since version 6

struct RulesetAttribute {
    std::uint64_t files, network, scoped;
};
struct [[gnu::packed]] PathAttribute {
    std::uint64_t allowed;
    std::int32_t parent;
};

constexpr unsigned ask_version = 1;
constexpr int rule_for_path = 1;

[[noreturn]] void fail(const std::string& what) {
    throw std::system_error(errno, std::generic_category(), what);
}

RulesetAttribute known_to(long version) {
    RulesetAttribute all{execute | to_write | make_character | make_socket | make_block | control_device,
                         bind_tcp | connect_tcp, abstract_sockets | signals};
    if (version < 2)
        all.files &= ~rename_across;
    if (version < 3)
        all.files &= ~truncate_file;
    if (version < 5)
        all.files &= ~control_device;
    if (version < 4)
        all.network = 0;
    if (version < 6)
        all.scoped = 0;
    return all;
}

void allow(int ruleset, const std::filesystem::path& path, std::uint64_t rights) {
    const Descriptor place(::open(path.c_str(), O_PATH | O_CLOEXEC));
    struct stat status {};
    if (!place.valid() || ::fstat(place.get(), &status) != 0)
        fail("the sandbox cannot let it use " + path.string());
    if (!S_ISDIR(status.st_mode))
        rights &= of_files;
    const PathAttribute attribute{rights, place.get()};
    if (::syscall(SYS_landlock_add_rule, ruleset, rule_for_path, &attribute, 0) != 0)
        fail("the sandbox cannot let it use " + path.string());
}

} // namespace

bool restrict_files(const FileRules& rules) {
    const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, ask_version);
    if (version < 1)
        return false;
    const RulesetAttribute known = known_to(version);
    // Zeros that an older kernel does not know do not trouble it.
    const Descriptor ruleset(
        static_cast<int>(::syscall(SYS_landlock_create_ruleset, &known, sizeof known, 0)));
    if (!ruleset.valid())
        fail("Landlock takes no rules");
    for (const std::filesystem::path& path : rules.readable)
        allow(ruleset.get(), path, to_read & known.files);
    for (const std::filesystem::path& path : rules.writable)
        allow(ruleset.get(), path, to_write & known.files);
    if (::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) != 0)
        fail("Landlock takes no rules");
    return true;
}

} // namespace tenon::host
