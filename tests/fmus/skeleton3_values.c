/* FMI 3.0 over a model: values, states and derivatives. */

#include "skeleton3.h"

#include <string.h>

static bool is_required(const Instance* instance, fmi3ValueReference reference) {
    for (size_t i = 0; i < instance->required_count; ++i)
        if (instance->required[i] == reference)
            return true;
    return false;
}

static bool readable(Instance* instance, fmi3ValueReference reference) {
    if (instance->skin.mode == intermediate)
        return instance->get_allowed && is_required(instance, reference);
    return (instance->skin.mode & (instantiated | initialization | event | step | terminated)) != 0;
}

static bool settable(Instance* instance, const Variable* variable) {
    const unsigned mode = instance->skin.mode;
    switch (variable->role) {
    case role_structural:
        return mode == configuration;
    case role_start:
        return (mode & (instantiated | initialization)) != 0;
    case role_tunable:
        return (mode & (instantiated | initialization | event | step)) != 0;
    case role_input:
        return mode == intermediate ? instance->set_requested && is_required(instance, variable->reference)
               : variable->kind == kind_clock ? mode == event
                                              : (mode & (instantiated | initialization | event | step)) != 0;
    default:
        return false;
    }
}

/* Each variable asked for, in turn; false, with a message, where one is not there or the sizes do not match. */
typedef struct {
    Instance* instance;
    Kind kind;
    bool set;
    size_t left; /* values of the master that no variable has taken yet */
} Walk;

static void* next_place(Walk* walk, fmi3ValueReference reference, size_t* count) {
    Instance* instance = walk->instance;
    const Variable* variable = model_variable(reference);
    const char* wrong = NULL;
    if (!variable ||
        (variable->kind != walk->kind && !(variable->kind == kind_enumeration && walk->kind == kind_int64)))
        wrong = "there is no such variable of this type";
    else if ((*count = model_count(&instance->model, variable)) > walk->left)
        wrong = "the number of values is not that of the variables";
    else if (walk->set ? !settable(instance, variable) : !readable(instance, reference))
        wrong = walk->set ? "the variable cannot be set now" : "the variable cannot be read now";
    if (wrong) {
        fail(instance, wrong);
        return NULL;
    }
    walk->left -= *count;
    return model_place(&instance->model, variable);
}

static fmi3Status done(const Walk* walk) {
    return walk->left == 0 ? fmi3OK
                           : fail(walk->instance, "the number of values is not that of the variables");
}

static void before_get(Instance* instance) {
    if (instance->skin.mode & (instantiated | initialization | event | step))
        model_calculate(&instance->model);
}

static fmi3Status get(Instance* instance, Kind kind, size_t size, const fmi3ValueReference references[],
                      size_t n, void* values, size_t value_count) {
    Walk walk = {instance, kind, false, value_count};
    size_t count;
    before_get(instance);
    for (char* to = values; n > 0; --n, ++references, to += count * size) {
        const void* from = next_place(&walk, *references, &count);
        if (!from)
            return fmi3Error;
        memcpy(to, from, count * size);
    }
    return done(&walk);
}

static fmi3Status set(Instance* instance, Kind kind, size_t size, const fmi3ValueReference references[],
                      size_t n, const void* values, size_t value_count) {
    Walk walk = {instance, kind, true, value_count};
    size_t count;
    for (const char* from = values; n > 0; --n, ++references, from += count * size) {
        void* to = next_place(&walk, *references, &count);
        if (!to)
            return fmi3Error;
        memcpy(to, from, count * size);
    }
    return done(&walk);
}

typedef const fmi3ValueReference References[];

fmi3Status fmi3GetFloat32(fmi3Instance c, References r, size_t n, fmi3Float32 v[], size_t count) {
    return get(c, kind_float32, sizeof *v, r, n, v, count);
}
fmi3Status fmi3GetFloat64(fmi3Instance c, References r, size_t n, fmi3Float64 v[], size_t count) {
    return get(c, kind_float64, sizeof *v, r, n, v, count);
}
fmi3Status fmi3GetInt8(fmi3Instance c, References r, size_t n, fmi3Int8 v[], size_t count) {
    return get(c, kind_int8, sizeof *v, r, n, v, count);
}
fmi3Status fmi3GetUInt8(fmi3Instance c, References r, size_t n, fmi3UInt8 v[], size_t count) {
    return get(c, kind_uint8, sizeof *v, r, n, v, count);
}
fmi3Status fmi3GetInt16(fmi3Instance c, References r, size_t n, fmi3Int16 v[], size_t count) {
    return get(c, kind_int16, sizeof *v, r, n, v, count);
}
fmi3Status fmi3GetUInt16(fmi3Instance c, References r, size_t n, fmi3UInt16 v[], size_t count) {
    return get(c, kind_uint16, sizeof *v, r, n, v, count);
}
fmi3Status fmi3GetInt32(fmi3Instance c, References r, size_t n, fmi3Int32 v[], size_t count) {
    return get(c, kind_int32, sizeof *v, r, n, v, count);
}
fmi3Status fmi3GetUInt32(fmi3Instance c, References r, size_t n, fmi3UInt32 v[], size_t count) {
    return get(c, kind_uint32, sizeof *v, r, n, v, count);
}
fmi3Status fmi3GetInt64(fmi3Instance c, References r, size_t n, fmi3Int64 v[], size_t count) {
    return get(c, kind_int64, sizeof *v, r, n, v, count);
}
fmi3Status fmi3GetUInt64(fmi3Instance c, References r, size_t n, fmi3UInt64 v[], size_t count) {
    return get(c, kind_uint64, sizeof *v, r, n, v, count);
}
fmi3Status fmi3GetBoolean(fmi3Instance c, References r, size_t n, fmi3Boolean v[], size_t count) {
    return get(c, kind_boolean, sizeof *v, r, n, v, count);
}
fmi3Status fmi3GetClock(fmi3Instance c, References r, size_t n, fmi3Clock v[]) {
    return legal(c, "fmi3GetClock", event) ? get(c, kind_clock, sizeof *v, r, n, v, n) : fmi3Error;
}

