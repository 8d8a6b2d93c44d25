#pragma once
// The spherical compound pendulum of Dopico et al. 2007 (seed paper 000) in the Cartesian coordinates of its two mass
// points: q = (r1, r2), m1 = m2 = 1 kg at 1 m and 2 m from the origin, on one straight rod.
//
//   lin     r1.r1 - 1 = 0,   r2 - 2 r1 = 0                                4 rows
//   cross   r1.r1 - 1 = 0,   |r2 - r1|^2 - 1 = 0,   r1 x r2 = 0           5 rows of rank 4
//
// The start is assumed, the paper's figure is missing: r1 = (1, 0, 0), r1' = (0, 1/2, 0); E = 0.625 J.

#include "core/equations/own_equations.hpp"

namespace tenon::systems {

class CompoundPendulum : public OwnEquations {
  public:
    enum class Rows { lin, cross };
    static constexpr double g = 9.81;

    explicit CompoundPendulum(Rows rows) : rows_(rows) {}

    static Vector start_q() { return Vector{{1, 0, 0, 2, 0, 0}}; }
    static Vector start_v() { return Vector{{0, 0.5, 0, 0, 1, 0}}; }

    int coordinates() const override { return 6; }
    int rows() const override { return rows_ == Rows::lin ? 4 : 5; }
    void mass(const Vector&, Matrix& m) const override { m.setIdentity(); }
    bool constant_mass() const override { return true; }
    double potential(const Vector& q) const override { return g * (q(2) + q(5)); }
    void gradient(const Vector&, Vector& out) const override { out(2) = out(5) = g; }
    bool hessian(const Vector&, Matrix&) const override { return true; }
    bool force_tangents(double, const Vector&, const Vector&, Matrix&, Matrix&) const override {
        return true;
    }
    bool quadratic_rows() const override { return true; }
    bool quadratic_potential() const override { return true; }

    void constraint(double, const Vector& q, Vector& phi) const override {
        const Vec3 r1 = q.head<3>(), r2 = q.tail<3>();
        phi(0) = r1.dot(r1) - 1;
        if (rows_ == Rows::lin) {
            phi.tail<3>() = r2 - 2 * r1;
        } else {
            phi(1) = (r2 - r1).squaredNorm() - 1;
            phi.tail<3>() = r1.cross(r2);
        }
    }
    void jacobian(double, const Vector& q, Matrix& out) const override {
        const Vec3 r1 = q.head<3>(), r2 = q.tail<3>();
        out.block<1, 3>(0, 0) = 2 * r1.transpose();
        if (rows_ == Rows::lin) {
            out.block<3, 3>(1, 0) = -2 * Mat3::Identity();
            out.block<3, 3>(1, 3).setIdentity();
        } else {
            out.block<1, 3>(1, 0) = 2 * (r1 - r2).transpose();
            out.block<1, 3>(1, 3) = 2 * (r2 - r1).transpose();
            out.block<3, 3>(2, 0) = -skew(r2);
            out.block<3, 3>(2, 3) = skew(r1);
        }
    }
    void bias(double, const Vector&, const Vector& v, Vector& b) const override {
        const Vec3 v1 = v.head<3>(), v2 = v.tail<3>();
        b(0) = 2 * v1.dot(v1);
        if (rows_ == Rows::cross) {
            b(1) = 2 * (v2 - v1).squaredNorm();
            b.tail<3>() = 2 * v1.cross(v2);
        }
    }

    static double vertical_momentum(const Vector& q, const Vector& v) {
        return q(0) * v(1) - q(1) * v(0) + q(3) * v(4) - q(4) * v(3);
    }

  private:
    Rows rows_;
};

} // namespace tenon::systems
