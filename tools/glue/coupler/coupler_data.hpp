#pragma once
// The coupler: an FMU that stands in for a joint where a glued system is run by tools that know no joints. It takes the motion of
// the ports and gives each of them its force and torque, those of springs and dampers along the rows of the joint:
//
//     lambda = -(stiffness phi + damping phi'),   wrench on side s = Bs^T lambda
//
// This is what the packed library and the tool that packs it have in common.

#include "core/ports/port_joint.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::glue {

struct CouplerData {
    std::string token; ///< guid of the FMU
    PortKind kind = PortKind::frame;
    PortJointSpec joint;
    PortMotion start_a, start_b;            ///< of the world: for ever
    std::vector<double> stiffness, damping; ///< one per row
};

/// As a text of lines `key values`, numbers as their bits.
std::string to_text(const CouplerData& data);
/// Throws Error(model) for anything that to_text does not write.
CouplerData coupler_from_text(std::string_view text);

inline constexpr std::string_view coupler_file = "coupler.txt"; ///< in resources/

/// A variable; its value reference is its place in coupler_variables().
struct CouplerVariable {
    enum class Role { parameter, motion, effort };
    std::string name, unit, description;
    Role role = Role::parameter;
    int side = 0;                 ///< 0: a, 1: b
    std::string_view member = ""; ///< of the side's terminal: "r_0[2]"
    double start = 0;
};

/// stiffness[i], damping[i], then for each side that is a port its motion (r_0, R, v_0, w_0; phi, w; s, v) and its effort.
std::vector<CouplerVariable> coupler_variables(const CouplerData& data);

} // namespace tenon::glue
