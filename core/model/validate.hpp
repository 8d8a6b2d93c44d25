#pragma once
// What makes a model impossible, whatever file it came from.

#include "core/model/model.hpp"

namespace tenon {

/// Throws Error(model) with the element named: names (pattern, taken, used twice), indices, masses and inertias
/// (positive semidefinite, triangle inequalities), axes, lengths, gears' joints, drivers' joints, non-finite numbers.
/// Whether a motion without inertia is left free is decided at assembly, when the joints are known to fit.
void validate(const Model& model);

} // namespace tenon
