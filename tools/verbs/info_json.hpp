#pragma once
// What `tenon info --json` writes.

#include "core/simulation/simulation.hpp"

#include <string>

namespace tenon::verbs {

/// All keys are there whether or not the model could be read: without a simulation the lists are empty, the status is
/// "failed" and `message` says why.
std::string model_json(const std::string& file, const Simulation* simulation, const std::string& message);

std::string integrators_json();

} // namespace tenon::verbs
