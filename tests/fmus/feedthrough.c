/* Each output is its input, in every type that FMI has, as scalars and as arrays; and the text of a resource. */

#include "model.h"

#include <stdio.h>
#include <string.h>

/* Inputs and outputs are laid out alike, so that one is a copy of the other. */
typedef struct {
    double float64, matrix[2][3];
    float float32;
    int8_t int8;
    uint8_t uint8;
    int16_t int16;
    uint16_t uint16;
    int32_t int32, integers[3];
    uint32_t uint32;
    int64_t int64, enumeration;
    uint64_t uint64;
    bool boolean, booleans[2];
    Text string, strings[2], binary, binaries[2];
} Ports;

typedef struct {
    double time;
    Ports in, out;
    double fixed, tunable;
    Text resource;
} Values;

static const Variable variables[] = {
    {0, kind_float64, role_result, offsetof(Values, time), 1, 0, 0},
    {100, kind_float64, role_input, offsetof(Values, in.float64), 1, 0, 0},
    {200, kind_float64, role_result, offsetof(Values, out.float64), 1, 0, 0},
    {101, kind_float32, role_input, offsetof(Values, in.float32), 1, 0, 0},
    {201, kind_float32, role_result, offsetof(Values, out.float32), 1, 0, 0},
    {102, kind_int8, role_input, offsetof(Values, in.int8), 1, 0, 0},
    {202, kind_int8, role_result, offsetof(Values, out.int8), 1, 0, 0},
    {103, kind_uint8, role_input, offsetof(Values, in.uint8), 1, 0, 0},
    {203, kind_uint8, role_result, offsetof(Values, out.uint8), 1, 0, 0},
    {104, kind_int16, role_input, offsetof(Values, in.int16), 1, 0, 0},
    {204, kind_int16, role_result, offsetof(Values, out.int16), 1, 0, 0},
    {105, kind_uint16, role_input, offsetof(Values, in.uint16), 1, 0, 0},
    {205, kind_uint16, role_result, offsetof(Values, out.uint16), 1, 0, 0},
    {106, kind_int32, role_input, offsetof(Values, in.int32), 1, 0, 0},
    {206, kind_int32, role_result, offsetof(Values, out.int32), 1, 0, 0},
    {107, kind_uint32, role_input, offsetof(Values, in.uint32), 1, 0, 0},
    {207, kind_uint32, role_result, offsetof(Values, out.uint32), 1, 0, 0},
    {108, kind_int64, role_input, offsetof(Values, in.int64), 1, 0, 0},
    {208, kind_int64, role_result, offsetof(Values, out.int64), 1, 0, 0},
    {109, kind_uint64, role_input, offsetof(Values, in.uint64), 1, 0, 0},
    {209, kind_uint64, role_result, offsetof(Values, out.uint64), 1, 0, 0},
    {110, kind_boolean, role_input, offsetof(Values, in.boolean), 1, 0, 0},
    {210, kind_boolean, role_result, offsetof(Values, out.boolean), 1, 0, 0},
    {111, kind_string, role_input, offsetof(Values, in.string), 1, 0, 0},
    {211, kind_string, role_result, offsetof(Values, out.string), 1, 0, 0},
    {112, kind_binary, role_input, offsetof(Values, in.binary), 1, 0, 0},
    {212, kind_binary, role_result, offsetof(Values, out.binary), 1, 0, 0},
    {113, kind_enumeration, role_input, offsetof(Values, in.enumeration), 1, 0, 0},
    {213, kind_enumeration, role_result, offsetof(Values, out.enumeration), 1, 0, 0},
    {120, kind_float64, role_input, offsetof(Values, in.matrix), 6, 0, 0},
    {220, kind_float64, role_result, offsetof(Values, out.matrix), 6, 0, 0},
    {121, kind_int32, role_input, offsetof(Values, in.integers), 3, 0, 0},
    {221, kind_int32, role_result, offsetof(Values, out.integers), 3, 0, 0},
    {122, kind_boolean, role_input, offsetof(Values, in.booleans), 2, 0, 0},
    {222, kind_boolean, role_result, offsetof(Values, out.booleans), 2, 0, 0},
    {123, kind_string, role_input, offsetof(Values, in.strings), 2, 0, 0},
    {223, kind_string, role_result, offsetof(Values, out.strings), 2, 0, 0},
    {124, kind_binary, role_input, offsetof(Values, in.binaries), 2, 0, 0},
    {224, kind_binary, role_result, offsetof(Values, out.binaries), 2, 0, 0},
    {300, kind_float64, role_start, offsetof(Values, fixed), 1, 0, 0},
    {301, kind_float64, role_tunable, offsetof(Values, tunable), 1, 0, 0},
    {302, kind_string, role_result, offsetof(Values, resource), 1, 0, 0},
};

static void read_resource(const Model* model, Text* text) {
    char path[4096], line[128];
    if (!model->resources || snprintf(path, sizeof path, "%stext.txt", model->resources) >= (int)sizeof path)
        return;
    FILE* file = fopen(path, "r");
    if (!file)
        return;
    if (fgets(line, sizeof line, file))
        model_text(text, line, strcspn(line, "\n"));
    fclose(file);
}

static void start(Model* model) {
    Values* v = model->values;
    v->fixed = 1;
    v->tunable = 0;
    v->in.enumeration = 1;
    model_text(&v->in.string, "start", 5);
    for (int i = 0; i < 2; ++i)
        model_text(&v->in.strings[i], i ? "two" : "one", 3);
    model_text(&v->in.binary, "\x01\x00\xff", 3);
    for (int i = 0; i < 2; ++i)
        model_text(&v->in.binaries[i], "\xab", 1);
    read_resource(model, &v->resource);
}

static void calculate(Model* model) {
    Values* v = model->values;
    v->out = v->in;
}

static Outcome step(Model* model, double end) {
    *model_time(model) = end;
    return outcome_ok;
}

const ModelType model_type = {.name = "feedthrough",
                              .size = sizeof(Values),
                              .variables = variables,
                              .variable_count = sizeof variables / sizeof *variables,
                              .start = start,
                              .step = step,
                              .calculate = calculate};
