#pragma once
// What came of a run, of a model or of a system: the data of the tables that people see and of the file that programs read.

#include "core/simulation/simulation.hpp"
#include "tools/master/master.hpp"
#include "tools/run/accuracy.hpp"
#include "tools/run/pace.hpp"
#include "tools/system/system.hpp"

#include <cmath>
#include <filesystem>
#include <optional>
#include <string>

namespace tenon::run {

/// What is not known, because the run never came so far, is NaN here and null in the file.
struct Summary {
    enum class Of { model, system } of = Of::model;
    std::string status = "failed"; ///< "done", "failed", "interrupted"
    std::string message;
    std::string name;           ///< of the model or the system
    std::filesystem::path file; ///< as given, as all paths here
    std::string
        method; ///< integrator, or how the master steps; the one that is asked for where the run never came so far
    double step = NAN, stop = NAN, end_time = NAN;
    long steps = 0, iterations = 0, halvings = 0;
    double wall_seconds = 0; ///< of this run, without those that it continues
    double max_position_violation = NAN, max_velocity_violation = NAN; ///< of all joints
    double energy_start = NAN, energy_end = NAN, max_energy_error = NAN;
    double energy_scale = NAN;    ///< what energy errors are compared with
    PositionError position_error; ///< estimated; of systems, where they have joints
    double motion = NAN;          ///< the largest of any body, m, as far as samples show
    std::optional<int> rank_deficiency;
    std::filesystem::path out; ///< empty: no results
    long rows = 0, columns = 0;
    PaceReport pace;      ///< of a run in real time
    bool started = false; ///< the start state was found, all FMUs are initialised

    // Of a model:
    StartReport start; ///< where started
    double tolerance = NAN;
    long unconverged = 0;           ///< steps that were accepted at the bound of their iterations
    double largest_unconverged = 0; ///< the largest of their last increments, metres or radians
    bool diverged = false;          ///< steps that cannot be believed were accepted
    double max_energy_correction = NAN;
    Leap leap;                        ///< to another branch, perhaps
    PositionError refined_difference; ///< measured against half the step, where asked for

    // Of a system:
    std::vector<system::Deviating> deviations; ///< of its FMUs from the letter of FMI
    bool automatic = false;                    ///< the method was chosen by the master
    double earlier_seconds = 0;                ///< of the runs that this one continues
    master::MasterReport report;
    std::filesystem::path checkpoint; ///< empty: none was written
    std::filesystem::path saved;      ///< the system as SSP; empty: it was not asked for
};

/// Machine-readable: all keys are always there.
std::string to_json(const Summary& summary);

} // namespace tenon::run
