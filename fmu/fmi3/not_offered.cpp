// FMI 3.0: functions that must exist but belong to what this FMU does not offer (and says so in its capabilities): Model
// Exchange, event mode, clocks, structural parameters, Scheduled Execution. Each is an error with a text.

#include "fmu/fmi3/component.hpp"

#include "core/math/error.hpp"

using namespace tenon::fmu;

namespace {

fmi3Status refuse(fmi3Instance c, const char* function, const char* why) {
    return call(c, function, any_phase,
                [&](Component3&, Instance&) { throw tenon::Error(tenon::ErrorKind::usage, why); });
}

constexpr const char* no_events = "this FMU has no event mode";
constexpr const char* no_clocks = "this FMU has no clocks";
constexpr const char* no_exchange = "this FMU is for Co-Simulation, not for Model Exchange";
constexpr const char* no_structure = "this FMU has no structural parameters";

} // namespace

extern "C" {

fmi3Status fmi3EnterEventMode(fmi3Instance c) { return refuse(c, "fmi3EnterEventMode", no_events); }
fmi3Status fmi3EnterStepMode(fmi3Instance c) { return refuse(c, "fmi3EnterStepMode", no_events); }
fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance c) {
    return refuse(c, "fmi3EvaluateDiscreteStates", no_events);
}
fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, fmi3Boolean*, fmi3Boolean*, fmi3Boolean*, fmi3Boolean*,
                                    fmi3Boolean*, fmi3Float64*) {
    return refuse(c, "fmi3UpdateDiscreteStates", no_events);
}

fmi3Status fmi3EnterConfigurationMode(fmi3Instance c) {
    return refuse(c, "fmi3EnterConfigurationMode", no_structure);
}
fmi3Status fmi3ExitConfigurationMode(fmi3Instance c) {
    return refuse(c, "fmi3ExitConfigurationMode", no_structure);
}

fmi3Status fmi3GetIntervalDecimal(fmi3Instance c, const fmi3ValueReference[], size_t, fmi3Float64[],
                                  fmi3IntervalQualifier[]) {
    return refuse(c, "fmi3GetIntervalDecimal", no_clocks);
}
fmi3Status fmi3GetIntervalFraction(fmi3Instance c, const fmi3ValueReference[], size_t, fmi3UInt64[],
                                   fmi3UInt64[], fmi3IntervalQualifier[]) {
    return refuse(c, "fmi3GetIntervalFraction", no_clocks);
}
fmi3Status fmi3GetShiftDecimal(fmi3Instance c, const fmi3ValueReference[], size_t, fmi3Float64[]) {
    return refuse(c, "fmi3GetShiftDecimal", no_clocks);
}
fmi3Status fmi3GetShiftFraction(fmi3Instance c, const fmi3ValueReference[], size_t, fmi3UInt64[],
                                fmi3UInt64[]) {
    return refuse(c, "fmi3GetShiftFraction", no_clocks);
}
fmi3Status fmi3SetIntervalDecimal(fmi3Instance c, const fmi3ValueReference[], size_t, const fmi3Float64[]) {
    return refuse(c, "fmi3SetIntervalDecimal", no_clocks);
}
fmi3Status fmi3SetIntervalFraction(fmi3Instance c, const fmi3ValueReference[], size_t, const fmi3UInt64[],
                                   const fmi3UInt64[]) {
    return refuse(c, "fmi3SetIntervalFraction", no_clocks);
}
fmi3Status fmi3SetShiftDecimal(fmi3Instance c, const fmi3ValueReference[], size_t, const fmi3Float64[]) {
    return refuse(c, "fmi3SetShiftDecimal", no_clocks);
}
fmi3Status fmi3SetShiftFraction(fmi3Instance c, const fmi3ValueReference[], size_t, const fmi3UInt64[],
                                const fmi3UInt64[]) {
    return refuse(c, "fmi3SetShiftFraction", no_clocks);
}
fmi3Status fmi3ActivateModelPartition(fmi3Instance c, fmi3ValueReference, fmi3Float64) {
    return refuse(c, "fmi3ActivateModelPartition", no_clocks);
}

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance c) {
    return refuse(c, "fmi3EnterContinuousTimeMode", no_exchange);
}
fmi3Status fmi3CompletedIntegratorStep(fmi3Instance c, fmi3Boolean, fmi3Boolean*, fmi3Boolean*) {
    return refuse(c, "fmi3CompletedIntegratorStep", no_exchange);
}
fmi3Status fmi3SetTime(fmi3Instance c, fmi3Float64) { return refuse(c, "fmi3SetTime", no_exchange); }
fmi3Status fmi3SetContinuousStates(fmi3Instance c, const fmi3Float64[], size_t) {
    return refuse(c, "fmi3SetContinuousStates", no_exchange);
}
fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance c, fmi3Float64[], size_t) {
    return refuse(c, "fmi3GetContinuousStateDerivatives", no_exchange);
}
fmi3Status fmi3GetEventIndicators(fmi3Instance c, fmi3Float64[], size_t) {
    return refuse(c, "fmi3GetEventIndicators", no_exchange);
}
fmi3Status fmi3GetContinuousStates(fmi3Instance c, fmi3Float64[], size_t) {
    return refuse(c, "fmi3GetContinuousStates", no_exchange);
}
fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance c, fmi3Float64[], size_t) {
    return refuse(c, "fmi3GetNominalsOfContinuousStates", no_exchange);
}
fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance c, size_t*) {
    return refuse(c, "fmi3GetNumberOfEventIndicators", no_exchange);
}
fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance c, size_t*) {
    return refuse(c, "fmi3GetNumberOfContinuousStates", no_exchange);
}

} // extern "C"
