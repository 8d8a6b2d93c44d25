/* A small importer, compiled for each platform: loads the library of an FMU, simulates, prints the outputs.
   Arguments are files with one instruction a line, done one after the other:

     version 2|3         library PATH        resources TEXT (none: a null pointer)       token TEXT
     step SECONDS        steps COUNT         every COUNT  (a line of outputs every so many steps, and at the end)
     real VR COUNT       (an output of so many values; as many lines as there are)
     save FILE STEP      the bytes of the state after that step
     restore FILE STEP   begins at that step, with a state from those bytes

   It ends with 1 and a line on stderr where a call fails. Nothing of the FMU but its library and resources is used. */

#include "fmi2Functions.h"
#include "fmi3Functions.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
typedef HMODULE Library;
static Library load(const char* path) {
    wchar_t wide[4096];
    MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, 4096);
    return LoadLibraryExW(wide, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
}
static void* find(Library library, const char* name) {
    FARPROC address = GetProcAddress(library, name);
    void* result;
    memcpy(&result, &address, sizeof result);
    return result;
}
static void unload(Library library) { FreeLibrary(library); }
#else
#include <dlfcn.h>
typedef void* Library;
static Library load(const char* path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); }
static void* find(Library library, const char* name) { return dlsym(library, name); }
static void unload(Library library) { dlclose(library); }
#endif

enum { most_outputs = 4000, most_values = 20000 };

static struct Plan {
    int version;
    char library[4096], resources[4096], token[256], save[4096], restore[4096];
    double step;
    int steps, every, save_at, restore_at, outputs;
    unsigned reference[most_outputs], count[most_outputs];
    size_t values;
} plan;

static void* symbol(Library library, const char* name) {
    void* address = find(library, name);
    if (address == NULL) {
        fprintf(stderr, "the library has no %s\n", name);
        exit(1);
    }
    return address;
}
/* A function of the FMU as a variable of its name. */
#define FUNCTION(version, name) version##name##TYPE* name = (version##name##TYPE*)symbol(library, #version #name)

static void require(int good, const char* what) {
    if (!good) {
        fprintf(stderr, "%s failed (%s)\n", what, plan.library);
        exit(1);
    }
}

static void print(double time, const double* values) {
    printf("%.17g", time);
    for (size_t i = 0; i < plan.values; ++i)
        printf(" %.17g", values[i]);
    printf("\n");
}

static int wanted(int step) { return step % plan.every == 0 || step == plan.steps; }

static unsigned char* read_bytes(const char* name, size_t* size) {
    FILE* file = fopen(name, "rb");
    require(file != NULL, "opening the bytes of a state");
    unsigned char* bytes = malloc(1 << 24);
    *size = fread(bytes, 1, 1 << 24, file);
    fclose(file);
    return bytes;
}

static void write_bytes(const char* name, const unsigned char* bytes, size_t size) {
    FILE* file = fopen(name, "wb");
    require(file != NULL && fwrite(bytes, 1, size, file) == size, "writing the bytes of a state");
    fclose(file);
}

static void say2(fmi2ComponentEnvironment e, fmi2String instance, fmi2Status status, fmi2String category,
                 fmi2String format, ...) {
    (void)e, (void)instance, (void)status, (void)category;
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fprintf(stderr, "\n");
}

