// What a call costs when the FMU is in a process of its own: the smallest get and the smallest step of an FMU that does next
// to nothing, in this process and isolated, one call after the other; then several isolated FMUs in turn, each getting
// twelve values and taking a step, as the master does.
//
//   isolated_call FILE.fmu [CALLS] [SUBSYSTEMS]       10^5 calls and 8 subsystems by default; JSON on standard output

#include "tools/host/isolated_slave.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

namespace {

std::atomic<long> allocations{0};

} // namespace

void* operator new(std::size_t size) {
    ++allocations;
    if (void* memory = std::malloc(size))
        return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

using namespace tenon::fmi;
using namespace tenon::host;
using Clock = std::chrono::steady_clock;

constexpr int warm_up = 1000;

struct Times {
    double median = 0, p99 = 0, mean = 0; ///< microseconds
    double allocations = 0;               ///< a call
};

template <class Call> Times measure(int calls, Call&& call) {
    std::vector<double> times(static_cast<std::size_t>(calls));
    for (int i = 0; i < warm_up; ++i)
        call();
    const long before = allocations;
    for (double& time : times) {
        const Clock::time_point begin = Clock::now();
        call();
        time = std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
    }
    Times result;
    result.allocations = static_cast<double>(allocations - before) / calls;
    for (const double time : times)
        result.mean += time / calls;
    std::ranges::sort(times);
    result.median = times[times.size() / 2];
    result.p99 = times[times.size() * 99 / 100];
    return result;
}

void print(const char* what, const char* where, const Times& times, const char* end = ",") {
    std::printf(
        "  {\"call\": \"%s\", \"where\": \"%s\", \"median_us\": %.3f, \"p99_us\": %.3f, \"mean_us\": %.3f, "
        "\"allocations\": %g}%s\n",
        what, where, times.median, times.p99, times.mean, times.allocations, end);
    std::fflush(stdout);
}

/// A slave at its first step, and what it is asked.
struct Subject {
    std::unique_ptr<Slave> slave;
    double time = 0;
    std::vector<Reference> references;
    std::vector<double> values;

    Subject(std::unique_ptr<Slave> made, std::size_t wanted) : slave(std::move(made)), values(wanted) {
        for (const Variable& variable : slave->description().variables)
            if (variable.type == Type::float64 && variable.elements() == 1 && references.size() < wanted)
                references.push_back(variable.reference);
        while (references.size() < wanted)
            references.push_back(references.front());
        require(slave->enter_initialization(0, std::nullopt, std::nullopt));
        require(slave->exit_initialization());
    }
    void get() { require(slave->get(references, values)); }
    void step() {
        constexpr double h = 1.0 / 1024; // exact in binary: no FMU finds a gap between two steps
        require(slave->step(time, h, true).status);
        time += h;
    }
    static void require(Status status) {
        if (status > Status::warning)
            throw std::runtime_error("a call failed");
    }
};

void measure_one(Subject subject, const char* where, int calls) {
    print("get", where, measure(calls, [&] { subject.get(); }));
    print("step", where, measure(calls, [&] { subject.step(); }));
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "isolated_call FILE.fmu [CALLS] [SUBSYSTEMS]\n");
        return 64;
    }
    const int calls = argc > 2 ? std::atoi(argv[2]) : 100000;
    const int subsystems = argc > 3 ? std::atoi(argv[3]) : 8;
    try {
        const Fmu fmu(argv[1]);
        std::printf("[\n");
        measure_one(Subject(fmu.instantiate({}), 1), "in process", calls);
        measure_one(Subject(instantiate_isolated(fmu, {}), 1), "isolated", calls);
        IsolationOptions open;
        open.sandbox = false;
        measure_one(Subject(instantiate_isolated(fmu, {}, open), 1), "isolated without sandbox", calls);
        std::vector<Subject> all;
        for (int i = 0; i < subsystems; ++i)
            all.emplace_back(instantiate_isolated(fmu, {}), 12);
        const std::string name = "12 values and a step of " + std::to_string(subsystems) + " FMUs";
        print(name.c_str(), "isolated",
              measure(calls / 10,
                      [&] {
                          for (Subject& subject : all) {
                              subject.get();
                              subject.step();
                          }
                      }),
              "");
        std::printf("]\n");
    } catch (const std::exception& error) {
        std::fprintf(stderr, "isolated_call: %s\n", error.what());
        return 70;
    }
    return 0;
}
