#pragma once
// The 34 functions of an FMI 2.0 library for Co-Simulation.

#include "tools/import/missing_function.hpp"

#include <fmi2TypesPlatform.h> // the next header needs it

#include <fmi2FunctionTypes.h>

namespace tenon::fmi {

struct Functions2 {
    using Byte = fmi2Byte;

    fmi2GetTypesPlatformTYPE* get_types_platform = nullptr;
    fmi2GetVersionTYPE* get_version = nullptr;
    fmi2SetDebugLoggingTYPE* set_debug_logging = nullptr;
    fmi2InstantiateTYPE* instantiate = nullptr;
    fmi2FreeInstanceTYPE* free_instance = nullptr;
    fmi2SetupExperimentTYPE* setup_experiment = nullptr;
    fmi2EnterInitializationModeTYPE* enter_initialization_mode = nullptr;
    fmi2ExitInitializationModeTYPE* exit_initialization_mode = nullptr;
    fmi2TerminateTYPE* terminate = nullptr;
    fmi2ResetTYPE* reset = nullptr;
    fmi2GetRealTYPE* get_real = nullptr;
    fmi2GetIntegerTYPE* get_integer = nullptr;
    fmi2GetBooleanTYPE* get_boolean = nullptr;
    fmi2GetStringTYPE* get_string = nullptr;
    fmi2SetRealTYPE* set_real = nullptr;
    fmi2SetIntegerTYPE* set_integer = nullptr;
    fmi2SetBooleanTYPE* set_boolean = nullptr;
    fmi2SetStringTYPE* set_string = nullptr;
    fmi2GetFMUstateTYPE* get_state = nullptr;
    fmi2SetFMUstateTYPE* set_state = nullptr;
    fmi2FreeFMUstateTYPE* free_state = nullptr;
    fmi2SerializedFMUstateSizeTYPE* serialized_state_size = nullptr;
    fmi2SerializeFMUstateTYPE* serialize_state = nullptr;
    fmi2DeSerializeFMUstateTYPE* deserialize_state = nullptr;
    fmi2GetDirectionalDerivativeTYPE* get_directional_derivative = nullptr;
    fmi2SetRealInputDerivativesTYPE* set_input_derivatives = nullptr;
    fmi2GetRealOutputDerivativesTYPE* get_output_derivatives = nullptr;
    fmi2DoStepTYPE* do_step = nullptr;
    fmi2CancelStepTYPE* cancel_step = nullptr;
    fmi2GetStatusTYPE* get_status = nullptr;
    fmi2GetRealStatusTYPE* get_real_status = nullptr;
    fmi2GetIntegerStatusTYPE* get_integer_status = nullptr;
    fmi2GetBooleanStatusTYPE* get_boolean_status = nullptr;
    fmi2GetStringStatusTYPE* get_string_status = nullptr;
};

/// visit(name, pointer) for each function; the name is a constant, and a const char* to who does not ask.
template <class Visitor> void for_each_function(Functions2& f, Visitor&& visit) {
    visit(Named<"fmi2GetTypesPlatform">(), f.get_types_platform);
    visit(Named<"fmi2GetVersion">(), f.get_version);
    visit(Named<"fmi2SetDebugLogging">(), f.set_debug_logging);
    visit(Named<"fmi2Instantiate">(), f.instantiate);
    visit(Named<"fmi2FreeInstance">(), f.free_instance);
    visit(Named<"fmi2SetupExperiment">(), f.setup_experiment);
    visit(Named<"fmi2EnterInitializationMode">(), f.enter_initialization_mode);
    visit(Named<"fmi2ExitInitializationMode">(), f.exit_initialization_mode);
    visit(Named<"fmi2Terminate">(), f.terminate);
    visit(Named<"fmi2Reset">(), f.reset);
    visit(Named<"fmi2GetReal">(), f.get_real);
    visit(Named<"fmi2GetInteger">(), f.get_integer);
    visit(Named<"fmi2GetBoolean">(), f.get_boolean);
    visit(Named<"fmi2GetString">(), f.get_string);
    visit(Named<"fmi2SetReal">(), f.set_real);
    visit(Named<"fmi2SetInteger">(), f.set_integer);
    visit(Named<"fmi2SetBoolean">(), f.set_boolean);
    visit(Named<"fmi2SetString">(), f.set_string);
    visit(Named<"fmi2GetFMUstate">(), f.get_state);
    visit(Named<"fmi2SetFMUstate">(), f.set_state);
    visit(Named<"fmi2FreeFMUstate">(), f.free_state);
    visit(Named<"fmi2SerializedFMUstateSize">(), f.serialized_state_size);
    visit(Named<"fmi2SerializeFMUstate">(), f.serialize_state);
    visit(Named<"fmi2DeSerializeFMUstate">(), f.deserialize_state);
    visit(Named<"fmi2GetDirectionalDerivative">(), f.get_directional_derivative);
    visit(Named<"fmi2SetRealInputDerivatives">(), f.set_input_derivatives);
    visit(Named<"fmi2GetRealOutputDerivatives">(), f.get_output_derivatives);
    visit(Named<"fmi2DoStep">(), f.do_step);
    visit(Named<"fmi2CancelStep">(), f.cancel_step);
    visit(Named<"fmi2GetStatus">(), f.get_status);
    visit(Named<"fmi2GetRealStatus">(), f.get_real_status);
    visit(Named<"fmi2GetIntegerStatus">(), f.get_integer_status);
    visit(Named<"fmi2GetBooleanStatus">(), f.get_boolean_status);
    visit(Named<"fmi2GetStringStatus">(), f.get_string_status);
}

} // namespace tenon::fmi
