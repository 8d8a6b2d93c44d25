// The matrix: every method on every joint type, force type, driver, on trees and loops, against munthe-kaas at a step sixteen
// times smaller. What each method promises is in the table `promises`; where a machine lets it keep less, in `exceptions`.

#include "tests/support/machine_run.hpp"
#include "tests/support/machines.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::tests;

namespace {

constexpr double stop = 0.5, coarse_step = 0.01;
/// Errors below this are round-off of states or of the reference: no order is read from them.
constexpr double floor_of_errors = 2e-11;

enum class Energy {
    free,      ///< no promise
    round_off, ///< |E - E0 - work| < 1e-11 of the largest energy
    solver,    ///< the same, < 1e-7: what the tolerance of 1e-10 leaves
    corrected, ///< < 1e-10
    falls      ///< E - work never rises by more than round-off
};

struct Promise {
    std::string method;
    std::string variant; ///< coordinates or form, empty for the defaults
    double order;
    Energy energy;
    double position, velocity; ///< largest violation at a step of 10 ms
};

// clang-format off
const std::vector<Promise> promises = {
    // method                 variant  order  energy             position  velocity
    {"projection",            "",      2,     Energy::free,      1e-9,     1e-9},
    {"conserving",            "",      2,     Energy::solver,    1e-9,     2e-2},
    {"conserving-projection", "",      2,     Energy::free,      1e-9,     1e-9},
    {"augmented-lagrangian",  "",      2,     Energy::free,      1e-9,     2e-2},
    {"energy-preserving",     "",      2,     Energy::round_off, 1e-12,    2e-2},
    {"energy-decaying",       "",      3,     Energy::falls,     1e-12,    1e-1},
    {"explicit-correction",   "",      4,     Energy::corrected, 2e-12,    1e-12},
    {"explicit-correction",   "lie",   4,     Energy::corrected, 2e-12,    1e-12},
    {"explicit-correction",   "start", 4,     Energy::free,      1e-5,     1e-4},
    {"baumgarte",             "",      2,     Energy::free,      5e-4,     1e-1},
    {"baumgarte",             "lie",   2,     Energy::free,      5e-4,     1e-1},
    {"munthe-kaas",           "",      4,     Energy::free,      2e-12,    1e-12},
    {"gauss-newmark",         "",      2,     Energy::free,      1e-11,    1e-11},
    {"gauss-newmark",         "lie",   2,     Energy::free,      1e-11,    1e-11},
};
// clang-format on

struct Exception {
    std::string machine, method;
    double order; ///< 0: the method is not asked to do this machine
    std::string why;
};

/// energy-decaying takes the mean of loads at the inner state and at the end. That is of third order where loads and
/// strains are linear in the coordinates, of second where they are not: lengths, angles, what turns with a body by a
/// product of directors, what depends on time, rows on velocities.
const std::vector<Exception> exceptions = {
    {"spring", "energy-decaying", 2, "a length is not quadratic in the coordinates"},
    {"spring and damper", "energy-decaying", 2, "the same"},
    {"torsion spring", "energy-decaying", 2, "an angle is not quadratic in the coordinates"},
    {"torsion damper", "energy-decaying", 2, "the same"},
    {"friction in a hinge", "energy-decaying", 2, "the same"},
    {"torque in body axes", "energy-decaying", 2, "quadratic in the directors"},
    {"force over time", "energy-decaying", 2, "trapezoidal rule in time"},
    {"driven hinge", "energy-decaying", 1.75, "an angle"},
    {"driven hinge, table", "energy-decaying", 1.25, "an angle, and the third derivative of a spline jumps"},
    {"driven screw", "energy-decaying", 1.75, "an angle"},
    {"rolling", "energy-decaying", 2, "rows on velocities"},
};

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    double out = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        out = std::max(out, std::abs(a[i] - b[i]));
    return out;
}

struct Run {
    std::vector<double> places; ///< origins and rotations of all bodies at half time and at the end
    RunReport report;
    double rise = -1e300, scale = 0;
    std::string failure;
};

Method method_of(const Promise& promise) {
    Method out{.integrator = promise.method};
    if (promise.variant == "lie")
        out.coordinates = "lie";
    else if (!promise.variant.empty())
        out.options["form"] = promise.variant;
    return out;
}

