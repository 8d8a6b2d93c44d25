/* A rigid body with one port, and nothing of Tenon in it: how a part looks that others can glue (docs/gluing.md).

   The state is that of the centre of mass, in the body's own world O: r, the quaternion q (body to O), v, and w in body axes.
       r' = v,   q' = q (0, w) / 2,   m v' = m g + f,   I w' = t + s x f - w x I w
   with force f and torque t at the port, which is s away from the centre of mass (body axes). Outside there is one world W for
   all: p_W = world_r + world_R p_O. The port speaks of W alone.

   The same port as a frame of Modelica: T = transposed R, and angular velocity, force and torque in the axes of the body. Who uses one
   leaves the other's efforts zero.

   At the time event_at an event multiplies m and I by event_mass. What is behind the slash in the token makes it a bad part:
   "surprise" does not announce the event, "nan" has no derivatives from then on, "wrong" has wrong ones until then. */

#include "model.h"

#include <math.h>
#include <string.h>

typedef double Vec[3];
typedef double Mat[9]; /* row major */

enum {
    n_r_0 = 1,
    n_R,
    n_v_0,
    n_w_0,
    n_f_0,
    n_t_0,
    n_a_0,
    n_al_0,
    n_work,
    n_minv,
    n_T,
    n_own_w,
    n_own_f,
    n_own_t
};
enum { n_mass = 20, n_inertia, n_gravity, n_at, n_world_r, n_world_R, n_step, n_energy };
enum { n_r = 30, n_q, n_v, n_w };
enum { n_event_at = 40, n_event_mass, n_counts };
enum { x_r = 0, x_q = 3, x_v = 7, x_w = 10, x_work = 13, states = 14 };

typedef struct {
    double time, x[states];
    double mass, inertia[3], gravity[3], at[3], world_r[3], world_R[9], step;
    double event_at, event_mass;
    int32_t counts[3]; /* steps, events, nothing */
    double f_0[3], t_0[3], own_f[3], own_t[3];
    double T[9], own_w[3];
    double r_0[3], R[9], v_0[3], w_0[3], a_0[3], al_0[3], work, minv[36], energy;
} Values;

static const Variable variables[] = {
    {0, kind_float64, role_result, offsetof(Values, time), 1, 0, 0},
    {n_r_0, kind_float64, role_result, offsetof(Values, r_0), 3, 0, 0},
    {n_R, kind_float64, role_result, offsetof(Values, R), 9, 0, 0},
    {n_v_0, kind_float64, role_result, offsetof(Values, v_0), 3, 0, 0},
    {n_w_0, kind_float64, role_result, offsetof(Values, w_0), 3, 0, 0},
    {n_f_0, kind_float64, role_input, offsetof(Values, f_0), 3, 0, 0},
    {n_t_0, kind_float64, role_input, offsetof(Values, t_0), 3, 0, 0},
    {n_a_0, kind_float64, role_result, offsetof(Values, a_0), 3, 0, 0},
    {n_al_0, kind_float64, role_result, offsetof(Values, al_0), 3, 0, 0},
    {n_work, kind_float64, role_result, offsetof(Values, work), 1, 0, 0},
    {n_minv, kind_float64, role_result, offsetof(Values, minv), 36, 0, 0},
    {n_T, kind_float64, role_result, offsetof(Values, T), 9, 0, 0},
    {n_own_w, kind_float64, role_result, offsetof(Values, own_w), 3, 0, 0},
    {n_own_f, kind_float64, role_input, offsetof(Values, own_f), 3, 0, 0},
    {n_own_t, kind_float64, role_input, offsetof(Values, own_t), 3, 0, 0},
    {n_mass, kind_float64, role_start, offsetof(Values, mass), 1, 0, 0},
    {n_inertia, kind_float64, role_start, offsetof(Values, inertia), 3, 0, 0},
    {n_gravity, kind_float64, role_start, offsetof(Values, gravity), 3, 0, 0},
    {n_at, kind_float64, role_start, offsetof(Values, at), 3, 0, 0},
    {n_world_r, kind_float64, role_start, offsetof(Values, world_r), 3, 0, 0},
    {n_world_R, kind_float64, role_start, offsetof(Values, world_R), 9, 0, 0},
    {n_step, kind_float64, role_start, offsetof(Values, step), 1, 0, 0},
    {n_energy, kind_float64, role_result, offsetof(Values, energy), 1, 0, 0},
    {n_r, kind_float64, role_start, offsetof(Values, x[x_r]), 3, 0, 0},
    {n_q, kind_float64, role_start, offsetof(Values, x[x_q]), 4, 0, 0},
    {n_v, kind_float64, role_start, offsetof(Values, x[x_v]), 3, 0, 0},
    {n_w, kind_float64, role_start, offsetof(Values, x[x_w]), 3, 0, 0},
    {n_event_at, kind_float64, role_start, offsetof(Values, event_at), 1, 0, 0},
    {n_event_mass, kind_float64, role_start, offsetof(Values, event_mass), 1, 0, 0},
    {n_counts, kind_int32, role_result, offsetof(Values, counts), 3, 0, 0},
};

