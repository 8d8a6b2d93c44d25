#pragma once
// A model as the text of a model file: what read_model would read as the same model (orientations, which are
// quaternions there, up to rounding).

#include "core/model/model.hpp"

#include <string>

namespace tenon {

/// Throws Error(model) for what a model file has no words for: a bushing with axes of its own, a load whose components have tables
/// with different times.
std::string model_text(const Model& model);

} // namespace tenon
