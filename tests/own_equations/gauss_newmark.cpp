// Tseng and Hulbert's parallel four-bar linkage under gauss-newmark, and why the projection of their eq. 27 diverges.
// Expected numbers: the numpy prototypes', T = 20 s, tolerance 1e-8.
#include "tests/support/own_run.hpp"
#include "tests/systems/parallel_four_bar.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::systems;
using namespace tenon::tests;

namespace {

struct Turn {
    OwnRecord record;
    double q = 0, v = 0, a = 0; ///< largest errors
    double torque = 0;          ///< of the generalised constraint force on body 2
};

Turn turn_relative(double rho, double h, double beta = 0.25) {
    const RelativeFourBar bars;
    OwnRates referee(bars);
    OwnRun run{.own = &bars, .integrator = "gauss-newmark", .step = h, .stop = 20, .tolerance = 1e-8};
    run.options = {{"rho", rho}};
    if (rho == 1)
        run.options["beta"] = beta;
    Turn turn;
    const auto reaction = [&](double t, const Vector& q, const Vector& v, const Vector& a) {
        Vector p(3);
        referee.evaluate(t, q, v);
        referee.momentum(a, p);
        return referee.force()(0) - p(0);
    };
    run.watch = [&](const State& state) {
        const double t = state.time;
        const Vector q = RelativeFourBar::exact_q(t), v = RelativeFourBar::exact_v(t),
                     a = RelativeFourBar::exact_a(t);
        turn.q = std::max(turn.q, (state.q - q).lpNorm<Eigen::Infinity>());
        turn.v = std::max(turn.v, (state.v - v).lpNorm<Eigen::Infinity>());
        turn.a = std::max(turn.a, (state.a - a).lpNorm<Eigen::Infinity>());
        turn.torque =
            std::max(turn.torque, std::abs(reaction(t, state.q, state.v, state.a) - reaction(t, q, v, a)));
    };
    run_own(run, RelativeFourBar::exact_q(0), RelativeFourBar::exact_v(0), turn.record);
    return turn;
}

Turn turn_cartesian(double rho, double h, double stop) {
    const CartesianFourBar bars;
    OwnRun run{.own = &bars, .integrator = "gauss-newmark", .step = h, .stop = stop, .tolerance = 1e-8};
    run.options = {{"rho", rho}};
    Turn turn;
    run.watch = [&](const State& state) {
        // x of body 2, as in the paper's figures 6 and 7
        turn.q = std::max(turn.q, std::abs(state.q(0) - CartesianFourBar::exact_q(state.time)(0)));
        turn.v = std::max(turn.v, std::abs(state.v(0) - CartesianFourBar::exact_v(state.time)(0)));
    };
    run_own(run, CartesianFourBar::exact_q(0), CartesianFourBar::exact_v(0), turn.record);
    return turn;
}

/// The first version of the paper's loop: GL-DYN with the mass matrix, then da = P dah - A^+ Phi'' (eq. 27).
/// Residuals of the dynamics, pass by pass, from the start of the motion at rest in q1'' with step h.
std::vector<double> naive_passes(double h, int passes) {
    const RelativeFourBar bars;
    OwnRates eq(bars);
    const double beta = 0.25, gamma = 0.5;
    const Vector a0 = Vector::Zero(3), zero3 = a0;
    Vector a = a0, q = RelativeFourBar::exact_q(0), v = RelativeFourBar::exact_v(0);
    q += h * v;
    Matrix mass = Matrix::Zero(3, 3);
    Vector residual(3), relaxed(3), along(3), off(3), lambda;
    std::vector<double> history;
    for (int pass = 0; pass < passes; ++pass) {
        eq.evaluate(h, q, v);
        mass.setZero();
        bars.mass(q, mass);
        residual = mass * a - eq.force();
        eq.factor(Metric::unit);
        const Vector none = Vector::Zero(2);
        eq.solve(residual, none, along, lambda); // P (M a - Q)
        history.push_back(along.norm());
        relaxed = -mass.llt().solve(along);
        eq.solve(relaxed, none, along, lambda); // P dah
        Matrix jacobian = Matrix::Zero(2, 3);
        bars.jacobian(h, q, jacobian);
        const Vector violation = -(jacobian * a + eq.bias());
        eq.solve(zero3, violation, off, lambda); // -A^+ Phi''
        const Vector da = along + off;
        const Vector phi = -eq.position_residual();
        eq.solve(h * h * beta * da, none, along, lambda);
        eq.solve(zero3, phi, off, lambda);
        a += da;
        q += along + off;
        eq.evaluate_rows(h, q, v);
        eq.factor(Metric::unit);
        v += h * gamma * da;
        eq.evaluate_rows(h, q, v);
        const Vector slip = -eq.velocity_residual();
        eq.solve(zero3, slip, off, lambda);
        v += off;
    }
    return history;
}

} // namespace

