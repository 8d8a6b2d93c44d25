#pragma once
// Rows that tests write, and result files read back.

#include "tools/files/text_file.hpp"
#include "tools/results/hdf5_table_reader.hpp"
#include "tools/results/recorder.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace tenon::results {

inline ResultHeading heading() {
    return {"drive",
            "{}",
            {{"motor.tau", "N.m", "torque of the motor"}, {"load.w", "rad/s", ""}, {"load.on", "", "lock"}}};
}

/// Row number i is the same in every test: numbers with all their digits.
inline double row_time(int i) { return i * 1e-3; }
inline std::vector<double> row_values(int i) {
    return {std::sin(i * 0.1), 1.0 / (i + 1), i % 2 == 0 ? 1.0 : 0.0};
}

inline void write_rows(Recorder& recorder, int first, int end) {
    for (int i = first; i < end; ++i)
        recorder.write(row_time(i), row_values(i));
}

inline std::string content(const std::filesystem::path& file) { return read_text_file(file, 1 << 26); }

/// Time and values of all rows in one list.
inline std::vector<double> hdf5_rows(const std::filesystem::path& file) {
    const Hdf5TableReader reader(file, heading());
    std::vector<double> times(reader.rows()), values(3 * times.size()), all;
    reader.read(0, times, values);
    for (std::size_t i = 0; i < times.size(); ++i) {
        all.push_back(times[i]);
        all.insert(all.end(), values.begin() + static_cast<std::ptrdiff_t>(3 * i),
                   values.begin() + static_cast<std::ptrdiff_t>(3 * i + 3));
    }
    return all;
}

inline std::vector<double> expected_rows(int end) {
    std::vector<double> all;
    for (int i = 0; i < end; ++i) {
        all.push_back(row_time(i));
        const std::vector<double> values = row_values(i);
        all.insert(all.end(), values.begin(), values.end());
    }
    return all;
}

} // namespace tenon::results
