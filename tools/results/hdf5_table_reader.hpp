#pragma once
// A result file in HDF5 (hdf5_table.hpp) read again: to go on with it, or to look at it.

#include "tools/results/recorder.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

namespace tenon::results {

/// For files that are complete, being written, or left behind by a writer that was killed.
class Hdf5TableReader {
  public:
    /// Throws InputError: unreadable where it cannot be read, malformed where it is not such a file or has other columns.
    Hdf5TableReader(const std::filesystem::path& file, const ResultHeading& heading);
    /// Whatever its columns are.
    explicit Hdf5TableReader(const std::filesystem::path& file);
    ~Hdf5TableReader();
    Hdf5TableReader(const Hdf5TableReader&) = delete;
    Hdf5TableReader& operator=(const Hdf5TableReader&) = delete;

    /// As the file tells it.
    const ResultHeading& heading() const;
    std::uint64_t rows() const;
    /// times.size() rows from number `first`. Throws InputError(malformed).
    void read(std::uint64_t first, std::span<double> times, std::span<double> values) const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace tenon::results
