#include "tools/master/admission.hpp"

#include "tools/system/check_context.hpp"

#include <fmt/format.h>

namespace tenon::master {
namespace {

void refuse_method(const system::System& system) {
    const std::string& method = system.master.method;
    const bool is_for_joints =
        method == "newton" || method == "difference" || method == "dead-beat" || method == "compliant";
    if (system.joints.empty() && is_for_joints)
        throw bad_input(
            source_name(system, 0), 0,
            fmt::format("master: method '{}' is for joints, and the system has none; choose auto, jacobi, "
                        "gauss-seidel or iterate",
                        method));
    if (!system.joints.empty() && (method == "gauss-seidel" || method == "iterate"))
        throw bad_input(
            source_name(system, 0), 0,
            fmt::format(
                "master: method '{}' is for signals, and the system has joints, beside which signals are "
                "exchanged once a step; choose auto, newton, difference or dead-beat",
                method));
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
