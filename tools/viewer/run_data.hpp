#pragma once
// A result as the page reads it: one JSON object, numbers as base64 of little-endian arrays.
//
//     label, file     what the run is called
//     rows, stride    rows of the file, rows from one frame to the next
//     frames          float64, times of the frames
//     buckets         float64, times of the buckets (absent where all rows are there)
//     stop            time of the last row
//     columns         n name, u unit, d description, o offset, v float32, p uint16 positions, s float32 samples;
//                     tools/viewer/thinning.hpp says what they are
//     scene           the scene file's content, or null
//     meshes          file name -> base64

#include "tools/results/recorder.hpp"
#include "tools/viewer/scene_reader.hpp"
#include "tools/viewer/thinning.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace tenon::viewer {

struct RunData {
    std::string label, file;
    results::ResultHeading heading;
    ThinResult result;
    std::optional<Scene> scene;
    std::size_t in_file =
        0; ///< columns of the file, without `time`; those behind them were computed for the page
};

void write_run(const RunData& run, const std::function<void(std::string_view)>& write);

/// JSON that can stand in a <script>: no "<" is left that could end it.
std::string script_safe(std::string json);

} // namespace tenon::viewer
