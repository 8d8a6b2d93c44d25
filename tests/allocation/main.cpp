// A step allocates nothing once the first two are done. Eigen takes its memory from malloc, so malloc itself is counted
// (operator new ends there, too).

#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#include "core/integrators/integrator_types.hpp"
#include "tests/support/machine_run.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>

namespace {
std::atomic<long> allocations{0};
}

extern "C" {
// The names glibc exports for exactly this purpose.
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) noexcept {
    ++allocations;
    return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
    ++allocations;
    return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) noexcept {
    ++allocations;
    return __libc_realloc(old, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
    ++allocations;
    return __libc_memalign(alignment, size);
}
}

using namespace tenon;
using namespace tenon::tests;

namespace {
/// Names that do not fit into a std::string itself allocate when they are copied or joined.
Model with_long_names(Model model) {
    for (Flange& flange : model.flanges)
        flange.name += "_with_a_name_of_more_than_fifteen_letters";
    for (Port& port : model.ports)
        port.name += "_with_a_name_of_more_than_fifteen_letters";
    return model;
}
} // namespace

TEST_CASE("the counter sees what Eigen, the standard library and new allocate") {
    const long before = allocations;
    Vector x = Vector::Zero(100);
    CHECK(allocations > before);
    const long middle = allocations;
    std::vector<double> y(100, x[0]);
    CHECK(allocations > middle);
    const long last = allocations;
    const auto z = std::make_unique<double>(y[0]);
    CHECK(allocations > last);
    CHECK(*z == 0);
}

TEST_CASE("no step after the second allocates, with any integrator") {
    // A chain, loops with redundant rows, a driven machine with friction, rolling wheels with an input, gears, a screw
    // with springs, ports and a flange, a tyre.
    for (const char* name : {"chain_10", "n_four_bar_2", "driven_crank", "cart", "rolling_disc",
                             "geared_arms", "screw_press", "ports_flanges", "braked_wheel"}) {
        for (const IntegratorType& type : integrator_types()) {
            const Model given = with_long_names(example(name));
            Simulation simulation(with(given, {type.name}, given.solver.step, 1));
            simulation.step(given.solver.step);
            simulation.step(given.solver.step);
            const long before = allocations;
            for (int i = 0; i < 10; ++i)
                simulation.step(given.solver.step);
            const long during = allocations - before;
            CAPTURE(name, type.name, simulation.report().halvings);
            if (simulation.report().halvings > 0) {
                WARN(type.name << " halves steps of " << name); // by exceptions, which do allocate
                continue;
            }
            CHECK(during == 0);
        }
    }
}

TEST_CASE("reading results, setting inputs and restoring a state allocate nothing either") {
    for (const char* name : {"ports_flanges", "spring_pendulum", "suspension", "lift_arm"}) {
        for (const IntegratorType& type : integrator_types()) {
            Model given = with_long_names(example(name));
            given.outputs.push_back({"shock", given.bodies[0].name + ".a_0[1]", "", ""}); // read on request
            Simulation simulation(with(given, {type.name}, given.solver.step, 1));
            std::vector<double> values(simulation.columns().size()), all(simulation.all_columns().size()),
                seed(simulation.inputs().size(), 1.0);
            const auto step = [&](double input) {
                if (!simulation.inputs().empty())
                    simulation.set_input(0, input);
                simulation.step(given.solver.step);
            };
            step(0);
            step(0);
            step(1);
            const State saved = simulation.state();
            const long before = allocations;
            for (int i = 0; i < 3; ++i) {
                step(i);
                simulation.read(values);
                simulation.read(all);
                simulation.read_rates(all);
                simulation.input_response(seed, all);
                simulation.restore(saved);
            }
            const long during = allocations - before;
            CAPTURE(name, type.name);
            CHECK(during == 0);
        }
    }
}
