// Dopico et al. 2007: the compound spherical pendulum as one body on a ball joint. The exact motion is that of the paper's
// two point masses; the paper's own coordinates are in tests/own_equations/augmented_lagrangian.cpp.

#include "tests/support/machine_run.hpp"
#include "tests/support/reference.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::tests;

namespace {

Curve rod_curve() {
    Curve curve{{"rod.r_0[1]", "rod.r_0[2]", "rod.r_0[3]"}, {}};
    for (const auto& [time, n] : reference("pendulum_dopico")["exact"].members()) {
        curve.rows.push_back({std::stod(time), 2 * n[0], 2 * n[1], 2 * n[2]});
    }
    std::sort(curve.rows.begin(), curve.rows.end());
    return curve;
}

} // namespace

TEST_CASE("the spherical pendulum's rod comes where the exact motion brings it, each method with its order",
          "[benchmark]") {
    struct Row {
        const char* method;
        double least_order, error; // at 0.005 s over 5 s
    };
    const Curve curve = rod_curve();
    for (const Row& row : std::vector<Row>{{"projection", 1.9, 1.5e-3},
                                           {"conserving", 1.9, 8e-4},
                                           {"conserving-projection", 1.9, 8e-4},
                                           {"energy-preserving", 1.9, 8e-4},
                                           {"energy-decaying", 2.7, 1e-4},
                                           {"explicit-correction", 3.7, 1.5e-8},
                                           {"baumgarte", 1.9, 1.2e-5},
                                           {"munthe-kaas", 3.7, 8e-9},
                                           {"gauss-newmark", 1.9, 1.2e-3}}) {
        const Outcome coarse =
            follow(example("spherical_pendulum"), {.integrator = row.method}, 0.005, 5, curve);
        const Outcome fine =
            follow(example("spherical_pendulum"), {.integrator = row.method}, 0.0025, 5, curve);
        CAPTURE(row.method, fine.error, coarse.failure, fine.failure);
        CHECK(coarse.error < row.error);
        CHECK(order(coarse.error, fine.error) > row.least_order);
    }
}

TEST_CASE("projections keep the pendulum's velocities on the constraint, conserving keeps its energy and its "
          "moment about the vertical",
          "[benchmark]") {
    // The signature of the three formulations at the paper's step of 25 ms.
    struct Run {
        double velocity, energy, least, moment;
    };
    const auto pendulum = [](const std::string& method) {
        const Model model =
            with(example("spherical_pendulum"), {.integrator = method, .tolerance = 1e-12}, 0.025, 5);
        Simulation machine(model);
        Results results(machine);
        Run out{0, 0, 0, 0};
        run(machine, 0.025, 5, [&](const Simulation&) {
            results.refresh();
            const Mat3 R = results.rotation("rod");
            const Vec3 w = results.vector("rod.w_0"), arm = R * Vec3(1.5, 0, 0);
            const double moment =
                (2 * arm.cross(w.cross(arm)) + R * model.bodies[0].inertia * R.transpose() * w).z();
            out.moment = std::max(out.moment, std::abs(moment - 2.5));
            out.least = std::min(out.least, results.energy() - machine.report().energy_start);
        });
        out.velocity = machine.report().max_velocity_violation;
        out.energy = machine.report().max_energy_error;
        return out;
    };
    const Run a = pendulum("projection"), b = pendulum("conserving"), ab = pendulum("conserving-projection");
    CAPTURE(a.velocity, a.energy, b.velocity, b.energy, ab.velocity, ab.energy, a.moment, b.moment,
            ab.moment);
    CHECK(a.velocity < 1e-9);
    CHECK(ab.velocity < 1e-9);
    CHECK(b.energy < 1e-10);
    CHECK(b.moment < 1e-10);
    CHECK(ab.moment < 1e-9);
    CHECK(a.least == Approx(-6.3e-2).epsilon(0.02));
    CHECK(ab.least == Approx(-3.5e-3).epsilon(0.02));
}

TEST_CASE("without stabilisation the pendulum's energy drifts until the method gives up and says where",
          "[benchmark]") {
    const Outcome out =
        follow(example("spherical_pendulum"), {.integrator = "augmented-lagrangian"}, 0.025, 20, rod_curve());
    CAPTURE(out.end_time, out.failure, out.report.max_energy_error);
    CHECK_FALSE(out.failure.empty()); // at 5.1 s in the paper's coordinates
    CHECK(out.failure.find("step from t = ") != std::string::npos);
    CHECK(out.report.max_energy_error > 1e-2);
}
