#pragma once
// The summary of `run` and `resume`: machine-readable (docs/contract.md section 3, all keys are always there), and as a table.

#include "tools/master/master.hpp"

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace tenon::verbs {

/// What is not known, because the run never came so far, is NaN here and null in the file.
struct SystemSummary {
    std::string status = "failed"; ///< "done", "failed", "interrupted"
    std::string message;
    std::string system; ///< its name
    std::string file;
    std::string method;     ///< that was used; the one that is asked for where the run never came so far
    bool automatic = false; ///< chosen by the master
    double step = NAN, stop = NAN, end_time = NAN;
    double wall_seconds = 0;    ///< of this command
    double earlier_seconds = 0; ///< of the commands that this one continues
    master::MasterReport report;
    std::string out; ///< empty: no results
    long rows = 0, columns = 0;
    std::string checkpoint; ///< empty: none was written
    std::string saved;      ///< the system as SSP; empty: it was not asked for
};

std::string to_json(const SystemSummary& summary);

/// `verbose`: what each FMU has done, too.
void print_summary(const SystemSummary& summary, bool verbose, std::FILE* stream);

/// How each joint would be glued, before any step: method, rows, redundant ones.
void print_glue(const SystemSummary& summary, std::FILE* stream);

/// The summary of words that could not be understood, into the file that `--json` names among them.
void write_system_refusal(const std::string& message, const std::vector<std::string>& words);

} // namespace tenon::verbs
