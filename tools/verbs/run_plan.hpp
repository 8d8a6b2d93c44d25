#pragma once
// What `run` and `resume` are to do: read from the words, or from a checkpoint.

#include "tools/results/checkpoint.hpp"
#include "tools/verbs/console.hpp"
#include "tools/verbs/verb.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tenon::verbs {

struct RunPlan {
    results::RunSettings settings;
    std::filesystem::path checkpoint; ///< empty: none
    double checkpoint_every = 10;     ///< seconds
    double deadline = 0; ///< seconds that a call of an isolated FMU may take; 0: as tools/host chooses
    std::string save, json, log; ///< files; empty: none
    std::string trace;           ///< a folder; empty: none
    Verbosity verbosity = Verbosity::normal;
    std::optional<results::Checkpoint> from; ///< `resume`: where to go on
    bool older_generation = false;           ///< it is FILE.previous
    bool overwrite = false;                  ///< also the checkpoint of a run that is not finished
    bool only_save = false;                  ///< nothing is run
    /// Names of files as the run knows them, and as they were given; longer ones first.
    std::vector<std::pair<std::string, std::string>> given_names;

    /// A message with the names as they were given.
    std::string as_given(std::string text) const;
};

/// Failure(usage) where the plan begins anew and the checkpoint that it would write over is of a run that is not finished:
/// days of computation may be in it.
void refuse_unfinished(const RunPlan& plan);

/// Words that `run` and `resume` share, as given.
struct CommonWords {
    std::string json, log, checkpoint_every, threads, deadline, trace;
    bool quiet = false, verbose = false;

    void add_to(CLI::App& command);
    /// Failure(usage) where a number is none.
    void apply(RunPlan& plan) const;
};

struct RunWords {
    CommonWords common;
    std::string system, method, step, stop, out, save, checkpoint;
    std::string every = "1";
    std::vector<std::string> set, vars;
    bool isolate = false, overwrite = false, no_run = false;

    void add_to(CLI::App& command);
    /// Failure(usage) where a number is none or an output is named like an input.
    RunPlan plan() const;
};

} // namespace tenon::verbs
