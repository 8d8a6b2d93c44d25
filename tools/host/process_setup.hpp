#pragma once
// What a forked child does first to be a process of its own and not a copy of its parent.

#include "tools/files/descriptor.hpp"

#include <sys/resource.h>

namespace tenon::host {

/// All signals as at the start of a program, but SIGPIPE: a handler of the parent would tell the parent's story.
void reset_signals();

/// The same under a number above those of the standard streams: a program may have been started without them, and gets
/// their numbers for other things then. Invalid stays invalid.
Descriptor beyond_standard_streams(Descriptor descriptor);

/// Standard input is empty; standard output and error go to `output`.
void redirect_standard_streams(int output);

/// All but the standard streams and this one.
void close_descriptors_but(int kept);

/// The soft and the hard limit; never above what it was.
void lower_limit(decltype(RLIMIT_AS) resource, rlim_t value);

/// exit() ends the process without what the parent has registered with atexit() and without the destructors of its
/// static objects; those registered from now on still run.
void forget_exit_handlers();

} // namespace tenon::host
