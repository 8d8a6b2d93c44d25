#include "modelDescription/standard.hpp"

#include "modelDescription/words.hpp"

namespace tenon::fmi {
namespace {

bool is_parameter(Causality causality) {
    return causality == Causality::structural_parameter || causality == Causality::parameter ||
           causality == Causality::calculated_parameter;
}

} // namespace

Variability default_variability(Version version, Type type, Causality causality) {
    if (version == Version::fmi2)
        return Variability::continuous;
    if (is_parameter(causality))
        return Variability::fixed;
    return is_float(type) ? Variability::continuous : Variability::discrete;
}

bool is_legal(Causality causality, Variability variability) {
    switch (causality) {
    case Causality::structural_parameter:
    case Causality::parameter:
    case Causality::calculated_parameter:
        return variability == Variability::fixed || variability == Variability::tunable;
    case Causality::input:
        return variability == Variability::discrete || variability == Variability::continuous;
    case Causality::output:
        return variability != Variability::fixed && variability != Variability::tunable;
    case Causality::local:
        return true;
    case Causality::independent:
        return variability == Variability::continuous;
    }
    return false;
}

Initial default_initial(Version version, Type type, Causality causality, Variability variability) {
    if (type == Type::clock || !is_legal(causality, variability))
        return Initial::none;
    switch (causality) {
    case Causality::structural_parameter:
    case Causality::parameter:
        return Initial::exact;
    case Causality::input:
        return version == Version::fmi2 ? Initial::none : Initial::exact;
    case Causality::calculated_parameter:
        return Initial::calculated;
    case Causality::output:
    case Causality::local:
        return variability == Variability::constant ? Initial::exact : Initial::calculated;
    case Causality::independent:
        return Initial::none;
    }
    return Initial::none;
}

bool is_legal(Version version, Type type, Causality causality, Variability variability, Initial initial) {
    const Initial usual = default_initial(version, type, causality, variability);
    if (initial == usual)
        return true;
    if (usual != Initial::calculated || initial == Initial::none)
        return false;
    // Calculated by default: approx is always an alternative, exact only for what changes later.
    return initial == Initial::approx || variability == Variability::discrete ||
           variability == Variability::continuous;
}

bool needs_start(const Variable& variable) {
    if (variable.type == Type::clock || variable.causality == Causality::independent)
        return false;
    return variable.initial == Initial::exact || variable.initial == Initial::approx ||
           variable.causality == Causality::input || variable.causality == Causality::parameter ||
           variable.causality == Causality::structural_parameter ||
           variable.variability == Variability::constant;
}

bool forbids_start(const Variable& variable) {
    return variable.type == Type::clock || variable.causality == Causality::independent ||
           (variable.initial == Initial::calculated && !needs_start(variable));
}

} // namespace tenon::fmi
