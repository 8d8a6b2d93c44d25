// The IFToMM benchmark library (Gonzalez, Dopico, Lugris, Cuadrado 2006): A01 to A04 from their model files, against closed
// forms and independent models (tests/reference). Every bound is at most twice the error that was measured.

#include "tests/support/machine_run.hpp"
#include "tests/support/reference.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::tests;

namespace {

struct Bound {
    std::string method;
    double step;
    double error;
};

Curve pendulum_curve() {
    const Json file = reference("a01_simple_pendulum");
    Curve curve{{"bob.r_0[1]", "bob.r_0[2]"}, {}};
    for (const Json& row : file["rows"].items())
        curve.rows.push_back(row.numbers());
    return curve;
}

Curve four_bar_curve(const std::string& loops) {
    const Json file = reference("a02_n_four_bar");
    Curve curve{{"coupler_1.r_0[1]", "coupler_1.r_0[2]"}, {}};
    for (const Json& row : file["loops"][loops]["rows"].items()) {
        curve.rows.push_back({row[0], row[1], row[2]});
    }
    return curve;
}

/// beta, gamma, delta, epsilon of the squeezer, less their start values.
Curve squeezer_curve() {
    const Json file = reference("a03_andrews_squeezer")["ivp"];
    Curve curve{{"o.angle", "b.angle", "a_ag.angle", "a_ah.angle"}, {}};
    const Json& q = file["q"];
    for (std::size_t i = 0; i < q.size(); ++i) {
        curve.rows.push_back(
            {file["t"][i], q[i][0] - q[0][0], q[i][2] - q[0][2], q[i][4] - q[0][4], q[i][6] - q[0][6]});
    }
    return curve;
}

Curve bricard_curve() {
    const Json file = reference("a04_bricard");
    Curve curve{{"rod_3.r_0[1]", "rod_3.r_0[2]", "rod_3.r_0[3]"}, {}};
    for (std::size_t i = 0; i < file["t"].size(); ++i) {
        const Json& p = file["P3"][i];
        curve.rows.push_back({file["t"][i], p[0], p[1], p[2]});
    }
    return curve;
}

} // namespace

TEST_CASE("A01 explicit-correction follows the simple pendulum for 2000 s to a thirtieth of the benchmark's "
          "high precision",
          "[benchmark][slow]") {
    const Outcome out = follow(example("simple_pendulum"), {.integrator = "explicit-correction"}, 0.01, 2000,
                               pendulum_curve());
    CAPTURE(out.failure, out.error, out.report.max_energy_error);
    CHECK(out.end_time == Approx(2000));
    CHECK(out.error < 3e-5); // asked for: 1e-3
    // Not corrected where the pendulum is at rest, 1700 times: 4e-10 J there.
    CHECK(out.report.max_energy_error < 1e-9);
}

TEST_CASE("A01 every method follows the simple pendulum for 10 s with its own error, and the unstabilised "
          "one fails cleanly",
          "[benchmark]") {
    const Curve curve = pendulum_curve();
    const std::vector<Bound> bounds = {
        {"projection", 0.005, 4e-3},
        {"conserving", 0.005, 2e-3},
        {"conserving-projection", 0.005, 2e-3},
        {"energy-preserving", 0.005, 2e-3},
        {"energy-decaying", 0.005, 2e-3},
        {"explicit-correction", 0.005, 1.2e-8},
        {"baumgarte", 0.005, 1e-4},
        {"munthe-kaas", 0.005, 4e-8},
        {"gauss-newmark", 0.005, 3e-3},
    };
    for (const Bound& bound : bounds) {
        const Outcome out =
            follow(example("simple_pendulum"), {.integrator = bound.method}, bound.step, 10, curve);
        CAPTURE(bound.method, out.failure);
        CHECK(out.error < bound.error);
    }
    // Dopico et al.: without stabilisation the velocity violation grows until Newton's method fails; its energy ends it before.
    const Outcome drift =
        follow(example("simple_pendulum"), {.integrator = "augmented-lagrangian"}, 0.005, 10, curve);
    CAPTURE(drift.failure, drift.end_time);
    CHECK(drift.failure.find("the energy is off by") != std::string::npos);
    CHECK(drift.end_time > 3);
}

