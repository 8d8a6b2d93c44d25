/* FMI 2.0 for Co-Simulation over the powertrain: what any tool expects of an FMU, with states that can be saved. */

#include "powertrain.h"

#include <fmi2Functions.h>

#include <stdlib.h>
#include <string.h>

static const char guid[] = "{c1d53c86-7b64-4be7-92f4-8b6ec1c3a2d0}"; /* of modelDescription.xml */
enum { gear_reference = 100 };

typedef struct {
    Powertrain model;
    fmi2CallbackFunctions callbacks;
    char* name;
} Instance;

static fmi2Status refuse(const Instance* instance, const char* text) {
    if (instance->callbacks.logger)
        instance->callbacks.logger(instance->callbacks.componentEnvironment, instance->name, fmi2Error, "logStatusError", "%s",
                                   text);
    return fmi2Error;
}

const char* fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
const char* fmi2GetVersion(void) { return fmi2Version; }

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String token, fmi2String resources,
                              const fmi2CallbackFunctions* callbacks, fmi2Boolean visible, fmi2Boolean logging) {
    (void)resources, (void)visible, (void)logging;
    if (type != fmi2CoSimulation || !name || !callbacks || !token || strcmp(token, guid) != 0)
        return NULL;
    Instance* instance = calloc(1, sizeof *instance);
    if (!instance || !(instance->name = malloc(strlen(name) + 1))) {
        free(instance);
        return NULL;
    }
    strcpy(instance->name, name);
    instance->callbacks = *callbacks;
    powertrain_start(&instance->model);
    return instance;
}

void fmi2FreeInstance(fmi2Component c) {
    if (c)
        free(((Instance*)c)->name);
    free(c);
}

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real start,
                               fmi2Boolean has_stop, fmi2Real stop) {
    (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop;
    ((Instance*)c)->model.time = start;
    return fmi2OK;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) { return (void)c, fmi2OK; }
fmi2Status fmi2ExitInitializationMode(fmi2Component c) { return (void)c, fmi2OK; }
fmi2Status fmi2Terminate(fmi2Component c) { return (void)c, fmi2OK; }

fmi2Status fmi2Reset(fmi2Component c) {
    powertrain_start(&((Instance*)c)->model);
    return fmi2OK;
}

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t count, const fmi2String categories[]) {
    return (void)c, (void)on, (void)count, (void)categories, fmi2OK;
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference references[], size_t count, fmi2Real values[]) {
    Instance* instance = c;
    powertrain_outputs(&instance->model);
    for (size_t i = 0; i < count; ++i) {
        if (references[i] >= number_of_reals)
            return refuse(instance, "fmi2GetReal: there is no such variable");
        values[i] = instance->model.real[references[i]];
    }
    return fmi2OK;
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference references[], size_t count, const fmi2Real values[]) {
    Instance* instance = c;
    for (size_t i = 0; i < count; ++i) {
        const fmi2ValueReference reference = references[i];
        if (reference >= number_of_reals || reference == left_tau || reference == right_tau || reference == fuel)
            return refuse(instance, "fmi2SetReal: there is no such variable, or it cannot be set");
        instance->model.real[reference] = values[i];
    }
    return fmi2OK;
}

fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference references[], size_t count, fmi2Integer values[]) {
    for (size_t i = 0; i < count; ++i) {
        if (references[i] != gear_reference)
            return refuse(c, "fmi2GetInteger: there is no such variable");
        values[i] = ((Instance*)c)->model.gear;
    }
    return fmi2OK;
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real time, fmi2Real h, fmi2Boolean no_rollback) {
    (void)no_rollback;
    Instance* instance = c;
    if (!(h > 0))
        return refuse(instance, "fmi2DoStep: the step must be above 0");
    powertrain_step(&instance->model, time + h);
    return fmi2OK;
}

/* The state is a plain value: as it is in memory, so it is in a file. */

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* state) {
    if (!*state && !(*state = malloc(sizeof(Powertrain))))
        return refuse(c, "fmi2GetFMUstate: out of memory");
    memcpy(*state, &((Instance*)c)->model, sizeof(Powertrain));
    return fmi2OK;
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
    memcpy(&((Instance*)c)->model, state, sizeof(Powertrain));
    return fmi2OK;
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* state) {
    (void)c;
    free(*state);
    *state = NULL;
    return fmi2OK;
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t* size) {
    (void)c, (void)state;
    *size = sizeof(Powertrain);
    return fmi2OK;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
    if (size < sizeof(Powertrain))
        return refuse(c, "fmi2SerializeFMUstate: not enough room");
    memcpy(bytes, state, sizeof(Powertrain));
    return fmi2OK;
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate* state) {
    Powertrain* model = malloc(sizeof *model);
    if (size != sizeof *model || !model) {
        free(model);
        return refuse(c, "fmi2DeSerializeFMUstate: these bytes are no state of this FMU");
    }
    memcpy(model, bytes, size);
    if (model->gear < 1 || model->gear > 5) {
        free(model);
        return refuse(c, "fmi2DeSerializeFMUstate: the state has a gear that does not exist");
    }
    *state = model;
    return fmi2OK;
}

/* What this FMU does not have; modelDescription.xml says so, and a library has all functions all the same. */

fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference references[], size_t count, fmi2Boolean values[]) {
    (void)references, (void)values;
    return count == 0 ? fmi2OK : refuse(c, "there are no Boolean variables");
}
fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference references[], size_t count, const fmi2Boolean values[]) {
    (void)references, (void)values;
    return count == 0 ? fmi2OK : refuse(c, "there are no Boolean variables");
}
fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference references[], size_t count, fmi2String values[]) {
    (void)references, (void)values;
    return count == 0 ? fmi2OK : refuse(c, "there are no String variables");
}
fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference references[], size_t count, const fmi2String values[]) {
    (void)references, (void)values;
    return count == 0 ? fmi2OK : refuse(c, "there are no String variables");
}
fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference references[], size_t count, const fmi2Integer values[]) {
    (void)references, (void)values;
    return count == 0 ? fmi2OK : refuse(c, "the gear cannot be set: the gearbox changes by itself");
}
fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknowns[], size_t rows,
                                        const fmi2ValueReference knowns[], size_t columns, const fmi2Real seed[],
                                        fmi2Real sensitivity[]) {
    (void)unknowns, (void)rows, (void)knowns, (void)columns, (void)seed, (void)sensitivity;
    return refuse(c, "there are no directional derivatives");
}
fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference references[], size_t count,
                                       const fmi2Integer orders[], const fmi2Real values[]) {
    (void)references, (void)orders, (void)values;
    return count == 0 ? fmi2OK : refuse(c, "inputs are constant over a step");
}
fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference references[], size_t count,
                                        const fmi2Integer orders[], fmi2Real values[]) {
    (void)references, (void)orders, (void)values;
    return count == 0 ? fmi2OK : refuse(c, "there are no derivatives of outputs");
}
fmi2Status fmi2CancelStep(fmi2Component c) { return refuse(c, "no step is pending"); }
fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Status* value) {
    (void)kind, (void)value;
    return refuse(c, "no step is pending");
}
fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real* value) {
    if (kind != fmi2LastSuccessfulTime)
        return refuse(c, "no step is pending");
    *value = ((Instance*)c)->model.time;
    return fmi2OK;
}
fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Integer* value) {
    (void)kind, (void)value;
    return refuse(c, "no step is pending");
}
fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean* value) {
    (void)kind;
    *value = fmi2False;
    return (void)c, fmi2OK;
}
fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind kind, fmi2String* value) {
    (void)kind, (void)value;
    return refuse(c, "no step is pending");
}
