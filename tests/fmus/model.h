/* A model without FMI: a block of plain values, a table of what is where in it, and what happens to it.
   Each model is one file; skeleton2 and skeleton3 are the two skins that it is linked with. */
#ifndef TESTS_FMUS_MODEL_H
#define TESTS_FMUS_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    kind_float64,
    kind_float32,
    kind_int8,
    kind_uint8,
    kind_int16,
    kind_uint16,
    kind_int32,
    kind_uint32,
    kind_int64,
    kind_uint64,
    kind_enumeration, /* stored as int64_t */
    kind_boolean,
    kind_string, /* stored as Text, with the final zero */
    kind_binary, /* stored as Text */
    kind_clock
} Kind;

/* Who may set a variable, and when. */
typedef enum {
    role_result,     /* nobody */
    role_structural, /* in configuration mode */
    role_start,      /* until the initialization has ended: parameters and start values */
    role_tunable,    /* always */
    role_input       /* always */
} Role;

typedef struct {
    uint32_t reference; /* FMI 2.0 reaches element i under reference + 1000 i */
    Kind kind;
    Role role;
    size_t offset;          /* in the values */
    size_t count;           /* elements; the most there can be where `rows` is given */
    uint32_t rows, columns; /* references of the structural parameters that give the sizes; 0: none */
} Variable;

typedef struct {
    uint64_t size;
    char bytes[248];
} Text;

/* Numbered as the status of FMI. */
typedef enum {
    outcome_ok,
    outcome_warning,
    outcome_discard,
    outcome_error,
    outcome_fatal,
    outcome_pending
} Outcome;

/* How messages are passed: as FMI says; with an environment that nobody has given; without one; with the text as the format. */
typedef enum { log_plain, log_stray, log_nowhere, log_wild } LogHabit;

typedef struct Model Model;
struct Model {
    void* values;          /* the first is the time, a double; a copy of them is the whole state */
    const char* variant;   /* what stands behind the slash in the token; empty without */
    const char* resources; /* path with a slash at its end, or NULL */
    bool terminate;        /* a step sets it when the simulation has to end */
    bool surprise;         /* events are not announced */
    LogHabit log_habit;
    bool may_go_back; /* the step under way has noSetFMUStatePriorToCurrentPoint false */
    bool stateless;   /* saving the state fails, whatever the description says */
    bool saved;       /* the state has been saved; a model sets it back */
    double hidden;    /* no part of the state: for a model that lies */

    /* From the skin. */
    void (*log)(Model*, Outcome, const char* category, const char* text);
    void (*inputs_at)(Model*, double time);              /* sets the inputs inside a step */
    double (*finished)(Model*, double time, double end); /* a part of the step is done; where it ends now */
};

typedef struct {
    const char* name;
    size_t size; /* of the values */
    const Variable* variables;
    size_t variable_count;
    void (*start)(Model*); /* start values, of a new instance and after a reset; the values are zero before */
    Outcome (*step)(Model*, double end);
    /* The others are optional. */
    bool (*create)(Model*); /* false: no instance */
    void (*destroy)(Model*);
    void (*configured)(Model*); /* sizes have changed */
    void (*calculate)(Model*);  /* results from what has been set */
    double (*next_event)(const Model*);
    void (*event)(Model*);
    double (*partial)(const Model*, const Variable* unknown, size_t i, const Variable* known, size_t j);
    double (*rate)(const Model*, const Variable* output, int order); /* derivative of an output in time */
    bool dies_of_null;                                               /* FreeInstance(NULL) crashes */
} ModelType;

extern const ModelType model_type;

/* model.c */

double* model_time(const Model*);
const Variable* model_variable(uint32_t reference);
size_t model_count(const Model*, const Variable*);
void* model_place(const Model*, const Variable*);
void model_text(Text*, const char* bytes, size_t size);
bool model_create(Model*, const char* token); /* false, with a message in the log: no instance */
void model_destroy(Model*);
void model_reset(Model*);
void model_calculate(Model*);
/* Are two times the same but for round-off? */
bool same_time(double, double);

typedef struct {
    Outcome outcome;
    bool event, early;
} Progress;
/* A step to `end`. Events inside are handled, or left to the master where it has an event mode. */
Progress model_advance(Model*, double end, bool event_mode, bool may_return_early);

/* The state as bytes: what the skin has to remember, then the values. */
typedef struct State State;
size_t state_size(size_t skin_size);
State* state_save(State* old, const Model*, const void* skin, size_t skin_size);
void state_restore(const State*, Model*, void* skin, size_t skin_size);
bool state_is_mine(const void* bytes, size_t size, size_t skin_size);

/* rk4.c: x' = rate(model, x) with the classical Runge-Kutta method in equal steps of at most `step`; the time goes on. */
typedef void Rate(Model*, const double* x, double* x_dot);
Outcome rk4(Model*, double end, double step, double* x, size_t n, Rate*);

#endif