static void cross(const Vec a, const Vec b, Vec c) {
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}
static double dot(const Vec a, const Vec b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static void turn(const Mat A, const Vec b, Vec c) {
    for (int i = 0; i < 3; ++i)
        c[i] = dot(&A[3 * i], b);
}
static void turn_back(const Mat A, const Vec b, Vec c) {
    for (int i = 0; i < 3; ++i)
        c[i] = A[i] * b[0] + A[i + 3] * b[1] + A[i + 6] * b[2];
}
static void multiply(const Mat A, const Mat B, Mat C) {
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
}

/* Of any quaternion but zero; its length, which Runge-Kutta changes a little, has no effect. */
static void rotation(const double* q, Mat R) {
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const double a = q[0] / length, b = q[1] / length, c = q[2] / length, d = q[3] / length;
    const Mat rotated = {1 - 2 * (c * c + d * d), 2 * (b * c - a * d),     2 * (b * d + a * c),
                         2 * (b * c + a * d),     1 - 2 * (b * b + d * d), 2 * (c * d - a * b),
                         2 * (b * d - a * c),     2 * (c * d + a * b),     1 - 2 * (b * b + c * c)};
    memcpy(R, rotated, sizeof(Mat));
}

/* How much of m and I there is. */
static double part(const Values* v) { return v->counts[1] > 0 ? v->event_mass : 1; }

/* From body axes to W. */
static void body_to_world(const Values* v, const double* x, Mat R_W) {
    Mat R;
    rotation(&x[x_q], R);
    multiply(v->world_R, R, R_W);
}

/* The velocity of the port in W. */
static void port_velocity(const Values* v, const double* x, const Mat R_W, Vec v_0) {
    Vec inner, own, turned;
    cross(&x[x_w], v->at, inner);
    turn(v->world_R, &x[x_v], own);
    turn(R_W, inner, turned);
    for (int i = 0; i < 3; ++i)
        v_0[i] = own[i] + turned[i];
}

static void rate(Model* model, const double* x, double* x_dot) {
    const Values* v = model->values;
    const double *q = &x[x_q], *w = &x[x_w];
    Mat R_W;
    body_to_world(v, x, R_W);
    Vec f_W, t_W, f_O, f, t, moment,
        spin = {v->inertia[0] * w[0], v->inertia[1] * w[1], v->inertia[2] * w[2]}, gyroscopic, v_0, w_0;
    turn(R_W, v->own_f, f_W);
    turn(R_W, v->own_t, t_W);
    for (int i = 0; i < 3; ++i) {
        f_W[i] += v->f_0[i];
        t_W[i] += v->t_0[i];
    }
    turn_back(v->world_R, f_W, f_O);
    turn_back(R_W, f_W, f);
    turn_back(R_W, t_W, t);
    cross(v->at, f, moment);
    cross(w, spin, gyroscopic);
    for (int i = 0; i < 3; ++i) {
        x_dot[x_r + i] = x[x_v + i];
        x_dot[x_v + i] = v->gravity[i] + f_O[i] / (part(v) * v->mass);
        x_dot[x_w + i] = ((t[i] + moment[i]) / part(v) - gyroscopic[i]) / v->inertia[i];
    }
    x_dot[x_q] = -(q[1] * w[0] + q[2] * w[1] + q[3] * w[2]) / 2;
    x_dot[x_q + 1] = (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]) / 2;
    x_dot[x_q + 2] = (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]) / 2;
    x_dot[x_q + 3] = (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]) / 2;
    port_velocity(v, x, R_W, v_0);
    turn(R_W, w, w_0);
    x_dot[x_work] = dot(f_W, v_0) + dot(t_W, w_0);
}

/* Accelerations of the port by efforts there, all in W: da = df/m - s x I^-1 (s x df + dt), dal = I^-1 (s x df + dt). */
static void compliance(const Values* v, const Mat R_W, double* minv) {
    for (int j = 0; j < 6; ++j) {
        Vec df = {0, 0, 0}, dt = {0, 0, 0}, f, t, moment, al, a, column[2];
        (j < 3 ? df : dt)[j % 3] = 1;
        turn_back(R_W, df, f);
        turn_back(R_W, dt, t);
        cross(v->at, f, moment);
        for (int i = 0; i < 3; ++i)
            al[i] = (t[i] + moment[i]) / (part(v) * v->inertia[i]);
        cross(al, v->at, a);
        turn(R_W, a, column[0]);
        turn(R_W, al, column[1]);
        for (int i = 0; i < 3; ++i) {
            minv[6 * i + j] = column[0][i] + df[i] / (part(v) * v->mass);
            minv[6 * (i + 3) + j] = column[1][i];
        }
    }
}

