#pragma once
// Parts that start apart are put together before the run: Newton's method over the placement of each FMU's world (parameters
// world_r, world_R), minimum norm over rigid moves of whole FMUs, rotation vectors as rows.
//
//     A dx = -phi,  A = rows B_s J_s over the twists of the FMUs that can be moved;  r += dx_r, R <- exp(dx_th) R

#include "core/ports/port_joint.hpp"

#include <span>
#include <vector>

namespace tenon::glue {

/// One joint of the assembly: indices of ports, -1 for the world.
struct AssemblyLink {
    const PortJoint* joint = nullptr;
    int a = -1, b = -1;
};
struct AssemblyPort {
    std::size_t fmu = 0;
    PortMotion motion; ///< at the start, as the FMU gives it
};
/// A rigid move of an FMU's world V in the world W of all: x -> R_WV x + p_WV.
struct Move {
    Vec3 p_WV = Vec3::Zero();
    Mat3 R_WV = Mat3::Identity();
};
struct AssemblyResult {
    std::vector<Move> moves; ///< one for each FMU; identity where it may not move or need not
    bool converged = false;
    int iterations = 0;
    double gap_before = 0, gap_after = 0; ///< largest row, m or rad
    std::size_t worst = 0;                ///< the link of the largest row before
};

/// `movable` has an entry for each FMU. The rows are those at `time`, which matters for driven joints; velocities are not changed.
AssemblyResult assemble(std::span<const AssemblyLink> links, std::span<const AssemblyPort> ports,
                        const std::vector<char>& movable, double tolerance = 1e-12, double time = 0);

} // namespace tenon::glue
