#pragma once
// The showcase of `tenon demo`: a machine cut into FMUs and glued again, against the same machine in one piece. It does what a
// user would do, by the same commands, and shows them.

#include "tools/files/json.hpp"
#include "tools/verbs/console.hpp"

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

namespace tenon::verbs {

struct GluedExample {
    std::string name;             ///< glue/four_bar
    std::filesystem::path system; ///< of model files
    std::filesystem::path twin;   ///< the model of the whole machine
    std::string description;
};

/// Those that are there, the one that `tenon demo` shows first.
std::vector<GluedExample> glued_examples(const std::filesystem::path& examples);

/// What the two runs have kept, and how they differ. Not a number where it is not known.
struct GlueOutcome {
    std::string name;
    std::size_t fmus = 0;
    struct Side {
        double step = NAN, gap = NAN, energy_error = NAN, seconds = NAN;
    } glued, whole;
    double difference = NAN; ///< largest of all positions of bodies, m
    std::string where;       ///< variable and time of it
    std::string page;        ///< empty: this build has no viewer
};

/// Exports the parts into folder/<name>, runs them glued and the whole machine, and writes folder/<name>.html. Prints commands and
/// table.
GlueOutcome show_glue(const GluedExample& example, const std::filesystem::path& folder, Verbosity verbosity);

void write(JsonWriter& json, const GlueOutcome& outcome);

} // namespace tenon::verbs
