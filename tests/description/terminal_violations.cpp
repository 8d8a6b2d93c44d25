// Violations of rules about terminals.

#include "tests/description/violations.hpp"

#include "tests/description/samples.hpp"

namespace tenon::fmi {

constexpr auto fmi2 = Version::fmi2, fmi3 = Version::fmi3;

namespace {

/// A plug with one member.
Terminal plug(const std::string& variable, const std::string& kind) {
    Terminal terminal;
    terminal.name = "plug";
    terminal.matching_rule = "plug";
    terminal.members = {{variable, "x", kind}};
    return terminal;
}

std::function<void(Description&)> with(const Terminal& terminal) {
    return [=](Description& d) { d.terminals.push_back(terminal); };
}

/// A change of a member of the sample's frame, of its aux terminal, or of the flange.
std::function<void(Description&)> member(const std::string& name,
                                         const std::function<void(TerminalMember&)>& change) {
    return [=](Description& d) {
        for (Terminal* terminal : {&d.terminals[0], &d.terminals[0].terminals[0], &d.terminals[1]})
            for (TerminalMember& candidate : terminal->members)
                if (candidate.member == name)
                    return change(candidate);
        throw std::out_of_range(name);
    };
}

} // namespace

std::vector<Violation> violations_of_terminals() {
    using D = Description;
    using M = TerminalMember;
    return {
        {"terminal-name", fmi2, [](D& d) { d.terminals[1].name.clear(); }},
        {"terminal-name", fmi3, [](D& d) { d.terminals[1].name = d.terminals[0].name; }},
        {"terminal-rule", fmi3,
         [](D& d) {
             d.terminals.push_back({"t", "none", "", "", {}, {}, "", {}});
         }},
        {"terminal-member-name", fmi3, with([] {
             Terminal t = plug("bob.mass", "signal");
             t.members[0].member.clear();
             return t;
         }())},
        {"terminal-member-name", fmi3, with([] {
             Terminal t = plug("bob.mass", "signal");
             t.members.push_back(t.members[0]);
             return t;
         }())},
        {"terminal-variable", fmi2, with(plug("nothing", "signal"))},
        {"terminal-variable", fmi3,
         [](D& d) { d.terminals[0].terminals[0].members[0].variable = "nothing"; }},
        {"terminal-causality", fmi2, with(plug("time", "signal"))},
        {"terminal-causality", fmi3, with(plug("der(axle.w)", "signal"))},
        {"terminal-variable-kind-missing", fmi3, with(plug("bob.mass", ""))},
        {"terminal-variable-kind", fmi3, with(plug("bob.mass", "flow"))},
        {"terminal-flow-array", fmi3, with(plug("tip.f_0", "inflow"))},
        {"joint-kind", fmi2, [](D& d) { d.terminals[1].kind = "dev.tenon.joint.hinge"; }},
        {"joint-rule", fmi2, [](D& d) { d.terminals[0].matching_rule = "bus"; }},
        {"joint-rule", fmi3, [](D& d) { d.terminals[0].terminals[0].matching_rule = "plug"; }},
        {"joint-members", fmi2, [](D& d) { d.terminals[0].members.pop_back(); }},
        {"joint-members", fmi3, [](D& d) { d.terminals[0].members.pop_back(); }},
        {"joint-members", fmi3, [](D& d) { d.terminals[1].members.pop_back(); }},
        {"joint-members", fmi2,
         [](D& d) {
             d.terminals[0].terminals[0].members.erase(d.terminals[0].terminals[0].members.begin());
         }},
        {"joint-shape", fmi3,
         of("tip.w_0",
            [](Variable& v) {
                v.dimensions = {{3, {}}, {1, {}}};
            })},
        {"joint-shape", fmi3, of("tip.aux.a_0", [](Variable& v) { v.dimensions = {}; })},
        {"joint-shape", fmi3, of("axle.tau", [](Variable& v) { v.type = Type::float32; })},
        {"joint-unit", fmi2, of("tip.f_0[2]", [](Variable& v) { v.unit = "N.m"; })},
        {"joint-unit", fmi3, of("tip.R", [](Variable& v) { v.unit = "m"; })},
        {"joint-unit", fmi3, of("tip.r_0", [](Variable& v) { v.unit.clear(); })},
        {"joint-unit", fmi3, [](D& d) { d.units[1].base->factor = 0.001; }},
        {"joint-variable-kind", fmi3, member("f_0", [](M& m) { m.kind = "signal"; })},
        {"joint-variable-kind", fmi2, member("phi", [](M& m) { m.kind = "inflow"; })},
        {"joint-variable-kind", fmi2, member("tau", [](M& m) { m.kind = "signal"; })},
        {"joint-causality", fmi3, member("f_0", [](M& m) { m.variable = "tip.r_0"; }), {"joint-unit"}},
        {"joint-causality", fmi2, member("w", [](M& m) { m.variable = "axle.tau"; }), {"joint-unit"}},
    };
}

} // namespace tenon::fmi
