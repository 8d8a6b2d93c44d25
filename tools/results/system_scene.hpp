#pragma once
// The scene of a whole system: the machines of those FMUs that Tenon has made, for the viewer.

#include "core/model/model.hpp"
#include "tools/system/system.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tenon::results {

struct SystemScene {
    /// All machines in one, each where world_r and world_R put it, and the joints that glue their ports; names as in the
    /// results, `<fmu>.<element>` and `<joint>`.
    std::optional<Model> machine;     ///< nothing where no FMU has a scene
    std::vector<std::string> remarks; ///< FMUs that cannot be drawn, and why
};

SystemScene system_scene(const system::CheckedSystem& system);

} // namespace tenon::results
