// How strongly energy-decaying damps what a step does not resolve: a mass on a slide with a stiff spring. Amplification factors
// of the linear oscillator are in tests/reference/free_body.json.

#include "tests/support/machine_run.hpp"
#include "tests/support/machines.hpp"
#include "tests/support/reference.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::tests;

namespace {

/// Mass 2 kg on a slide across all axes, held by a bushing (a spring linear in the coordinates), pushed at 1 m/s; omega is its
/// natural frequency.
Model oscillator(double omega) {
    const Vec3 along = Vec3(1, 2, 2) / 3;
    Model model;
    Body mass = heavy_body("mass", Vec3::Zero(), 2);
    mass.com.setZero();
    mass.velocity = along;
    model.bodies = {mass};
    model.joints = {joint_of("slide", "prismatic", world, 0, Vec3::Zero(), along)};
    model.gravity.setZero();
    Force spring;
    spring.name = "spring";
    spring.type = "bushing";
    spring.first = world;
    spring.second = 0;
    spring.set("stiffness",
               std::vector<double>{2 * omega * omega, 2 * omega * omega, 2 * omega * omega, 0, 0, 0});
    model.forces = {spring};
    return model;
}

/// Mean ratio of amplitudes from one step to the next. All energy is in what the step does not resolve: a run that is no example loses
/// it, so losses are accepted.
double amplification(double dissipation, double omega_h, int steps) {
    const double h = 0.1;
    Simulation machine(with(oscillator(omega_h / h),
                            {.integrator = "energy-decaying",
                             .options = {{"dissipation", dissipation}, {"accept_divergence", true}}},
                            h, 1));
    Results results(machine);
    for (int i = 0; i < steps; ++i)
        machine.step(h);
    results.refresh();
    CHECK(machine.report().halvings == 0);
    return std::pow(results.energy() / machine.report().energy_start, 0.5 / steps);
}

} // namespace

TEST_CASE("the amplification of energy-decaying at large steps approaches (1 - alpha) / (1 + alpha)",
          "[matrix]") {
    for (const double alpha : {0.25, 0.5, 0.75}) {
        const double rho = amplification(alpha, 1e4, 8);
        CAPTURE(alpha);
        CHECK(rho == Approx((1 - alpha) / (1 + alpha)).epsilon(1e-2));
    }
    CHECK(amplification(0, 1e4, 20) == Approx(1).epsilon(1e-9));
    CHECK(amplification(1, 1e4, 2) < 1e-3);
}

TEST_CASE("the amplification of energy-decaying is that of the linear oscillator at every step size",
          "[matrix]") {
    const Json table = reference("free_body")["rho_ED_linear_oscillator"];
    for (const auto& [alpha, row] : table.members()) {
        for (const char* omega_h : {"0.1", "1", "10", "100"}) {
            const double exact = row[omega_h];
            // Long enough for the mean of a rotating pair, short enough to stay above round-off.
            const int steps = exact < 0.1 ? 3 : exact < 0.9 ? 12 : 400;
            const double rho = amplification(std::stod(alpha), std::stod(omega_h), steps);
            CAPTURE(alpha, omega_h, exact);
            CHECK(std::log(rho) == Approx(std::log(exact)).epsilon(0.12).margin(1e-7));
        }
    }
}
