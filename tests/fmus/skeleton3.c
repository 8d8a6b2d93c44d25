/* FMI 3.0 for Co-Simulation over a model: life, events and steps. Every call is checked against the states of the
   standard. */

#include "skeleton3.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void log_text(Model* model, Outcome status, const char* category, const char* text) {
    Instance* instance = (Instance*)model;
    if (!instance->log || !instance->logging)
        return;
    fmi3InstanceEnvironment environment = instance->environment;
    if (model->log_habit == log_stray)
        environment = (fmi3InstanceEnvironment)(uintptr_t)0x1234;
    if (model->log_habit == log_nowhere)
        environment = NULL;
    if (model->log_habit == log_wild)
        category = (fmi3String)(uintptr_t)16;
    instance->log(environment, (fmi3Status)status, category, text);
}

fmi3Status fail(Instance* instance, const char* text) {
    log_text(&instance->model, outcome_error, "logStatusError", text);
    instance->skin.mode = terminated;
    return fmi3Error;
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

static void inputs_at(Model* model, double time) {
    Instance* instance = (Instance*)model;
    if (!instance->update)
        return;
    bool wanted = false;
    double wanted_time = time;
    instance->skin.mode = intermediate;
    instance->set_requested = true;
    instance->update(instance->environment, time, true, false, false, false, &wanted, &wanted_time);
    instance->set_requested = false;
    instance->skin.mode = step;
}

static double finished(Model* model, double time, double end) {
    Instance* instance = (Instance*)model;
    if (!instance->update)
        return end;
    bool wanted = false;
    double wanted_time = end;
    instance->skin.mode = intermediate;
    instance->get_allowed = true;
    instance->update(instance->environment, time, false, true, true, instance->early_return, &wanted,
                     &wanted_time);
    instance->get_allowed = false;
    instance->skin.mode = step;
    if (!wanted || !instance->early_return || wanted_time >= end)
        return end;
    return wanted_time > time ? wanted_time : time;
}

const char* fmi3GetVersion(void) { return fmi3Version; }

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                         fmi3Boolean visible, fmi3Boolean logging, fmi3Boolean event_mode,
                                         fmi3Boolean early_return, const fmi3ValueReference required[],
                                         size_t required_count, fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback update) {
    Instance* instance = calloc(1, sizeof *instance);
    (void)visible;
    if (!instance || !name || !name[0] || required_count > sizeof instance->required / sizeof *required)
        return NULL;
    instance->environment = environment;
    instance->log = log;
    instance->update = update;
    instance->logging = logging;
    instance->event_mode = event_mode;
    instance->early_return = early_return;
    instance->required_count = required_count;
    for (size_t i = 0; i < required_count; ++i)
        instance->required[i] = required[i];
    instance->skin.mode = instantiated;
    instance->model.log = log_text;
    instance->model.inputs_at = inputs_at;
    instance->model.finished = finished;
    instance->model.resources = resources ? strcpy(calloc(1, strlen(resources) + 1), resources) : NULL;
    char text[4096];
    snprintf(text, sizeof text, "%s has %d variables, its resources are at %s", name,
             (int)model_type.variable_count, resources ? resources : "(null)");
    log_text(&instance->model, outcome_ok, "logEvents", text);
    if (!model_create(&instance->model, token)) {
        fmi3FreeInstance(instance);
        return NULL;
    }
    return instance;
}

void fmi3FreeInstance(fmi3Instance c) {
    Instance* instance = c;
    if (!instance && model_type.dies_of_null)
        abort();
    if (!instance || !legal(instance, "fmi3FreeInstance", outside_of_callbacks))
        return;
    log_text(&instance->model, outcome_ok, "logEvents", "freed");
    model_destroy(&instance->model);
    free(instance);
}

fmi3Status fmi3SetDebugLogging(fmi3Instance c, fmi3Boolean on, size_t count, const fmi3String categories[]) {
    Instance* instance = c;
    if (!legal(instance, "fmi3SetDebugLogging", outside_of_callbacks))
        return fmi3Error;
    if (count == 0 && categories)
        return fail(instance, "there are categories, but none");
    for (size_t i = 0; i < count; ++i)
        if (strcmp(categories[i], "logEvents") != 0 && strcmp(categories[i], "logStatusError") != 0)
            return fail(instance, "there is no such category");
    instance->logging = on;
    return fmi3OK;
}

