// Terze, Zlatar, Mueller: the dual-spin satellite as a model file, with none, nonlinear and linear stabilisation.

#include "tests/support/machine_run.hpp"
#include "tests/support/reference.hpp"

#include <catch2/catch.hpp>

#include <complex>

using namespace tenon;
using namespace tenon::tests;

namespace {

Method lie(const std::string& stabilisation) {
    return {.integrator = "munthe-kaas", .options = {{"stabilisation", stabilisation}}};
}

struct Errors {
    double rotation = 0, position = 0, omega = 0; ///< at 10 s
    double orthogonality = 0;                     ///< of the rotations in the state, over the run
    RunReport report;
};

Errors satellite(const Method& method, double h) {
    Simulation machine(with(example("satellite"), method, h, 10));
    Results results(machine);
    Errors out;
    run(machine, h, 10, [&](const Simulation& s) {
        for (int body = 0; body < 2; ++body) { // q of a body: r, d1, d2, d3
            const Mat3 D = Eigen::Map<const Mat3>(s.state().q.data() + 12 * body + 3);
            out.orthogonality =
                std::max(out.orthogonality, (D.transpose() * D - Mat3::Identity()).cwiseAbs().maxCoeff());
        }
    });
    results.refresh();
    out.report = machine.report();
    const Json file = reference("satellite");
    for (const Json& row : file["rows"].items()) {
        if (row["t"] != 10.0)
            continue;
        for (const auto& [body, mark] : {std::pair("rotor", "A"), std::pair("platform", "B")}) {
            const Mat3 R = results.rotation(body);
            const Vec3 r = results.vector(std::string(body) + ".r_0");
            const Vec3 w = R.transpose() * results.vector(std::string(body) + ".w_0");
            for (int i = 0; i < 3; ++i) {
                const auto k = static_cast<std::size_t>(i);
                out.position = std::max(out.position, std::abs(r[i] - row[std::string("x") + mark][k]));
                out.omega = std::max(out.omega, std::abs(w[i] - row[std::string("w") + mark][k]));
                for (int j = 0; j < 3; ++j)
                    out.rotation = std::max(
                        out.rotation,
                        std::abs(R(i, j) - row[std::string("R") + mark][k][static_cast<std::size_t>(j)]));
            }
        }
    }
    return out;
}

} // namespace

TEST_CASE("the satellite starts with the accelerations and reactions of the closed form", "[benchmark]") {
    Simulation machine(with(example("satellite"), lie("nonlinear"), 0.025, 10));
    Results results(machine);
    results.refresh();
    // Closed form: multipliers (-58.5366, 29.2683, 0) of the point and (-121.951, 60.9756) of the axis, there as
    // e1.n and e2.n; the torque on the platform is their moment about the axis n = e3: (60.9756, 121.951, 0).
    CHECK((results.vector("hinge.f_0") - Vec3(-58.536585365853654, 29.268292682926827, 0)).norm() < 1e-10);
    CHECK((results.vector("hinge.t_0") - Vec3(60.975609756097555, 121.95121951219511, 0)).norm() < 1e-10);
    CHECK(results("hinge.rate") == Approx(-0.9).margin(1e-15));
    const std::vector<double> start = reference("satellite")["initial_acceleration"]["values"].numbers();
    const Vector& a = machine.state().a;
    REQUIRE(a.size() == 12);
    for (int i = 0; i < 12; ++i)
        CHECK(a[i] == Approx(start[static_cast<std::size_t>(i)]).margin(1e-13));
}

