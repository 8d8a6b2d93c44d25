#pragma once
// What `plot` is to draw: read from the words, and from the names and units in the results.

#include "tools/plot/compose.hpp"
#include "tools/plot/picture.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tenon::verbs {

/// The words as given; numbers are read by plot_request so that their errors are ours.
struct PlotWords {
    std::vector<std::string> results, vars;
    std::string out, from, to, size, json;
    bool log = false, linear = false, dark = false;
    bool quiet = false, verbose = false;
};

struct PictureFile {
    std::filesystem::path path;
    plot::Format format = plot::Format::png;
};

struct PlotRequest {
    std::vector<std::string> results, vars;
    std::vector<PictureFile> pictures;
    plot::Wishes wishes;
    std::optional<plot::Size> size;
    bool dark = false;
};

/// Failure(usage) where a number is none or a name cannot be that of a picture.
PlotRequest plot_request(const PlotWords& words);

struct DrawnPlot {
    plot::Figure figure;
    std::vector<std::string> names; ///< of the variables that are drawn
    bool chosen_for_you = false;    ///< because there was no --vars
    std::vector<std::string> remarks;
    std::vector<std::uint64_t> rows; ///< of each result
};

/// Reads the results. `between` is called now and then and may end it by an exception. Failure(usage) for a pattern that matches
/// nothing or a window without rows, InputError for a result that cannot be read.
DrawnPlot compose_plot(const PlotRequest& request, const std::function<void()>& between);

plot::Size size_of(const PlotRequest& request, const plot::Figure& figure);

std::string plot_json(const PlotRequest& request, const DrawnPlot& drawn, const std::string& status,
                      const std::string& message);

} // namespace tenon::verbs
