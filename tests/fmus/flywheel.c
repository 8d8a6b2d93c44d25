/* A flywheel on a shaft that is seen from outside as a flange: J phi'' = tau - d phi'. */

#include "model.h"

enum { n_phi = 1, n_w, n_tau, n_al, n_work, n_inertia, n_damping };

typedef struct {
    double time, x[3] /* phi, w, work */, tau, al, inertia, damping;
} Values;

static const Variable variables[] = {
    {0, kind_float64, role_result, offsetof(Values, time), 1, 0, 0},
    {n_phi, kind_float64, role_start, offsetof(Values, x[0]), 1, 0, 0},
    {n_w, kind_float64, role_start, offsetof(Values, x[1]), 1, 0, 0},
    {n_tau, kind_float64, role_input, offsetof(Values, tau), 1, 0, 0},
    {n_al, kind_float64, role_result, offsetof(Values, al), 1, 0, 0},
    {n_work, kind_float64, role_result, offsetof(Values, x[2]), 1, 0, 0},
    {n_inertia, kind_float64, role_start, offsetof(Values, inertia), 1, 0, 0},
    {n_damping, kind_float64, role_start, offsetof(Values, damping), 1, 0, 0},
};

static void start(Model* model) {
    Values* v = model->values;
    v->inertia = 1;
}

static void rate(Model* model, const double* x, double* x_dot) {
    const Values* v = model->values;
    x_dot[0] = x[1];
    x_dot[1] = (v->tau - v->damping * x[1]) / v->inertia;
    x_dot[2] = v->tau * x[1];
}

static void calculate(Model* model) {
    Values* v = model->values;
    double x_dot[3];
    rate(model, v->x, x_dot);
    v->al = x_dot[1];
}

static Outcome step(Model* model, double end) {
    Values* v = model->values;
    if (!(v->inertia > 0)) {
        model->log(model, outcome_error, "logStatusError", "the inertia must be positive");
        return outcome_error;
    }
    return rk4(model, end, 2.5e-3, v->x, 3, rate);
}

/* What is not the acceleration is a state, and depends on itself alone. */
static double partial(const Model* model, const Variable* unknown, size_t i, const Variable* known,
                      size_t j) {
    const Values* v = model->values;
    (void)i;
    (void)j;
    if (unknown->reference != n_al)
        return unknown == known;
    switch (known->reference) {
    case n_w:
        return -v->damping / v->inertia;
    case n_tau:
        return 1 / v->inertia;
    case n_inertia:
        return -v->al / v->inertia;
    case n_damping:
        return -v->x[1] / v->inertia;
    default:
        return 0;
    }
}

const ModelType model_type = {.name = "flywheel",
                              .size = sizeof(Values),
                              .variables = variables,
                              .variable_count = sizeof variables / sizeof *variables,
                              .start = start,
                              .step = step,
                              .calculate = calculate,
                              .partial = partial};
