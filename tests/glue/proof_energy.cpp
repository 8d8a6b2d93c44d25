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

TEST_CASE("a glued machine keeps its energy and its gap over 100000 steps", "[slow]") {
    // The study: H = 0.005, one internal step a macro step, 500 s: gap 1.2e-8, energy error 1.9e-4 J, no growth.
    const GluedMachine glued(skew_double_pendulum(), {.step = 0.005});
    const GluedRun run = glued.run({.method = "newton", .step = 0.005, .stop = 500});
    CHECK(run.failure == "");
    CHECK(largest_gap(glued.machine(), run.motion) < 3 * 1.2e-8);
    CHECK(largest_energy_error(run) < 3 * 1.9e-4);
    // Of the joint itself the study has lost 3.2e-4 J: the ledger does not close to rounding, because a gap inside the steps does work.
    CHECK(std::abs(run.report.joints.front().residual) < 3 * 3.2e-4);
    // The report leaves out the work of the joints, which an FMU's own two quadratures (of its ports, of all its inputs) know.
    CHECK(std::abs(run.report.max_energy_error - largest_energy_error(run)) < 1e-4);
}

TEST_CASE("what a joint creates or destroys falls with the fourth power of the step or faster") {
    const GluedMachine glued(skew_double_pendulum(), {.step = 1.25e-3});
    std::vector<double> left;
    for (const double step : {0.02, 0.01, 0.005}) {
        const GluedRun run = glued.run({.method = "newton", .step = step, .stop = 1});
        CHECK(run.failure == "");
        left.push_back(run.report.joints.front().largest_residual);
    }
    INFO(left[0] << " J, " << left[1] << " J, " << left[2] << " J in one step");
    CHECK(std::log2(left[0] / left[1]) > 3.5);
    CHECK(std::log2(left[1] / left[2]) > 3.5);
}
