#pragma once
// Rows into HDF5, by the block.

#include "tools/results/hdf5_table.hpp"
#include "tools/results/recorder.hpp"

#include <optional>

namespace tenon::results {

class Hdf5Recorder : public Recorder {
  public:
    Hdf5Recorder(std::filesystem::path file, ResultHeading heading);
    /// Copies the rows of the mark to a new file that takes the name of the old one when it is complete: cutting the old one
    /// would not survive a kill.
    Hdf5Recorder(std::filesystem::path file, ResultHeading heading, const ResultMark& mark);
    /// Writes what is still held back; errors are lost, so call close() first.
    ~Hdf5Recorder() override;
    Hdf5Recorder(const Hdf5Recorder&) = delete;
    Hdf5Recorder& operator=(const Hdf5Recorder&) = delete;

    void write(double time, std::span<const double> values) override;
    void flush() override;
    ResultMark sync() override;
    void close() override;
    ResultMark in_file() const override { return {rows_in_file_, 0, checksum_in_file_, last_time_in_file_}; }
    long rows() const override;
    double last_time() const override { return last_time_; }

  private:
    void begin();
    void copy(const ResultMark& mark);
    void take_name();
    void keep(double time, std::span<const double> values);
    void hand_over();
    [[noreturn]] void give_up();

    std::filesystem::path path_;
    ResultHeading heading_;
    std::vector<std::string> names_;
    std::filesystem::path temporary_;    ///< not empty while the file has not got its name
    std::optional<Hdf5Table> table_;     ///< from the first row on
    std::vector<double> times_, values_; ///< rows that are not in the table yet
    std::uint64_t checksum_;             ///< of all rows
    std::uint64_t checksum_in_file_ = 0; ///< of those in the file
    std::uint64_t rows_handed_over_ = 0; ///< to the table, which may hold them back
    std::uint64_t rows_in_file_ = 0;     ///< for whoever opens it
    double last_time_ = 0, last_time_in_file_ = 0;
    bool closed_ = false;
};

} // namespace tenon::results
