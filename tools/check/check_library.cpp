// Loading and unloading the library of an FMU.

#include "tools/check/dynamic_checks.hpp"
#include "tools/check/raw.hpp"

#include <chrono>
#include <dlfcn.h>
#include <thread>

namespace tenon::check {
namespace {

constexpr int rounds = 20;

/// Entries of a folder of /proc: descriptors or threads of this process.
long entries_of(const char* folder) {
    return static_cast<long>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

/// An empty answer: it is loaded.
void load(Probe& probe, int flags, std::string_view how) {
    try {
        RawLibrary library(probe, flags);
        const auto instance = library.make_instance();
        if (const std::string problem = instance->version_problem(); !problem.empty())
            probe.error("version", problem);
        probe.answer({});
    } catch (const fmi::LoadError& error) {
        probe.error("load", fmt::format("{} ({})", error.what(), how),
                    "'ldd' names missing libraries, 'nm -D --undefined-only' missing symbols");
    }
}

/// Threads of the FMU that outlive its instance. One that was joined may be seen for another moment.
long threads_left(long before) {
    long left = 0;
    for (int i = 0; i < 20; ++i) {
        left = entries_of("/proc/self/task") - before;
        if (left <= 0)
            break;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return left;
}

void load_and_unload(Probe& probe) {
    { // what the loader and the C library allocate once
        RawLibrary library(probe, RTLD_NOW);
    }
    const long descriptors = entries_of("/proc/self/fd"), threads = entries_of("/proc/self/task");
    bool gone = true;
    for (int i = 0; i < rounds; ++i) {
        auto library = std::make_unique<RawLibrary>(probe, RTLD_NOW);
        const auto instance = library->make_instance();
        if (!instance->instantiate({.logging = false})) {
            if (i > 0)
                probe.error("reload",
                            fmt::format("no instance can be made when the library is loaded for the {}. time",
                                        i + 1));
            return; // if not even once, the ordinary run says so
        }
        instance->free();
        if (const long left = threads_left(threads); left > 0) {
            probe.error(
                "threads", fmt::format("threads ({}) still run after the last instance was freed", left),
                "end and join them when the instance is freed: the library may be gone the next moment");
            (void)library.release(); // unloading it would take the code from under them
            return;
        }
        gone = library->unload();
    }
    if (!gone)
        probe.note("stays-loaded", "the library stays in memory after dlclose",
                   "unique symbols, thread-local destructors or NODELETE keep it");
    if (const long more = entries_of("/proc/self/fd") - descriptors; more > 0)
        probe.warning("descriptors",
                      fmt::format("{} file descriptors stay open after {} instances", more, rounds),
                      "close them when the instance is freed");
}

} // namespace

bool check_loading(Runner& runner) {
    runner.begin("load");
    const Runner::Answer now = runner.in_child([](Probe& probe) { load(probe, RTLD_NOW, "RTLD_NOW"); });
    if (now.data.empty())
        return false;
    runner.in_child([](Probe& probe) { load(probe, RTLD_LAZY, "RTLD_LAZY"); });
    runner.begin("null-instance"); // in a child of its own: what dies of it may be loaded all the same
    runner.in_child([](Probe& probe) {
        RawLibrary library(probe, RTLD_NOW);
        library.make_instance()->free_null();
    });
    return true;
}

void check_unloading(Runner& runner) { runner.in_child(load_and_unload); }

} // namespace tenon::check
