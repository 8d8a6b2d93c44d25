#include "tools/system/joint_check.hpp"

#include "core/math/digits.hpp"
#include "core/model/element.hpp"
#include "core/model/joints/joint_types.hpp"
#include "core/model/suggest.hpp"
#include "tools/model_file/sections.hpp"
#include "tools/system/endpoint_names.hpp"
#include "tools/system/system_format.hpp"
#include "tools/system/terminals.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <tuple>

namespace tenon::system {
namespace {

/// sin of the angle between two axes that are too near to each other.
constexpr double least_angle = 1e-6;

Vec3 vector_of(const std::vector<double>& numbers) { return {numbers[0], numbers[1], numbers[2]}; }

class JointCheck {
  public:
    JointCheck(const CheckContext& context, const std::vector<CheckedSystem::Wire>& wires)
        : context_(context), system_(context.system) {
        for (const CheckedSystem::Wire& wire : wires)
            fed_.emplace(std::tuple(wire.to_fmu, wire.to_variable, wire.to_element), wire.connection);
    }

    void run() const {
        std::set<std::string> names;
        for (const GlueJoint& joint : system_.joints) {
            if (!names.insert(joint.name).second)
                refuse_joint(joint, "the name is used twice");
            check_sides(joint);
            check_numbers(joint);
        }
    }

  private:
    [[noreturn]] void refuse_joint(const GlueJoint& joint, const std::string& what) const {
        refuse(system_, joint, fmt::format("joint '{}': {}", printable(joint.name), what));
    }

    std::string shown_side(const Side& side) const { return "'" + printable(side_text(system_, side)) + "'"; }

    void check_sides(const GlueJoint& joint) const {
        if (!joint.a.fmu && !joint.b.fmu)
            refuse_joint(joint, "both sides are the world");
        if (joint.a.fmu == joint.b.fmu && joint.a.terminal == joint.b.terminal)
            refuse_joint(joint, "both sides are " + shown_side(joint.a));
        std::optional<PortKind> kind;
        for (const Side* side : {&joint.a, &joint.b}) {
            if (!side->fmu)
                continue;
            const PortCheck port = checked(joint, *side);
            if (kind && *kind != port.kind)
                refuse_joint(joint,
                             fmt::format("{} is {}, but {} is {}", shown_side(joint.a), port_kind_text(*kind),
                                         shown_side(joint.b), port_kind_text(port.kind)));
            kind = port.kind;
        }
        if (*kind != PortKind::frame && !is_rigid_type(joint.type))
            refuse_joint(
                joint,
                fmt::format("flanges have one motion only, so that their joint must be of type 'fixed', "
                            "not '{}'",
                            printable(joint.type)));
    }

    PortCheck checked(const GlueJoint& joint, const Side& side) const {
        const VariableIndex& index = *context_.indices[*side.fmu];
        const fmi::Terminal* terminal = find_terminal(index.description(), side.terminal);
        if (!terminal)
            refuse_joint(joint, fmt::format("fmu '{}' has no terminal '{}'; {}",
                                            printable(system_.fmus[*side.fmu].name), printable(side.terminal),
                                            suggestion(side.terminal, terminal_names(index.description()))));
        PortCheck port = check_port(index, context_.sizes[*side.fmu], *terminal);
        if (!port.problem.empty())
            refuse_joint(joint, fmt::format("{} cannot be glued: {}", shown_side(side), port.problem));
        for (const ScalarPlace& effort : port.efforts)
            if (const auto wire = fed_.find({*side.fmu, effort.variable, effort.element}); wire != fed_.end())
                refuse_joint(
                    joint, fmt::format("'{}' of {} has two sources: the joint and the connection of line {}",
                                       printable(index.name(effort, context_.sizes[*side.fmu])),
                                       shown_side(side), system_.connections[wire->second].line));
        return port;
    }

