#pragma once
// What stands in for a joint in a saved SSP, for tools that know no joints: a component of its own and its connections.

#include "modelDescription/xml_writer.hpp"
#include "tools/system/variable_index.hpp"

#include <string>
#include <vector>

namespace tenon::system {

/// One for each joint of the system. Without `fmu` there is none, and `remark` says why.
struct SspCoupler {
    std::string fmu;    ///< the bytes of the file
    std::string remark; ///< goes into the saved file
    struct Wire {
        std::size_t fmu = 0;   ///< of the system
        ScalarPlace place;     ///< in it
        std::string connector; ///< of the coupler
        bool to_coupler = false;
    };
    std::vector<Wire> wires;
};

/// <ssd:Component>; `row` is its place on the canvas, below those of the FMUs.
void write_coupler(fmi::XmlWriter& xml, const SspCoupler& coupler, const std::string& name,
                   const std::string& source, std::size_t row);
/// One <ssd:Connection>; `element` and `connector` are those of the FMU's side.
void write_coupler_wire(fmi::XmlWriter& xml, const SspCoupler::Wire& wire, const std::string& coupler,
                        const std::string& element, const std::string& connector);

} // namespace tenon::system
