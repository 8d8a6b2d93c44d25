// Tseng and Hulbert 2001: the parallel four-bar with a torque over time, exact motion q1 = pi/2 + 2 pi t - t^3/81. All links lie
// in one line twice a turn; in space the loop has three redundant rows.

#include "tests/support/machine_run.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::tests;

namespace {

constexpr double pi = 3.14159265358979323846;

struct Errors {
    double angle = 0, rate = 0;
    double iterations = 0; ///< per step
    double violation = 0;
};

Errors four_bar(const Method& method, double h, double stop) {
    Simulation machine(with(example("parallel_four_bar"), method, h, stop));
    Results results(machine);
    const std::size_t angle = results.index("crank_pin.angle"), rate = results.index("crank_pin.rate");
    Errors out;
    run(machine, h, stop, [&](const Simulation& s) {
        results.refresh();
        const double t = s.time();
        out.angle = std::max(out.angle, std::abs(results(angle) - (2 * pi * t - t * t * t / 81)));
        out.rate = std::max(out.rate, std::abs(results(rate) - (2 * pi - t * t / 27)));
    });
    out.iterations =
        static_cast<double>(machine.report().iterations) / static_cast<double>(machine.report().steps);
    out.violation = machine.report().max_position_violation;
    return out;
}

} // namespace

TEST_CASE("gauss-newmark follows the parallel four-bar through its flat positions in about three iterations "
          "per step",
          "[benchmark]") {
    // Numpy prototype, plane Cartesian coordinates, T = 10: position 1.1e-2 and 1.9e-3 for 0.02 and 0.01 s. A step that ends
    // next to a flat position kicks: at 0.005 s, 2e-4 rad from one at t = 0.25 s, and at 0.04 s our form leaves the branch.
    for (const auto& [h, error] : {std::pair(0.02, 4e-2), std::pair(0.01, 8e-3)}) {
        const Errors out = four_bar({.integrator = "gauss-newmark"}, h, 10);
        CAPTURE(h, out.rate);
        CHECK(out.angle < error);
        CHECK(out.iterations < 4.5);
        CHECK(out.violation < 1e-12);
    }
}

TEST_CASE("gauss-newmark has order 2 on the parallel four-bar before it is flat for the first time",
          "[benchmark]") {
    double last = 0;
    for (const double h : {0.02, 0.01, 0.005}) {
        const Errors out = four_bar({.integrator = "gauss-newmark"}, h, 0.2);
        CAPTURE(h, out.rate, last);
        if (last > 0)
            CHECK(order(last, out.angle) == Approx(2).margin(0.2));
        last = out.angle;
    }
}

TEST_CASE("gauss-newmark with beta 1/6 is more accurate on the parallel four-bar than with 1/4, generalised "
          "alpha is less",
          "[benchmark]") {
    const double quarter = four_bar({.integrator = "gauss-newmark"}, 0.01, 10).angle;
    const double sixth =
        four_bar({.integrator = "gauss-newmark", .options = {{"beta", 1.0 / 6}}}, 0.01, 10).angle;
    const double damped =
        four_bar({.integrator = "gauss-newmark", .options = {{"rho", 0.8}}}, 0.01, 10).angle;
    const double most = four_bar({.integrator = "gauss-newmark", .options = {{"rho", 0.0}}}, 0.01, 10).angle;
    CAPTURE(quarter, sixth, damped, most);
    CHECK(sixth < 0.6 * quarter);
    CHECK(damped < 1.3 * quarter);
    CHECK(damped > quarter);
    CHECK(most > 5 * damped);
    CHECK(most < 0.3);
}

TEST_CASE("the other methods follow the parallel four-bar through its flat positions", "[benchmark]") {
    struct Row {
        const char* method;
        double error; // rad at 0.01 s after 10 s, nine turns
    };
    for (const Row& row : std::vector<Row>{{"projection", 1.2e-2},
                                           {"conserving", 1.5e-2},
                                           {"conserving-projection", 1.5e-2},
                                           {"energy-preserving", 1.5e-2},
                                           {"munthe-kaas", 2e-2},
                                           {"baumgarte", 3e-5}}) {
        const Errors out = four_bar({.integrator = row.method}, 0.01, 10);
        CAPTURE(row.method, out.rate);
        CHECK(out.angle < row.error);
    }
    // The torque does work, and the work is known: the energy correction follows it.
    for (const bool energy : {false, true}) {
        const Errors out =
            four_bar({.integrator = "explicit-correction", .options = {{"energy", energy}}}, 0.01, 10);
        CAPTURE(energy, out.rate);
        CHECK(out.angle < 3e-5);
    }
}
