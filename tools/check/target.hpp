#pragma once
// What the dynamic checks work on: an FMU, unpacked, and how it is run.

#include "tools/import/fmu.hpp"

#include <filesystem>
#include <optional>

namespace tenon::check {

/// An ordinary run: short enough to be repeated dozens of times.
struct Experiment {
    double start = 0;
    double step = 0.01; ///< communication step
    std::optional<double> tolerance;
    int steps = 0;                              ///< of one run; 0: not even one step was possible
    bool excited = false;                       ///< inputs move a little around their start values
    bool event_mode = false;                    ///< the FMU has clocks, which live in event mode only
    double setup_seconds = 0, step_seconds = 0; ///< measured: what an instance and a step cost

    double time(int index) const { return start + index * step; }
};

/// From <DefaultExperiment>; what it does not say is chosen. Steps are left at 0.
Experiment choose_experiment(const fmi::Description& description);

struct Target {
    const fmi::Fmu& fmu;
    std::filesystem::path library;   ///< unpacked, with its neighbours
    std::filesystem::path resources; ///< unpacked; an empty folder where the FMU has none
    bool has_resources = false;
    std::filesystem::path scratch; ///< for the children's working directories
    Experiment experiment;

    const fmi::Description& description() const { return fmu.description(); }
};

} // namespace tenon::check
