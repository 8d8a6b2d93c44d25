// The roads of Dopico et al., DETC2007-35627: what the paper says of its formulations A, B and A+B on the Iltis vehicle. Tolerance and kind
// of convergence test are the paper's (1e-6); roads and numbers of iterations are not, so it is their order that is tested.

#include "tests/support/machine_run.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::tests;

namespace {

struct Drive {
    long iterations = 0;
    int halvings = 0;
    double velocity = 0; ///< largest violation
    double energy = 0;   ///< largest error
    std::vector<double> time, z;

    double at(double t) const {
        return z[static_cast<std::size_t>(std::ranges::lower_bound(time, t - 1e-9) - time.begin())];
    }
};

Drive drive(int profile, const std::string& integrator, double step, double stop) {
    Method method{.integrator = integrator, .tolerance = 1e-6};
    method.options["start"] = std::string("equilibrium");
    Simulation vehicle(with(example("iltis_profile_" + std::to_string(profile)), method, step, stop));
    Results results(vehicle);
    const std::size_t z = results.index("chassis.r_0[3]");
    Drive out;
    run(vehicle, step, stop, [&](const Simulation& now) {
        results.refresh();
        out.time.push_back(now.time());
        out.z.push_back(results(z));
    });
    out.iterations = vehicle.report().iterations;
    out.halvings = vehicle.report().halvings;
    out.energy = vehicle.report().max_energy_error;
    out.velocity = vehicle.report().max_velocity_violation;
    return out;
}

double apart(const Drive& a, const Drive& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.z.size(); ++i)
        most = std::max(most, std::abs(a.z[i] - b.at(a.time[i])));
    return most;
}

} // namespace

TEST_CASE("on the smooth road A takes fewer iterations than B at every step, and both move alike",
          "[benchmark]") {
    const Drive fine = drive(1, "explicit-correction", 0.001, 5);
    for (const auto& [step, error] : {std::pair{0.005, 1e-4}, {0.01, 3e-4}, {0.02, 1e-3}, {0.06, 1e-2}}) {
        const double stop = 0.3 * std::floor(5 / 0.3); // a multiple of all steps
        const Drive a = drive(1, "projection", step, stop), b = drive(1, "conserving", step, stop),
                    ab = drive(1, "conserving-projection", step, stop);
        CAPTURE(step, a.iterations, b.iterations, ab.iterations, a.halvings, b.halvings, ab.halvings);
        CHECK(a.iterations < b.iterations);
        CHECK(a.halvings <= 1); // up to the paper's largest step of 60 ms
        CHECK(apart(a, fine) < error);
        CHECK(apart(b, fine) < error);
        CHECK(apart(ab, fine) < error);
        CHECK(a.velocity < 1e-7);
        CHECK(ab.velocity < 1e-7);
        CHECK(b.velocity > 1e-5);
    }
}

TEST_CASE("on the rough road all three come through at 10 ms, A+B with a hundredth of A's energy error",
          "[benchmark]") {
    const Drive a = drive(2, "projection", 0.01, 8), b = drive(2, "conserving", 0.01, 8),
                ab = drive(2, "conserving-projection", 0.01, 8),
                fine = drive(2, "explicit-correction", 0.0005, 8);
    CAPTURE(a.iterations, b.iterations, ab.iterations, a.energy, b.energy, ab.energy, apart(a, fine),
            apart(b, fine), apart(ab, fine));
    CHECK(a.iterations < b.iterations);
    CHECK(a.halvings + b.halvings + ab.halvings == 0);
    CHECK(ab.energy < 0.02 * a.energy);
    CHECK(apart(a, fine) < 0.03);
    CHECK(apart(ab, fine) < 0.03);
}

TEST_CASE("the paper's step of 10 ms takes the more iterations the smaller the penalty", "[benchmark]") {
    const auto iterations = [](double penalty) {
        Method method{.integrator = "projection", .tolerance = 1e-6};
        method.options["start"] = std::string("equilibrium");
        method.options["penalty"] = penalty;
        Simulation vehicle(with(example("iltis_profile_1"), method, 0.01, 5));
        run(vehicle, 0.01, 5);
        return vehicle.report().iterations;
    };
    const long low = iterations(1e8), high = iterations(1e10);
    CAPTURE(low, high);
    CHECK(low > high);
}
