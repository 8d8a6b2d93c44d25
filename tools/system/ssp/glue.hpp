#pragma once
// What SSP cannot say, in its annotation dev.tenon.glue: joints between terminals and how the system is run. Step sizes that
// other tools leave in their own annotations are read too.

#include "modelDescription/xml_writer.hpp"
#include "tools/system/ssp/coupler.hpp"
#include "tools/system/ssp/xml.hpp"
#include "tools/system/system.hpp"

#include <set>
#include <string>
#include <vector>

namespace tenon::system {

struct GlueAnnotation {
    struct Joint {
        GlueJoint joint; ///< without its sides
        std::string a, b;
    };
    std::vector<Joint> joints;
    std::set<std::string> couplers; ///< components that do a joint's work for other tools
    std::set<std::string> isolated; ///< FMUs that run in processes of their own
    MasterSettings master;
    bool has_step = false; ///< somebody gave a step size
};

/// From the root element of an .ssd file, `source` being its index. Start and stop are those of its DefaultExperiment.
GlueAnnotation read_glue(const Element& root, std::size_t source);

/// Puts the glue into a system whose FMUs are known. Throws InputError for sides that name none.
void apply_glue(GlueAnnotation glue, System& system);

/// Attributes of the root for the annotations of other tools: libcosim 0.11 takes a declaration further down for content.
void declare_namespaces(fmi::XmlWriter& xml);
/// <ssc:Annotation type="dev.tenon.glue">, and the step size as other tools read it.
/// Names of couplers: one per joint, empty where it has none.
void write_glue(fmi::XmlWriter& xml, const System& system, const std::vector<std::string>& coupler_names,
                const std::vector<SspCoupler>& couplers);
void write_step_for_libcosim(fmi::XmlWriter& xml, const MasterSettings& master);
void write_step_for_omsimulator(fmi::XmlWriter& xml, const MasterSettings& master);

} // namespace tenon::system
