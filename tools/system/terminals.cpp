#include "tools/system/terminals.hpp"

#include "modelDescription/words.hpp"
#include "tools/files/errors.hpp"
#include "tools/system/units.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace tenon::system {
namespace {

/// An SI unit from exponents of kg, m, s and rad.
fmi::Unit si(const char* name, int kg, int m, int s, int rad = 0) {
    return {name, fmi::BaseUnit{{kg, m, s, 0, 0, 0, 0, rad}, 1, 0}, {}};
}

void collect(const std::vector<fmi::Terminal>& terminals, const std::string& prefix,
             std::vector<std::string>& names) {
    for (const fmi::Terminal& terminal : terminals) {
        names.push_back(prefix + terminal.name);
        collect(terminal.terminals, prefix + terminal.name + ".", names);
    }
}

const fmi::Terminal* find(const std::vector<fmi::Terminal>& terminals, std::string_view name) {
    for (const fmi::Terminal& terminal : terminals) {
        if (terminal.name == name)
            return &terminal;
        if (name.size() > terminal.name.size() && name.starts_with(terminal.name) &&
            name[terminal.name.size()] == '.')
            if (const fmi::Terminal* inner = find(terminal.terminals, name.substr(terminal.name.size() + 1)))
                return inner;
    }
    return nullptr;
}

const fmi::TerminalMember* find_member(const fmi::Terminal& terminal, const std::string& name) {
    for (const fmi::TerminalMember& member : terminal.members)
        if (member.member == name)
            return &member;
    return nullptr;
}

/// The indices after `indices` in an array of this shape, from 1; false after the last.
bool advance(std::vector<std::uint64_t>& indices, const std::vector<std::uint64_t>& shape) {
    for (std::size_t d = shape.size(); d-- > 0;) {
        if (++indices[d] <= shape[d])
            return true;
        indices[d] = 1;
    }
    return false;
}

Selection missing(const std::string& member) { return {{}, {}, "it has no member '" + member + "'", true}; }

std::string unit_problem(const VariableIndex& index, const ScalarPlace& place, const PortMember& member) {
    const fmi::Unit& unit = index.unit(place.variable);
    if (index.variable(place.variable).type != fmi::Type::float64)
        return fmt::format("member '{}' must be Float64 (a Real), not {}", member.name,
                           fmi::word(index.variable(place.variable).type));
    const Conversion step = conversion(unit, member.unit, false);
    if (step.problem.empty() && step.linear.is_identity())
        return {};
    return fmt::format("member '{}' has the unit '{}', but must be in '{}'", member.name,
                       printable(unit.name), member.unit.name.empty() ? "1" : member.unit.name);
}

} // namespace

const fmi::Terminal* find_terminal(const fmi::Description& description, const std::string& name) {
    return find(description.terminals, name);
}

std::vector<std::string> terminal_names(const fmi::Description& description) {
    std::vector<std::string> names;
    collect(description.terminals, "", names);
    return names;
}

