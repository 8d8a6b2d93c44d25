#pragma once
// What the writer and the reader of result files in HDF5 share. For source files that use HDF5.

#include "tools/results/hdf5_handle.hpp"

#include <cstddef>
#include <cstdint>

namespace tenon::results {

/// Attribute `format` of every result file.
inline constexpr const char* hdf5_format_name = "tenon-results";
inline constexpr int hdf5_format_version = 1;

/// UTF-8 of any length.
Hdf5Handle hdf5_text_type();

/// Files that can be written by one process while others read them.
Hdf5Handle hdf5_file_access();

/// Rows `first` to `first + count` in the file, `count` rows in memory. A data set of one dimension has no columns.
struct Hdf5Rows {
    Hdf5Handle file, memory;

    Hdf5Rows(hid_t set, int dimensions, std::uint64_t first, std::uint64_t count, std::size_t columns);
};

} // namespace tenon::results
