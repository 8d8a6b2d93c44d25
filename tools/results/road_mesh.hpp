#pragma once
// A road as points in the world, for scenes: where the machine starts, where it may get in the run, and where the road has features.

#include "core/model/model.hpp"

#include <cstddef>
#include <vector>

namespace tenon::results {

struct RoadMesh {
    std::size_t rows = 0, columns = 0; ///< along and across
    std::vector<double> points;        ///< x, y, z of each, row by row
};

RoadMesh road_mesh(const Model& model, const Road& road);

} // namespace tenon::results
