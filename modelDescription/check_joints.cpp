// Rules about Tenon's joint terminals (docs/contract.md section 5): frames and one-dimensional flanges that can be glued.

#include "modelDescription/check_parts.hpp"
#include "modelDescription/message_text.hpp"
#include "modelDescription/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

namespace tenon::fmi {
namespace {

enum class Role { motion, effort, flow, extra };

/// kg m s A K mol cd rad
using Exponents = std::array<int, 8>;

struct MemberRule {
    std::string_view name;
    std::uint64_t rows, columns; ///< 1 and 1: a scalar; columns 1: a vector
    std::string_view unit;
    std::optional<Exponents> exponents; ///< of the unit; none: any unit
    Role role;
};

constexpr Exponents none{}, length{0, 1}, velocity{0, 1, -1}, acceleration{0, 1, -2}, force{1, 1, -2},
    torque{1, 2, -2}, angle{0, 0, 0, 0, 0, 0, 0, 1}, rate{0, 0, -1, 0, 0, 0, 0, 1},
    angular_acceleration{0, 0, -2, 0, 0, 0, 0, 1};

constexpr MemberRule frame_members[] = {
    {"r_0", 3, 1, "m", length, Role::motion},     {"R", 3, 3, "", none, Role::motion},
    {"v_0", 3, 1, "m/s", velocity, Role::motion}, {"w_0", 3, 1, "rad/s", rate, Role::motion},
    {"f_0", 3, 1, "N", force, Role::effort},      {"t_0", 3, 1, "N.m", torque, Role::effort},
};
constexpr MemberRule aux_members[] = {
    {"a_0", 3, 1, "m/s2", acceleration, Role::extra},
    {"al_0", 3, 1, "rad/s2", angular_acceleration, Role::extra},
    {"q", 4, 1, "", none, Role::extra},
    {"Minv", 6, 6, "", std::nullopt, Role::extra}, // its blocks have different units
    {"f_0_u", 3, 1, "N", force, Role::extra},
    {"t_0_u", 3, 1, "N.m", torque, Role::extra},
    {"work", 1, 1, "J", torque, Role::extra},
};
constexpr MemberRule rotational_members[] = {
    {"phi", 1, 1, "rad", angle, Role::motion},
    {"w", 1, 1, "rad/s", rate, Role::motion},
    {"tau", 1, 1, "N.m", torque, Role::flow},
};
constexpr MemberRule translational_members[] = {
    {"s", 1, 1, "m", length, Role::motion},
    {"v", 1, 1, "m/s", velocity, Role::motion},
    {"f", 1, 1, "N", force, Role::flow},
};

constexpr MemberRule rotational_aux_members[] = {
    {"al", 1, 1, "rad/s2", angular_acceleration, Role::extra},
    {"work", 1, 1, "J", torque, Role::extra},
};
constexpr MemberRule translational_aux_members[] = {
    {"a", 1, 1, "m/s2", acceleration, Role::extra},
    {"work", 1, 1, "J", torque, Role::extra},
};

struct KindRule {
    std::string_view kind, matching_rule;
    std::span<const MemberRule> members;
    bool complete; ///< all members must be there
};

constexpr KindRule kinds[] = {
    {"dev.tenon.joint.frame3d", "plug", frame_members, true},
    {"dev.tenon.joint.frame3d.aux", "bus", aux_members, false},
    {"dev.tenon.joint.flangeRot", "plug", rotational_members, true},
    {"dev.tenon.joint.flangeRot.aux", "bus", rotational_aux_members, false},
    {"dev.tenon.joint.flangeTrans", "plug", translational_members, true},
    {"dev.tenon.joint.flangeTrans.aux", "bus", translational_aux_members, false},
};

/// "r_0[2]", "R[1,3]": how FMI 2.0 names the elements of a member.
std::vector<std::string> element_names(const MemberRule& rule) {
    std::vector<std::string> names;
    for (std::uint64_t row = 1; row <= rule.rows; ++row)
        for (std::uint64_t column = 1; column <= rule.columns; ++column)
            names.push_back(rule.columns == 1 ? fmt::format("{}[{}]", rule.name, row)
                                              : fmt::format("{}[{},{}]", rule.name, row, column));
    return names;
}

class JointCheck {
  public:
    JointCheck(Check& check, const Terminal& terminal, const std::string& path)
        : check_(check), terminal_(terminal),
          place_(fmt::format("terminalsAndIcons.xml terminal {}", quoted(path))) {}

    void check(const KindRule& kind) {
        if (terminal_.matching_rule != kind.matching_rule)
            check_.report("joint-rule", place_,
                          fmt::format("matchingRule is {}, not {}", quoted(terminal_.matching_rule),
                                      kind.matching_rule));
        for (const MemberRule& rule : kind.members)
            member(rule, kind.complete);
        if (mixed_)
            check_.report("joint-causality", place_,
                          fmt::format("its members have causalities {}", fmt::join(causalities_, ", ")),
                          "let the machine give the motion and take the effort, or the other way round");
    }

