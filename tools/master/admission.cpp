#include "tools/master/admission.hpp"

#include "tools/system/check_context.hpp"

#include <fmt/format.h>

namespace tenon::master {
namespace {

void refuse_joints(const System& system) {
    if (!system.joints.empty())
        refuse(system, system.joints.front(),
               fmt::format("joint '{}': joints between FMUs come with a later version",
                           printable(system.joints.front().name)));
    const std::string& method = system.master.method;
    if (method == "newton" || method == "difference" || method == "dead-beat")
        throw bad_input(
            source_name(system, 0), 0,
            fmt::format("master: method '{}' is for joints, and the system has none; choose auto, jacobi, "
                        "gauss-seidel or iterate",
                        method));
}

/// An FMU whose clocks nobody ticks does nothing, and says so to nobody (fmi-facts 10.1).
void refuse_clocks(const CheckedSystem& checked, std::size_t fmu) {
    for (const fmi::Variable& variable : checked.fmus[fmu]->description().variables)
        if (variable.causality == fmi::Causality::input &&
            (variable.type == fmi::Type::clock || variable.clocked))
            refuse(checked.system, checked.system.fmus[fmu],
                   fmt::format("fmu '{}': input '{}' {}, and this master ticks no clocks",
                               printable(checked.system.fmus[fmu].name), printable(variable.name),
                               variable.type == fmi::Type::clock ? "is a clock" : "belongs to a clock"));
}

} // namespace

void admit(const CheckedSystem& system) {
    refuse_joints(system.system);
    for (std::size_t i = 0; i < system.fmus.size(); ++i)
        refuse_clocks(system, i);
}

} // namespace tenon::master
