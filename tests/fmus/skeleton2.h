/* The FMI 2.0 skin, inside. */
#ifndef TESTS_FMUS_SKELETON2_H
#define TESTS_FMUS_SKELETON2_H

#include "model.h"

#include <fmi2Functions.h>

/* The states of an instance of FMI 2.0, one bit each. */
enum {
    instantiated = 1,
    initialization = 2,
    step_complete = 4,
    step_failed = 8,
    terminated = 16,
    in_error = 32,
    in_fatal = 64,
    anything_but_fatal = 63
};

typedef struct {
    uint32_t reference;
    int32_t order;
    double value, base; /* base: the input at the start of the step */
} InputDerivative;

enum { most_derivatives = 16 };

/* What the skin adds to the state of the model. */
typedef struct {
    uint32_t mode;
    uint32_t has_stop;
    double stop, step_start;
    uint64_t derivative_count;
    InputDerivative derivatives[most_derivatives];
} Skin;

typedef struct {
    Model model; /* first: a pointer to it is one to the instance */
    Skin skin;
    fmi2CallbackFunctions callbacks;
    char* name;
    fmi2Boolean logging;
} Instance;

/* Is the call legal now? If not, it is logged and the instance is in error. */
bool legal(Instance*, const char* function, unsigned modes);
fmi2Status fail(Instance*, const char* text);
double* real_place(const Instance*, fmi2ValueReference);

#endif
