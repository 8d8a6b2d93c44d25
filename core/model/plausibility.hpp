#pragma once
// What a model says that is possible and hardly meant: points in millimetres, inertias in kg mm2, degrees where radians are
// wanted. validate() refuses what is wrong; this only doubts, and only where numbers are off by far more than machines differ.

#include "core/model/model.hpp"

#include <string>
#include <vector>

namespace tenon {

struct Doubt {
    std::string element; ///< as in Error: "elbow.at"
    std::string text;    ///< one sentence, with what was probably meant
};

/// In the order of the model. `model` has passed validate().
std::vector<Doubt> doubts(const Model& model);

} // namespace tenon
