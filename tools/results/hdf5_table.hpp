#pragma once
// One result file in HDF5, written so that it can be read at any moment and after any end of the writer.
//
//     /time            [rows]           float64
//     /values          [rows, columns]  float64, chunks of whole rows
//     /names, /units, /descriptions     [columns] text
//     attributes of /: format, version, system, settings
//
// The file is in the library's single-writer-multiple-reader mode: what a flush writes is ordered so that whatever part of it
// has arrived, the file is whole. `values` is extended before `time`, which is therefore never the longer one: the rows that
// count are those of `time`. docs/results.md says why HDF5 and how to read it.

#include "tools/results/recorder.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

namespace tenon::results {

/// Throws OutputError.
class Hdf5Table {
  public:
    /// A new file, which must not exist yet. `shown` is what messages call it.
    Hdf5Table(const std::filesystem::path& file, const ResultHeading& heading, const std::string& shown);
    ~Hdf5Table();
    Hdf5Table(const Hdf5Table&) = delete;
    Hdf5Table& operator=(const Hdf5Table&) = delete;

    /// Rows of a chunk: writing so many at a time, from a multiple of it, touches each chunk once.
    std::uint64_t block() const;
    std::uint64_t rows() const;
    /// `values` row by row. Readers see the rows after flush().
    void append(std::span<const double> times, std::span<const double> values);
    void flush();
    void sync();
    void close();
    /// After an OutputError: nothing more is written, not even by the destructor, so that the file stays what the last flush
    /// has made it.
    void abandon();

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace tenon::results