namespace {

/// Kinds of other libraries that mean the same, or nearly.
constexpr std::string_view modelica = "Modelica.Mechanics.";

bool is_modelica(const fmi::Terminal& terminal) { return terminal.kind.starts_with(modelica); }

/// Members that a port must have.
const std::vector<PortMember>& port_members(PortKind kind, bool of_modelica) {
    using enum PortKind;
    static const fmi::Unit metre = si("m", 0, 1, 0), speed = si("m/s", 0, 1, -1), newton = si("N", 1, 1, -2),
                           torque = si("N.m", 1, 2, -2), radian = si("rad", 0, 0, 0, 1),
                           turning = si("rad/s", 0, 0, -1, 1);
    static const std::map<std::pair<PortKind, bool>, std::vector<PortMember>> members = {
        {{frame, false},
         {{"r_0", {3}, metre},
          {"R", {3, 3}, {}},
          {"v_0", {3}, speed},
          {"w_0", {3}, turning},
          {"f_0", {3}, newton, true},
          {"t_0", {3}, torque, true}}},
        {{frame, true},
         {{"r_0", {3}, metre},
          {"R.T", {3, 3}, {}, false, "T"},
          {"v_0", {3}, speed, false, "", "r_0"},
          {"R.w", {3}, turning, false, "w"},
          {"f", {3}, newton, true},
          {"t", {3}, torque, true}}},
        {{rotational, false}, {{"phi", {}, radian}, {"w", {}, turning}, {"tau", {}, torque, true}}},
        {{rotational, true},
         {{"phi", {}, radian}, {"w", {}, turning, false, "", "phi"}, {"tau", {}, torque, true}}},
        {{translational, false}, {{"s", {}, metre}, {"v", {}, speed}, {"f", {}, newton, true}}},
        {{translational, true},
         {{"s", {}, metre}, {"v", {}, speed, false, "", "s"}, {"f", {}, newton, true}}},
    };
    return members.at({kind, of_modelica});
}

/// The terminal has the member, or elements of it.
bool has_member(const fmi::Terminal& terminal, std::string_view name) {
    return std::ranges::any_of(terminal.members, [&](const fmi::TerminalMember& member) {
        return member.member.starts_with(name) &&
               (member.member.size() == name.size() || member.member[name.size()] == '[');
    });
}

/// The variables that are the derivatives of `of`, if all have one. An alias of the same value may be the one that is named.
Selection rates(const VariableIndex& index, const Sizes& sizes, const std::vector<ScalarPlace>& of,
                const PortMember& member) {
    Selection result;
    const std::vector<fmi::Variable>& variables = index.description().variables;
    for (const ScalarPlace& place : of) {
        const fmi::Variable& base = variables[place.variable];
        const auto is_rate = [&](const fmi::Variable& v) {
            const fmi::Variable* of_this = v.derivative_of ? &variables[*v.derivative_of] : nullptr;
            return of_this && of_this->reference == base.reference && of_this->type == base.type;
        };
        const auto rate = std::ranges::find_if(variables, is_rate);
        const auto number = static_cast<std::size_t>(rate - variables.begin());
        if (rate == variables.end() || index.shape(number, sizes) != index.shape(place.variable, sizes))
            return {{},
                    {},
                    fmt::format("it has neither a member '{}' nor variables that are the derivatives of '{}'",
                                member.name, member.rate_of),
                    true};
        result.places.push_back({number, place.element});
    }
    return result;
}

/// Efforts act on the FMU itself. Empty: they do.
std::string sign_problem(const fmi::Terminal& terminal, const PortMember& member) {
    for (const fmi::TerminalMember& one : terminal.members) {
        if (!one.member.starts_with(member.name))
            continue;
        const std::string_view rest = std::string_view(one.member).substr(member.name.size());
        if (!rest.empty() && rest.front() != '[')
            continue;
        const bool known = one.kind == "inflow" || one.kind == effort_kind;
        const bool fits =
            member.effort ? known || (is_modelica(terminal) && one.kind != "outflow" && one.kind != "signal")
                          : one.kind == "signal";
        if (!fits)
            return fmt::format("member '{}' is of kind '{}', but must be '{}'{}", printable(one.member),
                               printable(one.kind), member.effort ? "inflow" : "signal",
                               member.effort ? fmt::format(" or '{}': it acts on the FMU", effort_kind) : "");
    }
    return {};
}

} // namespace

std::optional<PortKind> port_kind(const fmi::Terminal& terminal) {
    struct Known {
        std::string_view kind;
        PortKind port;
    };
    static constexpr Known own[] = {
        {"dev.tenon.joint.frame3d", PortKind::frame},
        {"dev.tenon.joint.flangeRot", PortKind::rotational},
        {"dev.tenon.joint.flangeTrans", PortKind::translational},
    };
    static constexpr Known others[] = {
        {"MultiBody.Interfaces.Frame_", PortKind::frame},
        {"Rotational.Interfaces.Flange_", PortKind::rotational},
        {"Translational.Interfaces.Flange_", PortKind::translational},
    };
    for (const auto& [kind, port] : own)
        if (terminal.kind == kind)
            return port;
    for (const auto& [kind, port] : others)
        for (const char side : {'a', 'b'})
            if (terminal.kind == fmt::format("{}{}{}", modelica, kind, side))
                return port;
    return {};
}

