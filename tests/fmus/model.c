/* What both skins need of a model. */

#include "model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double* model_time(const Model* model) { return model->values; }

bool same_time(double a, double b) { return fabs(a - b) <= 1e-9 * fmax(1, fmin(fabs(a), fabs(b))); }

const Variable* model_variable(uint32_t reference) {
    for (size_t i = 0; i < model_type.variable_count; ++i)
        if (model_type.variables[i].reference == reference)
            return &model_type.variables[i];
    return NULL;
}

void* model_place(const Model* model, const Variable* variable) {
    return (char*)model->values + variable->offset;
}

static size_t size_of(const Model* model, uint32_t reference) {
    return reference == 0 ? 1 : (size_t) * (const uint64_t*)model_place(model, model_variable(reference));
}

size_t model_count(const Model* model, const Variable* variable) {
    return variable->rows == 0 ? variable->count
                               : size_of(model, variable->rows) * size_of(model, variable->columns);
}

void model_text(Text* text, const char* bytes, size_t size) {
    text->size = size < sizeof text->bytes ? size : sizeof text->bytes - 1;
    if (text->size > 0)
        memcpy(text->bytes, bytes, text->size);
    text->bytes[text->size] = 0;
}

void model_reset(Model* model) {
    memset(model->values, 0, model_type.size);
    model->terminate = false;
    model_type.start(model);
}

/* The token is {name} or {name/variant}. */
bool model_create(Model* model, const char* token) {
    const size_t length = strlen(model_type.name);
    if (!token || token[0] != '{' || strncmp(token + 1, model_type.name, length) != 0 ||
        (token[length + 1] != '}' && token[length + 1] != '/')) {
        model->log(model, outcome_error, "logStatusError", "the token is not that of this library");
        return false;
    }
    const char* variant = token[length + 1] == '/' ? token + length + 2 : "}";
    char* copy = calloc(1, strlen(variant) + 1);
    model->values = calloc(1, model_type.size);
    if (!copy || !model->values)
        return false;
    memcpy(copy, variant, strcspn(variant, "}"));
    model->variant = copy;
    model_reset(model);
    return !model_type.create || model_type.create(model);
}

void model_destroy(Model* model) {
    if (model_type.destroy && model->values)
        model_type.destroy(model);
    free(model->values);
    free((char*)model->variant);
    free((char*)model->resources);
}

void model_calculate(Model* model) {
    if (model_type.calculate)
        model_type.calculate(model);
}

Progress model_advance(Model* model, double end, bool event_mode, bool may_return_early) {
    Progress progress = {outcome_ok, false, false};
    for (;;) {
        const double event = model_type.next_event ? model_type.next_event(model) : INFINITY;
        const bool event_first = event < end || same_time(event, end);
        const double target = event_first && !same_time(event, end) ? event : end;
        progress.outcome = model_type.step(model, target);
        model_calculate(model);
        const bool there = same_time(*model_time(model), target);
        if (progress.outcome > outcome_warning || model->terminate || !there) {
            progress.early = !there;
            return progress;
        }
        if (!event_first)
            return progress;
        progress.event = event_mode;
        progress.early = target < end && event_mode && may_return_early;
        if (event_mode && (progress.early || target >= end))
            return progress;
        model_type.event(model);
        model_calculate(model);
    }
}

struct State {
    char tag[16]; /* the model's name */
    uint64_t size;
};

size_t state_size(size_t skin_size) { return sizeof(State) + skin_size + model_type.size; }

State* state_save(State* old, const Model* model, const void* skin, size_t skin_size) {
    State* state = old ? old : calloc(1, state_size(skin_size));
    if (!state)
        return NULL;
    strncpy(state->tag, model_type.name, sizeof state->tag - 1);
    state->size = state_size(skin_size);
    memcpy(state + 1, skin, skin_size);
    memcpy((char*)(state + 1) + skin_size, model->values, model_type.size);
    return state;
}

void state_restore(const State* state, Model* model, void* skin, size_t skin_size) {
    memcpy(skin, state + 1, skin_size);
    memcpy(model->values, (const char*)(state + 1) + skin_size, model_type.size);
}

bool state_is_mine(const void* bytes, size_t size, size_t skin_size) {
    State state;
    if (!bytes || size != state_size(skin_size))
        return false;
    memcpy(&state, bytes, sizeof state);
    return state.size == size && strncmp(state.tag, model_type.name, sizeof state.tag - 1) == 0;
}
