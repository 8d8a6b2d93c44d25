/* FMI 2.0 over a model: values, states and derivatives. */

#include "skeleton2.h"

#include <string.h>

static const unsigned readable =
    instantiated | initialization | step_complete | step_failed | terminated | in_error;

/* An array's element i is reference + 1000 i; NULL, with a message, where there is none of this kind. */
static void* place(Instance* instance, Kind kind, size_t size, fmi2ValueReference reference) {
    const Variable* variable = model_variable(reference % 1000);
    const size_t element = reference / 1000;
    if (variable && variable->kind == kind && element < model_count(&instance->model, variable))
        return (char*)model_place(&instance->model, variable) + element * size;
    return NULL;
}

double* real_place(const Instance* instance, fmi2ValueReference reference) {
    return place((Instance*)instance, kind_float64, sizeof(double), reference);
}

static bool settable(Instance* instance, fmi2ValueReference reference) {
    const Variable* variable = model_variable(reference % 1000);
    const unsigned mode = instance->skin.mode;
    if (variable && ((variable->role == role_start && mode & (instantiated | initialization)) ||
                     ((variable->role == role_tunable || variable->role == role_input) &&
                      mode & (instantiated | initialization | step_complete))))
        return true;
    fail(instance, "the variable cannot be set now, or does not exist");
    return false;
}

static bool get_begins(Instance* instance, const char* function) {
    if (!legal(instance, function, readable))
        return false;
    if (instance->skin.mode & (instantiated | initialization | step_complete))
        model_calculate(&instance->model);
    return true;
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference references[], size_t count,
                       fmi2Real values[]) {
    if (!get_begins(c, "fmi2GetReal"))
        return fmi2Error;
    for (size_t i = 0; i < count; ++i) {
        const double* from = real_place(c, references[i]);
        if (!from)
            return fail(c, "fmi2GetReal: no such variable");
        values[i] = *from;
    }
    return fmi2OK;
}
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference references[], size_t count,
                       const fmi2Real values[]) {
    for (size_t i = 0; i < count; ++i) {
        double* to = real_place(c, references[i]);
        if (!settable(c, references[i]))
            return fmi2Error;
        if (!to)
            return fail(c, "fmi2SetReal: no such variable");
        *to = values[i];
    }
    return fmi2OK;
}

fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference references[], size_t count,
                          fmi2Integer values[]) {
    if (!get_begins(c, "fmi2GetInteger"))
        return fmi2Error;
    for (size_t i = 0; i < count; ++i) {
        const int32_t* number = place(c, kind_int32, sizeof *number, references[i]);
        const int64_t* item = place(c, kind_enumeration, sizeof *item, references[i]);
        if (!number && !item)
            return fail(c, "fmi2GetInteger: no such variable");
        values[i] = number ? *number : (fmi2Integer)*item;
    }
    return fmi2OK;
}
fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference references[], size_t count,
                          const fmi2Integer values[]) {
    for (size_t i = 0; i < count; ++i) {
        int32_t* number = place(c, kind_int32, sizeof *number, references[i]);
        int64_t* item = place(c, kind_enumeration, sizeof *item, references[i]);
        if (!settable(c, references[i]))
            return fmi2Error;
        if (number)
            *number = values[i];
        else if (item)
            *item = values[i];
        else
            return fail(c, "fmi2SetInteger: no such variable");
    }
    return fmi2OK;
}

fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference references[], size_t count,
                          fmi2Boolean values[]) {
    if (!get_begins(c, "fmi2GetBoolean"))
        return fmi2Error;
    for (size_t i = 0; i < count; ++i) {
        const bool* from = place(c, kind_boolean, sizeof *from, references[i]);
        if (!from)
            return fail(c, "fmi2GetBoolean: no such variable");
        values[i] = *from ? fmi2True : fmi2False;
    }
    return fmi2OK;
}
fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference references[], size_t count,
                          const fmi2Boolean values[]) {
    for (size_t i = 0; i < count; ++i) {
        bool* to = place(c, kind_boolean, sizeof *to, references[i]);
        if (!settable(c, references[i]))
            return fmi2Error;
        if (!to || (values[i] != fmi2True && values[i] != fmi2False))
            return fail(c, "fmi2SetBoolean: no such variable, or neither true nor false");
        *to = values[i] == fmi2True;
    }
    return fmi2OK;
}

fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference references[], size_t count,
                         fmi2String values[]) {
    if (!get_begins(c, "fmi2GetString"))
        return fmi2Error;
    for (size_t i = 0; i < count; ++i) {
        const Text* from = place(c, kind_string, sizeof *from, references[i]);
        if (!from)
            return fail(c, "fmi2GetString: no such variable");
        values[i] = from->bytes;
    }
    return fmi2OK;
}
fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference references[], size_t count,
                         const fmi2String values[]) {
    for (size_t i = 0; i < count; ++i) {
        Text* to = place(c, kind_string, sizeof *to, references[i]);
        if (!settable(c, references[i]))
            return fmi2Error;
        if (!to || !values[i])
            return fail(c, "fmi2SetString: no such variable, or no string");
        model_text(to, values[i], strlen(values[i]));
    }
    return fmi2OK;
}

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* state) {
    Instance* instance = c;
    if (!legal(instance, "fmi2GetFMUstate", readable))
        return fmi2Error;
    if (instance->model.stateless)
        return fail(instance, "the state cannot be saved");
    instance->model.saved = true;
    *state = state_save(*state, &instance->model, &instance->skin, sizeof instance->skin);
    return *state ? fmi2OK : fail(instance, "no memory for a state");
}
fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
    Instance* instance = c;
    if (!legal(instance, "fmi2SetFMUstate", anything_but_fatal))
        return fmi2Error;
    if (!state)
        return fail(instance, "there is no state");
    state_restore(state, &instance->model, &instance->skin, sizeof instance->skin);
    return fmi2OK;
}
fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* state) {
    if (!legal(c, "fmi2FreeFMUstate", anything_but_fatal))
        return fmi2Error;
    free(*state);
    *state = NULL;
    return fmi2OK;
}
fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t* size) {
    *size = state_size(sizeof(Skin));
    return state ? fmi2OK : fail(c, "there is no state");
}
fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
    if (!state || size != state_size(sizeof(Skin)))
        return fail(c, "there is no state, or no room for it");
    memcpy(bytes, state, size);
    return fmi2OK;
}
fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                   fmi2FMUstate* state) {
    if (!state_is_mine(bytes, size, sizeof(Skin)))
        return fail(c, "the bytes are not a state of this FMU");
    if (!*state)
        *state = malloc(size);
    memcpy(*state, bytes, size);
    return fmi2OK;
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknowns[],
                                        size_t unknown_count, const fmi2ValueReference knowns[],
                                        size_t known_count, const fmi2Real seed[], fmi2Real sensitivity[]) {
    Instance* instance = c;
    if (!legal(instance, "fmi2GetDirectionalDerivative", initialization | step_complete | terminated))
        return fmi2Error;
    if (!model_type.partial)
        return fail(instance, "there are no directional derivatives");
    model_calculate(&instance->model);
    for (size_t i = 0; i < unknown_count; ++i) {
        sensitivity[i] = 0;
        for (size_t j = 0; j < known_count; ++j) {
            if (!real_place(instance, unknowns[i]) || !real_place(instance, knowns[j]))
                return fail(instance, "fmi2GetDirectionalDerivative: no such variable");
            sensitivity[i] +=
                seed[j] * model_type.partial(&instance->model, model_variable(unknowns[i] % 1000),
                                             unknowns[i] / 1000, model_variable(knowns[j] % 1000),
                                             knowns[j] / 1000);
        }
    }
    return fmi2OK;
}
