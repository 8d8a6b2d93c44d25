#pragma once
// A pipe between processes, and the refusal of a system call.

#include "tools/files/descriptor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace tenon::host {

[[noreturn]] inline void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

struct Pipe {
    Descriptor out, in; ///< read from `out` what was written into `in`
};

/// Closed on exec; `flags` as of pipe2. `why`: the message where there is none to be had.
inline Pipe make_pipe(int flags, const char* why) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC | flags) != 0)
        fail(why);
    return {Descriptor(ends[0]), Descriptor(ends[1])};
}

} // namespace tenon::host