fmi3Status fmi3SetFloat32(fmi3Instance c, References r, size_t n, const fmi3Float32 v[], size_t count) {
    return set(c, kind_float32, sizeof *v, r, n, v, count);
}
fmi3Status fmi3SetFloat64(fmi3Instance c, References r, size_t n, const fmi3Float64 v[], size_t count) {
    return set(c, kind_float64, sizeof *v, r, n, v, count);
}
fmi3Status fmi3SetInt8(fmi3Instance c, References r, size_t n, const fmi3Int8 v[], size_t count) {
    return set(c, kind_int8, sizeof *v, r, n, v, count);
}
fmi3Status fmi3SetUInt8(fmi3Instance c, References r, size_t n, const fmi3UInt8 v[], size_t count) {
    return set(c, kind_uint8, sizeof *v, r, n, v, count);
}
fmi3Status fmi3SetInt16(fmi3Instance c, References r, size_t n, const fmi3Int16 v[], size_t count) {
    return set(c, kind_int16, sizeof *v, r, n, v, count);
}
fmi3Status fmi3SetUInt16(fmi3Instance c, References r, size_t n, const fmi3UInt16 v[], size_t count) {
    return set(c, kind_uint16, sizeof *v, r, n, v, count);
}
fmi3Status fmi3SetInt32(fmi3Instance c, References r, size_t n, const fmi3Int32 v[], size_t count) {
    return set(c, kind_int32, sizeof *v, r, n, v, count);
}
fmi3Status fmi3SetUInt32(fmi3Instance c, References r, size_t n, const fmi3UInt32 v[], size_t count) {
    return set(c, kind_uint32, sizeof *v, r, n, v, count);
}
fmi3Status fmi3SetInt64(fmi3Instance c, References r, size_t n, const fmi3Int64 v[], size_t count) {
    return set(c, kind_int64, sizeof *v, r, n, v, count);
}
fmi3Status fmi3SetUInt64(fmi3Instance c, References r, size_t n, const fmi3UInt64 v[], size_t count) {
    return set(c, kind_uint64, sizeof *v, r, n, v, count);
}
fmi3Status fmi3SetBoolean(fmi3Instance c, References r, size_t n, const fmi3Boolean v[], size_t count) {
    return set(c, kind_boolean, sizeof *v, r, n, v, count);
}
fmi3Status fmi3SetClock(fmi3Instance c, References r, size_t n, const fmi3Clock v[]) {
    return set(c, kind_clock, sizeof *v, r, n, v, n);
}

fmi3Status fmi3GetString(fmi3Instance c, References r, size_t n, fmi3String v[], size_t value_count) {
    Walk walk = {c, kind_string, false, value_count};
    size_t count;
    before_get(c);
    for (size_t i = 0; i < n; ++i) {
        const Text* from = next_place(&walk, r[i], &count);
        if (!from)
            return fmi3Error;
        for (size_t j = 0; j < count; ++j)
            *v++ = from[j].bytes;
    }
    return done(&walk);
}
fmi3Status fmi3SetString(fmi3Instance c, References r, size_t n, const fmi3String v[], size_t value_count) {
    Walk walk = {c, kind_string, true, value_count};
    size_t count;
    for (size_t i = 0; i < n; ++i) {
        Text* to = next_place(&walk, r[i], &count);
        if (!to)
            return fmi3Error;
        for (size_t j = 0; j < count; ++j, ++v)
            model_text(&to[j], *v, strlen(*v));
    }
    return done(&walk);
}
fmi3Status fmi3GetBinary(fmi3Instance c, References r, size_t n, size_t sizes[], fmi3Binary v[],
                         size_t value_count) {
    Walk walk = {c, kind_binary, false, value_count};
    size_t count;
    before_get(c);
    for (size_t i = 0; i < n; ++i) {
        const Text* from = next_place(&walk, r[i], &count);
        if (!from)
            return fmi3Error;
        for (size_t j = 0; j < count; ++j) {
            *sizes++ = from[j].size;
            *v++ = (fmi3Binary)from[j].bytes;
        }
    }
    return done(&walk);
}
fmi3Status fmi3SetBinary(fmi3Instance c, References r, size_t n, const size_t sizes[], const fmi3Binary v[],
                         size_t value_count) {
    Walk walk = {c, kind_binary, true, value_count};
    size_t count;
    for (size_t i = 0; i < n; ++i) {
        Text* to = next_place(&walk, r[i], &count);
        if (!to)
            return fmi3Error;
        for (size_t j = 0; j < count; ++j)
            model_text(&to[j], (const char*)*v++, *sizes++);
    }
    return done(&walk);
}

