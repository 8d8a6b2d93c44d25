#pragma once
// Which causality, variability and initial go together, what they are by default, and who has a start value:
// FMI 2.0 section 2.2.7 and FMI 3.0 section 2.4.7.4 say the same but for inputs and for the default variability.

#include "modelDescription/description.hpp"

namespace tenon::fmi {

Variability default_variability(Version version, Type type, Causality causality);

/// Initial::none where there is no default: independent variables, clocks, inputs of FMI 2.0, pairs that are illegal.
Initial default_initial(Version version, Type type, Causality causality, Variability variability);
inline Initial default_initial(Version version, const Variable& variable) {
    return default_initial(version, variable.type, variable.causality, variable.variability);
}

bool is_legal(Causality causality, Variability variability);

/// For a legal pair of causality and variability.
bool is_legal(Version version, Type type, Causality causality, Variability variability, Initial initial);

bool needs_start(const Variable& variable);
bool forbids_start(const Variable& variable);

} // namespace tenon::fmi
