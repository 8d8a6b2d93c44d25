#include "tools/master/admission.hpp"

#include "tools/master/schemes/scheme_types.hpp"
#include "tools/system/check_context.hpp"
#include "tools/system/master_settings.hpp"
#include "tools/system/methods.hpp"

#include <fmt/format.h>

namespace tenon::master {
namespace {

void refuse_method(const system::System& system) {
    const auto refuse = [&](const std::string& what) {
        throw bad_input(source_name(system, 0), 0, "master: " + what);
    };
    if (const std::string problem = system::master_problem(system.master); !problem.empty())
        refuse(problem); // a program may have changed what was checked
    const system::MethodWord* method = system::find_method(system.master.method);
    if (!method)
        return; // auto
    if (method->for_joints && system.joints.empty())
        refuse(fmt::format("method '{}' is for joints, and the system has none; choose auto, {}",
                           method->name, system::method_list(false, " or ")));
    const SchemeType* scheme = find_scheme_type(method->name);
    if (scheme && !scheme->beside_joints && !system.joints.empty())
        refuse(fmt::format(
            "method '{}' is for signals, and the system has joints, beside which signals are exchanged once "
            "per step; choose auto, {}",
            method->name, system::method_list(true, " or ")));
}

/// An FMU whose clocks nobody ticks does nothing, and says so to nobody.
void refuse_clocks(const system::CheckedSystem& checked, std::size_t fmu) {
    for (const fmi::Variable& variable : checked.fmus[fmu]->description().variables)
        if (variable.causality == fmi::Causality::input &&
            (variable.type == fmi::Type::clock || variable.clocked))
            refuse(checked.system, checked.system.fmus[fmu],
                   fmt::format("fmu '{}': input '{}' {}, and this master ticks no clocks",
                               printable(checked.system.fmus[fmu].name), printable(variable.name),
                               variable.type == fmi::Type::clock ? "is a clock" : "belongs to a clock"));
}

} // namespace

void admit(const system::CheckedSystem& system) {
    refuse_method(system.system);
    for (std::size_t i = 0; i < system.fmus.size(); ++i)
        refuse_clocks(system, i);
}

} // namespace tenon::master
