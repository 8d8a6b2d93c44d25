#pragma once
// The functions of an FMI 3.0 library that a slave uses. A library has to export all 75; whether it does is for the
// checker to say.

#include "tools/import/missing_function.hpp"

#include <fmi3FunctionTypes.h>

namespace tenon::fmi {

struct Functions3 {
    using Byte = fmi3Byte;

    fmi3GetVersionTYPE* get_version = nullptr;
    fmi3SetDebugLoggingTYPE* set_debug_logging = nullptr;
    fmi3InstantiateCoSimulationTYPE* instantiate = nullptr;
    fmi3FreeInstanceTYPE* free_instance = nullptr;
    fmi3EnterInitializationModeTYPE* enter_initialization_mode = nullptr;
    fmi3ExitInitializationModeTYPE* exit_initialization_mode = nullptr;
    fmi3EnterConfigurationModeTYPE* enter_configuration_mode = nullptr;
    fmi3ExitConfigurationModeTYPE* exit_configuration_mode = nullptr;
    fmi3EnterEventModeTYPE* enter_event_mode = nullptr;
    fmi3EnterStepModeTYPE* enter_step_mode = nullptr;
    fmi3UpdateDiscreteStatesTYPE* update_discrete_states = nullptr;
    fmi3TerminateTYPE* terminate = nullptr;
    fmi3ResetTYPE* reset = nullptr;
    fmi3GetFloat32TYPE* get_float32 = nullptr;
    fmi3GetFloat64TYPE* get_float64 = nullptr;
    fmi3GetInt8TYPE* get_int8 = nullptr;
    fmi3GetUInt8TYPE* get_uint8 = nullptr;
    fmi3GetInt16TYPE* get_int16 = nullptr;
    fmi3GetUInt16TYPE* get_uint16 = nullptr;
    fmi3GetInt32TYPE* get_int32 = nullptr;
    fmi3GetUInt32TYPE* get_uint32 = nullptr;
    fmi3GetInt64TYPE* get_int64 = nullptr;
    fmi3GetUInt64TYPE* get_uint64 = nullptr;
    fmi3GetBooleanTYPE* get_boolean = nullptr;
    fmi3GetStringTYPE* get_string = nullptr;
    fmi3GetBinaryTYPE* get_binary = nullptr;
    fmi3GetClockTYPE* get_clock = nullptr;
    fmi3SetFloat32TYPE* set_float32 = nullptr;
    fmi3SetFloat64TYPE* set_float64 = nullptr;
    fmi3SetInt8TYPE* set_int8 = nullptr;
    fmi3SetUInt8TYPE* set_uint8 = nullptr;
    fmi3SetInt16TYPE* set_int16 = nullptr;
    fmi3SetUInt16TYPE* set_uint16 = nullptr;
    fmi3SetInt32TYPE* set_int32 = nullptr;
    fmi3SetUInt32TYPE* set_uint32 = nullptr;
    fmi3SetInt64TYPE* set_int64 = nullptr;
    fmi3SetUInt64TYPE* set_uint64 = nullptr;
    fmi3SetBooleanTYPE* set_boolean = nullptr;
    fmi3SetStringTYPE* set_string = nullptr;
    fmi3SetBinaryTYPE* set_binary = nullptr;
    fmi3SetClockTYPE* set_clock = nullptr;
    fmi3GetFMUStateTYPE* get_state = nullptr;
    fmi3SetFMUStateTYPE* set_state = nullptr;
    fmi3FreeFMUStateTYPE* free_state = nullptr;
    fmi3SerializedFMUStateSizeTYPE* serialized_state_size = nullptr;
    fmi3SerializeFMUStateTYPE* serialize_state = nullptr;
    fmi3DeserializeFMUStateTYPE* deserialize_state = nullptr;
    fmi3GetDirectionalDerivativeTYPE* get_directional_derivative = nullptr;
    fmi3GetAdjointDerivativeTYPE* get_adjoint_derivative = nullptr;
    fmi3GetOutputDerivativesTYPE* get_output_derivatives = nullptr;
    fmi3DoStepTYPE* do_step = nullptr;
};

/// visit(name, pointer) for each function; the name is a constant, and a const char* to who does not ask.
template <class Visitor> void for_each_function(Functions3& f, Visitor&& visit) {
    visit(Named<"fmi3GetVersion">(), f.get_version);
    visit(Named<"fmi3SetDebugLogging">(), f.set_debug_logging);
    visit(Named<"fmi3InstantiateCoSimulation">(), f.instantiate);
    visit(Named<"fmi3FreeInstance">(), f.free_instance);
    visit(Named<"fmi3EnterInitializationMode">(), f.enter_initialization_mode);
    visit(Named<"fmi3ExitInitializationMode">(), f.exit_initialization_mode);
    visit(Named<"fmi3EnterConfigurationMode">(), f.enter_configuration_mode);
    visit(Named<"fmi3ExitConfigurationMode">(), f.exit_configuration_mode);
    visit(Named<"fmi3EnterEventMode">(), f.enter_event_mode);
    visit(Named<"fmi3EnterStepMode">(), f.enter_step_mode);
    visit(Named<"fmi3UpdateDiscreteStates">(), f.update_discrete_states);
    visit(Named<"fmi3Terminate">(), f.terminate);
    visit(Named<"fmi3Reset">(), f.reset);
    visit(Named<"fmi3GetFloat32">(), f.get_float32);
    visit(Named<"fmi3GetFloat64">(), f.get_float64);
    visit(Named<"fmi3GetInt8">(), f.get_int8);
    visit(Named<"fmi3GetUInt8">(), f.get_uint8);
    visit(Named<"fmi3GetInt16">(), f.get_int16);
    visit(Named<"fmi3GetUInt16">(), f.get_uint16);
    visit(Named<"fmi3GetInt32">(), f.get_int32);
    visit(Named<"fmi3GetUInt32">(), f.get_uint32);
    visit(Named<"fmi3GetInt64">(), f.get_int64);
    visit(Named<"fmi3GetUInt64">(), f.get_uint64);
    visit(Named<"fmi3GetBoolean">(), f.get_boolean);
    visit(Named<"fmi3GetString">(), f.get_string);
    visit(Named<"fmi3GetBinary">(), f.get_binary);
    visit(Named<"fmi3GetClock">(), f.get_clock);
    visit(Named<"fmi3SetFloat32">(), f.set_float32);
    visit(Named<"fmi3SetFloat64">(), f.set_float64);
    visit(Named<"fmi3SetInt8">(), f.set_int8);
    visit(Named<"fmi3SetUInt8">(), f.set_uint8);
    visit(Named<"fmi3SetInt16">(), f.set_int16);
    visit(Named<"fmi3SetUInt16">(), f.set_uint16);
    visit(Named<"fmi3SetInt32">(), f.set_int32);
    visit(Named<"fmi3SetUInt32">(), f.set_uint32);
    visit(Named<"fmi3SetInt64">(), f.set_int64);
    visit(Named<"fmi3SetUInt64">(), f.set_uint64);
    visit(Named<"fmi3SetBoolean">(), f.set_boolean);
    visit(Named<"fmi3SetString">(), f.set_string);
    visit(Named<"fmi3SetBinary">(), f.set_binary);
    visit(Named<"fmi3SetClock">(), f.set_clock);
    visit(Named<"fmi3GetFMUState">(), f.get_state);
    visit(Named<"fmi3SetFMUState">(), f.set_state);
    visit(Named<"fmi3FreeFMUState">(), f.free_state);
    visit(Named<"fmi3SerializedFMUStateSize">(), f.serialized_state_size);
    visit(Named<"fmi3SerializeFMUState">(), f.serialize_state);
    visit(Named<"fmi3DeserializeFMUState">(), f.deserialize_state);
    visit(Named<"fmi3GetDirectionalDerivative">(), f.get_directional_derivative);
    visit(Named<"fmi3GetAdjointDerivative">(), f.get_adjoint_derivative);
    visit(Named<"fmi3GetOutputDerivatives">(), f.get_output_derivatives);
    visit(Named<"fmi3DoStep">(), f.do_step);
}

} // namespace tenon::fmi
