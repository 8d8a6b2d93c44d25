/* y = k u + b, at once: for algebraic loops. */

#include "model.h"

enum { n_u = 1, n_y, n_k, n_b };

typedef struct {
    double time, u, y, k, b;
} Values;

static const Variable variables[] = {
    {0, kind_float64, role_result, offsetof(Values, time), 1, 0, 0},
    {n_u, kind_float64, role_input, offsetof(Values, u), 1, 0, 0},
    {n_y, kind_float64, role_result, offsetof(Values, y), 1, 0, 0},
    {n_k, kind_float64, role_tunable, offsetof(Values, k), 1, 0, 0},
    {n_b, kind_float64, role_tunable, offsetof(Values, b), 1, 0, 0},
};

static void start(Model* model) {
    Values* v = model->values;
    v->k = 2;
}

static void calculate(Model* model) {
    Values* v = model->values;
    v->y = v->k * v->u + v->b;
}

static Outcome step(Model* model, double end) {
    *model_time(model) = end;
    return outcome_ok;
}

static double partial(const Model* model, const Variable* unknown, size_t i, const Variable* known,
                      size_t j) {
    const Values* v = model->values;
    (void)i;
    (void)j;
    if (unknown->reference != n_y)
        return unknown == known;
    return known->reference == n_u ? v->k : known->reference == n_k ? v->u : known->reference == n_b;
}

const ModelType model_type = {.name = "gain",
                              .size = sizeof(Values),
                              .variables = variables,
                              .variable_count = sizeof variables / sizeof *variables,
                              .start = start,
                              .step = step,
                              .calculate = calculate,
                              .partial = partial};