  private:
    const TerminalMember* find(std::string_view name) const {
        const auto found = std::ranges::find(terminal_.members, name, &TerminalMember::member);
        return found == terminal_.members.end() ? nullptr : &*found;
    }

    /// The whole member, or all its elements.
    void member(const MemberRule& rule, bool required) {
        if (const TerminalMember* whole = find(rule.name))
            return whole_member(rule, *whole);
        if (rule.rows * rule.columns == 1) {
            if (required)
                check_.report("joint-members", place_,
                              fmt::format("member {} is missing", quoted(rule.name)));
            return;
        }
        std::string missing;
        std::vector<const TerminalMember*> elements;
        for (const std::string& name : element_names(rule)) {
            if (const TerminalMember* element = find(name))
                elements.push_back(element);
            else
                missing += (missing.empty() ? "" : " ") + name;
        }
        if (!missing.empty() && (required || !elements.empty()))
            check_.report("joint-members", place_,
                          elements.empty() ? fmt::format("member {} is missing", quoted(rule.name))
                                           : fmt::format("members {} are missing", missing));
        for (const TerminalMember* element : elements)
            variable(rule, *element, {});
    }

    void whole_member(const MemberRule& rule, const TerminalMember& whole) {
        std::vector<std::uint64_t> shape;
        if (rule.rows * rule.columns > 1)
            shape.push_back(rule.rows);
        if (rule.columns > 1)
            shape.push_back(rule.columns);
        variable(rule, whole, shape);
    }

    void variable(const MemberRule& rule, const TerminalMember& member,
                  const std::vector<std::uint64_t>& shape) {
        kind(rule, member);
        const auto found = check_.variables.find(member.variable);
        if (!found)
            return; // said already
        const Variable& variable = check_.description.variables[*found];
        if (variable.type != Type::float64 ||
            !std::ranges::equal(variable.dimensions, shape, {}, &Dimension::size))
            check_.report("joint-shape", place_,
                          fmt::format("variable {} must be a Float64 of shape [{}]", quoted(member.variable),
                                      fmt::join(shape, ", ")));
        if (rule.exponents && !has_unit(variable, rule))
            check_.report("joint-unit", place_,
                          fmt::format("variable {} has unit {}, not {}", quoted(member.variable),
                                      quoted(variable.unit), rule.unit.empty() ? "none" : rule.unit));
        causality(rule.role, variable.causality);
    }

    void kind(const MemberRule& rule, const TerminalMember& member) {
        const bool right = rule.role == Role::effort ? member.kind == "dev.tenon.joint.effort"
                           : rule.role == Role::flow ? member.kind == "inflow" || member.kind == "outflow"
                                                     : member.kind == "signal";
        if (!right)
            check_.report(
                "joint-variable-kind", place_,
                fmt::format("member {} has variableKind {}", quoted(member.member), quoted(member.kind)),
                rule.role == Role::effort ? "write dev.tenon.joint.effort"
                : rule.role == Role::flow ? "write inflow or outflow"
                                          : "write signal");
    }

    bool has_unit(const Variable& variable, const MemberRule& rule) const {
        if (variable.unit.empty())
            return rule.unit.empty();
        const Unit* unit = check_.unit(variable.unit);
        if (!unit || !unit->base)
            return variable.unit == rule.unit;
        return *unit->base == BaseUnit{*rule.exponents, 1, 0};
    }

    /// The side that gives the motion takes the effort.
    void causality(Role role, Causality given) {
        if (role == Role::extra)
            return;
        const bool effort = role != Role::motion;
        const bool transfers = given == Causality::input || given == Causality::output;
        const bool motion_is_output = (given == Causality::output) != effort;
        if (causalities_.empty() || causalities_.back() != word(given))
            causalities_.push_back(word(given));
        if (!transfers || (motion_is_output_ && *motion_is_output_ != motion_is_output))
            mixed_ = true;
        motion_is_output_ = motion_is_output;
    }

    Check& check_;
    const Terminal& terminal_;
    std::string place_;
    std::optional<bool> motion_is_output_;
    std::vector<std::string_view> causalities_; ///< as they follow each other
    bool mixed_ = false;
};

} // namespace

void check_joint(Check& check, const Terminal& terminal, const std::string& path) {
    if (!terminal.kind.starts_with("dev.tenon.joint"))
        return;
    const auto kind = std::ranges::find(kinds, terminal.kind, &KindRule::kind);
    if (kind != std::end(kinds))
        JointCheck(check, terminal, path).check(*kind);
    else
        check.report("joint-kind", fmt::format("terminalsAndIcons.xml terminal {}", quoted(path)),
                     fmt::format("terminalKind is {}", quoted(terminal.kind)),
                     "frame3d, flangeRot and flangeTrans follow dev.tenon.joint, each with .aux for its "
                     "nested terminal");
}

} // namespace tenon::fmi
