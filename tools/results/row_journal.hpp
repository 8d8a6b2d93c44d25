#pragma once
// Rows that a recorder holds back, in memory that outlives the process: where an FMU ends it in the middle of a step, whoever has
// made the journal before writes them behind what is in the file.
//
//     mark[2]     what is in the file, as a recorder could go on from it
//     state       which of the two holds, and how many rows there are behind it: one word, so that no end comes between
//     heading     of the file
//     rows        time and values

#include "tools/results/recorder.hpp"

#include <atomic>
#include <optional>

namespace tenon::results {

class RowJournal {
  public:
    /// Memory that children of this process inherit. Throws std::system_error.
    RowJournal();
    ~RowJournal();
    RowJournal(const RowJournal&) = delete;
    RowJournal& operator=(const RowJournal&) = delete;

    /// The writer's side: a file is about to get rows.
    void open(const std::filesystem::path& file, const ResultHeading& heading, const ResultMark& in_file,
              bool is_new);
    /// False: there is no room for one more before a commit, or for any at all.
    bool add(double time, std::span<const double> values);
    /// The file holds all rows up to this mark.
    void commit(const ResultMark& in_file);

    struct Saved {
        std::filesystem::path file;
        long rows = 0;
        double last_time = 0;
    };
    /// The other side, once the writer is gone: completes the file, or removes it where the writer has made it and it has no row.
    /// Nothing where no file was opened. Throws as recorders do.
    std::optional<Saved> save();

  private:
    struct Head;

    Head* head_ = nullptr;
    double* rows_ = nullptr;
    std::size_t row_ = 0; ///< numbers in a row
};

/// A recorder whose rows are in the journal until they are in its file.
std::unique_ptr<Recorder> journaled(std::unique_ptr<Recorder> recorder, RowJournal& journal);

} // namespace tenon::results
