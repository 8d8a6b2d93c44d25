/* The FMI 3.0 skin, inside. */
#ifndef TESTS_FMUS_SKELETON3_H
#define TESTS_FMUS_SKELETON3_H

#include "model.h"

#include <fmi3Functions.h>

/* The states of an instance of FMI 3.0, one bit each. */
enum {
    instantiated = 1,
    configuration = 2,
    initialization = 4,
    event = 8,
    step = 16,
    intermediate = 32, /* inside the callback of a step */
    reconfiguration = 64,
    terminated = 128, /* also after an error */
    in_fatal = 256,
    outside_of_callbacks = 255 - intermediate
};

/* What the skin adds to the state of the model. */
typedef struct {
    uint32_t mode;
    uint32_t has_stop;
    double stop;
} Skin;

typedef struct {
    Model model; /* first: a pointer to it is one to the instance */
    Skin skin;
    fmi3InstanceEnvironment environment;
    fmi3LogMessageCallback log;
    fmi3IntermediateUpdateCallback update;
    fmi3ValueReference required[16]; /* the variables that the master touches in the callback */
    size_t required_count;
    bool logging, event_mode, early_return;
    bool set_requested, get_allowed; /* in the callback under way */
} Instance;

/* Is the call legal now? If not, it is logged and the instance is as after an error. */
bool legal(Instance*, const char* function, unsigned modes);
fmi3Status fail(Instance*, const char* text);

#endif
