#include "core/integrators/manifold_projection.hpp"

#include "core/integrators/integrator.hpp"

#include <cmath>

namespace tenon {

namespace {

double largest(const Vector& x, int& where) {
    Eigen::Index index = -1;
    const double size = x.size() == 0 ? 0.0 : x.cwiseAbs().maxCoeff(&index);
    where = static_cast<int>(index);
    return size;
}

} // namespace

void ManifoldProjection::allocate(const ExplicitSizes& sizes) {
    zero_ = delta_ = Vector::Zero(sizes.v);
    rhs_ = lambda_ = Vector::Zero(sizes.rows);
}

int ManifoldProjection::positions(ExplicitEquations& equations, double t, Vector& q, const Vector& v,
                                  Metric metric, int most, double enough, double limit) {
    delta_.setZero();
    equations.correct(q, delta_);
    int steps = 0;
    while (true) {
        equations.evaluate_rows(t, q, v);
        int row = -1;
        const double size = largest(equations.position_residual(), row);
        if (!std::isfinite(size)) {
            throw NotConverged{"position residual", size, limit, row};
        }
        if (size <= enough || steps == most) {
            if (size > limit) {
                throw NotConverged{"position residual", size, limit, row};
            }
            return steps;
        }
        equations.factor(metric);
        rhs_ = -equations.position_residual();
        equations.solve(zero_, rhs_, delta_, lambda_);
        equations.correct(q, delta_);
        ++steps;
    }
}

void ManifoldProjection::velocities(ExplicitEquations& equations, Vector& v, Metric metric) {
    equations.factor(metric);
    rhs_ = -equations.velocity_residual();
    equations.solve(zero_, rhs_, delta_, lambda_);
    v += delta_;
}

void ManifoldProjection::accelerations(ExplicitEquations& equations, State& state, bool fresh) {
    equations.evaluate(state.time, state.q, state.v);
    if (fresh)
        equations.factor(Metric::mass);
    rhs_ = -equations.bias();
    equations.solve(equations.force(), rhs_, state.a, state.lambda);
    if (!state.a.allFinite() || !state.lambda.allFinite()) {
        throw NotConverged{"acceleration", std::nan(""), 0, -1};
    }
    state.power = equations.power(state.lambda);
}

} // namespace tenon
