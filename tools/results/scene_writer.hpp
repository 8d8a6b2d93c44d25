#pragma once
// The scene beside a result file: what the viewer needs to draw that the numbers do not say.

#include "core/model/model.hpp"
#include "tools/results/recorder.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace tenon::results {

/// run.csv -> run.scene.json; other names get .scene.json at their end.
std::filesystem::path scene_path(const std::filesystem::path& result);

/// JSON: format, version, name, gravity, bodies (shape, centre of mass, start pose), joints, drivers, forces, ports,
/// flanges. Poses are those of the model file, before assembly; quaternions are scalar first, body to world.
std::string scene_json(const Model& model);

/// The same with `units`, an object from names of columns to their units, without those of pure numbers: CSV has no place for
/// them. Throws OutputError.
void write_scene(const std::filesystem::path& path, const Model& model,
                 const std::vector<ResultColumn>& columns);

} // namespace tenon::results
