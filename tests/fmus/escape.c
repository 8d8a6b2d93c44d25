/* Tries in each step to do what an isolated FMU may not do, or what it still may, and gives the number of the error as
   `answer`, 0 where it was done. Which one is said by the input `attempt`; some need a `path`. */

#define _GNU_SOURCE

#include "model.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

/* tests/host/sandbox.cpp has the same list. */
enum Attempt {
    nothing,
    writes_file,  /* path */
    reads_file,   /* path */
    changes_mode, /* path */
    removes_file, /* path */
    fills_file,   /* 80 MB, in the working folder */
    keeps_file,   /* a file in the working folder, written and read */
    makes_socket,
    executes, /* /bin/true */
    forks,
    starts_thread,
    signals_parent,
    signals_by_descriptor,
    reads_parent, /* its memory */
    traces_parent,
    counts_environment, /* the answer is their number */
    counts_descriptors, /* above the standard streams */
    fills_channel,      /* the memory that it shares with others, with 0xff */
    raises_limit,       /* of the size of files */
    shares_memory       /* by the old calls for it */
};

enum { n_attempt = 1, n_path, n_answer, n_at_load };

typedef struct {
    double time;
    int32_t attempt, answer, at_load;
    Text path;
} Values;

static const Variable variables[] = {
    {0, kind_float64, role_result, offsetof(Values, time), 1, 0, 0},
    {n_attempt, kind_int32, role_input, offsetof(Values, attempt), 1, 0, 0},
    {n_path, kind_string, role_input, offsetof(Values, path), 1, 0, 0},
    {n_answer, kind_int32, role_result, offsetof(Values, answer), 1, 0, 0},
    {n_at_load, kind_int32, role_result, offsetof(Values, at_load), 1, 0, 0},
};

static int error_of(long result) { return result < 0 ? errno : 0; }

static int use_file(const char* path, int flags) {
    const int file = open(path, flags, 0600);
    const int error = error_of(file);
    if (file >= 0)
        close(file);
    return error;
}

/* What the constructors of a library can do before anybody has called a function of it. */
static int read_at_load;
__attribute__((constructor)) static void on_load(void) { read_at_load = use_file("/etc/passwd", O_RDONLY); }

static int fill_file(void) {
    static const char block[1 << 16] = {1};
    FILE* file = fopen("large", "w");
    if (!file)
        return errno;
    int error = 0;
    for (int i = 0; i < 80 * 16 && error == 0; ++i)
        if (fwrite(block, sizeof block, 1, file) != 1)
            error = errno;
    fclose(file);
    remove("large");
    return error;
}

static int keep_file(void) {
    char text[8] = "";
    FILE* file = fopen("note", "w");
    if (!file)
        return errno;
    fputs("kept", file);
    fclose(file);
    file = fopen("note", "r");
    if (!file)
        return errno;
    const bool same = fgets(text, sizeof text, file) && strcmp(text, "kept") == 0;
    fclose(file);
    return same ? 0 : EIO;
}

static int execute(void) {
    char* const arguments[] = {(char*)"/bin/true", NULL};
    return error_of(execve(arguments[0], arguments, arguments + 1));
}

static int make_process(void) {
    const pid_t child = fork();
    if (child == 0)
        _exit(0);
    const int error = error_of(child);
    if (child > 0)
        waitpid(child, NULL, 0);
    return error;
}

static void* answer_of_thread(void* answer) {
    *(int*)answer = 42;
    return NULL;
}

static int start_thread(void) {
    pthread_t thread;
    int answer = 0;
    const int error = pthread_create(&thread, NULL, answer_of_thread, &answer);
    if (error == 0)
        pthread_join(thread, NULL);
    return error != 0 ? error : answer == 42 ? 0 : EIO;
}

static int signal_by_descriptor(void) {
    int ends[2];
    if (pipe(ends) != 0)
        return errno;
    const int error = error_of(fcntl(ends[0], F_SETOWN, getppid()));
    close(ends[0]);
    close(ends[1]);
    return error;
}

static int read_parent(void) {
    char here;
    struct iovec to = {&here, 1}, from = {&read_at_load, 1};
    return error_of(process_vm_readv(getppid(), &to, 1, &from, 1, 0));
}

static int count_environment(void) {
    int count = 0;
    while (environ && environ[count])
        ++count;
    return count;
}

static int count_descriptors(void) {
    int count = 0;
    for (int i = 3; i < 1024; ++i)
        count += fcntl(i, F_GETFD) >= 0;
    return count;
}

static int fill_channel(void) {
    FILE* maps = fopen("/proc/self/maps", "r");
    if (!maps)
        return errno;
    char line[512];
    int found = ENOENT;
    while (fgets(line, sizeof line, maps)) {
        unsigned long begin = 0, end = 0;
        if (strstr(line, "memfd:tenon") && sscanf(line, "%lx-%lx", &begin, &end) == 2) {
            memset((void*)begin, 0xff, end - begin);
            found = 0;
        }
    }
    fclose(maps);
    return found;
}

static int try(enum Attempt attempt, const char* path) {
    const struct rlimit unlimited = {RLIM_INFINITY, RLIM_INFINITY};
    switch (attempt) {
    case writes_file:
        return use_file(path, O_WRONLY | O_CREAT);
    case reads_file:
        return use_file(path, O_RDONLY);
    case changes_mode:
        return error_of(chmod(path, 0777));
    case removes_file:
        return error_of(unlink(path));
    case fills_file:
        return fill_file();
    case keeps_file:
        return keep_file();
    case makes_socket:
        return error_of(socket(AF_INET, SOCK_STREAM, 0));
    case executes:
        return execute();
    case forks:
        return make_process();
    case starts_thread:
        return start_thread();
    case signals_parent:
        return error_of(kill(getppid(), SIGCONT));
    case signals_by_descriptor:
        return signal_by_descriptor();
    case reads_parent:
        return read_parent();
    case traces_parent:
        return error_of(ptrace(PTRACE_SEIZE, getppid(), NULL, NULL));
    case counts_environment:
        return count_environment();
    case counts_descriptors:
        return count_descriptors();
    case fills_channel:
        return fill_channel();
    case raises_limit:
        return error_of(setrlimit(RLIMIT_FSIZE, &unlimited));
    case shares_memory:
        return error_of(shmget(IPC_PRIVATE, 4096, 0600));
    case nothing:
    default:
        return 0;
    }
}

static void start(Model* model) {
    Values* v = model->values;
    v->at_load = read_at_load;
}

static Outcome step(Model* model, double end) {
    Values* v = model->values;
    v->answer = try((enum Attempt)v->attempt, v->path.bytes);
    v->time = end;
    return outcome_ok;
}

const ModelType model_type = {.name = "escape",
                              .size = sizeof(Values),
                              .variables = variables,
                              .variable_count = sizeof variables / sizeof *variables,
                              .start = start,
                              .step = step};