static void simulate2(Library library) {
    FUNCTION(fmi2, Instantiate);
    FUNCTION(fmi2, SetupExperiment);
    FUNCTION(fmi2, EnterInitializationMode);
    FUNCTION(fmi2, ExitInitializationMode);
    FUNCTION(fmi2, GetReal);
    FUNCTION(fmi2, DoStep);
    FUNCTION(fmi2, GetFMUstate);
    FUNCTION(fmi2, SetFMUstate);
    FUNCTION(fmi2, FreeFMUstate);
    FUNCTION(fmi2, SerializedFMUstateSize);
    FUNCTION(fmi2, SerializeFMUstate);
    FUNCTION(fmi2, DeSerializeFMUstate);
    FUNCTION(fmi2, Terminate);
    FUNCTION(fmi2, FreeInstance);
    static double values[most_values];
    const fmi2CallbackFunctions callbacks = {say2, calloc, free, NULL, NULL};
    fmi2Component c = Instantiate("it", fmi2CoSimulation, plan.token, plan.resources[0] ? plan.resources : NULL,
                                  &callbacks, fmi2False, fmi2False);
    require(c != NULL, "fmi2Instantiate");
    require(SetupExperiment(c, fmi2False, 0, 0, fmi2False, 0) == fmi2OK, "fmi2SetupExperiment");
    require(EnterInitializationMode(c) == fmi2OK, "fmi2EnterInitializationMode");
    require(ExitInitializationMode(c) == fmi2OK, "fmi2ExitInitializationMode");
    fmi2FMUstate state = NULL;
    size_t size = 0;
    if (plan.restore[0]) {
        unsigned char* bytes = read_bytes(plan.restore, &size);
        require(DeSerializeFMUstate(c, (const fmi2Byte*)bytes, size, &state) == fmi2OK, "fmi2DeSerializeFMUstate");
        require(SetFMUstate(c, state) == fmi2OK, "fmi2SetFMUstate");
        require(FreeFMUstate(c, &state) == fmi2OK, "fmi2FreeFMUstate");
        free(bytes);
    }
    for (int i = plan.restore_at;; ++i) {
        if (wanted(i)) {
            require(GetReal(c, plan.reference, plan.values, values) == fmi2OK, "fmi2GetReal");
            print(i * plan.step, values);
        }
        if (plan.save[0] && i == plan.save_at) {
            require(GetFMUstate(c, &state) == fmi2OK, "fmi2GetFMUstate");
            require(SerializedFMUstateSize(c, state, &size) == fmi2OK, "fmi2SerializedFMUstateSize");
            unsigned char* bytes = malloc(size);
            require(SerializeFMUstate(c, state, (fmi2Byte*)bytes, size) == fmi2OK, "fmi2SerializeFMUstate");
            require(FreeFMUstate(c, &state) == fmi2OK, "fmi2FreeFMUstate");
            write_bytes(plan.save, bytes, size);
            free(bytes);
        }
        if (i == plan.steps)
            break;
        require(DoStep(c, i * plan.step, plan.step, fmi2True) == fmi2OK, "fmi2DoStep");
    }
    require(Terminate(c) == fmi2OK, "fmi2Terminate");
    FreeInstance(c);
}

static void say3(fmi3InstanceEnvironment e, fmi3Status status, fmi3String category, fmi3String message) {
    (void)e, (void)status, (void)category;
    fprintf(stderr, "%s\n", message);
}

