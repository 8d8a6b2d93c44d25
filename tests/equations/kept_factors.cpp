// The projections of `projection` and `conserving-projection` with factors that are kept from the iteration, against dense solutions:
//
//   (v - v*)^T P (v - v*) least among the rigid motions v = N u with J v = -Phi_t;  P N u + (J N)^T s = N^T P v*

#include "core/integrators/augmented_lagrangian_step.hpp"
#include "tests/support/bench.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::tests;

namespace {

double largest(const Vector& x) { return x.size() == 0 ? 0.0 : x.lpNorm<Eigen::Infinity>(); }

/// N, and P N and J N at the point of the last evaluation.
struct Motions {
    Matrix admissible, metric, rows;

    explicit Motions(Bench& bench) {
        const Eigen::Index n = bench.v.size(), m = bench.mechanism.rows();
        admissible.resize(bench.q.size(), n);
        metric = admissible;
        rows.resize(m, n);
        Vector out = Vector::Zero(bench.q.size()), row = Vector::Zero(m);
        for (Eigen::Index i = 0; i < n; ++i) {
            admissible.col(i) = bench.natural_velocity(Vector::Unit(n, i));
            bench.natural.base_times(admissible.col(i), out);
            metric.col(i) = out;
            bench.natural.row_times(admissible.col(i), row);
            rows.col(i) = row;
        }
    }

    /// The motion offset + N u nearest to `given` in the metric with J (offset + N u) = -rate.
    Vector nearest(const Vector& offset, const Vector& given, const Vector& residual) const {
        const Eigen::Index n = admissible.cols(), m = rows.rows();
        Matrix kkt = Matrix::Zero(n + m, n + m);
        kkt.topLeftCorner(n, n) = admissible.transpose() * metric;
        kkt.topRightCorner(n, m) = rows.transpose();
        kkt.bottomLeftCorner(m, n) = rows;
        Vector right(n + m);
        right << metric.transpose() * (given - offset), -residual;
        const Vector u = kkt.completeOrthogonalDecomposition().solve(right);
        return offset + admissible * u.head(n);
    }
};

void compare(const Model& model, ProjectionMetric metric, bool trapezoidal, double h) {
    Bench bench(model, 51);
    AugmentedLagrangianStep step(std::nan(""), 1e-12, Exactness::tolerance, metric);
    step.attach(bench.natural);
    State state;
    state.time = bench.time;
    state.q = bench.q;
    state.v = bench.natural_velocity(bench.v);
    step.start(state);
    trapezoidal ? step.trapezoidal(state, h) : step.midpoint(state, h);
    const State raw = state;
    step.project(state, h, 10, trapezoidal);

    NaturalEquations& natural = bench.natural;
    bench.q = raw.q;
    natural.evaluate(raw.time, raw.q, raw.v);
    const double share = metric == ProjectionMetric::tangent ? 1 : 0;
    natural.choose_metric(4 / (h * h), share * 2 / h, share);
    const Motions motions(bench);
    Vector row = natural.row_rate();
    natural.row_times(raw.v, row);
    const Vector zero = Vector::Zero(raw.v.size());
    const Vector v = motions.nearest(zero, raw.v, natural.row_rate() - row);
    CAPTURE(model.name, trapezoidal, h, share, largest(raw.v - v));
    CHECK(largest(raw.v - v) > 1e-8); // there was something to project
    CHECK(largest(state.v - v) < 2e-11 * (1 + largest(v)));
    if (!trapezoidal)
        return;
    natural.change_velocity(v);
    Vector offset = zero; // accelerations of the directors that velocities demand: w x (w x d)
    std::vector<Kinematics> k;
    natural.kinematics(raw.q, v, k);
    for (int b = 0; b < bench.mechanism.bodies(); ++b)
        Eigen::Map<Mat3>(offset.data() + 12 * b + 3) = skew(k[b].w) * skew(k[b].w) * k[b].D;
    natural.row_times(offset, row);
    const Vector a = motions.nearest(offset, raw.a, natural.row_bias() + row);
    CHECK(largest(state.a - a) < 1e-9 * (1 + largest(a)));
}

} // namespace

TEST_CASE(
    "projections with the factors of the step are the exact ones, with springs and dampers and without") {
    for (const Model& model : {floating_machine(), example("spring_pendulum"), example("double_pendulum"),
                               example("geared_arms"), example("driven_crank")}) {
        for (const ProjectionMetric metric : {ProjectionMetric::mass, ProjectionMetric::tangent}) {
            compare(model, metric, true, 5e-3);
            compare(model, metric, true, 2e-2);
            compare(model, metric, false, 5e-3);
        }
    }
}

TEST_CASE("a bound on iterations accepts a step that has not converged, and says so") {
    Bench bench(example("double_pendulum"), 52);
    AugmentedLagrangianStep step(std::nan(""), 1e-12, Exactness::tolerance);
    step.attach(bench.natural);
    State state;
    state.time = bench.time;
    state.q = bench.q;
    state.v = bench.natural_velocity(bench.v);
    step.start(state);
    const State start = state;
    CHECK(step.trapezoidal(state, 0.02) > 1);
    CHECK(step.unconverged() == 0);
    const State converged = state;
    state = start;
    step.bound_iterations(1);
    CHECK(step.trapezoidal(state, 0.02) == 1);
    CHECK(step.unconverged() > 1e-12);
    CHECK(state.time == converged.time);
    CHECK(largest(state.q - converged.q) > 1e-12);
    CHECK(largest(state.q - converged.q) < 1e-2);
}
