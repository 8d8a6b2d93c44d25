// Glue in space against the whole machine: every case of the study, its table of errors in the code. The bodies of our machines are
// not those of the study, so a factor 3 is left.

#include "tests/glue/glued.hpp"
#include "tests/support/machine_run.hpp"

using namespace tenon;
using namespace tenon::tests;

namespace {

const std::vector<double> three_steps = {0.02, 0.01, 0.005};

Outside newton(double stop = 1) {
    Outside outside;
    outside.stop = stop;
    return outside;
}

} // namespace

TEST_CASE("two arms on skew axes are glued with the errors of the study, and order 4") {
    const GluedMachine glued(skew_double_pendulum());
    const Sweep errors = sweep(glued, newton(), three_steps);
    check_errors(errors, {8.4e-6, 6.7e-7, 4.4e-8}, 3);
    INFO(errors.text());
    CHECK(errors.order() > 3.3);
    CHECK(errors.gap[1] < 1e-6);
    Outside outside = newton();
    outside.method = "difference";
    check_errors(sweep(glued, outside, three_steps), {1.2e-5, 7.1e-7, 4.4e-8}, 3);
    outside.method = "dead-beat";
    check_errors(sweep(glued, outside, three_steps), {4.6e-3, 2.7e-4, 1.7e-5}, 3);
}

TEST_CASE("cubic forces on skew axes have order above 5") {
    const GluedMachine glued(skew_double_pendulum(), {.step = 1e-3});
    std::vector<double> errors;
    for (const double step : {0.04, 0.02}) {
        const Outside outside{.step = step};
        system::System system = glued.system(outside);
        system.master.polynomial = "cubic";
        const GluedRun run = glued.run(system, outside);
        CHECK(run.failure == "");
        errors.push_back(
            largest_difference(run.motion, whole_motion(glued.machine().model, 2.5e-4, step, 1)));
    }
    INFO(errors[0] << ", " << errors[1]);
    CHECK(errors[1] < 1e-6);
    CHECK(std::log2(errors[0] / errors[1]) > 5);
}

TEST_CASE("every type of joint between two FMUs has order 4", "[slow]") {
    // Wrenches that turn with the ports: a simpler interpolation would have order 2 or 1 without any gap to show it.
    const auto [type, limits] =
        GENERATE(table<std::string, std::vector<double>>({{"spherical", {1.0e-4, 7.2e-6, 3.3e-7}},
                                                          {"fixed", {1.7e-6, 1.0e-7, 6.8e-9}},
                                                          {"revolute", {8.4e-6, 6.7e-7, 4.4e-8}},
                                                          {"prismatic", {3.0e-7, 2.0e-8, 1.3e-9}},
                                                          {"universal", {3.9e-5, 3.5e-6, 2.9e-7}}}));
    INFO(type);
    const Sweep errors = sweep(GluedMachine(swinging_arm(type)), newton(), three_steps);
    check_errors(errors, limits, 3);
    INFO(errors.text());
    CHECK(errors.order() > 3);
}

TEST_CASE("Bricard's loop in 2 and in 3 FMUs moves as in one piece although a row of its glue is redundant",
          "[slow]") {
    const Sweep two = sweep(GluedMachine(bricard(2)), newton(), three_steps);
    check_errors(two, {3.3e-8, 2.0e-9, 2e-10}, 3);
    CHECK(two.runs[0].report.rank_deficiency == 1);
    check_errors(sweep(GluedMachine(bricard(3)), newton(), three_steps), {1.2e-6, 1.6e-8, 1.7e-9}, 3);
}

TEST_CASE("redundant joints hold no stress in themselves that would grow", "[slow]") {
    const GluedMachine glued(bricard(3));
    const GluedRun run = glued.run({.step = 0.01, .stop = 10});
    CHECK(run.failure == "");
    CHECK(run.report.joints[0].method == "newton");
    CHECK(run.report.max_gap < 1e-6);
    CHECK(run.report.max_energy_error < 1e-4);
    CHECK(largest_difference(run.motion, whole_motion(glued.machine().model, 5e-4, 0.01, 10)) < 1e-4);
}

TEST_CASE("redundant joints between FMUs that hide their accelerations hold no stress that would grow",
          "[slow]") {
    const Machine machine = GENERATE(bricard(3), plate_on_four_cranks());
    INFO(machine.model.name);
    const GluedMachine open(machine), hidden(machine, {.hides_accelerations = true});
    const Outside outside{.method = "auto", .step = 0.01, .stop = 10};
    const GluedRun expected = open.run(outside), run = hidden.run(outside);
    CHECK(run.failure == "");
    CHECK(run.report.joints[0].method == "difference");
    CHECK(run.report.max_gap < 1e-6);
    CHECK(largest_difference(run.motion, expected.motion) < 1e-4);
    INFO("forces up to " << run.largest_force << ", " << expected.largest_force << " with accelerations");
    CHECK(run.largest_force < 5 * expected.largest_force);
}

TEST_CASE("Bricard's loop in 5 FMUs moves as in one piece", "[slow]") {
    check_errors(sweep(GluedMachine(bricard(5)), newton(), three_steps), {1.4e-4, 1.8e-7, 3.2e-9}, 3);
}

