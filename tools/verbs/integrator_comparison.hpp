#pragma once
// Machines with every integrator, and what each kept and lost: the tables of `tenon demo NAME`.

#include "tools/files/json.hpp"
#include "tools/verbs/console.hpp"

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

namespace tenon::verbs {

/// One example with one integrator.
struct Outcome {
    std::string example;
    std::string integrator;
    double step = NAN, stop = NAN, end_time = NAN;
    double violation = NAN, velocity_violation = NAN, energy_error = NAN, energy_scale = NAN;
    double seconds_per_step = NAN;
    std::string note;    ///< why it ended early, or that it diverged; empty where all is well
    std::string message; ///< of the core, where it gave up
    bool diverged = false;

    /// "joints, energy", one of them, or "-".
    std::string kept() const;
};

/// `names` are examples in `folder`. Prints their tables as they come and fills `all` as it goes, so that a failure leaves what
/// there was before it. Failure(interrupted).
void compare_integrators(const std::filesystem::path& folder, const std::vector<std::string>& names,
                         Verbosity verbosity, std::vector<Outcome>& all);

void write(JsonWriter& json, const Outcome& outcome);

} // namespace tenon::verbs
