#pragma once
// Rows of a CSV file (docs/contract.md section 3) by the block.

#include "tools/files/plain_file.hpp"
#include "tools/results/result_reader.hpp"

namespace tenon::results {

class CsvReader : public ResultReader {
  public:
    /// Throws InputError: unreadable where it cannot be read, malformed where it does not begin with names of which the first is `time`.
    explicit CsvReader(const std::filesystem::path& file);

    const ResultHeading& heading() const override { return heading_; }
    std::uint64_t rows() const override { return rows_; }
    bool read(std::vector<double>& times, std::vector<double>& values) override;

  private:
    void read_names();
    void count_rows();
    bool read_piece();
    void read_row(std::string_view line, std::vector<double>& times, std::vector<double>& values);
    [[noreturn]] void refuse(const std::string& why) const;

    PlainFile file_;
    ResultHeading heading_;
    std::uint64_t rows_ = 0, rows_read_ = 0;
    std::uint64_t offset_ = 0; ///< of the next piece
    std::uint64_t line_ = 1;   ///< of the row under way, for messages
    std::string text_;         ///< read, but not yet understood
    double last_time_ = 0;
};

} // namespace tenon::results
