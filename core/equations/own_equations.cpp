#include "core/equations/own_equations.hpp"

#include "core/math/error.hpp"

namespace tenon {
namespace {

// The time over which a motion along v moves q by a difference step.
double step_along(const Vector& q, const Vector& v) {
    return difference_step(q.lpNorm<Eigen::Infinity>()) / std::max(1.0, v.lpNorm<Eigen::Infinity>());
}

} // namespace

void OwnEquations::force(double, const Vector&, const Vector&, Vector&) const {}

bool OwnEquations::force_tangents(double, const Vector&, const Vector&, Matrix&, Matrix&) const {
    return false;
}

double OwnEquations::power(double t, const Vector& q, const Vector& v) const {
    Vector f = Vector::Zero(q.size());
    force(t, q, v, f);
    if (constant_mass())
        return f.dot(v);
    const double s = step_along(q, v);
    Matrix before = Matrix::Zero(q.size(), q.size()), after = before;
    mass(q - s * v, before);
    mass(q + s * v, after);
    return f.dot(v) + v.dot((after - before) * v) / (4 * s);
}

void OwnEquations::gradient(const Vector& q, Vector& g) const {
    Vector x = q;
    for (Eigen::Index i = 0; i < q.size(); ++i) {
        const double s = difference_step(q(i));
        x(i) = q(i) + s;
        const double above = potential(x);
        x(i) = q(i) - s;
        g(i) = (above - potential(x)) / (2 * s);
        x(i) = q(i);
    }
}

bool OwnEquations::hessian(const Vector&, Matrix&) const { return false; }

void OwnEquations::constraint(double, const Vector&, Vector&) const {
    for (int row = 0; row < rows(); ++row)
        if (holonomic(row))
            throw Error(ErrorKind::model, "own equations have rows but no constraint()", row_name(row));
}

void OwnEquations::jacobian(double, const Vector&, Matrix&) const {
    if (rows() > 0)
        throw Error(ErrorKind::model, "own equations have rows but no jacobian()", row_name(0));
}

void OwnEquations::constraint_rate(double t, const Vector& q, Vector& rate) const {
    const double s = difference_step(t);
    Vector before = Vector::Zero(rate.size());
    constraint(t + s, q, rate);
    constraint(t - s, q, before);
    rate = (rate - before) / (2 * s);
}

void OwnEquations::bias(double t, const Vector& q, const Vector& v, Vector& b) const {
    const double s = step_along(q, v);
    Matrix g = Matrix::Zero(b.size(), q.size());
    Vector rate = Vector::Zero(b.size());
    for (const double side : {1.0, -1.0}) {
        g.setZero();
        jacobian(t + side * s, q + side * s * v, g);
        b += side * (g * v);
        if (!rheonomic())
            continue;
        rate.setZero();
        constraint_rate(t + side * s, q + side * s * v, rate);
        b += side * rate;
    }
    b /= 2 * s;
}

} // namespace tenon
