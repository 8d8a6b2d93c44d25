/* y = u, in a library that follows the pointer when a NULL is to be freed, as many in the field do. */

#include "model.h"

typedef struct {
    double time, u, y;
} Values;

static const Variable variables[] = {
    {0, kind_float64, role_result, offsetof(Values, time), 1, 0, 0},
    {1, kind_float64, role_input, offsetof(Values, u), 1, 0, 0},
    {2, kind_float64, role_result, offsetof(Values, y), 1, 0, 0},
};

static void calculate(Model* model) {
    Values* v = model->values;
    v->y = v->u;
}

static Outcome step(Model* model, double end) {
    Values* v = model->values;
    v->time = end;
    return outcome_ok;
}

const ModelType model_type = {.name = "brittle",
                              .size = sizeof(Values),
                              .variables = variables,
                              .variable_count = sizeof variables / sizeof *variables,
                              .start = calculate,
                              .step = step,
                              .calculate = calculate,
                              .dies_of_null = true};
