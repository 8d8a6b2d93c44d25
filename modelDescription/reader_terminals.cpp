// terminalsAndIcons.xml. Its format is that of FMI 3.0 in FMUs of both versions.

#include "modelDescription/xml_file.hpp"

#include <array>

namespace tenon::fmi {
namespace {

void read_icon(const Element& element, Terminal& terminal) {
    const Element icon = element.child("TerminalGraphicalRepresentation");
    if (!icon)
        return;
    terminal.icon = icon.text("iconBaseName");
    constexpr std::array corners{"x1", "y1", "x2", "y2"};
    for (std::size_t i = 0; i < corners.size(); ++i)
        terminal.icon_box[i] = icon.number<double>(corners[i]).value_or(0);
}

/// No deeper than xml_depth_limit, which the text was scanned for.
Terminal read_terminal(const Element& element) {
    Terminal terminal;
    terminal.name = element.text("name");
    terminal.matching_rule = element.text("matchingRule");
    terminal.kind = element.text("terminalKind");
    terminal.description = element.text("description");
    element.each("TerminalMemberVariable", [&](const Element& member) {
        terminal.members.push_back(
            {member.text("variableName"), member.text("memberName"), member.text("variableKind")});
    });
    element.each("Terminal",
                 [&](const Element& nested) { terminal.terminals.push_back(read_terminal(nested)); });
    read_icon(element, terminal);
    return terminal;
}

} // namespace

void read_terminals(std::string_view xml, Description& description, FindingList* found) {
    const XmlFile file(xml, "fmiTerminalsAndIcons", "terminalsAndIcons.xml", found);
    const std::string_view version = trimmed(file.root().view("fmiVersion"));
    // FMI 2.0.4 asks for 3.0 in FMUs of version 2.0 as well; some write 2.0 and mean the same format.
    if (!version.starts_with("3.") && !version.starts_with("2."))
        file.root().refuse(fmt::format("fmiVersion is {}; 3.0 is read", quoted(version, 20)));
    file.root().child("Terminals").each("Terminal", [&](const Element& element) {
        description.terminals.push_back(read_terminal(element));
    });
}

} // namespace tenon::fmi
