// The spherical compound pendulum under the four augmented-Lagrangian integrators. Expected numbers: the numpy
// prototypes' (tests/reference/pendulum_dopico.json "scheme_values"), penalty 1e7,
// tolerance 1e-10. Scheme values are the discrete solution itself, so they must be met to the solver's tolerance.
#include "tests/support/own_run.hpp"
#include "tests/systems/compound_pendulum.hpp"

#include <catch2/catch.hpp>

#include <sstream>

using namespace tenon;
using namespace tenon::systems;
using namespace tenon::tests;

// For all tests: what a step that does not converge says.
CATCH_TRANSLATE_EXCEPTION(NotConverged& failure) {
    std::ostringstream text;
    text << "not converged: " << failure.quantity << ' ' << failure.value << ", limit " << failure.limit;
    return text.str();
}

namespace {

using Rows = CompoundPendulum::Rows;

// r2 of the exact motion at 0, h, 2h .. : n'' = -(3 g / 5) (z - (n.z) n) - |n'|^2 n, RK4 in steps of 0.25 ms.
std::vector<Vec3> exact_r2(double h, int steps) {
    const auto acceleration = [](const Vec3& n, const Vec3& w) -> Vec3 {
        return -0.6 * CompoundPendulum::g * (Vec3::UnitZ() - n.z() * n) - w.squaredNorm() * n;
    };
    const int fine = static_cast<int>(std::lround(h / 2.5e-4));
    const double s = h / fine;
    Vec3 n(1, 0, 0), w(0, 0.5, 0);
    std::vector<Vec3> all{2 * n};
    for (int i = 0; i < steps; ++i) {
        for (int j = 0; j < fine; ++j) {
            const Vec3 w1 = w, a1 = acceleration(n, w1);
            const Vec3 w2 = w + s / 2 * a1, a2 = acceleration(n + s / 2 * w1, w2);
            const Vec3 w3 = w + s / 2 * a2, a3 = acceleration(n + s / 2 * w2, w3);
            const Vec3 w4 = w + s * a3, a4 = acceleration(n + s * w3, w4);
            n += s / 6 * (w1 + 2 * w2 + 2 * w3 + w4);
            w += s / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        }
        all.push_back(2 * n);
    }
    return all;
}

struct Swing {
    OwnRecord record;
    double error = 0;          ///< of r2
    double momentum_error = 0; ///< of the angular momentum about the vertical
    Vec3 end() const { return record.state.q.tail<3>(); }
};

struct Given {
    std::string integrator;
    Rows rows = Rows::lin;
    double h = 0.025;
    double stop = 5;
    int projections = 1; // where the method has any
    double tolerance = 1e-10;
};

void swing(const Given& given, Swing& out) {
    const CompoundPendulum pendulum(given.rows);
    OwnRun run{.own = &pendulum, .integrator = given.integrator, .step = given.h, .stop = given.stop};
    run.tolerance = given.tolerance;
    run.options["penalty"] = 1e7;
    if (given.integrator.find("projection") != std::string::npos)
        run.options["projections"] = static_cast<double>(given.projections);
    const int steps = static_cast<int>(std::lround(given.stop / given.h));
    const std::vector<Vec3> exact = exact_r2(given.h, std::min(steps, 400));
    std::size_t i = 0;
    run.watch = [&](const State& state) {
        if (i < exact.size())
            out.error = std::max(out.error, (state.q.tail<3>() - exact[i++]).norm());
        const double momentum = CompoundPendulum::vertical_momentum(state.q, state.v);
        out.momentum_error = std::max(out.momentum_error, std::abs(momentum - 2.5));
    };
    run_own(run, CompoundPendulum::start_q(), CompoundPendulum::start_v(), out.record);
}

Swing swing(const Given& given) {
    Swing out;
    swing(given, out);
    return out;
}

} // namespace

TEST_CASE("the exact motion of the compound pendulum is that of the reference") {
    const std::vector<Vec3> exact = exact_r2(0.5, 10);
    CHECK((exact[1] / 2 - Vec3(0.722991489655168, 0.21000314362854877, -0.6581656216730041)).norm() < 1e-9);
    CHECK((exact[10] / 2 - Vec3(-0.17260167451638794, -0.8471049862082856, -0.5026149662454878)).norm() <
          1e-8);
}

