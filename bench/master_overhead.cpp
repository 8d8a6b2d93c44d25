// What the master costs: rings of small FMUs, each with one input and one output, stepped by a bare loop over the C functions
// of their library and by the master (jacobi, one thread), without recording and with all outputs written to a file as
// `tenon run` does it; then how long it takes to start 50 FMUs.
//
//   bench_master_overhead [FOLDER [ROUNDS]]      with the foreign FMUs, build/release/fmus by default; 7 rounds; JSON
//
// `gain` does nothing in a step, `oscillator` makes one step of a Runge-Kutta method with two states. Times are processor time
// of the whole process, the least of all rounds: the recorder has a thread of its own.

#include "bench/bare_ring.hpp"
#include "tools/files/temporary_folder.hpp"
#include "tools/master/master.hpp"
#include "tools/results/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <new>
#include <stdexcept>
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
using namespace tenon::system;
using bench::BareRing;
using bench::Ring;
using Files = std::vector<std::filesystem::path>;

/// Steps of an FMU in a measurement: some ten milliseconds, and so many rows that opening and closing a file does not count.
constexpr long steps_a_round = 200'000;
constexpr int slices = 20;

double cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Processor seconds of one of the `n` steps of a call, kept where it is the least so far.
template <class Call> double time_into(double& least, long n, Call&& call) {
    const double begin = cpu_seconds();
    call();
    const double time = (cpu_seconds() - begin) / static_cast<double>(n);
    least = std::min(least, time);
    return time;
}

CheckedSystem system_of(const Ring& what, const Files& files) {
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
    system.master.step = bench::step;
    system.master.stop = 1e9;
    return check_system(std::move(system));
}

MasterOptions nothing_recorded() {
    MasterOptions options;
    options.record = [](const std::string&) { return false; };
    return options;
}

/// A master that goes on from round to round.
class Run {
  public:
    Run(const Ring& what, const MasterOptions& options) : master_(system_of(what, {what.file()}), options) {
        for (const Column& column : master_.columns())
            heading_.columns.push_back({column.name, column.unit, column.description});
        values_.resize(heading_.columns.size());
        master_.initialize();
    }
    std::size_t columns() const { return values_.size(); }

    void advance(long n) {
        for (const long end = done_ + n; done_ < end;)
            master_.step(static_cast<double>(++done_) * bench::step);
    }
    /// From the opening of the file to its closing.
    void record(long n, const std::filesystem::path& file) {
        const std::unique_ptr<results::Recorder> recorder = results::new_recorder(file, heading_);
        for (const long end = done_ + n; done_ < end;) {
            master_.step(static_cast<double>(++done_) * bench::step);
            master_.read(values_);
            recorder->write(master_.time(), values_);
        }
        recorder->close();
    }

  private:
    Master master_;
    results::ResultHeading heading_{"ring", "{}", {}};
    std::vector<double> values_;
    long done_ = 0;
};

/// Seconds of a step of one FMU, the least of all rounds.
struct Least {
    double bare = 1e300, master = 1e300; ///< of all slices
    double round = 1e300; ///< the master in a whole round, to compare those with recording with
    double hdf5 = 1e300, csv = 1e300;
    long allocations = 0; ///< of the master after the first round
};

/// All in turn in each round, so that what else the machine does falls on all of them; bare loop and master in slices that are
/// shorter than the time which the system gives to others.
Least least_of(const Ring& what, int rounds) {
    const TemporaryFolder folder;
    BareRing bare(what);
    Run plain(what, nothing_recorded()), recorded(what, {});
    const long n = steps_a_round / static_cast<long>(what.count), slice = n / slices;
    Least least;
    for (int round = 0; round < rounds; ++round) {
        const long before = allocations;
        double mean = 0;
        for (int i = 0; i < slices; ++i) {
            time_into(least.bare, slice, [&] { bare.run(slice); });
            mean += time_into(least.master, slice, [&] { plain.advance(slice); }) / slices;
        }
        least.round = std::min(least.round, mean);
        least.allocations += round == 0 ? 0 : allocations - before;
        time_into(least.hdf5, n, [&] { recorded.record(n, folder.path() / "ring.h5"); });
        time_into(least.csv, n, [&] { recorded.record(n, folder.path() / "ring.csv"); });
    }
    return least;
}

void measure(const Ring& what, int rounds, const char* end) {
    const Least least = least_of(what, rounds);
    const double to_ns = 1e9 / static_cast<double>(what.count);
    fmt::print("  {{\"model\": \"{}\", \"fmi\": {}, \"fmus\": {}, \"columns\": {}, \"bare\": {:.1f}, "
               "\"master\": {:.1f}, \"round\": {:.1f}, \"hdf5\": {:.1f}, \"csv\": {:.1f}, "
               "\"allocations\": {}}}{}\n",
               what.model, what.version, what.count, Run(what, {}).columns(), to_ns * least.bare,
               to_ns * least.master, to_ns * least.round, to_ns * least.hdf5, to_ns * least.csv,
               least.allocations, end);
    std::fflush(stdout);
}

/// Milliseconds from the description of a system to its first step: of the clock on the wall, and of the processor.
std::pair<double, double> start_of(const Ring& what, const Files& files, int rounds) {
    double wall = 1e300, processor = 1e300;
    for (int round = 0; round < rounds; ++round) {
        const auto begin = std::chrono::steady_clock::now();
        const double begin_cpu = cpu_seconds();
        Master master(system_of(what, files), nothing_recorded());
        master.initialize();
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
        wall = std::min(wall, time.count());
        processor = std::min(processor, cpu_seconds() - begin_cpu);
    }
    return {1e3 * wall, 1e3 * processor};
}

/// From one file for all, and from a file for each.
void measure_start(const Ring& what, int rounds, const char* end) {
    const TemporaryFolder folder;
    Files files;
    for (std::size_t i = 0; i < what.count; ++i) {
        files.push_back(folder.path() / fmt::format("part{}.fmu", i));
        std::filesystem::copy_file(what.file(), files.back());
    }
    const auto [one, one_cpu] = start_of(what, {what.file()}, rounds);
    const auto [own, own_cpu] = start_of(what, files, rounds);
    fmt::print("  {{\"model\": \"{}\", \"fmi\": {}, \"fmus\": {}, \"one_file\": [{:.1f}, {:.1f}], "
               "\"own_files\": [{:.1f}, {:.1f}]}}{}\n",
               what.model, what.version, what.count, one, one_cpu, own, own_cpu, end);
}

void measure_all(const std::filesystem::path& folder, int rounds) {
    fmt::print("{{\"steps\": [\n");
    for (const auto& [model, input, output] :
         {std::tuple("gain", "u", "y"), std::tuple("oscillator", "F", "x")})
        for (const int version : {2, 3})
            for (const std::size_t count : {1, 2, 10, 50}) {
                const bool last = model == std::string("oscillator") && version == 3 && count == 50;
                measure({model, input, output, version, count, folder}, rounds, last ? "" : ",");
            }
    fmt::print("], \"starts\": [\n");
    for (const int version : {2, 3})
        measure_start({"oscillator", "F", "x", version, 50, folder}, rounds, version == 3 ? "" : ",");
    fmt::print("]}}\n");
}

} // namespace

int main(int argc, char** argv) {
    try {
        measure_all(argc > 1 ? argv[1] : "build/release/fmus",
                    argc > 2 ? std::max(1, std::atoi(argv[2])) : 7);
    } catch (const std::exception& error) {
        fmt::print(stderr, "bench_master_overhead: {}\n", error.what());
        return 70;
    }
    return 0;
}
