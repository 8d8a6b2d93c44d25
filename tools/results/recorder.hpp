#pragma once
// Where the rows of a run go, whatever the format of the file.

#include "tools/results/result_writer.hpp"

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tenon::results {

struct ResultColumn {
    std::string name, unit, description;
};

class RowJournal;

/// What a result file says besides its numbers.
struct ResultHeading {
    std::string system;   ///< its name
    std::string settings; ///< of the run, JSON
    std::vector<ResultColumn> columns;

    std::vector<std::string> names() const;
};

/// Opens its file at once, so that a missing folder is known before the run, but changes nothing in it before the first
/// row. Throws OutputError wherever the file cannot be written, and may only be destroyed then.
class Recorder {
  public:
    virtual ~Recorder() = default;

    /// Throws Error(computation), naming the variable, where a value is not finite; the row is then left out.
    virtual void write(double time, std::span<const double> values) = 0;
    /// Whoever opens the file afterwards sees all rows.
    virtual void flush() = 0;
    /// All rows are on the disk. A recorder that goes on from the mark makes the same file.
    virtual ResultMark sync() = 0;
    virtual void close() = 0;
    /// What is in the file for whoever opens it: a recorder could go on from there.
    virtual ResultMark in_file() const = 0;

    virtual long rows() const = 0;
    virtual double last_time() const = 0; ///< of the last row
};

/// HDF5 for names that end in .h5 or .hdf5, upper and lower case alike, CSV for others. Rows reach the file within a quarter of a second, also while
/// nobody calls. Throws OutputError.
std::unique_ptr<Recorder> new_recorder(const std::filesystem::path& file, const ResultHeading& heading,
                                       RowJournal* journal = nullptr);

/// Rows are in the journal, where there is one, until they are in the file.
/// Goes on with the file of an earlier recorder of equal heading, from a mark of it; what lies behind the mark is cut off.
/// Throws InputError, unreadable where there is no such file and malformed where it is not the file of the mark.
std::unique_ptr<Recorder> continued_recorder(const std::filesystem::path& file, const ResultHeading& heading,
                                             const ResultMark& mark, RowJournal* journal = nullptr);

bool is_hdf5_name(const std::filesystem::path& file);

} // namespace tenon::results
