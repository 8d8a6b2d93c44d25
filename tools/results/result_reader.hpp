#pragma once
// A result file read again, CSV or HDF5, by the block or whole: for pictures and the viewer.

#include "tools/results/recorder.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::results {

/// Rows one after the other; of a large file only a block is in memory. Files that are still being written, or were left
/// behind by a writer that was killed, give the rows that are complete.
class ResultReader {
  public:
    virtual ~ResultReader() = default;

    /// Names, units and descriptions of the columns behind `time`; empty where the file (of CSV, for units, the scene
    /// beside it) does not tell.
    virtual const ResultHeading& heading() const = 0;
    virtual std::uint64_t rows() const = 0;
    /// The next rows, `values` row by row, as many as are handy; false where there are none left. Throws InputError(malformed)
    /// where a field is not a number, a row has another number of fields, or time runs backwards.
    virtual bool read(std::vector<double>& times, std::vector<double>& values) = 0;
};

/// By its content, not its name, HDF5 or CSV. Throws InputError: unreadable where it cannot be read, malformed where it is neither.
std::unique_ptr<ResultReader> open_result(const std::filesystem::path& file);

struct Table {
    struct Column {
        std::string name, unit, description;
        std::vector<double> values; ///< NaN where the file has an empty field
    };
    std::string system; ///< its name; empty where the file does not tell (CSV)
    std::vector<double> time;
    std::vector<Column> columns;

    const Column* find(std::string_view name) const; ///< null where there is none
};

/// The columns whose names are `wanted`; all where it is empty. Throws as above.
Table read_result(const std::filesystem::path& file,
                  const std::function<bool(const std::string& name)>& wanted = {});

} // namespace tenon::results
