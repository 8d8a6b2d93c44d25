#include "tools/glue/methods/method_types.hpp"

#include "tools/files/errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tenon::glue {
namespace {

std::string name_of(const GluedFmu& fmu) {
    return fmt::format("fmu '{}'", printable(fmu.participant().name));
}

} // namespace

std::span<const MethodType* const> method_types() {
    static constexpr std::array types = {&newton_method, &difference_method, &dead_beat_method,
                                         &compliant_method};
    return types;
}

const MethodType* find_method_type(std::string_view name) {
    const auto found =
        std::ranges::find(method_types(), name, [](const MethodType* type) { return type->name; });
    return found == method_types().end() ? nullptr : *found;
}

std::string no_rollback(const GluedFmu& fmu) {
    return fmu.participant().rollback ? ""
                                      : name_of(fmu) + " does not support rollback (canGetAndSetFMUState)";
}

std::string no_compliance(const GluedFmu& fmu) {
    if (fmu.source() != ComplianceSource::none)
        return "";
    for (const Port& port : fmu.ports())
        if (port.acceleration.empty())
            return fmt::format(
                "{} gives no accelerations of its port '{}' (members a_0 and al_0 of a terminal aux)",
                name_of(fmu), printable(port.terminal));
    return name_of(fmu) + " gives accelerations that do not follow the forces on its ports";
}

std::string no_two_forces(const GluedFmu& fmu) {
    const bool one =
        fmu.efforts().delivery() == Efforts::Delivery::halves && !fmu.participant().variable_step;
    return one ? name_of(fmu) + " takes one constant force per step, and has a fixed step size" : "";
}

} // namespace tenon::glue
