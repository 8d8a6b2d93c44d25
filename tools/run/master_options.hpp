#pragma once
// What the request of a run means for the master: which variables it records, and where its FMUs live.

#include "tools/master/master.hpp"
#include "tools/run/system_run.hpp"

namespace tenon::run {

/// All but the log. The request must live as long as the master.
master::MasterOptions master_options(const SystemRequest& request, const system::CheckedSystem& system);

/// Error(usage) for a pattern of `--vars` that matches no variable.
void require_matches(const std::vector<std::string>& vars, const master::Master& master);
/// Error(usage) where an FMU cannot write its state, which checkpoints need.
void require_states(const master::Master& master);

} // namespace tenon::run
