// Long runs of a machine that keeps its energy: what the glue puts in or takes out, step for step.

#include "tests/glue/glued.hpp"
#include "tests/support/machine_run.hpp"

using namespace tenon;
using namespace tenon::tests;

namespace {

double largest_energy_error(const GluedRun& run) {
    double largest = 0;
    for (const double energy : run.energy)
        largest = std::max(largest, std::abs(energy - run.energy.front()));
    return largest;
}

} // namespace

TEST_CASE("a glued machine keeps its energy and its gap over thousands of steps") {
    // The study: H = 0.01, 40 s, gap 7.0e-7, energy error 6.7e-5 J.
    const GluedMachine glued(skew_double_pendulum());
    const GluedRun run = glued.run({.method = "newton", .step = 0.01, .stop = 10});
    CHECK(run.failure == "");
    CHECK(largest_gap(glued.machine(), run.motion) < 3 * 7.0e-7);
    CHECK(largest_energy_error(run) < 3 * 6.7e-5);
}

TEST_CASE("a glued machine keeps its energy and its gap over 100000 steps", "[.][soak]") {
    // The study: H = 0.005, one internal step a macro step, 500 s: gap 1.2e-8, energy error 1.9e-4 J, no growth.
    const GluedMachine glued(skew_double_pendulum(), {.step = 0.005});
    const GluedRun run = glued.run({.method = "newton", .step = 0.005, .stop = 500});
    CHECK(run.failure == "");
    CHECK(largest_gap(glued.machine(), run.motion) < 3 * 1.2e-8);
    CHECK(largest_energy_error(run) < 3 * 1.9e-4);
}
