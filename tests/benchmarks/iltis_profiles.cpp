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
    out.velocity = vehicle.report().max_velocity_violation;
    return out;
}

} // namespace

TEST_CASE("on the smooth road A takes fewer iterations than B, and both move alike", "[benchmark]") {
    const Drive a = drive(1, "projection", 0.01, 5), b = drive(1, "conserving", 0.01, 5),
                ab = drive(1, "conserving-projection", 0.01, 5);
    CAPTURE(a.iterations, b.iterations, ab.iterations, a.halvings, b.halvings, ab.halvings);
    CHECK(a.iterations < b.iterations);
    CHECK(a.halvings + b.halvings + ab.halvings == 0);
    double apart = 0;
    for (std::size_t i = 0; i < a.z.size(); ++i)
        apart = std::max(apart, std::abs(a.z[i] - b.z[i]));
    CHECK(apart < 5e-4);
    CHECK(a.velocity < 1e-4);
}
