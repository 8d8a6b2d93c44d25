/* An FMI 2.0 FMU for Co-Simulation in one file: y = p x + u with x' = u. Without a variant it keeps every rule that
   `tenon check` knows; the variant, which it reads from resources/variant.txt, breaks one of them. It needs no header of
   the standard, so that a test can compile it with nothing but the name of the compiler. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef enum { ok, warning, discard, error, fatal } Status;
typedef void Logger(void* environment, const char* instance, Status, const char* category, const char* format,
                    ...);
typedef struct {
    Logger* logger;
    void* (*allocate)(size_t, size_t);
    void (*release)(void*);
    void (*finished)(void*, Status);
    void* environment;
} Callbacks;

enum { n_time, n_u, n_y, n_p, n_x };
enum Mode { instantiated = 1, initializing = 2, stepping = 4, terminated = 8, failed = 16 };

/* All that a state holds. */
typedef struct {
    uint64_t magic;
    double time, u, x, p, hidden, stop;
    int mode, has_stop;
    uint64_t sum;
} State;

typedef struct {
    State state;
    Callbacks callbacks;
    const Callbacks* lent; /* only good while fmi2Instantiate runs */
    char *name, *resources, *variant;
} Instance;

static const uint64_t magic = 0x736c6f7070793031;
static double kept;     /* over a reset, by a variant */
static State only_copy; /* of a variant that keeps one */
static void* volatile lost;

static int is(const Instance* me, const char* variant) { return strcmp(me->variant, variant) == 0; }

static void say(Instance* me, Status status, const char* text) {
    void* environment = is(me, "environment") ? NULL : me->callbacks.environment;
    const char* category = is(me, "category") ? "gossip" : "logStatusError";
    const char* name = is(me, "name") ? "another" : me->name;
    const Callbacks* callbacks = is(me, "lent") ? me->lent : &me->callbacks;
    if (callbacks->logger || is(me, "null-logger"))
        callbacks->logger(environment, name, status, category, "%s", is(me, "no-text") ? NULL : text);
}

static Status fail(Instance* me, const char* text) {
    say(me, error, text);
    me->state.mode = failed;
    return error;
}

static int legal(Instance* me, int modes, const char* function) {
    if ((me->state.mode & modes) || is(me, "lenient"))
        return 1;
    char text[100];
    snprintf(text, sizeof text, "%s is not allowed now", function);
    fail(me, text);
    return 0;
}

static uint64_t sum_of(const State* state) {
    uint64_t sum = 1469598103934665603u;
    const unsigned char* bytes = (const unsigned char*)state;
    for (size_t i = 0; i < offsetof(State, sum); ++i)
        sum = (sum ^ bytes[i]) * 1099511628211u;
    return sum;
}

static void start(Instance* me) {
    memset(&me->state, 0, sizeof me->state);
    me->state.magic = magic;
    me->state.u = 1;
    me->state.p = is(me, "start-value") ? 3 : 2;
    me->state.mode = instantiated;
    if (is(me, "reset"))
        me->state.x = kept;
}

/* ---- life ------------------------------------------------------------------------------------------------------- */

const char* fmi2GetTypesPlatform(void) { return "default"; }
const char* fmi2GetVersion(void) { return "2.0"; }

static void* sleep_for_ever(void* nothing) {
    for (;;)
        pause();
    return nothing;
}

void fmi2FreeInstance(Instance* me);

/* The first line of a file in the resources; empty where there is none. Tests have no characters to be decoded in paths. */
static char* read_variant(const char* resources) {
    char path[4096], line[100] = "";
    snprintf(path, sizeof path, "%s/variant.txt", resources);
    FILE* file = fopen(path, "r");
    if (file) {
        if (fscanf(file, "%99s", line) != 1)
            line[0] = 0;
        fclose(file);
    }
    return strdup(line);
}

Instance* fmi2Instantiate(const char* name, int type, const char* guid, const char* resources,
                          const Callbacks* callbacks, int visible, int logging) {
    (void)visible;
    (void)logging;
    Instance* me = calloc(1, sizeof *me);
    if (!me || type != 1)
        return NULL;
    me->callbacks = *callbacks;
    me->lent = callbacks;
    me->name = strdup(name);
    me->resources = strdup(resources && strncmp(resources, "file://", 7) == 0 ? resources + 7 : "");
    me->variant = read_variant(me->resources);
    start(me);
    if (strcmp(guid, "sloppy") != 0 && !is(me, "token")) {
        if (!is(me, "mute"))
            say(me, error, "the GUID is not mine");
        fmi2FreeInstance(me);
        return NULL;
    }
    if (is(me, "descriptors"))
        (void)!open("/dev/null", O_RDONLY);
    pthread_t thread;
    if (is(me, "threads"))
        pthread_create(&thread, NULL, sleep_for_ever, NULL);
    return me;
}

void fmi2FreeInstance(Instance* me) {
    if (!me)
        return;
    if (is(me, "free"))
        abort();
    free(me->name);
    free(me->resources);
    free(me->variant);
    free(me);
}

