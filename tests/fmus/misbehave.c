/* y = u + x with x' = u, and one thing that goes wrong. Which one is said by the variant in the token, so that a tool
   which sets nothing meets it, and can be changed by the parameter `mode`; it happens in the step that passes `at`. */

#include "model.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The numbers of the parameter; models.py has the same list. */
static const char* const modes[] = {
    "none",      "warning", "discard", "error", "fatal",        "pending",     "hang",  "segfault",
    "exit",      "abort",   "memory",  "nan",   "nan-once",     "stdout",      "null",  "second",
    "once",      "shared",  "state",   "reset", "dependencies", "derivatives", "chdir", "leak",
    "terminate", "partial", "flood",   "loud",  "backwards"};
enum Mode {
    none,
    returns_warning,
    returns_discard,
    returns_error,
    returns_fatal,
    returns_pending,
    hangs,
    segfaults,
    exits,
    aborts,
    fills_memory,
    not_a_number,
    not_a_number_once,
    writes_to_stdout,
    no_instance,
    refuses_second, /* without a word in the description */
    only_once,      /* as the description says */
    shares,         /* all instances have one state */
    loses_state,    /* what is saved is not all */
    keeps_at_reset,
    hides_dependency,
    wrong_derivative,
    changes_folder,
    leaks,
    terminates,
    stops_early, /* half way through the step */
    floods_log,
    logs_oddly,
    goes_backwards /* the step ends before it has begun */
};

enum { n_u = 1, n_y, n_x, n_at, n_mode };

typedef struct {
    double time, u, y, x, at;
    int32_t mode;
    bool just_due; /* the last step passed `at` */
} Values;

static const Variable variables[] = {
    {0, kind_float64, role_result, offsetof(Values, time), 1, 0, 0},
    {n_u, kind_float64, role_input, offsetof(Values, u), 1, 0, 0},
    {n_y, kind_float64, role_result, offsetof(Values, y), 1, 0, 0},
    {n_x, kind_float64, role_start, offsetof(Values, x), 1, 0, 0},
    {n_at, kind_float64, role_start, offsetof(Values, at), 1, 0, 0},
    {n_mode, kind_int32, role_start, offsetof(Values, mode), 1, 0, 0},
};

static int instances;
static double shared_x;

static void start(Model* model) {
    Values* v = model->values;
    v->at = 0.5;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; ++i)
        if (strcmp(model->variant, modes[i]) == 0)
            v->mode = (int32_t)i;
    if (v->mode == keeps_at_reset)
        v->x = model->hidden;
}

static bool create(Model* model) {
    const Values* v = model->values;
    ++instances;
    if (v->mode == no_instance)
        model->log(model, outcome_error, "logStatusError", "the licence server does not answer");
    if ((v->mode == refuses_second || v->mode == only_once) && instances > 1)
        model->log(model, outcome_error, "logStatusError", "there is an instance already");
    return v->mode != no_instance && !((v->mode == refuses_second || v->mode == only_once) && instances > 1);
}

static void destroy(Model* model) {
    (void)model;
    --instances;
}

static void calculate(Model* model) {
    Values* v = model->values;
    const bool due = v->time >= v->at;
    v->y = v->u + v->x;
    if (v->mode == shares)
        v->y = v->u + shared_x;
    if (v->mode == loses_state)
        v->y += model->hidden;
    if (v->mode == not_a_number && due)
        v->y = NAN;
    if (v->mode == not_a_number_once && v->just_due)
        v->y = NAN;
}

static void fill_memory(double gigabytes) {
    const size_t piece = 1 << 24;
    for (double done = 0; done < gigabytes * 1e9; done += (double)piece) {
        char* memory = malloc(piece);
        if (!memory)
            abort();
        for (size_t i = 0; i < piece; i += 4096)
            ((volatile char*)memory)[i] = 1;
    }
}

static void log_oddly(Model* model) {
    static char text[10000];
    memset(text, 'x', sizeof text - 1);
    model->log(model, outcome_warning, NULL, "100 %s of it, %n and \x1b[31mred");
    model->log(model, outcome_warning, "logEvents", text);
    model->log(model, outcome_ok, "logEvents", NULL);
}

static Outcome at_time(Model* model, double end) {
    Values* v = model->values;
    volatile int* nowhere = NULL;
    volatile bool forever = true;
    switch (v->mode) {
    case returns_warning:
    case returns_discard:
    case returns_error:
    case returns_fatal:
    case returns_pending:
        model->log(model, (Outcome)v->mode, "logStatusError", "as the parameter mode says");
        return (Outcome)v->mode;
    case hangs:
        while (forever)
            pause();
        break;
    case segfaults:
        signal(SIGSEGV, SIG_DFL);
        *nowhere = 1;
        break;
    case exits:
        exit(0);
    case aborts:
        abort();
    case fills_memory:
        fill_memory(10);
        break;
    case terminates:
        model->terminate = true;
        break;
    case stops_early:
        v->time = (v->time + end) / 2;
        break;
    case goes_backwards:
        v->time -= 1;
        break;
    case floods_log:
        for (int i = 0; i < 100000; ++i)
            model->log(model, outcome_warning, "logEvents", "again");
        break;
    case logs_oddly:
        log_oddly(model);
        break;
    case changes_folder:
        if (chdir("/") != 0)
            return outcome_error;
        break;
    default:
        break;
    }
    return outcome_ok;
}

static Outcome step(Model* model, double end) {
    Values* v = model->values;
    if (v->mode == leaks)
        memset(malloc(1 << 20), 1, 1 << 20);
    if (v->mode == writes_to_stdout)
        fprintf(stdout, "misbehave: %g s\n", v->time);
    const double begin = v->time;
    v->just_due = begin < v->at && end >= v->at;
    const Outcome outcome = v->just_due ? at_time(model, end) : outcome_ok;
    if (outcome > outcome_warning)
        return outcome;
    if (v->time == begin)
        v->time = end;
    v->x += (v->time - begin) * v->u;
    shared_x += (v->time - begin) * v->u;
    if (v->mode == loses_state || v->mode == keeps_at_reset)
        model->hidden += v->time - begin;
    return outcome;
}

static double partial(const Model* model, const Variable* unknown, size_t i, const Variable* known,
                      size_t j) {
    const Values* v = model->values;
    (void)i;
    (void)j;
    if (unknown->reference != n_y)
        return unknown == known;
    return (known->reference == n_u || known->reference == n_x) * (v->mode == wrong_derivative ? -3.0 : 1.0);
}

const ModelType model_type = {.name = "misbehave",
                              .size = sizeof(Values),
                              .variables = variables,
                              .variable_count = sizeof variables / sizeof *variables,
                              .start = start,
                              .step = step,
                              .create = create,
                              .destroy = destroy,
                              .calculate = calculate,
                              .partial = partial};
