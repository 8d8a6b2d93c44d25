/* x' = A x + B u, y = C x + D u, with m inputs, n states and r outputs; row major, in sizes that can be configured. */

#include "model.h"

enum { most = 4 };
enum { n_m = 1, n_n, n_r, n_A, n_B, n_C, n_D, n_x0, n_u, n_x, n_der_x, n_y };

typedef struct {
    double time;
    uint64_t m, n, r;
    double A[most * most], B[most * most], C[most * most], D[most * most];
    double x0[most], u[most], x[most], x_dot[most], y[most];
    bool started; /* until then the states are their start values */
} Values;

static const Variable variables[] = {
    {0, kind_float64, role_result, offsetof(Values, time), 1, 0, 0},
    {n_m, kind_uint64, role_structural, offsetof(Values, m), 1, 0, 0},
    {n_n, kind_uint64, role_structural, offsetof(Values, n), 1, 0, 0},
    {n_r, kind_uint64, role_structural, offsetof(Values, r), 1, 0, 0},
    {n_A, kind_float64, role_start, offsetof(Values, A), most* most, n_n, n_n},
    {n_B, kind_float64, role_start, offsetof(Values, B), most* most, n_n, n_m},
    {n_C, kind_float64, role_start, offsetof(Values, C), most* most, n_r, n_n},
    {n_D, kind_float64, role_start, offsetof(Values, D), most* most, n_r, n_m},
    {n_x0, kind_float64, role_start, offsetof(Values, x0), most, n_n, 0},
    {n_u, kind_float64, role_input, offsetof(Values, u), most, n_m, 0},
    {n_x, kind_float64, role_result, offsetof(Values, x), most, n_n, 0},
    {n_der_x, kind_float64, role_result, offsetof(Values, x_dot), most, n_n, 0},
    {n_y, kind_float64, role_result, offsetof(Values, y), most, n_r, 0},
};

/* A rotates the states by one radian a second; y = x, u moves x, nothing goes through at once. */
static void start(Model* model) {
    Values* v = model->values;
    v->m = v->n = v->r = 2;
    v->A[1] = 1;
    v->A[2] = -1;
    v->B[0] = v->B[3] = 1;
    v->C[0] = v->C[3] = 1;
    v->x0[0] = 1;
}

/* New sizes: all arrays have to be set again; they are zero until then. */
static void configured(Model* model) {
    Values* v = model->values;
    const Values sizes = {.time = v->time, .m = v->m, .n = v->n, .r = v->r};
    *v = sizes;
}

static void add_product(size_t rows, size_t columns, const double* matrix, const double* x, double* y) {
    for (size_t i = 0; i < rows; ++i)
        for (size_t j = 0; j < columns; ++j)
            y[i] += matrix[i * columns + j] * x[j];
}

static void rate(Model* model, const double* x, double* x_dot) {
    const Values* v = model->values;
    for (size_t i = 0; i < v->n; ++i)
        x_dot[i] = 0;
    add_product(v->n, v->n, v->A, x, x_dot);
    add_product(v->n, v->m, v->B, v->u, x_dot);
}

static void calculate(Model* model) {
    Values* v = model->values;
    for (size_t i = 0; i < v->n && !v->started; ++i)
        v->x[i] = v->x0[i];
    for (size_t i = 0; i < v->r; ++i)
        v->y[i] = 0;
    add_product(v->r, v->n, v->C, v->x, v->y);
    add_product(v->r, v->m, v->D, v->u, v->y);
    rate(model, v->x, v->x_dot);
}

static Outcome step(Model* model, double end) {
    Values* v = model->values;
    calculate(model);
    v->started = true;
    return rk4(model, end, 0.01, v->x, v->n, rate);
}

static double partial(const Model* model, const Variable* unknown, size_t i, const Variable* known,
                      size_t j) {
    const Values* v = model->values;
    const bool state = known->reference == n_x, input = known->reference == n_u;
    if (unknown->reference == n_y)
        return state ? v->C[i * v->n + j] : input ? v->D[i * v->m + j] : 0;
    if (unknown->reference == n_der_x)
        return state ? v->A[i * v->n + j] : input ? v->B[i * v->m + j] : 0;
    return unknown == known && i == j;
}

const ModelType model_type = {.name = "statespace",
                              .size = sizeof(Values),
                              .variables = variables,
                              .variable_count = sizeof variables / sizeof *variables,
                              .start = start,
                              .step = step,
                              .configured = configured,
                              .calculate = calculate,
                              .partial = partial};
