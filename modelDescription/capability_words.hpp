#pragma once
// The flags of <CoSimulation> as FMI 2.0 and FMI 3.0 spell them, in the order in which they are written.

#include "modelDescription/description.hpp"

#include <span>

namespace tenon::fmi {

struct CapabilityFlag {
    const char* attribute;
    bool Capabilities::*flag;
};

inline constexpr CapabilityFlag fmi2_flags[] = {
    {"needsExecutionTool", &Capabilities::needs_execution_tool},
    {"canHandleVariableCommunicationStepSize", &Capabilities::variable_step},
    {"canInterpolateInputs", &Capabilities::interpolates_inputs},
    {"canRunAsynchronuously", &Capabilities::runs_asynchronously}, // FMI's spelling
    {"canBeInstantiatedOnlyOncePerProcess", &Capabilities::only_once_per_process},
    {"canNotUseMemoryManagementFunctions", &Capabilities::no_memory_management},
    {"canGetAndSetFMUstate", &Capabilities::get_and_set_state},
    {"canSerializeFMUstate", &Capabilities::serialize_state},
    {"providesDirectionalDerivative", &Capabilities::directional_derivatives},
};

inline constexpr CapabilityFlag fmi3_flags[] = {
    {"needsExecutionTool", &Capabilities::needs_execution_tool},
    {"canBeInstantiatedOnlyOncePerProcess", &Capabilities::only_once_per_process},
    {"canGetAndSetFMUState", &Capabilities::get_and_set_state},
    {"canSerializeFMUState", &Capabilities::serialize_state},
    {"providesDirectionalDerivatives", &Capabilities::directional_derivatives},
    {"providesAdjointDerivatives", &Capabilities::adjoint_derivatives},
    {"providesPerElementDependencies", &Capabilities::per_element_dependencies},
    {"canHandleVariableCommunicationStepSize", &Capabilities::variable_step},
    {"providesIntermediateUpdate", &Capabilities::intermediate_update},
    {"mightReturnEarlyFromDoStep", &Capabilities::might_return_early},
    {"canReturnEarlyAfterIntermediateUpdate", &Capabilities::return_early_after_intermediate_update},
    {"hasEventMode", &Capabilities::event_mode},
    {"providesEvaluateDiscreteStates", &Capabilities::evaluate_discrete_states},
};

inline std::span<const CapabilityFlag> capability_flags(Version version) {
    return version == Version::fmi2 ? std::span<const CapabilityFlag>(fmi2_flags) : fmi3_flags;
}

} // namespace tenon::fmi