fmi3Status fmi3GetFMUState(fmi3Instance c, fmi3FMUState* state) {
    Instance* instance = c;
    if (!legal(instance, "fmi3GetFMUState", outside_of_callbacks))
        return fmi3Error;
    if (instance->model.stateless)
        return fail(instance, "the state cannot be saved");
    instance->model.saved = true;
    *state = state_save(*state, &instance->model, &instance->skin, sizeof instance->skin);
    return *state ? fmi3OK : fail(instance, "no memory for a state");
}
fmi3Status fmi3SetFMUState(fmi3Instance c, fmi3FMUState state) {
    Instance* instance = c;
    if (!legal(instance, "fmi3SetFMUState", outside_of_callbacks))
        return fmi3Error;
    if (!state)
        return fail(instance, "there is no state");
    state_restore(state, &instance->model, &instance->skin, sizeof instance->skin);
    return fmi3OK;
}
fmi3Status fmi3FreeFMUState(fmi3Instance c, fmi3FMUState* state) {
    if (!legal(c, "fmi3FreeFMUState", outside_of_callbacks))
        return fmi3Error;
    free(*state);
    *state = NULL;
    return fmi3OK;
}
fmi3Status fmi3SerializedFMUStateSize(fmi3Instance c, fmi3FMUState state, size_t* size) {
    *size = state_size(sizeof(Skin));
    return state ? fmi3OK : fail(c, "there is no state");
}
fmi3Status fmi3SerializeFMUState(fmi3Instance c, fmi3FMUState state, fmi3Byte bytes[], size_t size) {
    if (!state || size != state_size(sizeof(Skin)))
        return fail(c, "there is no state, or no room for it");
    memcpy(bytes, state, size);
    return fmi3OK;
}
fmi3Status fmi3DeserializeFMUState(fmi3Instance c, const fmi3Byte bytes[], size_t size, fmi3FMUState* state) {
    if (!state_is_mine(bytes, size, sizeof(Skin)))
        return fail(c, "the bytes are not a state of this FMU");
    if (!*state)
        *state = malloc(size);
    memcpy(*state, bytes, size);
    return fmi3OK;
}

/* to += partial derivative times from, over all elements of all unknowns and knowns; transposed for the adjoint. */
static fmi3Status derivative(Instance* instance, References unknowns, size_t unknown_count, References knowns,
                             size_t known_count, const double* seed, size_t seed_count, double* result,
                             size_t result_count, bool adjoint) {
    if (!legal(instance, "the derivative", initialization | event | step | terminated))
        return fmi3Error;
    model_calculate(&instance->model);
    for (size_t i = 0; i < result_count; ++i)
        result[i] = 0;
    size_t row = 0, column = 0;
    for (size_t u = 0; u < unknown_count; ++u) {
        const Variable* unknown = model_variable(unknowns[u]);
        for (size_t i = 0; unknown && i < model_count(&instance->model, unknown); ++i, ++row) {
            column = 0;
            for (size_t k = 0; k < known_count; ++k) {
                const Variable* known = model_variable(knowns[k]);
                for (size_t j = 0; known && j < model_count(&instance->model, known); ++j, ++column) {
                    if (!model_type.partial || (adjoint ? column : row) >= result_count ||
                        (adjoint ? row : column) >= seed_count)
                        return fail(instance, "no such derivative");
                    result[adjoint ? column : row] +=
                        seed[adjoint ? row : column] *
                        model_type.partial(&instance->model, unknown, i, known, j);
                }
            }
        }
    }
    const bool fits =
        row == (adjoint ? seed_count : result_count) && column == (adjoint ? result_count : seed_count);
    return fits ? fmi3OK : fail(instance, "the number of values is not that of the variables");
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance c, References unknowns, size_t unknown_count,
                                        References knowns, size_t known_count, const fmi3Float64 seed[],
                                        size_t seed_count, fmi3Float64 sensitivity[],
                                        size_t sensitivity_count) {
    return derivative(c, unknowns, unknown_count, knowns, known_count, seed, seed_count, sensitivity,
                      sensitivity_count, false);
}
fmi3Status fmi3GetAdjointDerivative(fmi3Instance c, References unknowns, size_t unknown_count,
                                    References knowns, size_t known_count, const fmi3Float64 seed[],
                                    size_t seed_count, fmi3Float64 sensitivity[], size_t sensitivity_count) {
    return derivative(c, unknowns, unknown_count, knowns, known_count, seed, seed_count, sensitivity,
                      sensitivity_count, true);
}