TEST_CASE("A02 explicit-correction passes ten singular positions of 1, 2, 10 and 40 loops to 1e-8 in 5 s",
          "[benchmark]") {
    const std::string loops = GENERATE("1", "2", "10", "40");
    const Outcome out = follow(example("n_four_bar_" + loops), {.integrator = "explicit-correction"}, 0.0025,
                               5, four_bar_curve(loops));
    CAPTURE(loops, out.failure);
    CHECK(out.error < 1e-8);
    CHECK(out.report.max_energy_error < 1e-10);
    CHECK(out.start.rank_deficiency == 3 * std::stoi(loops)); // revolute joints in space
}

TEST_CASE("A02 munthe-kaas passes the singular positions of 1, 2, 10 and 40 loops to the benchmark's high "
          "precision",
          "[benchmark][slow]") {
    // Without the energy correction a passage kicks by round-off over the smallest singular value; how much depends on
    // how near a step comes to it: measured 6.6e-9 to 3.7e-5, no regular order.
    const std::string loops = GENERATE("1", "2", "10", "40");
    const Outcome out = follow(example("n_four_bar_" + loops), {.integrator = "munthe-kaas"}, 0.0025, 5,
                               four_bar_curve(loops));
    CAPTURE(loops, out.failure);
    CHECK(out.error < 1e-3);
}

TEST_CASE("A02 projection passes the singular positions with second-order error and conserving keeps the "
          "energy there",
          "[benchmark]") {
    const Curve curve = four_bar_curve("2");
    double last = 0;
    for (const double step : {0.01, 0.005, 0.0025}) {
        const Outcome out = follow(example("n_four_bar_2"), {.integrator = "projection"}, step, 5, curve);
        CAPTURE(step, out.failure, last);
        CHECK(out.error < 3.3e-2 * std::pow(step / 0.01, 2));
        if (last > 0)
            CHECK(order(last, out.error) > 1.9);
        last = out.error;
    }
    for (const char* method : {"conserving", "energy-preserving"}) {
        const Outcome out = follow(example("n_four_bar_2"), {.integrator = method}, 0.005, 5, curve);
        CAPTURE(method, out.failure);
        CHECK(out.error < 1.4e-3);
        CHECK(out.report.max_energy_error < (std::string(method) == "conserving" ? 1e-9 : 1e-12) * 35.8);
    }
}

TEST_CASE("A02 every method passes the first singular positions of one loop", "[benchmark]") {
    const Curve curve = four_bar_curve("1");
    for (const Bound& bound : std::vector<Bound>{{"projection", 0.005, 1e-3},
                                                 {"conserving", 0.005, 4e-4},
                                                 {"conserving-projection", 0.005, 4e-4},
                                                 {"augmented-lagrangian", 0.005, 2e-3},
                                                 {"energy-preserving", 0.005, 4e-4},
                                                 {"energy-decaying", 0.005, 5e-3},
                                                 {"explicit-correction", 0.005, 5e-8},
                                                 {"baumgarte", 0.005, 5e-5},
                                                 {"munthe-kaas", 0.005, 1e-6},
                                                 {"gauss-newmark", 0.005, 5e-4}}) {
        const Outcome out =
            follow(example("n_four_bar_1"), {.integrator = bound.method}, bound.step, 2, curve);
        CAPTURE(bound.method, out.failure);
        CHECK(out.error < bound.error);
    }
}

TEST_CASE("A02 the implicit methods carry 40 loops through the singular positions", "[benchmark][slow]") {
    const Curve curve = four_bar_curve("40");
    for (const Bound& bound : std::vector<Bound>{{"projection", 0.01, 3e-3},
                                                 {"conserving", 0.01, 1e-3},
                                                 {"conserving-projection", 0.01, 1e-3},
                                                 {"energy-preserving", 0.01, 1e-3}}) {
        const Outcome out = follow(example("n_four_bar_40"), {.integrator = bound.method, .tolerance = 1e-8},
                                   bound.step, 2, curve);
        CAPTURE(bound.method, out.failure);
        CHECK(out.error < bound.error);
    }
}

