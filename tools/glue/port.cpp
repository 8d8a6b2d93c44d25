#include "tools/glue/port.hpp"

#include "tools/system/ssp/writer.hpp"

#include <algorithm>

namespace tenon::glue {
namespace {

using system::PortKind;
using system::ScalarPlace;

struct Search {
    const system::VariableIndex& index;
    const system::Sizes& sizes;
    const fmi::Terminal& terminal;

    /// Of an output; none where the member is missing or not what it should be: it is optional.
    std::vector<ScalarPlace> places(const char* member, std::vector<std::uint64_t> shape) const {
        const system::Selection found =
            system::member_places(index, sizes, terminal, {member, std::move(shape), {}, false});
        const bool fits =
            found.problem.empty() && std::ranges::all_of(found.places, [&](const ScalarPlace& place) {
                const fmi::Variable& variable = index.variable(place.variable);
                return variable.type == fmi::Type::float64 && variable.causality == fmi::Causality::output;
            });
        return fits ? found.places : std::vector<ScalarPlace>();
    }
};

void find_auxiliary(const Search& search, Port& port) {
    const auto append = [&](const char* member, std::vector<std::uint64_t> shape) {
        const std::vector<ScalarPlace> found = search.places(member, std::move(shape));
        port.acceleration.insert(port.acceleration.end(), found.begin(), found.end());
    };
    if (port.kind == PortKind::frame) {
        append("a_0", {3});
        if (port.acceleration.size() == 3)
            append("al_0", {3});
        port.inverse_mass = search.places("Minv", {6, 6});
    } else {
        append(port.kind == PortKind::rotational ? "al" : "a", {});
        port.inverse_mass = search.places("Minv", {});
    }
    if (port.acceleration.size() != port.effort.size())
        port.acceleration.clear();
    if (const std::vector<ScalarPlace> work = search.places("work", {}); work.size() == 1)
        port.work = work.front();
}

} // namespace

PortMotion world_side(const system::GlueJoint& joint, const PortMotion& other) {
    PortMotion motion = tenon::world_side(other);
    if (const auto at = joint.numbers.find("at"); at != joint.numbers.end())
        motion.p_WP = Eigen::Map<const Vec3>(at->second.data());
    return motion;
}

PortJointSpec spec_of(const system::GlueJoint& joint) {
    return {joint.name, joint.type, joint.numbers, !joint.a.fmu, !joint.b.fmu};
}

Port find_port(const system::CheckedSystem& system, const system::Side& side) {
    const fmi::Description& description = system.fmus[*side.fmu]->description();
    const system::VariableIndex index(description);
    const system::Sizes sizes = system::set_sizes(description, system.assignments[*side.fmu]);
    const fmi::Terminal& terminal = *system::find_terminal(description, side.terminal);
    const system::PortCheck check = system::check_port(index, sizes, terminal);
    Port port;
    port.fmu = *side.fmu;
    port.terminal = side.terminal;
    port.kind = check.kind;
    port.own_axes = check.own_axes;
    for (const std::vector<ScalarPlace>& member : check.motion)
        port.motion.insert(port.motion.end(), member.begin(), member.end());
    port.effort = check.efforts;
    if (port.own_axes)
        return port; // accelerations of such frames would be in axes that nobody has said
    for (const fmi::Terminal& inner : terminal.terminals)
        if (inner.kind.ends_with(".aux"))
            find_auxiliary({index, sizes, inner}, port);
    return port;
}

std::size_t ValueSet::add(const system::CheckedSystem& system, std::size_t fmu, const ScalarPlace& place) {
    for (const auto& [variable, first] : variables_)
        if (variable == place.variable)
            return first + place.element;
    const std::size_t first = values.size();
    variables_.emplace_back(place.variable, first);
    references.push_back(system.fmus[fmu]->description().variables[place.variable].reference);
    values.resize(first + system.elements(fmu, place.variable), 0.0);
    return first + place.element;
}

} // namespace tenon::glue