static void simulate3(Library library) {
    FUNCTION(fmi3, InstantiateCoSimulation);
    FUNCTION(fmi3, EnterInitializationMode);
    FUNCTION(fmi3, ExitInitializationMode);
    FUNCTION(fmi3, GetFloat64);
    FUNCTION(fmi3, DoStep);
    FUNCTION(fmi3, GetFMUState);
    FUNCTION(fmi3, SetFMUState);
    FUNCTION(fmi3, FreeFMUState);
    FUNCTION(fmi3, SerializedFMUStateSize);
    FUNCTION(fmi3, SerializeFMUState);
    FUNCTION(fmi3, DeserializeFMUState);
    FUNCTION(fmi3, Terminate);
    FUNCTION(fmi3, FreeInstance);
    static double values[most_values];
    fmi3Instance c =
        InstantiateCoSimulation("it", plan.token, plan.resources[0] ? plan.resources : NULL, fmi3False, fmi3True,
                                fmi3False, fmi3False, NULL, 0, NULL, say3, NULL);
    require(c != NULL, "fmi3InstantiateCoSimulation");
    require(EnterInitializationMode(c, fmi3False, 0, 0, fmi3False, 0) == fmi3OK, "fmi3EnterInitializationMode");
    require(ExitInitializationMode(c) == fmi3OK, "fmi3ExitInitializationMode");
    fmi3FMUState state = NULL;
    size_t size = 0;
    if (plan.restore[0]) {
        unsigned char* bytes = read_bytes(plan.restore, &size);
        require(DeserializeFMUState(c, bytes, size, &state) == fmi3OK, "fmi3DeserializeFMUState");
        require(SetFMUState(c, state) == fmi3OK, "fmi3SetFMUState");
        require(FreeFMUState(c, &state) == fmi3OK, "fmi3FreeFMUState");
        free(bytes);
    }
    for (int i = plan.restore_at;; ++i) {
        if (wanted(i)) {
            require(GetFloat64(c, plan.reference, (size_t)plan.outputs, values, plan.values) == fmi3OK,
                    "fmi3GetFloat64");
            print(i * plan.step, values);
        }
        if (plan.save[0] && i == plan.save_at) {
            require(GetFMUState(c, &state) == fmi3OK, "fmi3GetFMUState");
            require(SerializedFMUStateSize(c, state, &size) == fmi3OK, "fmi3SerializedFMUStateSize");
            unsigned char* bytes = malloc(size);
            require(SerializeFMUState(c, state, bytes, size) == fmi3OK, "fmi3SerializeFMUState");
            require(FreeFMUState(c, &state) == fmi3OK, "fmi3FreeFMUState");
            write_bytes(plan.save, bytes, size);
            free(bytes);
        }
        if (i == plan.steps)
            break;
        fmi3Boolean event = fmi3False, terminate = fmi3False, early = fmi3False;
        double last = 0;
        require(DoStep(c, i * plan.step, plan.step, fmi3True, &event, &terminate, &early, &last) == fmi3OK,
                "fmi3DoStep");
    }
    require(Terminate(c) == fmi3OK, "fmi3Terminate");
    FreeInstance(c);
}

static void read_plan(const char* name) {
    memset(&plan, 0, sizeof plan);
    FILE* file = fopen(name, "rb");
    require(file != NULL, "opening a plan");
    static char line[8192];
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\r\n")] = 0;
        char* value = strchr(line, ' ');
        require(value != NULL, "reading a plan");
        *value++ = 0;
        if (strcmp(line, "version") == 0)
            plan.version = atoi(value);
        else if (strcmp(line, "library") == 0)
            strcpy(plan.library, value);
        else if (strcmp(line, "resources") == 0)
            strcpy(plan.resources, value);
        else if (strcmp(line, "token") == 0)
            strcpy(plan.token, value);
        else if (strcmp(line, "step") == 0)
            plan.step = strtod(value, NULL);
        else if (strcmp(line, "steps") == 0)
            plan.steps = atoi(value);
        else if (strcmp(line, "every") == 0)
            plan.every = atoi(value);
        else if (strcmp(line, "save") == 0)
            sscanf(value, "%4095s %d", plan.save, &plan.save_at);
        else if (strcmp(line, "restore") == 0)
            sscanf(value, "%4095s %d", plan.restore, &plan.restore_at);
        else if (strcmp(line, "real") == 0) {
            require(plan.outputs < most_outputs, "counting outputs");
            sscanf(value, "%u %u", &plan.reference[plan.outputs], &plan.count[plan.outputs]);
            plan.values += plan.count[plan.outputs++];
            require(plan.values <= most_values, "counting values");
        } else
            require(0, "understanding a plan");
    }
    fclose(file);
}

int main(int count, char** arguments) {
    for (int i = 1; i < count; ++i) {
        read_plan(arguments[i]);
        printf("plan %d\n", i);
        Library library = load(plan.library);
        require(library != NULL, "loading the library");
        if (plan.version == 2)
            simulate2(library);
        else
            simulate3(library);
        unload(library);
        fflush(stdout);
    }
    return 0;
}
