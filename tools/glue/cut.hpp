#pragma once
// A machine cut at joints: what is left connected becomes a part, a model of its own with a port on either side of each cut,
// and the joints between the ports glue the parts to the machine again.
//
// Bodies stay together where a joint that is not cut, a gear or a force ties them; the world ties nothing. A port has the axes
// of the world at t = 0 and sits at the joint's point, so the axes of the glued joint are those of the cut one. The bodies
// of a part start with the velocities that the whole machine starts with.

#include "core/model/model.hpp"
#include "tools/system/system.hpp"

#include <string>
#include <vector>

namespace tenon::glue {

struct CutMachine {
    std::vector<Model> parts;              ///< named after their first body
    std::vector<system::GlueJoint> joints; ///< Side::fmu is an index of `parts`
    std::vector<std::string> left_out;     ///< inputs and outputs of the machine that no part has
};

/// Throws Error(usage) where a joint is not there, and Error(model) with the joint as element where it cannot be glued: a gear,
/// screw or rolling joint, friction, a spring, a flange or an input driver on the joint. A driver moves to the glued joint.
CutMachine cut(const Model& machine, const std::vector<std::string>& joints);

/// The parts as FMUs `<part><ending>` in a system that glues them; runs as long as the machine would.
system::System glued_system(const CutMachine& machine, const std::string& name, const std::string& ending);

/// The text of a system file: FMUs by the names of their files, joints, master.
std::string system_text(const system::System& system);

} // namespace tenon::glue