static fmi3Status enter(Instance* instance, const char* function, unsigned from, unsigned to) {
    if (!legal(instance, function, from))
        return fmi3Error;
    instance->skin.mode = to;
    model_calculate(&instance->model);
    return fmi3OK;
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean has_tolerance, fmi3Float64 tolerance,
                                       fmi3Float64 start, fmi3Boolean has_stop, fmi3Float64 stop) {
    Instance* instance = c;
    if (!legal(instance, "fmi3EnterInitializationMode", instantiated))
        return fmi3Error;
    if ((has_tolerance && !(tolerance > 0)) || (has_stop && !(stop > start)))
        return fail(instance, "tolerance or stop time is impossible");
    *model_time(&instance->model) = start;
    instance->skin.has_stop = has_stop;
    instance->skin.stop = stop;
    return enter(instance, "fmi3EnterInitializationMode", instantiated, initialization);
}
fmi3Status fmi3ExitInitializationMode(fmi3Instance c) {
    return enter(c, "fmi3ExitInitializationMode", initialization, ((Instance*)c)->event_mode ? event : step);
}
fmi3Status fmi3Terminate(fmi3Instance c) { return enter(c, "fmi3Terminate", event | step, terminated); }

fmi3Status fmi3Reset(fmi3Instance c) {
    Instance* instance = c;
    if (!legal(instance, "fmi3Reset", outside_of_callbacks))
        return fmi3Error;
    model_reset(&instance->model);
    memset(&instance->skin, 0, sizeof instance->skin);
    instance->skin.mode = instantiated;
    return fmi3OK;
}

fmi3Status fmi3EnterConfigurationMode(fmi3Instance c) {
    return enter(c, "fmi3EnterConfigurationMode", instantiated | step,
                 ((Instance*)c)->skin.mode == step ? reconfiguration : configuration);
}
fmi3Status fmi3ExitConfigurationMode(fmi3Instance c) {
    Instance* instance = c;
    if (!legal(instance, "fmi3ExitConfigurationMode", configuration | reconfiguration))
        return fmi3Error;
    if (model_type.configured)
        model_type.configured(&instance->model);
    instance->skin.mode = instance->skin.mode == configuration ? instantiated : step;
    return fmi3OK;
}

fmi3Status fmi3EnterEventMode(fmi3Instance c) {
    Instance* instance = c;
    return instance->event_mode ? enter(instance, "fmi3EnterEventMode", step, event)
                                : fail(instance, "the event mode was not asked for");
}
fmi3Status fmi3EnterStepMode(fmi3Instance c) { return enter(c, "fmi3EnterStepMode", event, step); }

fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance c) {
    return enter(c, "fmi3EvaluateDiscreteStates", event, event);
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, fmi3Boolean* again, fmi3Boolean* terminate,
                                    fmi3Boolean* nominals_changed, fmi3Boolean* states_changed,
                                    fmi3Boolean* has_next, fmi3Float64* next) {
    Instance* instance = c;
    Model* model = &instance->model;
    if (!legal(instance, "fmi3UpdateDiscreteStates", event))
        return fmi3Error;
    *again = *nominals_changed = *states_changed = *has_next = false;
    *terminate = model->terminate;
    if (model_type.next_event) {
        const double due = model_type.next_event(model);
        if (due < *model_time(model) || same_time(due, *model_time(model)))
            model_type.event(model);
        model_calculate(model);
        *next = model_type.next_event(model);
        *has_next = *next < 1e300 && !model->surprise;
    }
    return fmi3OK;
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

fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 t, fmi3Float64 h, fmi3Boolean no_rollback,
                      fmi3Boolean* event_handling, fmi3Boolean* terminate, fmi3Boolean* early,
                      fmi3Float64* last_time) {
    Instance* instance = c;
    Model* model = &instance->model;
    model->may_go_back = !no_rollback;
    if (!legal(instance, "fmi3DoStep", step) || !step_is_possible(instance, t, h))
        return fmi3Error;
    const Progress progress = model_advance(model, t + h, instance->event_mode, instance->early_return);
    *event_handling = progress.event;
    *terminate = model->terminate;
    *early = progress.early;
    *last_time = *model_time(model);
    if (progress.outcome == outcome_error)
        instance->skin.mode = terminated;
    else if (progress.outcome == outcome_fatal)
        instance->skin.mode = in_fatal;
    return (fmi3Status)progress.outcome;
}

fmi3Status fmi3GetOutputDerivatives(fmi3Instance c, const fmi3ValueReference references[], size_t count,
                                    const fmi3Int32 orders[], fmi3Float64 values[], size_t value_count) {
    Instance* instance = c;
    if (!legal(instance, "fmi3GetOutputDerivatives", step | terminated))
        return fmi3Error;
    for (size_t i = 0; i < count; ++i) {
        const Variable* variable = model_variable(references[i]);
        if (!variable || !model_type.rate || variable->count != 1 || value_count != count || orders[i] < 1)
            return fail(instance, "no such derivative of an output");
        values[i] = model_type.rate(&instance->model, variable, orders[i]);
    }
    return fmi3OK;
}
