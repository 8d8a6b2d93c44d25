#pragma once
// Terminals as ports that can be glued (docs/contract.md section 5): which kind, which members, and where their values are.

#include "core/ports/port_joint.hpp"
#include "tools/system/variable_index.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tenon::system {

/// Null where there is none. Nested terminals are named outer.inner.
const fmi::Terminal* find_terminal(const fmi::Description& description, const std::string& name);
std::vector<std::string> terminal_names(const fmi::Description& description);

/// variableKind of vectors that sum to zero over connected ports, as the standard's inflow does for scalars.
inline constexpr std::string_view effort_kind = "dev.tenon.joint.effort";

using tenon::PortKind;
/// Nothing for terminals that cannot be glued.
std::optional<PortKind> port_kind(const fmi::Terminal& terminal);
/// "a frame", "a rotational flange", ...
std::string_view port_kind_text(PortKind kind);

struct PortMember {
    std::string_view name;
    std::vector<std::uint64_t> shape;
    fmi::Unit unit; ///< SI, as docs/contract.md section 5 wants it
    bool effort = false;
    std::string_view other_name = {}; ///< another way to write it
    std::string_view rate_of = {};    ///< where it is no member: the derivative of the variables of this one
};

/// Where the values of a member are: r_0 as one array, or r_0[1], r_0[2], ... as members of their own (FMI 2.0).
Selection member_places(const VariableIndex& index, const Sizes& sizes, const fmi::Terminal& terminal,
                        const PortMember& member);

/// Mass side: motion is an output and effort an input; spring side: the reverse (docs/contract.md section 5).
enum class PortProfile { mass, spring };

/// A terminal that was found fit for glue; or why it is not.
struct PortCheck {
    PortKind kind = PortKind::frame;
    PortProfile profile = PortProfile::mass;
    /// A frame of Modelica: R is given transposed, as T; w_0, f_0 and t_0 are in the frame's own axes.
    bool own_axes = false;
    /// Member by member in the order of docs/contract.md section 5; a spring side of Modelica may have no velocities, which are empty then.
    std::vector<std::vector<ScalarPlace>> motion;
    std::vector<ScalarPlace> efforts;
    std::string problem;
};
PortCheck check_port(const VariableIndex& index, const Sizes& sizes, const fmi::Terminal& terminal);

} // namespace tenon::system
