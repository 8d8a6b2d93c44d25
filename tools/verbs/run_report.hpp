#pragma once
// A run as people see it, the same for `simulate`, `run` and `resume`: progress bar, Ctrl-C, messages of the FMUs, summary.

#include "tools/run/run.hpp"
#include "tools/verbs/console.hpp"
#include "tools/verbs/watched_run.hpp"

#include <string>

namespace tenon::verbs {

struct ReportOptions {
    std::string json, log; ///< files; empty: none
    Verbosity verbosity = Verbosity::normal;
    bool only_start = false;       ///< nothing is run
    bool goes_on = false;          ///< it continues a checkpoint
    bool was_finished = false;     ///< of a run that had come to its end
    WatchedRun* watched = nullptr; ///< where a parent process watches
};

/// Runs to the end, whatever that is, and says what came of it. Throws Failure; the summary is written and printed before.
void run_and_report(std::unique_ptr<run::Run> run, const ReportOptions& options);

} // namespace tenon::verbs
