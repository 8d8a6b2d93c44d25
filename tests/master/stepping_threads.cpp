// Any number of threads gives the same numbers, to the last bit.

#include "tests/master/run_support.hpp"
#include "tools/master/thread_team.hpp"

#include <atomic>
#include <stdexcept>

using namespace tenon;
using namespace tenon::master;
using namespace tenon::system;

namespace {

/// A ring of oscillators of both versions, each pulled by its two neighbours' positions through a gain.
SystemBuilder ring(const std::string& method, int order) {
    SystemBuilder builder;
    constexpr int n = 5;
    for (int i = 0; i < n; ++i) {
        const std::string number = std::to_string(i);
        builder.fmu("mass" + number, fmi::foreign_file("oscillator", i % 2 == 0 ? 2 : 3),
                    {setting("k", 10.0 + i), setting("d", 0.1), setting("x", 0.3 * i - 0.5)});
        builder.fmu("spring" + number, fmi::foreign_file("gain", i % 2 == 0 ? 3 : 2),
                    {setting("k", 3.0 + 0.1 * i)});
    }
    for (int i = 0; i < n; ++i) {
        const std::string number = std::to_string(i), next = std::to_string((i + 1) % n);
        builder.connect("mass" + next + ".x", "spring" + number + ".u", 0.9, 0.01);
        builder.connect("spring" + number + ".y", "mass" + number + ".F");
    }
    builder.method(method, 0.02, 0.2);
    builder.system.master.extrapolation = order;
    return builder;
}

std::vector<std::vector<double>> rows_with(int threads, const SystemBuilder& builder) {
    MasterOptions options;
    options.threads = threads;
    Run run(builder.check(), options);
    run.go();
    REQUIRE(run.failure == "");
    return run.rows;
}

} // namespace

TEST_CASE("one, two and three threads give bit-identical results") {
    const std::string method = GENERATE(every_scheme());
    const int order = GENERATE(0, 2);
    const bool adaptive = GENERATE(false, true);
    SystemBuilder builder = ring(method, order);
    builder.system.master.adaptive = adaptive;
    builder.system.master.tolerance = 1e-4;
    builder.system.master.iteration = order == 0 ? "fixed-point" : "quasi-newton";
    const std::vector<std::vector<double>> alone = rows_with(1, builder);
    CHECK(alone.size() == 11);
    CHECK(rows_with(2, builder) == alone);
    CHECK(rows_with(3, builder) == alone);
}

TEST_CASE("gauss-seidel says that more threads have no effect") {
    MasterOptions options;
    options.threads = 2;
    CHECK(Run(ring("gauss-seidel", 0).check(), options).remarks("more threads have no effect"));
    CHECK_FALSE(Run(ring("gauss-seidel", 0).check()).remarks("more threads have no effect"));
}

TEST_CASE("a team does all its work, each piece once, and again") {
    const int threads = GENERATE(1, 2, 3, 8);
    ThreadTeam team(threads);
    CHECK(team.size() == static_cast<std::size_t>(threads));
    std::vector<int> done(100, 0);
    for (int round = 0; round < 2000; ++round)
        team.collect(done.size(), [&](std::size_t i) {
            ++done[i];
            return 0u;
        });
    CHECK(done == std::vector<int>(100, 2000));
}

TEST_CASE("a team collects the bits of all pieces") {
    ThreadTeam team(3);
    CHECK(team.collect(10, [](std::size_t i) { return i == 2 ? 1u : i == 7 ? 4u : 0u; }) == 5);
    CHECK(team.collect(0, [](std::size_t) { return 1u; }) == 0);
}

TEST_CASE("what one of a team throws comes out, and the team goes on") {
    ThreadTeam team(3);
    const auto throwing = [&](std::size_t thread) {
        if (thread > 0)
            throw std::runtime_error("thread " + std::to_string(thread));
    };
    CHECK_THROWS_WITH(team.run(throwing), "thread 1");
    std::atomic<int> count = 0;
    team.run([&](std::size_t) { ++count; });
    CHECK(count == 3);
}
