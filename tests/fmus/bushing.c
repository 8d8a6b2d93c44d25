/* A spring and a damper between a port and a point of the world: takes motion, gives the efforts that make the port move so. Its port
   has no mass, so that what is exerted on it from outside is what the spring holds against:
       f_0 = k (r_0 - anchor) + d v_0,   t_0 = c n sin(phi)
   for a port that is turned by phi about n. */

#include "model.h"

enum { n_r_0 = 1, n_R, n_v_0, n_w_0, n_f_0, n_t_0, n_stiffness, n_damping, n_anchor, n_torsion };

typedef struct {
    double time, r_0[3], R[9], v_0[3], w_0[3], f_0[3], t_0[3], stiffness, damping, anchor[3], torsion;
} Values;

static const Variable variables[] = {
    {0, kind_float64, role_result, offsetof(Values, time), 1, 0, 0},
    {n_r_0, kind_float64, role_input, offsetof(Values, r_0), 3, 0, 0},
    {n_R, kind_float64, role_input, offsetof(Values, R), 9, 0, 0},
    {n_v_0, kind_float64, role_input, offsetof(Values, v_0), 3, 0, 0},
    {n_w_0, kind_float64, role_input, offsetof(Values, w_0), 3, 0, 0},
    {n_f_0, kind_float64, role_result, offsetof(Values, f_0), 3, 0, 0},
    {n_t_0, kind_float64, role_result, offsetof(Values, t_0), 3, 0, 0},
    {n_stiffness, kind_float64, role_start, offsetof(Values, stiffness), 1, 0, 0},
    {n_damping, kind_float64, role_start, offsetof(Values, damping), 1, 0, 0},
    {n_anchor, kind_float64, role_start, offsetof(Values, anchor), 3, 0, 0},
    {n_torsion, kind_float64, role_start, offsetof(Values, torsion), 1, 0, 0},
};

static void start(Model* model) {
    Values* v = model->values;
    v->R[0] = v->R[4] = v->R[8] = 1;
    v->stiffness = 1000;
    v->damping = 10;
}

static void calculate(Model* model) {
    Values* v = model->values;
    for (int i = 0; i < 3; ++i)
        v->f_0[i] = v->stiffness * (v->r_0[i] - v->anchor[i]) + v->damping * v->v_0[i];
    const double twice[3] = {v->R[7] - v->R[5], v->R[2] - v->R[6], v->R[3] - v->R[1]}; /* 2 n sin(phi) */
    for (int i = 0; i < 3; ++i)
        v->t_0[i] = v->torsion * twice[i] / 2;
}

static Outcome step(Model* model, double end) {
    *model_time(model) = end;
    return outcome_ok;
}

const ModelType model_type = {.name = "bushing",
                              .size = sizeof(Values),
                              .variables = variables,
                              .variable_count = sizeof variables / sizeof *variables,
                              .start = start,
                              .step = step,
                              .calculate = calculate};
