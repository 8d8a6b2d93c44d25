// Rules about terminals of any kind.

#include "modelDescription/check_parts.hpp"
#include "modelDescription/message_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tenon::fmi {
namespace {

std::string place(const std::string& path) {
    return fmt::format("terminalsAndIcons.xml terminal {}", quoted(path));
}

/// com.example.something
bool is_reverse_domain(std::string_view name) {
    const std::size_t dot = name.find('.');
    return dot != name.npos && dot > 0 && name.back() != '.' && name.find("..") == name.npos;
}

void sibling_names(Check& check, const std::vector<Terminal>& terminals, const std::string& around) {
    Index<std::string_view> names;
    for (std::size_t i = 0; i < terminals.size(); ++i) {
        names.add(terminals[i].name, i);
        if (terminals[i].name.empty())
            check.report("terminal-name", place(around),
                         fmt::format("terminal number {} has no name", i + 1));
    }
    names.finish();
    names.repeated([&](std::size_t, std::size_t repeated) {
        check.report("terminal-name", place(around + terminals[repeated].name),
                     "two terminals have this name");
    });
}

void matching_rule(Check& check, const Terminal& terminal, const std::string& path) {
    const std::string& rule = terminal.matching_rule;
    if (rule != "plug" && rule != "bus" && rule != "sequence" && !is_reverse_domain(rule))
        check.report("terminal-rule", place(path), fmt::format("matchingRule is {}", quoted(rule)),
                     "plug, bus and sequence are FMI's; others begin with a domain, as com.example.rule");
}

void member_names(Check& check, const Terminal& terminal, const std::string& path) {
    if (terminal.matching_rule != "plug" && terminal.matching_rule != "bus")
        return;
    Index<std::string_view> names;
    for (std::size_t i = 0; i < terminal.members.size(); ++i) {
        names.add(terminal.members[i].member, i);
        if (terminal.members[i].member.empty())
            check.report("terminal-member-name", place(path),
                         fmt::format("the member with variable {} has no memberName",
                                     quoted(terminal.members[i].variable)),
                         "plugs and buses are connected by the names of their members");
    }
    names.finish();
    names.repeated([&](std::size_t, std::size_t repeated) {
        if (!terminal.members[repeated].member.empty())
            check.report("terminal-member-name", place(path),
                         fmt::format("two members are named {}", quoted(terminal.members[repeated].member)));
    });
}

void member_kind(Check& check, const TerminalMember& member, const Variable* variable,
                 const std::string& path) {
    const bool flow = member.kind == "inflow" || member.kind == "outflow";
    if (member.kind.empty())
        check.report("terminal-variable-kind-missing", place(path),
                     fmt::format("the member with variable {} has no variableKind", quoted(member.variable)));
    else if (!flow && member.kind != "signal" && !is_reverse_domain(member.kind))
        check.report("terminal-variable-kind", place(path),
                     fmt::format("variableKind is {}", quoted(member.kind)),
                     "signal, inflow and outflow are FMI's; others begin with a domain, as com.example.kind");
    if (flow && variable && !variable->dimensions.empty())
        check.report("terminal-flow-array", place(path),
                     fmt::format("{} {} is an array", member.kind, quoted(member.variable)),
                     "what the elements sum up to is not FMI's to say: use a kind of your own");
}

void members(Check& check, const Terminal& terminal, const std::string& path) {
    constexpr Causality legal[] = {Causality::input, Causality::output, Causality::parameter,
                                   Causality::calculated_parameter};
    for (const TerminalMember& member : terminal.members) {
        const auto found = check.variables.find(member.variable);
        const Variable* variable = found ? &check.description.variables[*found] : nullptr;
        if (!variable)
            check.report("terminal-variable", place(path),
                         fmt::format("there is no variable {}", quoted(member.variable)));
        else if (std::ranges::find(legal, variable->causality) == std::end(legal))
            check.report("terminal-causality", place(path),
                         fmt::format("variable {} is neither input nor output nor parameter",
                                     quoted(member.variable)));
        member_kind(check, member, variable, path);
    }
}

void check_level(Check& check, const std::vector<Terminal>& terminals, const std::string& around) {
    sibling_names(check, terminals, around);
    for (const Terminal& terminal : terminals) {
        const std::string path = around + terminal.name;
        matching_rule(check, terminal, path);
        member_names(check, terminal, path);
        members(check, terminal, path);
        check_joint(check, terminal, path);
        check_level(check, terminal.terminals, path + "/");
    }
}

} // namespace

void check_terminals(Check& check) { check_level(check, check.description.terminals, ""); }

} // namespace tenon::fmi
