#pragma once
// Words that `run` and `resume` share, and how both end: in a run that is reported.

#include "tools/run/system_run.hpp"
#include "tools/verbs/run_report.hpp"
#include "tools/verbs/verb.hpp"

namespace tenon::verbs {

struct RunWords {
    std::string json, log, checkpoint_every, threads, deadline, trace;
    bool strict = false, quiet = false, verbose = false;

    std::vector<Option> options();
    /// Error(usage) where a number is none.
    void apply(run::SystemRequest& request) const;
    /// Runs what `make` asks for. Where it throws, the summary goes to `json` all the same, unless that is one of the `others`: never
    /// write over somebody's work.
    void run(const std::function<run::SystemRequest()>& make, std::vector<std::string> others) const;
};

} // namespace tenon::verbs