TEST_CASE("the satellite's angular velocity follows its closed form over 20 s", "[benchmark]") {
    const Json form = reference("satellite")["closed_form"];
    const double It = form["I_t"], kappa = form["kappa"];
    const std::complex<double> i(0, 1), torque(100, 200);
    Simulation machine(with(example("satellite"), lie("nonlinear"), 0.0125, 20));
    Results results(machine);
    double worst = 0, axial = 0, centre = 0;
    const Vec3 start(0, 0, -0.25 * 1.75);
    run(machine, 0.0125, 20, [&](const Simulation& s) {
        results.refresh();
        const Vec3 w = results.rotation("rotor").transpose() * results.vector("rotor.w_0");
        const std::complex<double> z = torque / (It * i * kappa) * (std::exp(i * kappa * s.time()) - 1.0);
        worst = std::max(worst, std::abs(std::complex<double>(w.x(), w.y()) - z));
        axial = std::max({axial, std::abs(w.z() - 1), std::abs(results("hinge.rate") + 0.9)});
        centre = std::max(
            centre,
            (0.75 * results.vector("rotor.r_0") + 0.25 * results.vector("platform.r_0") - start).norm());
    });
    CHECK(worst < 1e-7);
    CHECK(axial < 1e-7);
    CHECK(centre < 1e-12);
}

TEST_CASE("munthe-kaas has order 4 on the satellite with every stabilisation and keeps rotations orthogonal",
          "[benchmark]") {
    // Largest error of the rotation at 10 s (two digits; numpy prototype).
    struct Row {
        const char* stabilisation;
        double error[4];
        double margin;
    };
    const Row row = GENERATE(Row{"none", {1.0e-4, 6.5e-6, 4.3e-7, 2.8e-8}, 0.06},
                             Row{"nonlinear", {1.4e-4, 9.0e-6, 5.7e-7, 3.6e-8}, 0.06},
                             Row{"linear", {1.4e-4, 9.0e-6, 5.7e-7, 3.6e-8}, 0.1});
    double last = 0, h = 0.1;
    for (int i = 0; i < 4; ++i, h /= 2) {
        const Errors out = satellite(lie(row.stabilisation), h);
        CAPTURE(row.stabilisation, h, out.position, out.omega, last);
        CHECK(out.orthogonality < 1e-13);
        CHECK(out.rotation == Approx(row.error[i]).epsilon(row.margin));
        if (last > 0)
            CHECK(order(last, out.rotation) > 3.8);
        last = out.rotation;
        if (row.stabilisation != std::string("none")) {
            CHECK(out.report.max_position_violation < 2e-12);
            CHECK(out.report.max_velocity_violation < 1e-14);
        }
    }
}

TEST_CASE("without stabilisation the satellite's constraints drift like the fourth power of the step",
          "[benchmark]") {
    const double drift[] = {6.0e-6, 4.0e-7, 3.0e-8, 2.1e-9}; // numpy prototype
    double position = 0, velocity = 0, h = 0.1;
    for (int i = 0; i < 4; ++i, h /= 2) {
        const Errors out = satellite(lie("none"), h);
        CAPTURE(h, position, velocity);
        CHECK(out.report.max_position_violation == Approx(drift[i]).epsilon(0.06));
        if (position > 0) {
            CHECK(order(position, out.report.max_position_violation) > 3.7);
            CHECK(order(velocity, out.report.max_velocity_violation) > 3.7);
        }
        position = out.report.max_position_violation;
        velocity = out.report.max_velocity_violation;
    }
}

TEST_CASE("the other methods reach the same satellite with their orders", "[benchmark]") {
    struct Row {
        const char* method;
        double least_order, error; // at 0.025 s
    };
    // energy-decaying: 2, not 3, because the torque turns with the body (its force is no linear function of u).
    for (const Row& row : std::vector<Row>{{"projection", 1.9, 8e-3},
                                           {"conserving", 1.9, 5e-3},
                                           {"conserving-projection", 1.9, 5e-3},
                                           {"energy-preserving", 1.9, 5e-3},
                                           {"energy-decaying", 1.9, 6e-3},
                                           {"explicit-correction", 3.6, 7e-7},
                                           {"baumgarte", 1.9, 2e-3},
                                           {"gauss-newmark", 1.9, 2e-3}}) {
        const Errors coarse = satellite({.integrator = row.method}, 0.05);
        const Errors fine = satellite({.integrator = row.method}, 0.025);
        CAPTURE(row.method, coarse.position, fine.position);
        CHECK(fine.position < row.error);
        CHECK(order(coarse.position, fine.position) > row.least_order);
    }
}