TEST_CASE("augmented-lagrangian without projections drifts on the pendulum and fails soon after 5 s") {
    const Swing five = swing({.integrator = "augmented-lagrangian"});
    CHECK((five.end() - Vec3(-0.3513679081924691, -1.7046439235572426, -0.9852561529733341)).norm() < 1e-6);
    CHECK(five.record.energy == Approx(-1.3981660428).epsilon(1e-4));
    CHECK(five.record.most_energy == Approx(1.3527580887).epsilon(1e-4));
    CHECK(five.record.phi < 1e-12);
    CHECK(five.record.phi_dot == Approx(0.161959674585).epsilon(1e-4));
    CHECK(five.record.iterations_per_step() == Approx(5.7).margin(1.5));

    Swing longer;
    CHECK_THROWS_AS(swing({.integrator = "augmented-lagrangian", .stop = 20}, longer), NotConverged);
    CHECK(longer.record.state.time > 5.05);
    CHECK(longer.record.state.time < 6.5); // 5.125 s in the prototype with the exact tangent, 5.725 s here
}

TEST_CASE("projection bounds the velocity constraints of the pendulum and loses little energy") {
    const Swing a = swing({.integrator = "projection"});
    CHECK((a.end() - Vec3(-0.3507904130449442, -1.7022377240012796, -0.9896124580373368)).norm() < 1e-8);
    CHECK(a.record.energy == Approx(-0.024232430).epsilon(1e-5));
    CHECK(a.record.least_energy == Approx(-0.063393767).epsilon(1e-5));
    CHECK(a.record.most_energy < 1e-12);
    CHECK(a.record.phi < 1e-12);
    CHECK(a.record.phi_dot == Approx(7.896267e-6).epsilon(1e-4));
    CHECK(a.error == Approx(2.2230e-2).epsilon(1e-3));
    CHECK(a.momentum_error == Approx(4.549e-3).epsilon(1e-3));
    CHECK(a.record.iterations_per_step() == Approx(4).margin(1));
}

TEST_CASE("conserving keeps the pendulum's energy and angular momentum to the tolerance of its iteration") {
    const Swing b = swing({.integrator = "conserving"});
    CHECK((b.end() - Vec3(-0.348490606735316, -1.69855166783975, -0.9967329274669252)).norm() < 1e-8);
    CHECK(b.record.energy_error() < 3e-9); // 2.2e-9 with this tangent, 8e-12 with the exact one
    CHECK(b.momentum_error < 2e-10);
    CHECK(b.record.phi < 1e-12);
    CHECK(b.record.phi_dot == Approx(3.87962e-3).epsilon(1e-4));
    CHECK(b.error == Approx(1.15763e-2).epsilon(1e-3));
    CHECK(b.record.iterations_per_step() == Approx(4).margin(1));
    CHECK(swing({.integrator = "conserving", .tolerance = 1e-12}).record.energy_error() < 1e-11);
}

TEST_CASE("conserving-projection loses energy monotonically and is the most accurate of the three on the "
          "pendulum") {
    const Swing ab = swing({.integrator = "conserving-projection"});
    CHECK((ab.end() - Vec3(-0.3484282334798635, -1.698310403518302, -0.997165753230334)).norm() < 1e-8);
    CHECK(ab.record.energy == Approx(-0.00351586603).epsilon(1e-5));
    CHECK(ab.record.largest_rise < 1e-9);
    CHECK(ab.momentum_error < 1e-9);
    CHECK(ab.record.phi < 1e-12);
    CHECK(ab.record.phi_dot == Approx(7.917778e-6).epsilon(1e-4));
    CHECK(ab.error == Approx(1.13136e-2).epsilon(1e-3));
    CHECK(ab.record.iterations_per_step() == Approx(4).margin(1));
    CHECK(ab.error < swing({.integrator = "projection"}).error);
}