    /// TOML has been checked key by key; an annotation has not.
    void check_numbers(const GlueJoint& joint) const {
        const Section& section = *find_section(system_sections(), "joint");
        const Variant* variant = section.variant(joint.type);
        std::vector<std::string> types;
        for (const Variant& known : section.variants)
            types.emplace_back(known.name);
        if (!variant)
            refuse_joint(joint, fmt::format("unknown type '{}'; {}", printable(joint.type),
                                            suggestion(joint.type, types, types.size())));
        const std::vector<std::string> methods = words_of("joint", "method");
        if (!joint.method.empty() && std::find(methods.begin(), methods.end(), joint.method) == methods.end())
            refuse_joint(joint, fmt::format("unknown method '{}'; {}", printable(joint.method),
                                            suggestion(joint.method, methods)));
        for (const auto& [name, values] : joint.numbers) {
            const Key* key = find_key(variant->keys, name.substr(0, name.find('.')));
            if (!key)
                refuse_joint(joint, fmt::format("a {} joint takes no '{}'", joint.type, printable(name)));
            if (!std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); }))
                refuse_joint(joint, fmt::format("'{}' must be finite", printable(name)));
            const std::size_t count = key->type == ValueType::vector ? 3 : 1;
            if (key->type != ValueType::motion && values.size() != count)
                refuse_joint(joint,
                             fmt::format("'{}' takes {} numbers ({} given)", name, count, values.size()));
        }
        for (const Key& key : variant->keys)
            if (key.required && !joint.numbers.contains(std::string(key.name)))
                refuse_joint(joint, fmt::format("'{}' is missing", key.name));
        check_geometry(joint);
        check_motion(joint);
    }

    void check_geometry(const GlueJoint& joint) const {
        for (const char* name : {"axis", "axis2", "axis_b"})
            if (const auto axis = joint.numbers.find(name); axis != joint.numbers.end())
                if (const Vec3 v = vector_of(axis->second); !(v.stableNorm() >= least_axis))
                    refuse_joint(joint, fmt::format("{} has no direction ({})", name, digits(v)));
        if (joint.numbers.contains("axis2")) {
            const Vec3 a = vector_of(joint.numbers.at("axis")).stableNormalized();
            const Vec3 b = vector_of(joint.numbers.at("axis2")).stableNormalized();
            if (a.cross(b).norm() < least_angle)
                refuse_joint(joint, fmt::format("axis {} and axis2 {} are parallel", digits(a), digits(b)));
        }
        if (const auto length = joint.numbers.find("length");
            length != joint.numbers.end() && !(length->second.front() > 0))
            refuse_joint(joint, fmt::format("length must be above 0 ({})", digits(length->second.front())));
        if (joint.numbers.contains("at") && joint.a.fmu && joint.b.fmu)
            refuse_joint(joint, "'at' is the point of a side that is the world, and both sides are ports");
        if (joint.numbers.contains("length") && prescribes_motion(joint))
            refuse_joint(joint, "a motion prescribes the length, so that there is no 'length' to keep");
    }

    static bool prescribes_motion(const GlueJoint& joint) {
        return std::any_of(joint.numbers.begin(), joint.numbers.end(),
                           [](const auto& entry) { return entry.first.starts_with("motion."); });
    }

    void check_motion(const GlueJoint& joint) const {
        const auto time = joint.numbers.find("motion.time"), value = joint.numbers.find("motion.value");
        const bool table = time != joint.numbers.end() || value != joint.numbers.end();
        const std::vector<Key>& keys = table ? table_keys() : motion_keys();
        for (const auto& [name, values] : joint.numbers)
            if (name.starts_with("motion.")) {
                if (!find_key(keys, name.substr(7)))
                    refuse_joint(joint, fmt::format("unknown '{}' of a motion", printable(name)));
                if (!table && values.size() != 1)
                    refuse_joint(joint,
                                 fmt::format("'{}' must be one number ({} given)", name, values.size()));
            }
        if (!table)
            return;
        if (time == joint.numbers.end() || value == joint.numbers.end() ||
            time->second.size() != value->second.size() || time->second.size() < 2)
            refuse_joint(joint, "a motion over time needs as many values as times, and at least 2");
        const std::vector<double>& times = time->second;
        if (std::adjacent_find(times.begin(), times.end(), [](double a, double b) { return !(a < b); }) !=
            times.end())
            refuse_joint(joint, "the times of a motion must increase");
    }

    const CheckContext& context_;
    const System& system_;
    std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::size_t> fed_; ///< inputs: the connection
};

} // namespace

void check_joints(const CheckContext& context, const std::vector<CheckedSystem::Wire>& wires) {
    if (!context.system.joints.empty())
        JointCheck(context, wires).run();
}

} // namespace tenon::system
