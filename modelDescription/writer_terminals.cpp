// terminalsAndIcons.xml. The coordinate system is the standard's own, so GraphicalRepresentation is not needed.

#include "modelDescription/writer.hpp"
#include "modelDescription/xml_writer.hpp"

#include <array>

namespace tenon::fmi {
namespace {

void write_icon(XmlWriter& xml, const Terminal& terminal) {
    if (terminal.icon.empty())
        return;
    constexpr std::array corners{"x1", "y1", "x2", "y2"};
    xml.open("TerminalGraphicalRepresentation");
    for (std::size_t i = 0; i < corners.size(); ++i)
        xml.number(corners[i], terminal.icon_box[i]);
    xml.attribute("iconBaseName", terminal.icon);
    xml.close();
}

void write_terminal(XmlWriter& xml, const Terminal& terminal) {
    xml.open("Terminal");
    xml.attribute("name", terminal.name);
    xml.attribute("matchingRule", terminal.matching_rule);
    xml.optional("terminalKind", terminal.kind);
    xml.optional("description", terminal.description);
    for (const TerminalMember& member : terminal.members) {
        xml.open("TerminalMemberVariable");
        xml.attribute("variableName", member.variable);
        xml.optional("memberName", member.member);
        xml.attribute("variableKind", member.kind);
        xml.close();
    }
    for (const Terminal& nested : terminal.terminals)
        write_terminal(xml, nested);
    write_icon(xml, terminal);
    xml.close();
}

} // namespace

std::string write_terminals(const Description& description) {
    XmlWriter xml;
    xml.open("fmiTerminalsAndIcons");
    xml.attribute("fmiVersion", "3.0");
    if (!description.terminals.empty()) {
        xml.open("Terminals");
        for (const Terminal& terminal : description.terminals)
            write_terminal(xml, terminal);
        xml.close();
    }
    xml.close();
    return xml.take();
}

} // namespace tenon::fmi
