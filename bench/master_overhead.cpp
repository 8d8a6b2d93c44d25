// What the master costs: rings of small FMUs, each with one input and one output, stepped by a bare loop over the C functions
// of their library and by the master (jacobi, one thread, nothing recorded), in nanoseconds of processor time a step of one
// FMU; then how often the master allocates in a step, and how long it takes to start 50 FMUs.
//
//   bench_master_overhead [FOLDER]        with the foreign FMUs; build/release/fmus by default
//
// `gain` does nothing in a step, `oscillator` makes one step of a Runge-Kutta method with two states.

#include "tools/import/library.hpp"
#include "tools/master/master.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace {
std::atomic<long> allocations{0};
}

void* operator new(std::size_t size) {
    allocations.fetch_add(1, std::memory_order_relaxed);
    if (void* memory = std::malloc(size))
        return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

using namespace tenon;
using namespace tenon::master;

constexpr double step = 0.001;
constexpr int rounds = 9;

double cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Case {
    std::string model, input, output;
    int version = 2;
    std::size_t count = 1;
    std::filesystem::path folder;

    std::filesystem::path file() const { return folder / fmt::format("{}.{}.fmu", model, version); }
    /// Steps of a measurement of about 20 ms.
    long steps() const { return 100'000 / static_cast<long>(count) + 1; }
};

/// A library and the functions of it that a loop needs, of either version.
class Bare {
  public:
    using Get = int (*)(void*, const std::uint32_t*, std::size_t, double*);
    using Set = int (*)(void*, const std::uint32_t*, std::size_t, const double*);
    using Get3 = int (*)(void*, const std::uint32_t*, std::size_t, double*, std::size_t);
    using Set3 = int (*)(void*, const std::uint32_t*, std::size_t, const double*, std::size_t);
    using Step = int (*)(void*, double, double, int);
    using Step3 = int (*)(void*, double, double, bool, bool*, bool*, bool*, double*);

    explicit Bare(const Case& what) : what_(what), fmu_(what.file()) {
        auto folder = std::make_shared<const TemporaryFolder>();
        fmu_.archive().unpack(folder->path());
        library_ = std::make_unique<fmi::Library>(folder->path() / fmu_.binary(), folder);
        for (const fmi::Variable& variable : fmu_.description().variables) {
            if (variable.name == what.input)
                input_ = variable.reference;
            if (variable.name == what.output)
                output_ = variable.reference;
        }
        for (std::size_t i = 0; i < what.count; ++i)
            instances_.push_back(what.version == 2 ? started2() : started3());
        u_.resize(what.count);
        y_.resize(what.count);
    }
    ~Bare() {
        const auto release =
            function<void (*)(void*)>(what_.version == 2 ? "fmi2FreeInstance" : "fmi3FreeInstance");
        for (void* instance : instances_)
            release(instance);
    }
    Bare(const Bare&) = delete;
    Bare& operator=(const Bare&) = delete;

    /// `n` steps of all; the sum of what the functions have returned.
    int run(long first, long n) { return what_.version == 2 ? run2(first, n) : run3(first, n); }

  private:
    template <class F> F function(const char* name) const {
        return reinterpret_cast<F>(library_->symbol(name));
    }

    void* started2() {
        struct Callbacks {
            void (*log)(void*, const char*, int, const char*, const char*, ...);
            void* (*allocate)(std::size_t, std::size_t);
            void (*release)(void*);
            void (*finished)(void*, int);
            void* environment;
        };
        static const Callbacks callbacks{[](void*, const char*, int, const char*, const char*, ...) {},
                                         std::calloc, std::free, nullptr, nullptr};
        void* instance =
            function<void* (*)(const char*, int, const char*, const char*, const Callbacks*, int, int)>(
                "fmi2Instantiate")("bare", 1, fmu_.description().token.c_str(), "file:///", &callbacks, 0, 0);
        function<int (*)(void*, int, double, double, int, double)>("fmi2SetupExperiment")(instance, 0, 0, 0,
                                                                                          0, 0);
        function<int (*)(void*)>("fmi2EnterInitializationMode")(instance);
        function<int (*)(void*)>("fmi2ExitInitializationMode")(instance);
        return instance;
    }
    void* started3() {
        void* instance = function<void* (*)(const char*, const char*, const char*, bool, bool, bool, bool,
                                            const std::uint32_t*, std::size_t, void*, void*, void*)>(
            "fmi3InstantiateCoSimulation")("bare", fmu_.description().token.c_str(), nullptr, false, false,
                                           false, false, nullptr, 0, nullptr, nullptr, nullptr);
        function<int (*)(void*, bool, double, double, bool, double)>("fmi3EnterInitializationMode")(
            instance, false, 0, 0, false, 0);
        function<int (*)(void*)>("fmi3ExitInitializationMode")(instance);
        return instance;
    }

    int run2(long first, long n) {
        const auto get = function<Get>("fmi2GetReal");
        const auto set = function<Set>("fmi2SetReal");
        const auto advance = function<Step>("fmi2DoStep");
        const std::size_t count = instances_.size();
        int status = 0;
        for (long k = first; k < first + n; ++k) {
            const double t = static_cast<double>(k) * step;
            for (std::size_t i = 0; i < count; ++i)
                u_[i] = y_[i == 0 ? count - 1 : i - 1];
            for (std::size_t i = 0; i < count; ++i) {
                status |= set(instances_[i], &input_, 1, &u_[i]);
                status |= advance(instances_[i], t, step, 0);
                status |= get(instances_[i], &output_, 1, &y_[i]);
            }
        }
        return status;
    }
    int run3(long first, long n) {
        const auto get = function<Get3>("fmi3GetFloat64");
        const auto set = function<Set3>("fmi3SetFloat64");
        const auto advance = function<Step3>("fmi3DoStep");
        const std::size_t count = instances_.size();
        int status = 0;
        for (long k = first; k < first + n; ++k) {
            const double t = static_cast<double>(k) * step;
            for (std::size_t i = 0; i < count; ++i)
                u_[i] = y_[i == 0 ? count - 1 : i - 1];
            for (std::size_t i = 0; i < count; ++i) {
                bool event = false, terminate = false, early = false;
                double last = 0;
                status |= set(instances_[i], &input_, 1, &u_[i], 1);
                status |= advance(instances_[i], t, step, false, &event, &terminate, &early, &last);
                status |= get(instances_[i], &output_, 1, &y_[i], 1);
            }
        }
        return status;
    }

    Case what_;
    fmi::Fmu fmu_;
    std::unique_ptr<fmi::Library> library_;
    std::vector<void*> instances_;
    std::uint32_t input_ = 0, output_ = 0;
    std::vector<double> u_, y_;
};

CheckedSystem ring(const Case& what, const std::vector<std::filesystem::path>& files) {
    System system;
    for (std::size_t i = 0; i < what.count; ++i) {
        SystemFmu fmu;
        fmu.name = fmt::format("part{}", i);
        fmu.file = files[i % files.size()];
        if (what.model == "gain")
            fmu.set.push_back({.variable = "k", .value = 0.5, .unit = "", .base = {}});
        system.fmus.push_back(std::move(fmu));
        Connection connection;
        connection.from = {i == 0 ? what.count - 1 : i - 1, what.output, {}};
        connection.to = {i, what.input, {}};
        connection.convert_units = false;
        system.connections.push_back(std::move(connection));
    }
    system.master.method = "jacobi";
    system.master.step = step;
    system.master.stop = 1e9;
    return check_system(std::move(system));
}

MasterOptions nothing_recorded() {
    MasterOptions options;
    options.record = [](const std::string&) { return false; };
    return options;
}

/// Nanoseconds a step of one FMU, of both in turn, the least of all rounds.
void measure(const Case& what) {
    Bare bare(what);
    Master master(ring(what, {what.file()}), nothing_recorded());
    master.initialize();
    const long n = what.steps();
    double least[2] = {1e300, 1e300};
    long done = 0, allocated = 0;
    for (int round = 0; round < rounds; ++round, done += n) {
        const double begin = cpu_seconds();
        if (bare.run(done, n) != 0)
            throw std::runtime_error("the bare loop has failed");
        const double middle = cpu_seconds();
        const long before = allocations;
        for (long k = done + 1; k <= done + n; ++k)
            master.step(static_cast<double>(k) * step);
        const double end = cpu_seconds();
        allocated = round == 0 ? 0 : allocated + allocations - before;
        least[0] = std::min(least[0], middle - begin);
        least[1] = std::min(least[1], end - middle);
    }
    const double steps = static_cast<double>(n) * static_cast<double>(what.count);
    fmt::print("{:<11} {:>3} {:>5} {:>10.1f} {:>10.1f} {:>7.2f} {:>12}\n", what.model, what.version,
               what.count, 1e9 * least[0] / steps, 1e9 * least[1] / steps, least[1] / least[0], allocated);
}

/// Milliseconds from checked systems to the first step, of FMUs from one file or from as many files as FMUs.
void measure_start(const Case& what) {
    const TemporaryFolder folder;
    std::vector<std::filesystem::path> many;
    for (std::size_t i = 0; i < what.count; ++i) {
        many.push_back(folder.path() / fmt::format("part{}.fmu", i));
        std::filesystem::copy_file(what.file(), many.back());
    }
    const auto milliseconds = [&](const std::vector<std::filesystem::path>& files) {
        double least = 1e300, least_cpu = 1e300;
        for (int round = 0; round < 5; ++round) {
            const auto begin = std::chrono::steady_clock::now();
            const double begin_cpu = cpu_seconds();
            Master master(ring(what, files), nothing_recorded());
            master.initialize();
            least_cpu = std::min(least_cpu, cpu_seconds() - begin_cpu);
            least = std::min(least,
                             std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        }
        return std::pair(1e3 * least, 1e3 * least_cpu);
    };
    const auto [one, one_cpu] = milliseconds({what.file()});
    const auto [own, own_cpu] = milliseconds(many);
    fmt::print("start of {} {} (FMI {}): {:.1f} ms from one file, {:.1f} ms from {} files (processor {:.1f} "
               "and {:.1f})\n",
               what.count, what.model, what.version, one, own, what.count, one_cpu, own_cpu);
}

} // namespace

int main(int argc, char** argv) {
    const std::filesystem::path folder = argc > 1 ? argv[1] : "build/release/fmus";
    fmt::print("{:<11} {:>3} {:>5} {:>10} {:>10} {:>7} {:>12}\n", "FMU", "FMI", "FMUs", "bare ns",
               "master ns", "ratio", "allocations");
    for (const auto& [model, input, output] :
         {std::tuple("gain", "u", "y"), std::tuple("oscillator", "F", "x")})
        for (const int version : {2, 3})
            for (const std::size_t count : {1, 2, 10, 50})
                measure({model, input, output, version, count, folder});
    for (const int version : {2, 3})
        measure_start({"oscillator", "F", "x", version, 50, folder});
}
