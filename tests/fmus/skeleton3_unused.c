/* The functions of FMI 3.0 that a library has to export although an FMU for Co-Simulation without clocks that have an
   interval has no use for them: each fails. */

#include "skeleton3.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

static fmi3Status unused(fmi3Instance c) { return fail(c, "this FMU has no such function"); }

fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                          fmi3Boolean visible, fmi3Boolean logging,
                                          fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
    return NULL;
}
fmi3Instance fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token, fmi3String resources,
                                               fmi3Boolean visible, fmi3Boolean logging,
                                               fmi3InstanceEnvironment environment,
                                               fmi3LogMessageCallback log, fmi3ClockUpdateCallback update,
                                               fmi3LockPreemptionCallback lock,
                                               fmi3UnlockPreemptionCallback unlock) {
    return NULL;
}

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance c, fmi3ValueReference r, size_t* count) {
    return unused(c);
}
fmi3Status fmi3GetVariableDependencies(fmi3Instance c, fmi3ValueReference r, size_t elements[],
                                       fmi3ValueReference independents[], size_t independent_elements[],
                                       fmi3DependencyKind kinds[], size_t count) {
    return unused(c);
}

fmi3Status fmi3GetIntervalDecimal(fmi3Instance c, const fmi3ValueReference r[], size_t n, fmi3Float64 v[],
                                  fmi3IntervalQualifier q[]) {
    return unused(c);
}
fmi3Status fmi3GetIntervalFraction(fmi3Instance c, const fmi3ValueReference r[], size_t n, fmi3UInt64 v[],
                                   fmi3UInt64 w[], fmi3IntervalQualifier q[]) {
    return unused(c);
}
fmi3Status fmi3GetShiftDecimal(fmi3Instance c, const fmi3ValueReference r[], size_t n, fmi3Float64 v[]) {
    return unused(c);
}
fmi3Status fmi3GetShiftFraction(fmi3Instance c, const fmi3ValueReference r[], size_t n, fmi3UInt64 v[],
                                fmi3UInt64 w[]) {
    return unused(c);
}
fmi3Status fmi3SetIntervalDecimal(fmi3Instance c, const fmi3ValueReference r[], size_t n,
                                  const fmi3Float64 v[]) {
    return unused(c);
}
fmi3Status fmi3SetIntervalFraction(fmi3Instance c, const fmi3ValueReference r[], size_t n,
                                   const fmi3UInt64 v[], const fmi3UInt64 w[]) {
    return unused(c);
}
fmi3Status fmi3SetShiftDecimal(fmi3Instance c, const fmi3ValueReference r[], size_t n,
                               const fmi3Float64 v[]) {
    return unused(c);
}
fmi3Status fmi3SetShiftFraction(fmi3Instance c, const fmi3ValueReference r[], size_t n, const fmi3UInt64 v[],
                                const fmi3UInt64 w[]) {
    return unused(c);
}

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance c) { return unused(c); }
fmi3Status fmi3CompletedIntegratorStep(fmi3Instance c, fmi3Boolean no_rollback, fmi3Boolean* enter_event_mode,
                                       fmi3Boolean* terminate) {
    return unused(c);
}
fmi3Status fmi3SetTime(fmi3Instance c, fmi3Float64 time) { return unused(c); }
fmi3Status fmi3SetContinuousStates(fmi3Instance c, const fmi3Float64 x[], size_t n) { return unused(c); }
fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance c, fmi3Float64 x_dot[], size_t n) {
    return unused(c);
}
fmi3Status fmi3GetEventIndicators(fmi3Instance c, fmi3Float64 z[], size_t n) { return unused(c); }
fmi3Status fmi3GetContinuousStates(fmi3Instance c, fmi3Float64 x[], size_t n) { return unused(c); }
fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance c, fmi3Float64 x[], size_t n) { return unused(c); }
fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance c, size_t* n) { return unused(c); }
fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance c, size_t* n) { return unused(c); }
fmi3Status fmi3ActivateModelPartition(fmi3Instance c, fmi3ValueReference r, fmi3Float64 time) {
    return unused(c);
}
