#pragma once
// Elements of a model in a few words, for tables and summaries.

#include "core/model/model.hpp"

#include <string>

namespace tenon::verbs {

const std::string& joint_name(const Model& model, int index);
/// "world - crank", or for a gear the joints that it couples.
std::string between(const Model& model, const Joint& joint);
/// The body, bodies or joint that a force acts on.
std::string acts_on(const Model& model, const Force& force);
/// "input", "table, 5 points" or the formula.
std::string motion_text(const Driver& driver);

} // namespace tenon::verbs
