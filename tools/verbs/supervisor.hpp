#pragma once
// A run in a child process, watched by its parent: an FMU that crashes, calls exit or hangs ends the child alone. The parent says
// which FMU it was and in which function, completes the results, removes what the child has left behind and ends with exit code 70.
// docs/isolation.md says what it costs (nothing per step) and how to do without it.

#include "tools/verbs/watched_run.hpp"

#include <filesystem>
#include <functional>
#include <string>

namespace tenon::verbs {

/// What the parent has to know of a run.
struct Supervision {
    std::filesystem::path system, out, checkpoint; ///< the last two may be empty
    std::string json;                              ///< empty: no summary
    double deadline = 0;                           ///< seconds for a call of an FMU in the child; 0: none
};

/// False under a debugger or another tracer, and where TENON_NO_SUPERVISOR is set: the run is the command itself then.
bool is_supervision_wanted();

/// `work` in a child process. Returns, or throws what `work` does, in the child; the parent ends as the child has ended.
void supervised(const Supervision& about, const std::function<void(WatchedRun&)>& work);

} // namespace tenon::verbs