TEST_CASE("gauss-newmark turns the four-bar in relative coordinates with steps of 0.4 s and about one update "
          "each") {
    const Turn newmark = turn_relative(1, 0.4);
    CHECK(newmark.q == Approx(1.9753e-2).epsilon(1e-3));
    CHECK(newmark.v < 1e-6);
    CHECK(newmark.a < 1e-6);
    CHECK(newmark.torque == Approx(42.24).epsilon(1e-3));
    CHECK(newmark.record.row < 1e-12);
    CHECK(newmark.record.row_dot < 1e-13);
    CHECK(newmark.record.iterations_per_step() < 2.3); // the paper's "two iterations": an update and a check
    CHECK(newmark.record.most_iterations <= 4);
}

TEST_CASE("gauss-newmark with generalised alpha has the errors of the prototype on the four-bar") {
    const Turn some = turn_relative(0.8, 0.4);
    CHECK(some.q == Approx(2.1941e-2).epsilon(1e-2));
    CHECK(some.v == Approx(1.0974e-4).epsilon(1e-2));
    CHECK(some.torque == Approx(46.92).epsilon(1e-2));
    const Turn most = turn_relative(0, 0.4);
    CHECK(most.q == Approx(0.19279).epsilon(1e-2));
    CHECK(most.v == Approx(5.926e-3).epsilon(1e-2));
}

TEST_CASE("gauss-newmark with Newmark's linear acceleration is exact to the tolerance on the four-bar") {
    const Turn turn = turn_relative(1, 0.4, 1.0 / 6);
    CHECK(turn.q < 2e-6); // the exact motion is cubic in time
    CHECK(turn.v < 2e-7);
    CHECK(turn.torque < 5e-3);
}

TEST_CASE("gauss-newmark needs a shorter step for the four-bar in Cartesian coordinates and drifts") {
    const Turn newmark = turn_cartesian(1, 0.04, 20);
    CHECK(newmark.q == Approx(9.69375e-2).epsilon(1e-4));
    CHECK(newmark.v == Approx(0.469119).epsilon(1e-4));
    CHECK(newmark.record.row < 1e-12);
    CHECK(newmark.record.row_dot < 1e-12);
    CHECK(newmark.record.iterations_per_step() == Approx(4).margin(1));
    const Turn some = turn_cartesian(0.8, 0.04, 20);
    CHECK(some.q == Approx(0.123879).epsilon(1e-4));
    CHECK(some.v == Approx(0.649073).epsilon(1e-4));
    CHECK(turn_cartesian(1, 0.04, 10).q == Approx(9.06801e-2).epsilon(1e-4));
    CHECK(turn_cartesian(1, 0.02, 10).q == Approx(1.13214e-2).epsilon(1e-4));
}

TEST_CASE("gauss-newmark converges where the four-bar is within 1e-9 of its collinear position") {
    // With steps of 10 ms the linkage is collinear at 0.25 s but for round-off: accelerations are then known only to
    // about 1e-4, while the residuals of eq. 28 are as small as ever.
    CHECK(turn_cartesian(1, 0.01, 10).q == Approx(1.93853e-3).epsilon(1e-4));
    CHECK(turn_cartesian(0.8, 0.01, 10).q == Approx(2.24914e-3).epsilon(1e-4));
}

TEST_CASE("the naive projection of eq. 27 diverges on the four-bar with the factor that Kantorovich's "
          "product gives") {
    // Factor 1 - (u M u)(u M^-1 u) with the unit tangent u = (1, -1, 1) / sqrt(3); prototype's values by q1.
    const RelativeFourBar bars;
    const Vec3 u = Vec3(1, -1, 1).normalized();
    const double expected[][2] = {{0.1, -3.2828430481778152},
                                  {1.6250000000000004, -1.384069037542579},
                                  {3.150000000000001, -2.01718883581391},
                                  {4.420833333333333, -1.3753722759211255},
                                  {6.2, -3.3235118665903833}};
    for (const auto& row : expected) {
        Matrix mass = Matrix::Zero(3, 3);
        const double pi = std::numbers::pi;
        bars.mass(Vec3(row[0], 2 * pi - row[0], row[0] + pi), mass);
        CHECK(1 - u.dot(mass * u) * u.dot(mass.llt().solve(u)) == Approx(row[1]));
    }
    const std::vector<double> history = naive_passes(0.4, 30);
    CHECK(history[0] < 1); // it starts close
    for (std::size_t i = 2; i < 9; ++i)
        CHECK(history[i] / history[i - 1] > 1.3);
    CHECK(history.back() > 100 * history.front());
}
