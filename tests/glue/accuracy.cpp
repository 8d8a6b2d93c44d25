// What a glued run says about its own error, from a few steps that are made in halves as well.

#include "tests/glue/glued.hpp"

#include <cmath>

using namespace tenon;
using namespace tenon::tests;

TEST_CASE("the estimated error of positions is of the size of the error, be it the glue's or that inside the "
          "FMUs") {
    const Machine machine = skew_double_pendulum();
    const auto check = [&](const GluedMachine& glued, double step) {
        const GluedRun run = glued.run({.step = step, .stop = 2});
        REQUIRE(run.failure.empty());
        const double error = largest_difference(run.motion, whole_motion(machine.model, 2.5e-4, step, 2));
        CAPTURE(step, error, run.report.position_error, run.report.position_error_at);
        CHECK(run.report.position_error > error / 4);
        CHECK(run.report.position_error < 50 * error); // one to four samples only, and errors partly cancel
        CHECK(run.report.motion > 0.5);
        return error;
    };
    const GluedMachine fine(machine); // munthe-kaas with 2.5 ms: the error is that of the glue
    const double coarse_glue = check(fine, 0.04), fine_glue = check(fine, 0.02);
    CHECK(coarse_glue > 4 * fine_glue);
    const GluedMachine coarse(machine, {.integrator = "projection", .step = 5e-3});
    CHECK(check(coarse, 0.01) > 10 * fine_glue);
}

TEST_CASE("steps made in halves for the estimate leave the motion as it was, bit for bit") {
    const GluedMachine decaying(skew_double_pendulum(), {.integrator = "energy-decaying", .step = 2.5e-3});
    const GluedMachine projected(skew_double_pendulum(), {.integrator = "projection", .step = 2.5e-3});
    for (const GluedMachine* glued : {&decaying, &projected}) {
        const GluedRun one = glued->run({.stop = 1}); // halves at 0.25 and 0.75 s
        const GluedRun other = glued->run({.stop = 0.4});
        REQUIRE(one.failure.empty());
        CHECK(std::isfinite(one.report.position_error));
        CHECK(largest_difference(thinned(other.motion, 1),
                                 Motion(one.motion.begin(), one.motion.begin() + 41)) == 0);
    }
}

TEST_CASE("a run of one step has no estimate") {
    const GluedRun run = GluedMachine(skew_double_pendulum()).run({.step = 0.04, .stop = 0.04});
    CHECK(std::isnan(run.report.position_error));
}
