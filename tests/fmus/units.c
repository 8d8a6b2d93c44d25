/* Each output is its input; what matters are the units that the description gives them. */

#include "model.h"

enum { pairs = 8 };

typedef struct {
    double time, in[pairs], out[pairs];
} Values;

static const Variable variables[] = {
    {0, kind_float64, role_result, offsetof(Values, time), 1, 0, 0},
    {1, kind_float64, role_input, offsetof(Values, in[0]), 1, 0, 0},
    {2, kind_float64, role_input, offsetof(Values, in[1]), 1, 0, 0},
    {3, kind_float64, role_input, offsetof(Values, in[2]), 1, 0, 0},
    {4, kind_float64, role_input, offsetof(Values, in[3]), 1, 0, 0},
    {5, kind_float64, role_input, offsetof(Values, in[4]), 1, 0, 0},
    {6, kind_float64, role_input, offsetof(Values, in[5]), 1, 0, 0},
    {7, kind_float64, role_input, offsetof(Values, in[6]), 1, 0, 0},
    {8, kind_float64, role_input, offsetof(Values, in[7]), 1, 0, 0},
    {11, kind_float64, role_result, offsetof(Values, out[0]), 1, 0, 0},
    {12, kind_float64, role_result, offsetof(Values, out[1]), 1, 0, 0},
    {13, kind_float64, role_result, offsetof(Values, out[2]), 1, 0, 0},
    {14, kind_float64, role_result, offsetof(Values, out[3]), 1, 0, 0},
    {15, kind_float64, role_result, offsetof(Values, out[4]), 1, 0, 0},
    {16, kind_float64, role_result, offsetof(Values, out[5]), 1, 0, 0},
    {17, kind_float64, role_result, offsetof(Values, out[6]), 1, 0, 0},
    {18, kind_float64, role_result, offsetof(Values, out[7]), 1, 0, 0},
};

static void start(Model* model) { (void)model; }

static void calculate(Model* model) {
    Values* v = model->values;
    for (int i = 0; i < pairs; ++i)
        v->out[i] = v->in[i];
}

static Outcome step(Model* model, double end) {
    *model_time(model) = end;
    return outcome_ok;
}

const ModelType model_type = {.name = "units",
                              .size = sizeof(Values),
                              .variables = variables,
                              .variable_count = sizeof variables / sizeof *variables,
                              .start = start,
                              .step = step,
                              .calculate = calculate};
