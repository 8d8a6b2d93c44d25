/* FMI 2.0 for Co-Simulation over a model: life and steps. Every call is checked against the states of the standard. */

#include "skeleton2.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void log_text(Model* model, Outcome status, const char* category, const char* text) {
    Instance* instance = (Instance*)model;
    if (!instance->callbacks.logger || (!instance->logging && status == outcome_ok))
        return;
    fmi2ComponentEnvironment environment = instance->callbacks.componentEnvironment;
    if (model->log_habit == log_stray)
        environment =
            (fmi2ComponentEnvironment)(uintptr_t)0x1234; /* or the instance itself, which is no better */
    if (model->log_habit == log_nowhere)
        environment = NULL;
    if (model->log_habit == log_wild)
        instance->callbacks.logger(environment, (fmi2String)(uintptr_t)8, (fmi2Status)status,
                                   (fmi2String)(uintptr_t)16, text, (char*)(uintptr_t)24, NULL, 1, NULL);
    else
        instance->callbacks.logger(environment, instance->name, (fmi2Status)status, category, "%s", text);
}

fmi2Status fail(Instance* instance, const char* text) {
    log_text(&instance->model, outcome_error, "logStatusError", text);
    instance->skin.mode = in_error;
    return fmi2Error;
}

bool legal(Instance* instance, const char* function, unsigned modes) {
    if (instance->skin.mode & modes)
        return true;
    char text[128];
    snprintf(text, sizeof text, "%s is not allowed in state %u", function, instance->skin.mode);
    if (instance->skin.mode == in_fatal)
        log_text(&instance->model, outcome_fatal, "logStatusError", text);
    else
        fail(instance, text);
    return false;
}

/* Inputs follow the derivatives that the master has set for this step: u(t) = u + u' dt + u'' dt^2 / 2 + ... */
static void inputs_at(Model* model, double time) {
    Instance* instance = (Instance*)model;
    const Skin* skin = &instance->skin;
    for (size_t i = 0; i < skin->derivative_count; ++i)
        *real_place(instance, skin->derivatives[i].reference) = skin->derivatives[i].base;
    for (size_t i = 0; i < skin->derivative_count; ++i) {
        double term = skin->derivatives[i].value;
        for (int32_t j = 1; j <= skin->derivatives[i].order; ++j)
            term *= (time - skin->step_start) / j;
        *real_place(instance, skin->derivatives[i].reference) += term;
    }
}

static double finished(Model* model, double time, double end) {
    (void)model;
    (void)time;
    return end;
}

/* file:///dir/resources as /dir/resources/; percent signs decoded. NULL for anything else. */
static char* native_path(const char* uri) {
    if (!uri || strncmp(uri, "file:///", 8) != 0)
        return NULL;
    const char* from = uri + 7;
    char *path = calloc(1, strlen(from) + 2), *to = path;
    for (unsigned code; path && *from; ++to) {
        if (*from == '%' && sscanf(from + 1, "%2x", &code) == 1) {
            *to = (char)code;
            from += 3;
        } else {
            *to = *from++;
        }
    }
    if (path && (to == path || to[-1] != '/'))
        *to = '/';
    return path;
}

const char* fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
const char* fmi2GetVersion(void) { return fmi2Version; }

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions* functions, fmi2Boolean visible,
                              fmi2Boolean logging) {
    Instance* instance = calloc(1, sizeof *instance);
    (void)visible;
    if (!instance || !name || !functions || type != fmi2CoSimulation)
        return NULL;
    instance->callbacks = *functions;
    instance->logging = logging;
    instance->name = calloc(1, strlen(name) + 1);
    strcpy(instance->name, name);
    instance->skin.mode = instantiated;
    instance->model.log = log_text;
    instance->model.inputs_at = inputs_at;
    instance->model.finished = finished;
    instance->model.resources = native_path(resources);
    if (!model_create(&instance->model, guid)) {
        fmi2FreeInstance(instance);
        return NULL;
    }
    if (logging && functions->logger)
        functions->logger(functions->componentEnvironment, name, fmi2OK, "logEvents",
                          "%s has %d variables, its resources are at %s", name,
                          (int)model_type.variable_count, resources ? resources : "(null)");
    return instance;
}

void fmi2FreeInstance(fmi2Component c) {
    Instance* instance = c;
    if (!instance && model_type.dies_of_null)
        abort();
    if (!instance || !legal(instance, "fmi2FreeInstance", anything_but_fatal))
        return;
    log_text(&instance->model, outcome_ok, "logEvents", "freed");
    model_destroy(&instance->model);
    free(instance->name);
    free(instance);
}

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t count, const fmi2String categories[]) {
    Instance* instance = c;
    if (!legal(instance, "fmi2SetDebugLogging", anything_but_fatal))
        return fmi2Error;
    for (size_t i = 0; i < count; ++i)
        if (strcmp(categories[i], "logEvents") != 0 && strcmp(categories[i], "logStatusError") != 0)
            return fail(instance, "there is no such category");
    instance->logging = on;
    return fmi2OK;
}

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real start,
                               fmi2Boolean has_stop, fmi2Real stop) {
    Instance* instance = c;
    if (!legal(instance, "fmi2SetupExperiment", instantiated))
        return fmi2Error;
    if ((has_tolerance && !(tolerance > 0)) || (has_stop && !(stop > start)))
        return fail(instance, "tolerance or stop time is impossible");
    *model_time(&instance->model) = start;
    instance->skin.has_stop = has_stop != 0;
    instance->skin.stop = stop;
    return fmi2OK;
}