TEST_CASE("repeated projections take the pendulum's velocity constraints to round-off") {
    const Swing a = swing({.integrator = "projection", .projections = 5});
    CHECK((a.end() - Vec3(-0.35078472606898414, -1.7022293580004983, -0.9896288641293348)).norm() < 1e-8);
    CHECK(a.record.phi_dot < 1e-12);
    const Swing ab = swing({.integrator = "conserving-projection", .projections = 5});
    CHECK((ab.end() - Vec3(-0.3484280703473169, -1.698309766566886, -0.9971668950468617)).norm() < 1e-8);
    CHECK(ab.record.phi_dot < 1e-12);
}

TEST_CASE("projection, conserving and conserving-projection are of order two on the pendulum") {
    for (const std::string integrator : {"projection", "conserving", "conserving-projection"}) {
        INFO(integrator);
        const double coarse = swing({.integrator = integrator}).error;
        const double middle = swing({.integrator = integrator, .h = 0.0125}).error;
        const double fine = swing({.integrator = integrator, .h = 0.00625, .stop = 2.5}).error;
        const double middle_half = swing({.integrator = integrator, .h = 0.0125, .stop = 2.5}).error;
        CHECK(std::log2(coarse / middle) == Approx(2).margin(0.1));
        CHECK(std::log2(middle_half / fine) == Approx(2).margin(0.1));
    }
}

TEST_CASE("redundant rows do not disturb the augmented-Lagrangian integrators") {
    const Swing al = swing({.integrator = "augmented-lagrangian", .rows = Rows::cross});
    CHECK((al.end() - Vec3(-0.3513679078525308, -1.7046439233544073, -0.985256153445502)).norm() < 1e-6);
    CHECK(al.record.phi_dot == Approx(0.2290456).epsilon(1e-3));
    const Swing a = swing({.integrator = "projection", .rows = Rows::cross});
    CHECK((a.end() - Vec3(-0.3507865335147636, -1.7022320146766172, -0.9896236537768692)).norm() < 1e-8);
    CHECK(a.record.phi_dot == Approx(4.4547e-6).epsilon(1e-3));
    const Swing b = swing({.integrator = "conserving", .rows = Rows::cross});
    CHECK((b.end() - Vec3(-0.34849060673517124, -1.6985516678395818, -0.9967329274669325)).norm() < 1e-8);
    CHECK(b.record.energy_error() < 2e-9);
    CHECK(b.record.phi_dot == Approx(5.486608e-3).epsilon(1e-4));
    const Swing ab = swing({.integrator = "conserving-projection", .rows = Rows::cross});
    CHECK((ab.end() - Vec3(-0.3484281221670481, -1.698309968891307, -0.9971665323543121)).norm() < 1e-8);
    CHECK(ab.record.phi_dot == Approx(4.46683e-6).epsilon(1e-3));
}

TEST_CASE(
    "steps of 50 and 100 ms still converge on the pendulum with the tangent that leaves out curvature") {
    // Numpy prototype: with the exact tangent projection and conserving stop at 2.1 s.
    for (const std::string integrator : {"projection", "conserving", "conserving-projection"}) {
        INFO(integrator);
        CHECK(swing({.integrator = integrator, .h = 0.05}).record.iterations_per_step() ==
              Approx(4.7).margin(1));
        CHECK(swing({.integrator = integrator, .h = 0.1}).record.iterations_per_step() ==
              Approx(6.2).margin(1));
    }
}

TEST_CASE("projection, conserving and conserving-projection run the pendulum for 100 s") {
    const Swing a = swing({.integrator = "projection", .stop = 100});
    CHECK(a.record.energy == Approx(-0.25955).epsilon(1e-2));
    CHECK(a.record.phi_dot == Approx(7.896e-6).epsilon(1e-2));
    const Swing b = swing({.integrator = "conserving", .stop = 100, .tolerance = 1e-12});
    CHECK(b.record.energy_error() < 2e-10); // 4000 steps of the iteration's tolerance
    CHECK(b.record.phi_dot == Approx(3.8817e-3).epsilon(1e-3));
    const Swing ab = swing({.integrator = "conserving-projection", .stop = 100});
    CHECK(ab.record.energy == Approx(-0.071055).epsilon(1e-3));
    CHECK(ab.record.phi_dot == Approx(7.918e-6).epsilon(1e-3));
}
