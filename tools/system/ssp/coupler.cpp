#include "tools/system/ssp/coupler.hpp"

namespace tenon::system {

void write_coupler(fmi::XmlWriter& xml, const SspCoupler& coupler, const std::string& name,
                   const std::string& source, std::size_t row) {
    constexpr double width = 40, height = 20, distance = 30; // millimetres
    xml.open("ssd:Component");
    xml.attribute("name", name);
    xml.optional("description", coupler.remark);
    xml.attribute("type", "application/x-fmu-sharedlibrary");
    xml.attribute("source", source);
    xml.attribute("implementation", "CoSimulation");
    xml.open("ssd:Connectors");
    for (const SspCoupler::Wire& wire : coupler.wires) {
        xml.open("ssd:Connector");
        xml.attribute("name", wire.connector);
        xml.attribute("kind", wire.to_coupler ? "input" : "output");
        xml.open("ssc:Real");
        xml.close();
        xml.close();
    }
    xml.close();
    const double top = -distance * static_cast<double>(row);
    xml.open("ssd:ElementGeometry");
    xml.number("x1", 0.0);
    xml.number("y1", top - height);
    xml.number("x2", width);
    xml.number("y2", top);
    xml.close();
    xml.close();
}

void write_coupler_wire(fmi::XmlWriter& xml, const SspCoupler::Wire& wire, const std::string& coupler,
                        const std::string& element, const std::string& connector) {
    xml.open("ssd:Connection");
    xml.attribute("startElement", wire.to_coupler ? element : coupler);
    xml.attribute("startConnector", wire.to_coupler ? connector : wire.connector);
    xml.attribute("endElement", wire.to_coupler ? coupler : element);
    xml.attribute("endConnector", wire.to_coupler ? wire.connector : connector);
    xml.close();
}

} // namespace tenon::system
