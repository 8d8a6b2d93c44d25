// The system that glues the parts of a cut machine, and its text.

#include "tools/glue/cut.hpp"

#include "tools/model_file/toml_text.hpp"
#include "tools/system/endpoint_names.hpp"

namespace tenon::glue {
namespace {

/// { rate = 2, ... } of the keys of `joint` that begin with "motion.".
std::string motion_text(const system::GlueJoint& joint) {
    const std::string prefix = "motion.";
    std::string text;
    for (const auto& [name, values] : joint.numbers)
        if (name.starts_with(prefix)) {
            const std::string key = name.substr(prefix.size());
            const bool list = key == "time" || key == "value";
            text += (text.empty() ? "" : ", ") + key + " = " +
                    (list ? toml_list(values) : digits(values.front()));
        }
    return text.empty() ? text : "{ " + text + " }";
}

void write_joint(const system::System& system, const system::GlueJoint& joint, TomlText& out) {
    out.table("[[joint]]").line("name", joint.name).line("type", joint.type);
    out.line("a", system::side_text(system, joint.a)).line("b", system::side_text(system, joint.b));
    for (const char* key : {"axis", "axis2", "at"})
        if (const auto numbers = joint.numbers.find(key); numbers != joint.numbers.end())
            out.raw(key, toml_list(numbers->second));
    if (const auto length = joint.numbers.find("length"); length != joint.numbers.end())
        out.line("length", length->second.front());
    if (const std::string motion = motion_text(joint); !motion.empty())
        out.raw("motion", motion);
    if (!joint.method.empty())
        out.line("method", joint.method);
}

} // namespace

system::System glued_system(const CutMachine& machine, const std::string& name, const std::string& ending) {
    system::System system;
    system.name = name;
    system.joints = machine.joints;
    for (const Model& part : machine.parts) {
        system::SystemFmu fmu;
        fmu.name = part.name;
        fmu.file = part.name + ending;
        system.fmus.push_back(std::move(fmu));
        system.master.stop = part.solver.stop;
    }
    return system;
}

std::string system_text(const system::System& system) {
    TomlText out;
    out.table("[system]").line("name", system.name);
    for (const system::SystemFmu& fmu : system.fmus)
        out.table("[[fmu]]").line("name", fmu.name).line("file", fmu.file.string());
    for (const system::GlueJoint& joint : system.joints)
        write_joint(system, joint, out);
    const system::MasterSettings& master = system.master;
    out.table("[master]").line("method", master.method).line("step", master.step);
    out.line("stop", master.stop).line("tolerance", master.tolerance);
    return out.text();
}

} // namespace tenon::glue
