#include "tools/export/describe_terminals.hpp"

#include "core/model/joints/joint_types.hpp"

#include <map>
#include <string>
#include <string_view>

namespace tenon {
namespace {

const std::string domain = "dev.tenon.joint.";
const std::string effort = domain + "effort";

class TerminalBuilder {
  public:
    TerminalBuilder(const fmu::Blueprint& blueprint, bool arrays) : arrays_(arrays) {
        for (const fmu::Variable& v : blueprint.interface.variables())
            variables_[v.name] = &v;
        for (const Alias& alias : blueprint.model.inputs)
            renamed_[alias.variable] = &alias.name;
    }

    /// A member of the terminal; in FMI 2.0 one for each element.
    void add(fmi::Terminal& terminal, const std::string& prefix, const std::string& member,
             const std::string& kind = "signal") const {
        const std::string own_name = prefix + "." + member;
        if (const auto renamed = renamed_.find(own_name); renamed != renamed_.end()) {
            terminal.members.push_back({*renamed->second, member, kind});
            return;
        }
        const fmu::Variable& v = *variables_.at(own_name);
        const std::size_t elements = arrays_ ? 1 : v.elements();
        for (std::size_t e = 0; e < elements; ++e) {
            const std::string name = arrays_ ? v.name : v.element_name(e);
            terminal.members.push_back({name, name.substr(prefix.size() + 1), kind});
        }
    }

  private:
    std::map<std::string_view, const fmu::Variable*> variables_;
    std::map<std::string_view, const std::string*> renamed_; ///< inputs that an [[input]] gives another name
    bool arrays_;
};

/// Icons stand along the right edge, from the top.
std::array<double, 4> place(std::size_t i) {
    const double y = 80 - 25.0 * static_cast<double>(i % 7);
    return {90, y - 10, 110, y + 10};
}

fmi::Terminal port_terminal(const TerminalBuilder& builder, const Port& port) {
    fmi::Terminal t;
    t.name = port.name;
    t.matching_rule = "plug";
    t.kind = domain + "frame3d";
    t.description = "frame that can be joined to another";
    for (const char* member : {"r_0", "R", "v_0", "w_0"})
        builder.add(t, port.name, member);
    for (const char* member : {"f_0", "t_0"})
        builder.add(t, port.name, member, effort);
    fmi::Terminal aux;
    aux.name = "aux";
    aux.matching_rule = "bus";
    aux.kind = domain + "frame3d.aux";
    for (const char* member : {"a_0", "al_0", "work"})
        builder.add(aux, port.name + ".aux", member);
    t.terminals.push_back(std::move(aux));
    t.icon = frame_icon;
    return t;
}

fmi::Terminal flange_terminal(const TerminalBuilder& builder, const Flange& flange, bool turns) {
    fmi::Terminal t;
    t.name = flange.name;
    t.matching_rule = "plug";
    t.kind = domain + (turns ? "flangeRot" : "flangeTrans");
    t.description = turns ? "shaft" : "rod";
    builder.add(t, flange.name, turns ? "phi" : "s");
    builder.add(t, flange.name, turns ? "w" : "v");
    builder.add(t, flange.name, turns ? "tau" : "f", "inflow");
    fmi::Terminal aux;
    aux.name = "aux";
    aux.matching_rule = "bus";
    aux.kind = t.kind + ".aux";
    builder.add(aux, flange.name + ".aux", turns ? "al" : "a");
    builder.add(aux, flange.name + ".aux", "work");
    t.terminals.push_back(std::move(aux));
    t.icon = flange_icon;
    return t;
}

} // namespace

std::vector<fmi::Terminal> describe_terminals(const fmu::Blueprint& blueprint, bool arrays) {
    const TerminalBuilder builder(blueprint, arrays);
    std::vector<fmi::Terminal> terminals;
    for (const Port& port : blueprint.model.ports)
        terminals.push_back(port_terminal(builder, port));
    for (const Flange& flange : blueprint.model.flanges) {
        const bool turns = type_of(blueprint.model.joints[static_cast<std::size_t>(flange.joint)]).has_angle;
        terminals.push_back(flange_terminal(builder, flange, turns));
    }
    for (std::size_t i = 0; i < terminals.size(); ++i)
        terminals[i].icon_box = place(i);
    return terminals;
}

} // namespace tenon