TEST_CASE("A03 the explicit methods follow Andrews' squeezer to 1e-6 rad at 0.03 s", "[benchmark]") {
    const Curve curve = squeezer_curve();
    for (const Bound& bound : std::vector<Bound>{{"explicit-correction", 2e-5, 3e-8},
                                                 {"munthe-kaas", 2e-5, 5e-9},
                                                 {"explicit-correction", 1e-5, 2e-9},
                                                 {"munthe-kaas", 1e-5, 2e-9}}) {
        const Outcome out =
            follow(example("andrews_squeezer"), {.integrator = bound.method}, bound.step, 0.03, curve);
        CAPTURE(bound.method, bound.step, out.failure);
        CHECK(out.error < bound.error);
    }
}

TEST_CASE("A03 the other methods converge to the same squeezer, each with its order", "[benchmark][slow]") {
    const Curve curve = squeezer_curve();
    struct Row {
        const char* method;
        double error; // at 2e-5 s
        double least_order;
    };
    for (const Row& row : std::vector<Row>{{"projection", 2e-3, 1.9},
                                           {"conserving", 1.1e-3, 1.9},
                                           {"conserving-projection", 1.1e-3, 1.9},
                                           {"augmented-lagrangian", 2.6e-3, 1.9},
                                           {"energy-preserving", 1.1e-3, 1.9},
                                           {"energy-decaying", 1.2e-4, 2.8},
                                           {"baumgarte", 3e-5, 2.8},
                                           {"gauss-newmark", 2e-4, 1.9}}) {
        const Method method{.integrator = row.method, .tolerance = 1e-10};
        const Outcome coarse = follow(example("andrews_squeezer"), method, 4e-5, 0.03, curve);
        const Outcome fine = follow(example("andrews_squeezer"), method, 2e-5, 0.03, curve);
        CAPTURE(row.method, coarse.error, fine.failure);
        CHECK(fine.error < row.error);
        CHECK(order(coarse.error, fine.error) > row.least_order);
    }
}

TEST_CASE("A04 Bricard's mechanism swings for 10 s with one redundant row, each method with its order",
          "[benchmark]") {
    // energy-decaying uses the multipliers themselves, which a redundant row leaves open: they are settled in every sweep.
    const Curve curve = bricard_curve();
    struct Row {
        const char* method;
        double error; // at 0.01 s
        double least_order;
    };
    for (const Row& row : std::vector<Row>{{"projection", 1e-3, 1.9},
                                           {"conserving", 7e-4, 1.9},
                                           {"conserving-projection", 7e-4, 1.9},
                                           {"augmented-lagrangian", 1.2e-3, 1.9},
                                           {"energy-preserving", 7e-4, 1.9},
                                           {"energy-decaying", 0.1, 2.5},
                                           {"explicit-correction", 2.4e-8, 3.7},
                                           {"baumgarte", 1.5e-5, 1.9},
                                           {"munthe-kaas", 2.6e-8, 3.7},
                                           {"gauss-newmark", 6e-4, 1.9}}) {
        // energy-decaying loses so much at 20 ms that its steps would be taken in parts, which hides the order.
        const Method method{.integrator = row.method, .options = {{"accept_divergence", true}}};
        const Outcome coarse = follow(example("bricard"), method, 0.02, 10, curve);
        const Outcome fine = follow(example("bricard"), method, 0.01, 10, curve);
        CAPTURE(row.method, coarse.error, fine.failure);
        CHECK(fine.error < row.error);
        CHECK(order(coarse.error, fine.error) > row.least_order);
        CHECK(fine.start.rank_deficiency == 1);
        CHECK(fine.start.degrees_of_freedom == 1);
    }
}

TEST_CASE("A04 energy-decaying has order 3 on Bricard's mechanism, the same when the user takes the "
          "redundant row out",
          "[benchmark]") {
    Model slack = example("bricard");
    slack.joints.back().type = "cylindrical"; // the sixth joint may slide; the loop does not let it
    const Curve curve = bricard_curve();
    for (const Model& model : {example("bricard"), slack}) {
        const Outcome coarse = follow(model, {.integrator = "energy-decaying"}, 0.005, 2, curve);
        const Outcome fine = follow(model, {.integrator = "energy-decaying"}, 0.0025, 2, curve);
        CAPTURE(coarse.error, coarse.failure, fine.failure, fine.start.rank_deficiency);
        CHECK(fine.error < 1.7e-4);
        CHECK(order(coarse.error, fine.error) > 2.8);
    }
}
