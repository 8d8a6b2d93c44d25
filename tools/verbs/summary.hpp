#pragma once
// The machine-readable summary of `simulate` (docs/contract.md section 3): all keys are always there.

#include <cmath>
#include <string>
#include <vector>

namespace tenon::verbs {

/// What is not known, because the run never came so far, is NaN here and null in the file.
struct RunSummary {
    std::string status = "failed"; ///< "done", "failed", "interrupted"
    std::string message;
    std::string model;
    std::string file;
    std::string integrator;
    double step = NAN;
    double stop = NAN;
    double end_time = NAN;
    long steps = 0;
    long iterations = 0;
    long halvings = 0;
    double wall_seconds = 0;
    double max_position_violation = NAN;
    double max_velocity_violation = NAN;
    double energy_start = NAN;
    double energy_end = NAN;
    double max_energy_error = NAN;
    double rank_deficiency = NAN;
    double degrees_of_freedom = NAN;
    std::vector<std::string> redundant_joints;
    double position_correction = NAN; ///< of the start state
    double velocity_correction = NAN;
};

std::string to_json(const RunSummary& summary);

/// The file that `--json FILE` or `--json=FILE` names among words that could not be understood; empty where there
/// is none, or where it is also another of the words or named like a model: never write over somebody's work.
std::string json_file_among(const std::vector<std::string>& words);

/// The summary of a command that could not be understood, into that file; a warning where it cannot be written.
void write_refusal(const std::string& message, const std::vector<std::string>& words);

} // namespace tenon::verbs
