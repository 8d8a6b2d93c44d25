/* FMI 3.0: a clock that the master ticks, a clock that ticks with it, and how often they did. */

#include "model.h"

typedef struct {
    double time;
    bool trigger, echo;
    int32_t count;
} Values;

static const Variable variables[] = {
    {0, kind_float64, role_result, offsetof(Values, time), 1, 0, 0},
    {1, kind_clock, role_input, offsetof(Values, trigger), 1, 0, 0},
    {2, kind_clock, role_result, offsetof(Values, echo), 1, 0, 0},
    {3, kind_int32, role_result, offsetof(Values, count), 1, 0, 0},
};

static void start(Model* model) { (void)model; }

static void calculate(Model* model) {
    Values* v = model->values;
    v->echo = v->trigger;
}

/* An event is due as long as the clock is active; it ends with the event. */
static double next_event(const Model* model) {
    const Values* v = model->values;
    return v->trigger ? v->time : 1e308;
}

static void event(Model* model) {
    Values* v = model->values;
    v->count += 1;
    v->trigger = false;
}

static Outcome step(Model* model, double end) {
    *model_time(model) = end;
    return outcome_ok;
}

const ModelType model_type = {.name = "clocks",
                              .size = sizeof(Values),
                              .variables = variables,
                              .variable_count = sizeof variables / sizeof *variables,
                              .start = start,
                              .step = step,
                              .calculate = calculate,
                              .next_event = next_event,
                              .event = event};