Run simulate(const Model& model, const Method& method, double h) {
    Run out;
    try {
        Simulation machine(with(model, method, h, stop));
        Results results(machine);
        double before = 0;
        const long half = std::lround(0.5 * stop / h);
        long i = 0;
        run(machine, h, stop, [&](const Simulation&) {
            results.refresh();
            const double balance = results.energy() - results("energy.work");
            if (i > 0)
                out.rise = std::max(out.rise, balance - before);
            before = balance;
            out.scale =
                std::max({out.scale, results("energy.kinetic"), std::abs(results("energy.potential")), 1.0});
            if (i == half || i == 2 * half) {
                for (const Body& body : model.bodies) {
                    const Vec3 r = results.vector(body.name + ".r_0");
                    const Mat3 R = results.rotation(body.name);
                    out.places.insert(out.places.end(), r.data(), r.data() + 3);
                    out.places.insert(out.places.end(), R.data(), R.data() + 9);
                }
            }
            ++i;
        });
        out.report = machine.report();
    } catch (const Error& error) {
        out.failure = error.what();
    }
    return out;
}

void check(const std::string& name, const Model& model) {
    const Run exact = simulate(model, {.integrator = "munthe-kaas"}, coarse_step / 16);
    REQUIRE(exact.failure.empty());
    for (const Promise& promise : promises) {
        double least_order = promise.order;
        for (const Exception& e : exceptions) {
            if ((e.machine.empty() || e.machine == name) &&
                (e.method.empty() || e.method == promise.method)) {
                least_order = e.order;
                break;
            }
        }
        if (least_order == 0)
            continue;
        const Run coarse = simulate(model, method_of(promise), coarse_step);
        const Run fine = simulate(model, method_of(promise), coarse_step / 2);
        CAPTURE(name, promise.method, promise.variant, coarse.failure, fine.failure);
        if (!coarse.failure.empty() || !fine.failure.empty()) {
            CHECK(coarse.failure.empty());
            CHECK(fine.failure.empty());
            continue;
        }
        const double error = largest_difference(coarse.places, exact.places);
        const double half = largest_difference(fine.places, exact.places);
        const double energy =
            std::max(coarse.report.max_energy_error, fine.report.max_energy_error) / coarse.scale;
        const double rise = std::max(coarse.rise, fine.rise) / coarse.scale;
        CAPTURE(error, half, energy, rise);
        if (half > floor_of_errors)
            CHECK(order(error, half) > least_order - 0.25);
        CHECK(error < 0.1);
        CHECK(coarse.report.max_position_violation < promise.position);
        CHECK(coarse.report.max_velocity_violation < promise.velocity);
        switch (promise.energy) {
        case Energy::round_off:
            CHECK(energy < 1e-11);
            break;
        case Energy::solver:
            CHECK(energy < 1e-7);
            break;
        case Energy::corrected:
            CHECK(energy < 1e-10);
            break;
        case Energy::falls:
            CHECK(rise < 1e-12);
            break;
        case Energy::free:
            break;
        }
    }
}

} // namespace

TEST_CASE("every integrator promises something here") {
    for (const std::string& method : all_methods())
        CHECK(std::ranges::count(promises, method, &Promise::method) > 0);
}

TEST_CASE("every method does every joint type", "[matrix]") {
    for (const char* type : {"fixed", "revolute", "prismatic", "cylindrical", "screw", "spherical",
                             "universal", "planar", "distance", "point_on_line", "point_on_plane"})
        check(type, with_joint(type));
}

TEST_CASE("every method does gears and rolling", "[matrix]") {
    check("gear", gear_pair());
    check("rolling", rolling_wheel());
}

TEST_CASE("every method does every force type", "[matrix]") {
    check("spring", with_spring(0));
    check("spring and damper", with_spring(2));
    check("bushing", with_bushing(0));
    check("bushing and damper", with_bushing(1));
    check("torsion spring", with_torsion_spring(0));
    check("torsion damper", with_torsion_spring(0.2));
    check("force", with_force(false));
    check("force in body axes", with_force(true));
    check("torque", with_torque(false));
    check("torque in body axes", with_torque(true));
    check("force over time", with_force_table());
    check("friction in a hinge", with_friction("revolute"));
    check("friction in a slide", with_friction("prismatic"));
}

TEST_CASE("every method does drivers of angles and distances, by formula and by table", "[matrix]") {
    check("driven hinge", with_driver("revolute", false));
    check("driven hinge, table", with_driver("revolute", true));
    check("driven slide", with_driver("prismatic", false));
    check("driven slide, table", with_driver("prismatic", true));
    check("driven screw", with_driver("screw", false));
    check("driven sleeve", with_driver("cylindrical", false));
}

TEST_CASE("every method does trees, loops and redundant loops", "[matrix]") {
    check("tree", tree());
    check("planar loop", four_bar(false));
    check("redundant loop", four_bar(true));
    check("spatial loop", spatial_loop());
    check("door", door());
}
