#pragma once
// What the words behind `tenon` ask for: the verbs, and the reading of their words.

#include <string>
#include <vector>

namespace tenon::verbs {

/// Does it, as if typed; `demo` shows commands that way. Ends early by an exception: Failure, InputError, OutputError or Error.
void run_command(const std::vector<std::string>& words);

} // namespace tenon::verbs
