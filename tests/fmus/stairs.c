/* A counter that rises by one at each multiple of `interval`: time events. */

#include "model.h"

typedef struct {
    double time, interval;
    int32_t counter;
} Values;

static const Variable variables[] = {
    {0, kind_float64, role_result, offsetof(Values, time), 1, 0, 0},
    {1, kind_float64, role_start, offsetof(Values, interval), 1, 0, 0},
    {2, kind_int32, role_result, offsetof(Values, counter), 1, 0, 0},
};

static void start(Model* model) {
    Values* v = model->values;
    v->interval = 1;
    v->counter = 1;
}

static double next_event(const Model* model) {
    const Values* v = model->values;
    return v->counter * v->interval;
}

static void event(Model* model) {
    Values* v = model->values;
    do
        v->counter += 1;
    while (next_event(model) < v->time);
}

static Outcome step(Model* model, double end) {
    *model_time(model) = end;
    return outcome_ok;
}

const ModelType model_type = {.name = "stairs",
                              .size = sizeof(Values),
                              .variables = variables,
                              .variable_count = sizeof variables / sizeof *variables,
                              .start = start,
                              .step = step,
                              .next_event = next_event,
                              .event = event};
