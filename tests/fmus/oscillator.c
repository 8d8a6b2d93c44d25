/* A mass on a spring and a damper, pulled by a force: m a = F - k x - d v. */

#include "model.h"

enum { n_x = 1, n_v, n_a, n_force, n_m, n_k, n_d };

typedef struct {
    double time, state[2], a, force, m, k, d;
} Values;

static const Variable variables[] = {
    {0, kind_float64, role_result, offsetof(Values, time), 1, 0, 0},
    {n_x, kind_float64, role_start, offsetof(Values, state[0]), 1, 0, 0},
    {n_v, kind_float64, role_start, offsetof(Values, state[1]), 1, 0, 0},
    {n_a, kind_float64, role_result, offsetof(Values, a), 1, 0, 0},
    {n_force, kind_float64, role_input, offsetof(Values, force), 1, 0, 0},
    {n_m, kind_float64, role_start, offsetof(Values, m), 1, 0, 0},
    {n_k, kind_float64, role_tunable, offsetof(Values, k), 1, 0, 0},
    {n_d, kind_float64, role_tunable, offsetof(Values, d), 1, 0, 0},
};

static void start(Model* model) {
    Values* v = model->values;
    v->state[0] = 1;
    v->m = 1;
    v->k = 10;
}

static void rate(Model* model, const double* x, double* x_dot) {
    const Values* v = model->values;
    x_dot[0] = x[1];
    x_dot[1] = (v->force - v->k * x[0] - v->d * x[1]) / v->m;
}

static void calculate(Model* model) {
    Values* v = model->values;
    double x_dot[2];
    rate(model, v->state, x_dot);
    v->a = x_dot[1];
}

static Outcome step(Model* model, double end) {
    Values* v = model->values;
    return rk4(model, end, 0.001, v->state, 2, rate);
}

/* What is not the acceleration is a state, and depends on itself alone. */
static double partial(const Model* model, const Variable* unknown, size_t i, const Variable* known,
                      size_t j) {
    const Values* v = model->values;
    (void)i;
    (void)j;
    if (unknown->reference != n_a)
        return unknown == known;
    switch (known->reference) {
    case n_x:
        return -v->k / v->m;
    case n_v:
        return -v->d / v->m;
    case n_force:
        return 1 / v->m;
    default:
        return 0;
    }
}

/* Of first order, under the force that acts now. */
static double output_rate(const Model* model, const Variable* output, int order) {
    const Values* v = model->values;
    if (order > 1)
        return 0;
    switch (output->reference) {
    case n_x:
        return v->state[1];
    case n_v:
        return v->a;
    default:
        return (-v->k * v->state[1] - v->d * v->a) / v->m;
    }
}

const ModelType model_type = {.name = "oscillator",
                              .size = sizeof(Values),
                              .variables = variables,
                              .variable_count = sizeof variables / sizeof *variables,
                              .start = start,
                              .step = step,
                              .calculate = calculate,
                              .partial = partial,
                              .rate = output_rate};
