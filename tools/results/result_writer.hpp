#pragma once
// The result file: CSV with RFC 4180 quoting, first column `time`, the fewest digits that read back exactly.

#include "tools/files/output_file.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace tenon::results {

/// How much of a result file belongs to a checkpoint, and how to know it again.
struct ResultMark {
    std::uint64_t rows = 0;
    std::uint64_t bytes = 0;    ///< of the file; 0 where its length says nothing (HDF5)
    std::uint64_t checksum = 0; ///< of these bytes (CSV) or of these rows (HDF5)
    double last_time = 0;

    bool operator==(const ResultMark&) const = default;
};

/// Opens the file at once, so that a missing directory is known before the run, but changes nothing in it before the
/// first row: a run that never starts leaves no file behind, and an older one as it was. Only complete rows reach the
/// file, whatever ends the run. Throws OutputError where the file cannot be written; it is closed then.
class ResultWriter {
  public:
    ResultWriter(std::filesystem::path path, std::vector<std::string> names);
    /// Goes on with a file that a writer of the same names has left, from a mark of it: what lies behind the mark is cut off
    /// at once. Throws InputError, unreadable where there is no such file and malformed where it does not begin with what the mark says.
    ResultWriter(std::filesystem::path path, std::vector<std::string> names, const ResultMark& mark);
    /// Writes what is still held back; errors are lost, so call close() first.
    ~ResultWriter();
    ResultWriter(const ResultWriter&) = delete;
    ResultWriter& operator=(const ResultWriter&) = delete;

    /// Throws Error(computation), naming the variable, where a value is not finite; the row is then left out.
    void write(double time, std::span<const double> values);
    /// Hands all complete rows to the operating system.
    void flush();
    /// Puts all complete rows on the disk. A writer that begins there makes the same file.
    ResultMark sync();
    void close();

    /// What is in the file; a writer that begins there makes the same one.
    ResultMark in_file() const {
        return {static_cast<std::uint64_t>(rows_in_file_), written_, checksum_, last_time_in_file_};
    }

    /// After an OutputError those that are in the file.
    long rows() const { return rows_; }
    /// Time of the last of them.
    double last_time() const { return last_time_; }
    const std::filesystem::path& path() const { return file_.path(); }

  private:
    void append(double value);

    OutputFile file_;
    std::vector<std::string> names_;
    std::string buffer_;        ///< complete rows only
    std::uint64_t written_ = 0; ///< bytes of complete rows in the file
    std::uint64_t checksum_;    ///< of these
    long rows_ = 0;
    long rows_in_file_ = 0;
    double last_time_ = 0;
    double last_time_in_file_ = 0;
    bool closed_ = false;
};

/// Error(computation) that names the variable where a value is not finite.
void require_finite_row(std::span<const std::string> names, double time, std::span<const double> values);

/// `text` as a field of a CSV file: in quotes where it holds a comma, a quote or a line break.
std::string csv_field(std::string_view text);

} // namespace tenon::results
