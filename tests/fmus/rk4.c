/* k1 = f(t, x), k2 = f(t + h/2, x + h/2 k1), k3 = f(t + h/2, x + h/2 k2), k4 = f(t + h, x + h k3),
   x(t + h) = x + h/6 (k1 + 2 k2 + 2 k3 + k4). */

#include "model.h"

#include <math.h>

enum { most_states = 16 };

static void at(Model* model, double time, Rate* rate, const double* x, double* k) {
    model->inputs_at(model, time);
    rate(model, x, k);
}

static void one_step(Model* model, double t, double h, double* x, size_t n, Rate* rate) {
    double k[4][most_states], y[most_states];
    at(model, t, rate, x, k[0]);
    for (int stage = 1; stage < 4; ++stage) {
        const double part = stage == 3 ? h : h / 2;
        for (size_t i = 0; i < n; ++i)
            y[i] = x[i] + part * k[stage - 1][i];
        at(model, t + part, rate, y, k[stage]);
    }
    for (size_t i = 0; i < n; ++i)
        x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

Outcome rk4(Model* model, double end, double step, double* x, size_t n, Rate* rate) {
    double* time = model_time(model);
    while (*time < end && !same_time(*time, end)) {
        const double t = *time, left = end - t;
        const double h = left / fmax(1, ceil(left / step - 1e-6));
        one_step(model, t, h, x, n, rate);
        *time = same_time(t + h, end) ? end : t + h;
        model_calculate(model);
        end = model->finished(model, *time, end);
    }
    return outcome_ok;
}