static fmi2Status enter(Instance* instance, const char* function, unsigned from, unsigned to) {
    if (!legal(instance, function, from))
        return fmi2Error;
    instance->skin.mode = to;
    model_calculate(&instance->model);
    return fmi2OK;
}
fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
    return enter(c, "fmi2EnterInitializationMode", instantiated, initialization);
}
fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
    return enter(c, "fmi2ExitInitializationMode", initialization, step_complete);
}
fmi2Status fmi2Terminate(fmi2Component c) {
    return enter(c, "fmi2Terminate", step_complete | step_failed, terminated);
}

fmi2Status fmi2Reset(fmi2Component c) {
    Instance* instance = c;
    if (!legal(instance, "fmi2Reset", anything_but_fatal))
        return fmi2Error;
    model_reset(&instance->model);
    memset(&instance->skin, 0, sizeof instance->skin);
    instance->skin.mode = instantiated;
    return fmi2OK;
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference references[], size_t count,
                                       const fmi2Integer orders[], const fmi2Real values[]) {
    Instance* instance = c;
    Skin* skin = &instance->skin;
    if (!legal(instance, "fmi2SetRealInputDerivatives", instantiated | initialization | step_complete))
        return fmi2Error;
    for (size_t i = 0; i < count; ++i) {
        const Variable* variable = model_variable(references[i] % 1000);
        if (!variable || variable->role != role_input || !real_place(instance, references[i]) ||
            orders[i] < 1 || skin->derivative_count == most_derivatives)
            return fail(instance, "no such derivative of an input");
        skin->derivatives[skin->derivative_count++] =
            (InputDerivative){references[i], orders[i], values[i], 0};
    }
    return fmi2OK;
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference references[], size_t count,
                                        const fmi2Integer orders[], fmi2Real values[]) {
    Instance* instance = c;
    if (!legal(instance, "fmi2GetRealOutputDerivatives", step_complete | step_failed | terminated))
        return fmi2Error;
    for (size_t i = 0; i < count; ++i) {
        const Variable* variable = model_variable(references[i] % 1000);
        if (!variable || !model_type.rate || orders[i] < 1)
            return fail(instance, "no such derivative of an output");
        values[i] = model_type.rate(&instance->model, variable, orders[i]);
    }
    return fmi2OK;
}

static bool step_is_possible(Instance* instance, double t, double h) {
    if (!(h > 0) || !same_time(t, *model_time(&instance->model)))
        fail(instance, "the step does not begin at the current time, or its size is not positive");
    else if (instance->skin.has_stop && t + h > instance->skin.stop && !same_time(t + h, instance->skin.stop))
        fail(instance, "the step goes beyond the stop time");
    else
        return true;
    return false;
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean no_rollback) {
    Instance* instance = c;
    Skin* skin = &instance->skin;
    instance->model.may_go_back = !no_rollback;
    if (!legal(instance, "fmi2DoStep", step_complete) || !step_is_possible(instance, t, h))
        return fmi2Error;
    skin->step_start = t;
    for (size_t i = 0; i < skin->derivative_count; ++i)
        skin->derivatives[i].base = *real_place(instance, skin->derivatives[i].reference);
    const Progress progress = model_advance(&instance->model, t + h, false, false);
    skin->derivative_count = 0;
    Outcome outcome = progress.outcome;
    if (outcome <= outcome_warning && (progress.early || instance->model.terminate))
        outcome = outcome_discard;
    if (outcome == outcome_discard)
        skin->mode = step_failed;
    else if (outcome == outcome_error)
        skin->mode = in_error;
    else if (outcome == outcome_fatal)
        skin->mode = in_fatal;
    return (fmi2Status)outcome;
}

fmi2Status fmi2CancelStep(fmi2Component c) { return fail(c, "no step is under way"); }

fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real* value) {
    Instance* instance = c;
    if (!legal(instance, "fmi2GetRealStatus", step_complete | step_failed | terminated))
        return fmi2Error;
    *value = *model_time(&instance->model);
    return kind == fmi2LastSuccessfulTime ? fmi2OK : fmi2Discard;
}
fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean* value) {
    Instance* instance = c;
    if (!legal(instance, "fmi2GetBooleanStatus", step_complete | step_failed | terminated))
        return fmi2Error;
    *value = instance->model.terminate;
    return kind == fmi2Terminated ? fmi2OK : fmi2Discard;
}
/* Only a slave that runs asynchronously has the others. */
fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Status* value) {
    (void)kind;
    (void)value;
    return legal(c, "fmi2GetStatus", step_complete | step_failed | terminated) ? fmi2Discard : fmi2Error;
}
fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Integer* value) {
    (void)kind;
    (void)value;
    return legal(c, "fmi2GetIntegerStatus", step_complete | step_failed | terminated) ? fmi2Discard
                                                                                      : fmi2Error;
}
fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind kind, fmi2String* value) {
    (void)kind;
    (void)value;
    return legal(c, "fmi2GetStringStatus", step_complete | step_failed | terminated) ? fmi2Discard
                                                                                     : fmi2Error;
}
