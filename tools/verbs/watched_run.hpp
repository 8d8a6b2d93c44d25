#pragma once
// What a run and the parent process that watches it both see: memory that outlives the run, whoever ends it.

#include "tools/import/call_board.hpp"
#include "tools/results/row_journal.hpp"

#include <atomic>
#include <cstddef>
#include <string_view>

namespace tenon::verbs {

/// Written by the run only, but for `stop`.
struct RunFacts {
    fmi::CallBoard calls;
    std::atomic<bool> stop;     ///< somebody wants the run to end behind the step under way
    std::atomic<bool> stepping; ///< the run looks at `stop`
    std::atomic<bool> finished; ///< the command has done and said all that it had to
    std::atomic<bool> has_checkpoint;
    std::atomic<double> time, stop_time, step;
    std::atomic<long> steps;
    /// Of the thread that was told of a crash; 0: none.
    std::atomic<std::uint64_t> culprit;
    std::atomic<bool> stack_overflow;
    char words[1000]; ///< what an FMU has last said of a problem

    void set_words(std::string_view text) { words[text.copy(words, sizeof words - 1)] = '\0'; }
};

struct WatchedRun {
    RunFacts& facts;
    results::RowJournal& journal;
};

} // namespace tenon::verbs
