#include "tools/check/legality.hpp"

#include <array>

namespace tenon::check {
namespace {

// FMI 2.0, section 4.2.4. stepInProgress, stepFailed and stepCanceled cannot be reached by everybody.
constexpr std::array<LegalState, 5> states_2{{
    {"Instantiated", ""},
    {"Initialization Mode", "fmi2SetupExperiment fmi2EnterInitializationMode"},
    {"Step Complete", "fmi2SetupExperiment fmi2EnterInitializationMode fmi2ExitInitializationMode"},
    {"Terminated",
     "fmi2SetupExperiment fmi2EnterInitializationMode fmi2ExitInitializationMode fmi2Terminate"},
    {.name = "Error",
     .way = "fmi2SetupExperiment fmi2EnterInitializationMode fmi2ExitInitializationMode fmi2DoStep(h<0)",
     .after_error = true},
}};
// Columns: Instantiated, Initialization Mode, Step Complete, Terminated, Error.
constexpr std::array<LegalCall, 12> calls_2{{
    {"fmi2SetupExperiment", "y----"},
    {"fmi2EnterInitializationMode", "y----"},
    {"fmi2ExitInitializationMode", "-y---"},
    {"fmi2Terminate", "--y--"},
    {"fmi2GetReal", "tyyyt"},
    {"fmi2SetReal", "tyy--"},
    {"fmi2GetDirectionalDerivative", "-yyyt"},
    {"fmi2SetRealInputDerivatives", "yyy--"},
    {"fmi2GetRealOutputDerivatives", "t-yyt"},
    {"fmi2DoStep", "--y--"},
    {"fmi2CancelStep", "-----"},
    {"fmi2GetRealStatus", "--yyt"},
}};

// FMI 3.0, section 4.2.1. Intermediate Update and Reconfiguration Mode are left out.
constexpr std::array<LegalState, 7> states_3{{
    {"Instantiated", ""},
    {.name = "Configuration Mode", .way = "fmi3EnterConfigurationMode", .configuration = true},
    {"Initialization Mode", "fmi3EnterInitializationMode"},
    {.name = "Event Mode",
     .way = "fmi3EnterInitializationMode fmi3ExitInitializationMode",
     .event_mode = true},
    {"Step Mode", "fmi3EnterInitializationMode fmi3ExitInitializationMode"},
    {"Terminated", "fmi3EnterInitializationMode fmi3ExitInitializationMode fmi3Terminate"},
    {.name = "Terminated by an error",
     .way = "fmi3EnterInitializationMode fmi3ExitInitializationMode fmi3DoStep(h<0)",
     .after_error = true},
}};
// Columns: Instantiated, Configuration, Initialization, Event, Step, Terminated, after an error.
constexpr std::array<LegalCall, 14> calls_3{{
    {"fmi3EnterConfigurationMode", "t--tt--"}, // allowed where there are structural parameters
    {"fmi3ExitConfigurationMode", "-y-----"},
    {"fmi3EnterInitializationMode", "y------"},
    {"fmi3ExitInitializationMode", "--y----"},
    {"fmi3UpdateDiscreteStates", "---y---"},
    {"fmi3EnterStepMode", "---y---"},
    {"fmi3EnterEventMode",
     "-------"}, // from Step Mode only with event mode, which that state does not have here
    {"fmi3Terminate", "---yy--"},
    {"fmi3GetFloat64", "yyyyyyt"},
    {"fmi3SetFloat64", "y-yyy--"},
    {"fmi3GetDirectionalDerivative", "--yyyyt"},
    {"fmi3GetAdjointDerivative", "--yyyyt"},
    {"fmi3GetOutputDerivatives", "----yyt"},
    {"fmi3DoStep", "----y--"},
}};

} // namespace

std::span<const LegalState> legal_states(fmi::Version version) {
    if (version == fmi::Version::fmi2)
        return states_2;
    return states_3;
}

std::span<const LegalCall> legal_calls(fmi::Version version) {
    if (version == fmi::Version::fmi2)
        return calls_2;
    return calls_3;
}

} // namespace tenon::check