TEST_CASE("a plane loop that turns in space is closed in one FMU, whichever of its joints is cut") {
    const std::string cut = GENERATE("crank_pin", "left", "right", "rocker_pin");
    const std::string integrator = GENERATE("munthe-kaas", "projection");
    INFO(cut << ", " << integrator);
    Inside inside{.integrator = integrator, .step = 1e-3};
    const GluedMachine machine(turning_four_bar(cut), inside);
    REQUIRE(machine.parts().parts.size() == 1);
    const Outside outside{.step = 0.004, .stop = 1};
    const GluedRun run = machine.run(outside);
    CHECK(run.failure == "");
    CHECK(run.report.rank_deficiency == 3);
    CHECK(run.largest_force < 3000);
    CHECK(largest_gap(machine.machine(), run.motion) < 1e-7);
    const double limit = integrator == "projection" ? 1e-3 : 1e-6;
    CHECK(largest_difference(run.motion, whole_motion(machine.machine().model, 5e-4, 0.004, 1)) < limit);
}

TEST_CASE("a spatial slider-crank cut at its universal joint moves as in one piece") {
    const Sweep errors = sweep(GluedMachine(spatial_slider_crank()), newton(), three_steps);
    check_errors(errors, {3.9e-5, 3.5e-6, 2.9e-7}, 3);
    INFO(errors.text());
    CHECK(errors.order() > 3);
}

TEST_CASE("a chain of 20 links in 2, 5 and 20 FMUs moves as in one piece", "[slow]") {
    check_errors(sweep(GluedMachine(spatial_chain(20, 2)), newton(0.24), three_steps),
                 {5.7e-5, 4.3e-6, 1.8e-7}, 3);
    check_errors(sweep(GluedMachine(spatial_chain(20, 5)), newton(0.24), three_steps),
                 {8.4e-5, 8.9e-6, 4.8e-7}, 3);
    check_errors(sweep(GluedMachine(spatial_chain(20, 20)), newton(0.24), three_steps),
                 {9.7e-4, 1.1e-5, 9.0e-7}, 3);
}

TEST_CASE("a plate on four parallel cranks is glued at all four although 11 of 20 rows are redundant",
          "[slow]") {
    const GluedMachine glued(plate_on_four_cranks());
    const Sweep errors = sweep(glued, newton(), three_steps);
    check_errors(errors, {2.3e-5, 1.5e-6, 9.0e-8}, 3);
    INFO(errors.text());
    CHECK(errors.gap[2] < 1e-8);
    CHECK(errors.runs[2].report.rank_deficiency == 11);
}

TEST_CASE("two loops of four bars cut in the middle pass their singular position", "[slow]") {
    Outside outside = newton(2);
    outside.method = "auto";
    const Sweep errors = sweep(GluedMachine(n_four_bar()), outside, three_steps);
    check_errors(errors, {4.0e-3, 5.0e-4, 7.9e-5}, 3);
}

TEST_CASE("a part with a stiff hidden mass is glued by itself, whatever it takes", "[slow]") {
    // A fifth, as much, five and twenty times as much mass behind the spring as at the port: from the second on, two corrections
    // are not enough.
    const auto [port, hidden] = GENERATE(table<double, double>({{1, 0.2}, {0.5, 0.5}, {0.2, 1}, {0.05, 1}}));
    INFO("mass " << port << " at the port, " << hidden << " behind the spring");
    const GluedMachine glued(stiff_hidden_mass(port, hidden), {.step = 2.5e-4});
    Outside outside = newton(0.5);
    outside.method = "auto";
    const Sweep errors = sweep(glued, outside, three_steps, 1e-4);
    // The machine starts with the spring at rest, so that the mass rings at some 2000 rad/s with m g / k: no macro step follows it.
    const double ringing = hidden * 10 / 1e6;
    check_errors(errors, {ringing, ringing, ringing}, 1);
    // When that has died away, the study's errors are left.
    const Motion whole = whole_motion(glued.machine().model, 1e-4, 0.02, 0.5);
    const std::vector<double> limits = {2.0e-6, 5.7e-7, 2.8e-7};
    for (std::size_t i = 0; i < three_steps.size(); ++i) {
        const Motion run = thinned(errors.runs[i].motion, std::size_t{1} << i);
        const auto quiet = [](const Motion& motion) { return Motion(motion.begin() + 15, motion.end()); };
        INFO(errors.text());
        CHECK(largest_difference(quiet(run), quiet(whole)) < 3 * limits[i]);
    }
}

TEST_CASE("a fast rotor in its own FMU is glued by itself, whatever it takes") {
    const GluedMachine glued(fast_rotor(), {.step = 5e-4});
    Outside outside = newton(0.5);
    outside.method = "auto";
    const Sweep errors = sweep(glued, outside, {0.02, 0.01, 0.005, 0.0025}, 1e-4);
    check_errors(errors, {4.7e-4, 1.6e-5, 6.8e-7, 6.4e-8}, 3);
    // Two corrections are unstable at the two large steps: the compliance knows nothing of the nutation.
    CHECK(errors.runs[0].remarks("method difference for 20 steps"));
}

TEST_CASE("joints that are iterated to the tolerance have no gap left") {
    const Machine machine = GENERATE(skew_double_pendulum(), bricard(3), spatial_slider_crank());
    INFO(machine.model.name);
    Outside outside = newton(0.5);
    outside.corrections = "converged";
    outside.tolerance = 1e-8;
    const Sweep errors = sweep(GluedMachine(machine), outside, {0.01});
    INFO(errors.text());
    CHECK(errors.runs[0].failure == "");
    CHECK(errors.gap[0] < 1e-8);
}