static void calculate(Model* model) {
    Values* v = model->values;
    const double *x = v->x, *w = &x[x_w];
    double x_dot[states];
    Mat R_W;
    rate(model, x, x_dot);
    body_to_world(v, x, R_W);
    Vec centre, arm, angular, twice, inner, a_centre, a_inner;
    turn(v->world_R, &x[x_r], centre);
    turn(R_W, v->at, arm);
    cross(w, v->at, inner);
    cross(w, inner, twice);
    cross(&x_dot[x_w], v->at, angular);
    for (int i = 0; i < 3; ++i)
        inner[i] = angular[i] + twice[i];
    turn(R_W, inner, a_inner);
    turn(v->world_R, &x_dot[x_v], a_centre);
    for (int i = 0; i < 3; ++i) {
        v->r_0[i] = v->world_r[i] + centre[i] + arm[i];
        v->a_0[i] = a_centre[i] + a_inner[i];
    }
    memcpy(v->R, R_W, sizeof(Mat));
    for (int i = 0; i < 9; ++i)
        v->T[i] = R_W[i % 3 * 3 + i / 3];
    memcpy(v->own_w, w, sizeof(Vec));
    port_velocity(v, x, R_W, v->v_0);
    turn(R_W, w, v->w_0);
    turn(R_W, &x_dot[x_w], v->al_0);
    v->work = x[x_work];
    compliance(v, R_W, v->minv);
    v->energy = v->mass * (dot(&x[x_v], &x[x_v]) / 2 - dot(v->gravity, &x[x_r]));
    for (int i = 0; i < 3; ++i)
        v->energy += v->inertia[i] * w[i] * w[i] / 2;
    v->energy *= part(v);
}

static void start(Model* model) {
    Values* v = model->values;
    v->x[x_q] = 1;
    v->mass = 1;
    v->inertia[0] = v->inertia[1] = v->inertia[2] = 0.1;
    v->gravity[2] = -9.81;
    v->world_R[0] = v->world_R[4] = v->world_R[8] = 1;
    v->step = 2.5e-3;
    v->event_at = 1e300;
    v->event_mass = 1;
}

static bool is(const Model* model, const char* variant) { return strcmp(model->variant, variant) == 0; }

static bool create(Model* model) {
    model->surprise = is(model, "surprise");
    return true;
}

static double next_event(const Model* model) {
    const Values* v = model->values;
    return v->counts[1] > 0 ? INFINITY : v->event_at;
}

static void event(Model* model) { ((Values*)model->values)->counts[1] += 1; }

static Outcome step(Model* model, double end) {
    Values* v = model->values;
    if (!(v->mass > 0 && v->inertia[0] > 0 && v->inertia[1] > 0 && v->inertia[2] > 0 && v->step > 0)) {
        model->log(model, outcome_error, "logStatusError", "mass, inertia and step must be positive");
        return outcome_error;
    }
    v->counts[0] += 1;
    return rk4(model, end, v->step, v->x, states, rate);
}

static double difference(const Model* model, const Variable* unknown, size_t i, const Variable* known,
                         size_t j) {
    const double h = 1e-6;
    double side[2];
    for (int k = 0; k < 2; ++k) {
        Values moved = *(const Values*)model->values;
        Model copy = *model;
        copy.values = &moved;
        ((double*)model_place(&copy, known))[j] += k == 0 ? h : -h;
        calculate(&copy);
        side[k] = ((const double*)model_place(&copy, unknown))[i];
    }
    return (side[0] - side[1]) / (2 * h);
}

/* What glue asks for is exact: the accelerations by the efforts. */
static double partial(const Model* model, const Variable* unknown, size_t i, const Variable* known,
                      size_t j) {
    const Values* v = model->values;
    const bool effort = known->reference == n_f_0 || known->reference == n_t_0;
    if (!effort)
        return difference(model, unknown, i, known, j);
    if (unknown->reference != n_a_0 && unknown->reference != n_al_0)
        return 0;
    const bool happened = v->counts[1] > 0;
    const double factor = is(model, "nan") && happened ? NAN : is(model, "wrong") && !happened ? 0.05 : 1;
    return factor * v->minv[6 * (i + (unknown->reference == n_al_0 ? 3 : 0)) + j +
                            (known->reference == n_t_0 ? 3 : 0)];
}

const ModelType model_type = {.name = "free_body",
                              .size = sizeof(Values),
                              .variables = variables,
                              .variable_count = sizeof variables / sizeof *variables,
                              .start = start,
                              .step = step,
                              .create = create,
                              .calculate = calculate,
                              .next_event = next_event,
                              .event = event,
                              .partial = partial};