std::string_view port_kind_text(PortKind kind) {
    constexpr std::string_view texts[] = {"a frame", "a rotational flange", "a translational flange"};
    return texts[static_cast<std::size_t>(kind)];
}

Selection member_places(const VariableIndex& index, const Sizes& sizes, const fmi::Terminal& terminal,
                        const PortMember& member) {
    if (!member.other_name.empty()) {
        const std::string_view name =
            has_member(terminal, member.name) || !has_member(terminal, member.other_name) ? member.name
                                                                                          : member.other_name;
        return member_places(index, sizes, terminal, {name, member.shape, member.unit});
    }
    const std::string name(member.name);
    if (const fmi::TerminalMember* whole = find_member(terminal, name)) {
        Selection places = index.find(whole->variable, sizes);
        if (places.problem.empty() && places.shape != member.shape)
            places.problem = fmt::format("member '{}' is {}, but must be {}", name,
                                         places.shape.empty() ? "a scalar" : shape_text(places.shape),
                                         member.shape.empty() ? "a scalar" : shape_text(member.shape));
        return places;
    }
    if (member.shape.empty())
        return missing(name);
    Selection result;
    result.shape = member.shape;
    std::vector<std::uint64_t> indices(member.shape.size(), 1);
    do {
        const fmi::TerminalMember* element = find_member(terminal, name + shape_text(indices));
        if (!element)
            return missing(result.places.empty() ? name : name + shape_text(indices));
        const Selection place = index.find(element->variable, sizes);
        if (!place.problem.empty() || place.places.size() != 1)
            return {{}, {}, fmt::format("member '{}' is not a scalar", element->member), false};
        result.places.push_back(place.places.front());
    } while (advance(indices, member.shape));
    return result;
}

PortCheck check_port(const VariableIndex& index, const Sizes& sizes, const fmi::Terminal& terminal) {
    PortCheck port;
    const auto fail = [&](std::string problem) {
        port.problem = std::move(problem);
        return port;
    };
    const std::optional<PortKind> kind = port_kind(terminal);
    if (!kind)
        return fail(fmt::format(
            "terminals of kind '{}' cannot be glued; those of kind 'dev.tenon.joint.frame3d' can, and a "
            "[[connection]] between terminals passes on signals of any kind",
            printable(terminal.kind)));
    port.kind = *kind;
    const bool of_modelica = is_modelica(terminal);
    port.own_axes = of_modelica && port.kind == PortKind::frame;
    std::optional<bool> gives_motion;
    std::map<std::string_view, std::vector<ScalarPlace>> found_before;
    for (const PortMember& member : port_members(port.kind, of_modelica)) {
        const bool is_rate = !member.rate_of.empty() && !has_member(terminal, member.name);
        if (is_rate && gives_motion == false) {
            port.motion.emplace_back();
            continue;
        }
        Selection found = is_rate ? rates(index, sizes, found_before[member.rate_of], member)
                                  : member_places(index, sizes, terminal, member);
        if (!found.problem.empty())
            return fail(found.problem);
        if (std::string problem = sign_problem(terminal, member); !problem.empty())
            return fail(std::move(problem));
        for (const ScalarPlace& place : found.places) {
            if (std::string problem = unit_problem(index, place, member); !problem.empty())
                return fail(std::move(problem));
            const fmi::Causality causality = index.variable(place.variable).causality;
            if (is_rate && causality == fmi::Causality::local)
                continue;
            const bool is_output = causality == fmi::Causality::output;
            const bool motion_out = is_output != member.effort;
            if ((!is_output && causality != fmi::Causality::input) ||
                gives_motion.value_or(motion_out) != motion_out)
                return fail(
                    fmt::format("member '{}' is {} {}; motion must go out and efforts in, or the reverse",
                                member.name, is_output ? "an" : "of causality", fmi::word(causality)));
            gives_motion = motion_out;
        }
        found_before[member.name] = found.places;
        if (member.effort)
            port.efforts.insert(port.efforts.end(), found.places.begin(), found.places.end());
        else
            port.motion.push_back(std::move(found.places));
    }
    port.profile = *gives_motion ? PortProfile::mass : PortProfile::spring;
    return port;
}

} // namespace tenon::system
