#pragma once
// The 34 functions of an FMI 2.0 library for Co-Simulation.

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

/// visit(name, pointer) for each function.
template <class Visitor> void for_each_function(Functions2& f, Visitor&& visit) {
    visit("fmi2GetTypesPlatform", f.get_types_platform);
    visit("fmi2GetVersion", f.get_version);
    visit("fmi2SetDebugLogging", f.set_debug_logging);
    visit("fmi2Instantiate", f.instantiate);
    visit("fmi2FreeInstance", f.free_instance);
    visit("fmi2SetupExperiment", f.setup_experiment);
    visit("fmi2EnterInitializationMode", f.enter_initialization_mode);
    visit("fmi2ExitInitializationMode", f.exit_initialization_mode);
    visit("fmi2Terminate", f.terminate);
    visit("fmi2Reset", f.reset);
    visit("fmi2GetReal", f.get_real);
    visit("fmi2GetInteger", f.get_integer);
    visit("fmi2GetBoolean", f.get_boolean);
    visit("fmi2GetString", f.get_string);
    visit("fmi2SetReal", f.set_real);
    visit("fmi2SetInteger", f.set_integer);
    visit("fmi2SetBoolean", f.set_boolean);
    visit("fmi2SetString", f.set_string);
    visit("fmi2GetFMUstate", f.get_state);
    visit("fmi2SetFMUstate", f.set_state);
    visit("fmi2FreeFMUstate", f.free_state);
    visit("fmi2SerializedFMUstateSize", f.serialized_state_size);
    visit("fmi2SerializeFMUstate", f.serialize_state);
    visit("fmi2DeSerializeFMUstate", f.deserialize_state);
    visit("fmi2GetDirectionalDerivative", f.get_directional_derivative);
    visit("fmi2SetRealInputDerivatives", f.set_input_derivatives);
    visit("fmi2GetRealOutputDerivatives", f.get_output_derivatives);
    visit("fmi2DoStep", f.do_step);
    visit("fmi2CancelStep", f.cancel_step);
    visit("fmi2GetStatus", f.get_status);
    visit("fmi2GetRealStatus", f.get_real_status);
    visit("fmi2GetIntegerStatus", f.get_integer_status);
    visit("fmi2GetBooleanStatus", f.get_boolean_status);
    visit("fmi2GetStringStatus", f.get_string_status);
}

} // namespace tenon::fmi
