/* x' = 1 and y = x, and one habit of FMUs in the field that their makers never noticed. Which one is said by the variant in the
   token; what ends the process does so in the step that passes t = 0.5. */

#include "model.h"

#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { n_x = 1, n_y };

typedef struct {
    double time, x, y;
} Values;

static const Variable variables[] = {
    {0, kind_float64, role_result, offsetof(Values, time), 1, 0, 0},
    {n_x, kind_float64, role_start, offsetof(Values, x), 1, 0, 0},
    {n_y, kind_float64, role_result, offsetof(Values, y), 1, 0, 0},
};

static bool is(const Model* model, const char* habit) { return strcmp(model->variant, habit) == 0; }

static void calculate(Model* model) {
    Values* v = model->values;
    v->y = v->x;
}

static bool create(Model* model) {
    if (is(model, "stray"))
        model->log_habit = log_stray;
    if (is(model, "nowhere"))
        model->log_habit = log_nowhere;
    if (is(model, "wild"))
        model->log_habit = log_wild;
    model->log(model, outcome_ok, "logEvents", "made");
    model->stateless = is(model, "stateless");
    if (is(model, "wanders") && chdir("/") != 0)
        return false;
    if (is(model, "handlers"))
        signal(SIGINT, SIG_IGN);
    return true;
}

static void* log_from_thread(void* model) {
    ((Model*)model)->log(model, outcome_warning, "logEvents", "from a thread");
    return NULL;
}

/* Not a tail call, whatever the compiler thinks. */
static int dig(volatile int depth) {
    volatile char hole[4096];
    hole[0] = (char)depth;
    if (depth < 0)
        return 0;
    return dig(depth + 1) + hole[0];
}

static void end_somehow(Model* model) {
    if (is(model, "end"))
        _exit(0);
    if (is(model, "exit3"))
        exit(3);
    if (is(model, "overflow"))
        fprintf(stderr, "%d\n", dig(0));
}

static Outcome step(Model* model, double end) {
    Values* v = model->values;
    const double h = end - v->time;
    if (v->time < 0.5 && end >= 0.5)
        end_somehow(model);
    if (is(model, "rounding"))
        fesetround(FE_UPWARD);
    if (is(model, "stray") || is(model, "nowhere"))
        model->log(model, outcome_warning, "logEvents", "stepped");
    if (is(model, "wild"))
        model->log(model, outcome_warning, "logEvents", "100 %s sure, %n of %999999999d and %ls");
    pthread_t thread;
    if (is(model, "thread") && pthread_create(&thread, NULL, log_from_thread, model) == 0)
        pthread_join(thread, NULL);
    v->time = end;
    if (!is(model, "uncommitted") || !model->may_go_back)
        v->x += h;
    if (is(model, "disturbed") && model->saved)
        v->x += 1e-3;
    model->saved = false;
    return outcome_ok;
}

const ModelType model_type = {.name = "habits",
                              .size = sizeof(Values),
                              .variables = variables,
                              .variable_count = sizeof variables / sizeof *variables,
                              .start = calculate,
                              .step = step,
                              .create = create,
                              .calculate = calculate};
