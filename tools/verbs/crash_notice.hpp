#pragma once
// The last thing that a run does before a crash ends it: it notes who it was, for its parent.

#include "tools/verbs/watched_run.hpp"

namespace tenon::verbs {

/// From now on a crash of this thread or another is noted in `facts` and then takes its usual course, on a stack of its own for this
/// thread. Signals that somebody else looks after (a sanitizer, a debugger's library) stay as they are.
void note_crashes(RunFacts& facts);

} // namespace tenon::verbs