Status fmi2SetDebugLogging(Instance* me, int on, size_t n, const char* const* categories) {
    (void)me;
    (void)on;
    (void)n;
    (void)categories;
    return ok;
}

Status fmi2SetupExperiment(Instance* me, int has_tolerance, double tolerance, double begin, int has_stop,
                           double stop) {
    (void)has_tolerance;
    (void)tolerance;
    if (!legal(me, instantiated, "fmi2SetupExperiment"))
        return error;
    me->state.time = begin;
    me->state.has_stop = has_stop;
    me->state.stop = stop;
    return ok;
}

static Status go(Instance* me, int from, int to, const char* function) {
    if (!legal(me, from, function))
        return error;
    me->state.mode = to;
    return ok;
}
Status fmi2EnterInitializationMode(Instance* me) {
    return go(me, instantiated, initializing, "fmi2EnterInitializationMode");
}
Status fmi2ExitInitializationMode(Instance* me) {
    return go(me, initializing, stepping, "fmi2ExitInitializationMode");
}
Status fmi2Terminate(Instance* me) { return go(me, stepping, terminated, "fmi2Terminate"); }

Status fmi2Reset(Instance* me) {
    if (is(me, "crash-at-reset"))
        abort();
    kept = me->state.x;
    start(me);
    return ok;
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

static double uninitialised(void) {
    unsigned char* volatile memory = malloc(64); /* volatile: or the compiler sees that this means nothing */
    const double value = memory[40];
    free(memory);
    return value;
}

Status fmi2GetReal(Instance* me, const unsigned* vr, size_t n, double* value) {
    const State* s = &me->state;
    if (!legal(me, initializing | stepping | terminated, "fmi2GetReal"))
        return error;
    for (size_t i = 0; i < n; ++i)
        switch (vr[i]) {
        case n_time:
            value[i] = s->time + is(me, "time");
            break;
        case n_u:
            value[i] = s->u;
            break;
        case n_y:
            value[i] = s->p * s->x + s->u + s->hidden;
            if (is(me, "memory-noise"))
                value[i] += uninitialised();
            break;
        case n_p:
            value[i] = s->p;
            break;
        case n_x:
            value[i] = s->x;
            break;
        default:
            if (!is(me, "lenient"))
                return fail(me, "there is no such variable");
        }
    return ok;
}

Status fmi2SetReal(Instance* me, const unsigned* vr, size_t n, const double* value) {
    State* s = &me->state;
    if (!legal(me, instantiated | initializing | stepping, "fmi2SetReal"))
        return error;
    for (size_t i = 0; i < n; ++i) {
        if (!isfinite(value[i]) && !is(me, "nan") && !is(me, "lenient"))
            return fail(me, "a value is not finite");
        const double v = isfinite(value[i]) ? value[i] : 0;
        if (vr[i] == n_u)
            s->u = v;
        else if (vr[i] == n_p && s->mode != stepping)
            s->p = v;
        else if (vr[i] == n_x && s->mode != stepping)
            s->x = v;
        else if (!is(me, "lenient"))
            return fail(me, "that cannot be set now");
    }
    return ok;
}

static Status no_variable(Instance* me, const unsigned* vr, size_t n, void* value) {
    (void)vr;
    (void)value;
    return n == 0 ? ok : fail(me, "there is no such variable");
}
Status fmi2GetInteger(Instance*, const unsigned*, size_t, void*) __attribute__((alias("no_variable")));
Status fmi2SetInteger(Instance*, const unsigned*, size_t, void*) __attribute__((alias("no_variable")));
Status fmi2GetBoolean(Instance*, const unsigned*, size_t, void*) __attribute__((alias("no_variable")));
Status fmi2SetBoolean(Instance*, const unsigned*, size_t, void*) __attribute__((alias("no_variable")));
Status fmi2GetString(Instance*, const unsigned*, size_t, void*) __attribute__((alias("no_variable")));
Status fmi2SetString(Instance*, const unsigned*, size_t, void*) __attribute__((alias("no_variable")));

/* ---- states ----------------------------------------------------------------------------------------------------- */

Status fmi2GetFMUstate(Instance* me, State** state) {
    if (is(me, "one-copy")) {
        only_copy = me->state;
        *state = &only_copy;
        return ok;
    }
    if (!*state)
        *state = malloc(sizeof **state);
    **state = me->state;
    return ok;
}

Status fmi2SetFMUstate(Instance* me, const State* state) {
    const int mode = me->state.mode;
    const double hidden = me->state.hidden, u = me->state.u;
    me->state = *state;
    if (is(me, "forgets-mode"))
        me->state.mode = mode;
    if (is(me, "forgets-hidden"))
        me->state.hidden = hidden;
    if (is(me, "forgets-input"))
        me->state.u = u;
    return ok;
}

Status fmi2FreeFMUstate(Instance* me, State** state) {
    if (!is(me, "one-copy"))
        free(*state);
    *state = NULL;
    return ok;
}

Status fmi2SerializedFMUstateSize(Instance* me, State* state, size_t* size) {
    (void)me;
    (void)state;
    *size = sizeof *state;
    return ok;
}

Status fmi2SerializeFMUstate(Instance* me, State* state, char* bytes, size_t size) {
    if (size != sizeof *state)
        return fail(me, "wrong size");
    state->sum = sum_of(state);
    memcpy(bytes, state, size);
    if (is(me, "addresses"))
        memcpy(bytes, &state, sizeof state);
    return ok;
}

Status fmi2DeSerializeFMUstate(Instance* me, const char* bytes, size_t size, State** state) {
    State read;
    memset(&read, 0, sizeof read);
    memcpy(&read, bytes, size < sizeof read ? size : sizeof read);
    if (is(me, "addresses")) {
        State* old;
        memcpy(&old, bytes, sizeof old);
        read = *old;
    } else if (!is(me, "lenient") &&
               (size != sizeof read || read.magic != magic || read.sum != sum_of(&read))) {
        return fail(me, "these bytes are no state of mine");
    }
    *state = malloc(sizeof read);
    **state = read;
    return ok;
}

Status fmi2GetDirectionalDerivative(Instance* me, const unsigned* unknown, size_t n, const unsigned* known,
                                    size_t m, const double* seed, double* sensitivity) {
    if (!legal(me, initializing | stepping | terminated, "fmi2GetDirectionalDerivative"))
        return error;
    if (is(me, "derivative-disturbs"))
        me->state.x += 1e-12;
    for (size_t i = 0; i < n; ++i) {
        sensitivity[i] = 0;
        for (size_t j = 0; j < m && unknown[i] == n_y; ++j)
            sensitivity[i] += seed[j] * (known[j] == n_u   ? 1
                                         : known[j] == n_x ? me->state.p
                                         : known[j] == n_p ? me->state.x
                                                           : 0);
    }
    return ok;
}

/* ---- steps ------------------------------------------------------------------------------------------------------ */

static void write_file(const char* folder, const char* name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE* file = fopen(path, "w");
    if (file)
        fclose(file);
}

static void touch_the_host(Instance* me) {
    if (is(me, "rounding"))
        fesetround(FE_UPWARD);
    if (is(me, "traps"))
        feenableexcept(FE_INVALID);
    if (is(me, "locale"))
        setlocale(LC_ALL, "C.UTF-8");
    if (is(me, "signals"))
        signal(SIGUSR1, SIG_IGN);
#ifdef __SSE2__
    if (is(me, "denormals"))
        __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#endif
    if (is(me, "resources"))
        write_file(me->resources, "cache.bin");
    if (is(me, "working-directory"))
        write_file(".", "log.txt");
    if (is(me, "leak"))
        lost = memset(malloc(65536), 1, 65536);
}

Status fmi2DoStep(Instance* me, double time, double h, int no_rollback) {
    State* s = &me->state;
    (void)no_rollback;
    if (!legal(me, stepping, "fmi2DoStep"))
        return error;
    while (is(me, "endless") && isnan(h))
        sleep(1);
    if (!is(me, "lenient") && (!(h > 0) || isinf(h)))
        return fail(me, "the step size is not positive");
    if (!is(me, "lenient") && !(fabs(time - s->time) <= 1e-9 * fmax(fabs(h), fabs(time))))
        return fail(me, "that is not the current time");
    const double slack = is(me, "exact-stop") ? 0 : 1e-9 * fmax(h, fabs(s->stop));
    if (s->has_stop && time + h > s->stop + slack)
        return fail(me, "the step goes beyond the stop time");
    touch_the_host(me);
    const double done = is(me, "own-grid") ? floor(h / 0.01 + 1e-9) * 0.01 : h;
    s->x += done * s->u;
    s->time = time + h;
    s->hidden += is(me, "forgets-hidden") ? h : 0;
    s->hidden = is(me, "clock") ? (double)clock() * 1e-9 : s->hidden;
    return ok;
}

Status fmi2SetRealInputDerivatives(Instance* me, const unsigned* vr, size_t n, const int* order,
                                   const double* value) {
    (void)vr;
    (void)n;
    (void)order;
    (void)value;
    return fail(me, "inputs are not interpolated");
}
Status fmi2GetRealOutputDerivatives(Instance* me, const unsigned* vr, size_t n, const int* order,
                                    double* value) {
    (void)vr;
    (void)n;
    (void)order;
    (void)value;
    return fail(me, "outputs have no derivatives");
}
Status fmi2CancelStep(Instance* me) { return is(me, "lenient") ? ok : fail(me, "nothing to cancel"); }

static Status no_status(Instance* me, int kind, void* value) {
    (void)kind;
    (void)value;
    return is(me, "lenient") ? ok : discard;
}
Status fmi2GetStatus(Instance*, int, void*) __attribute__((alias("no_status")));
Status fmi2GetRealStatus(Instance*, int, void*) __attribute__((alias("no_status")));
Status fmi2GetIntegerStatus(Instance*, int, void*) __attribute__((alias("no_status")));
Status fmi2GetBooleanStatus(Instance*, int, void*) __attribute__((alias("no_status")));
Status fmi2GetStringStatus(Instance*, int, void*) __attribute__((alias("no_status")));
