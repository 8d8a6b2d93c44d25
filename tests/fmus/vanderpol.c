/* Van der Pol's oscillator with a forcing input: x0' = x1, x1' = mu (1 - x0^2) x1 - x0 + u. */

#include "model.h"

enum { n_x0 = 1, n_x1, n_der_x0, n_der_x1, n_mu, n_u };

typedef struct {
    double time, x[2], x_dot[2], mu, u;
} Values;

static const Variable variables[] = {
    {0, kind_float64, role_result, offsetof(Values, time), 1, 0, 0},
    {n_x0, kind_float64, role_start, offsetof(Values, x[0]), 1, 0, 0},
    {n_x1, kind_float64, role_start, offsetof(Values, x[1]), 1, 0, 0},
    {n_der_x0, kind_float64, role_result, offsetof(Values, x_dot[0]), 1, 0, 0},
    {n_der_x1, kind_float64, role_result, offsetof(Values, x_dot[1]), 1, 0, 0},
    {n_mu, kind_float64, role_tunable, offsetof(Values, mu), 1, 0, 0},
    {n_u, kind_float64, role_input, offsetof(Values, u), 1, 0, 0},
};

static void start(Model* model) {
    Values* v = model->values;
    v->x[0] = 2;
    v->mu = 1;
}

static void rate(Model* model, const double* x, double* x_dot) {
    const Values* v = model->values;
    x_dot[0] = x[1];
    x_dot[1] = v->mu * (1 - x[0] * x[0]) * x[1] - x[0] + v->u;
}

static void calculate(Model* model) {
    Values* v = model->values;
    rate(model, v->x, v->x_dot);
}

static Outcome step(Model* model, double end) {
    Values* v = model->values;
    return rk4(model, end, 0.01, v->x, 2, rate);
}

static double partial(const Model* model, const Variable* unknown, size_t i, const Variable* known,
                      size_t j) {
    const Values* v = model->values;
    (void)i;
    (void)j;
    if (unknown->reference == n_der_x0)
        return known->reference == n_x1;
    if (unknown->reference != n_der_x1)
        return unknown == known;
    switch (known->reference) {
    case n_x0:
        return -2 * v->mu * v->x[0] * v->x[1] - 1;
    case n_x1:
        return v->mu * (1 - v->x[0] * v->x[0]);
    case n_mu:
        return (1 - v->x[0] * v->x[0]) * v->x[1];
    default:
        return known->reference == n_u;
    }
}

const ModelType model_type = {.name = "vanderpol",
                              .size = sizeof(Values),
                              .variables = variables,
                              .variable_count = sizeof variables / sizeof *variables,
                              .start = start,
                              .step = step,
                              .calculate = calculate,
                              .partial = partial};
