#pragma once
// A thin disc that rolls without slip on the plane z = 0; q = (x, y, psi, a, phi): centre, heading, lean to the right,
// spin. The height of the centre is r cos a. Two nonholonomic rows and a mass matrix that depends on q.
//
//   heading t = (cos psi, sin psi), left s = (-sin psi, cos psi), axis n = s cos a + z sin a
//   v.t = r (phi' + psi' sin a),   v.s = -r a' cos a
//   2 T = m (x'^2 + y'^2 + (r a' sin a)^2) + A (a'^2 + (psi' cos a)^2) + C (phi' + psi' sin a)^2
//
// Start: steady rolling in a circle of radius b (centre of the disc), leaning to the left, closed form and numbers of
// tests/reference/rolling_disc.json.

#include "core/equations/own_equations.hpp"

#include <cmath>
#include <numbers>

namespace tenon::systems {

class RollingDisc : public OwnEquations {
  public:
    static constexpr double m = 2, r = 0.5, A = 0.125, C = 0.25, g = 9.81, b = 1.5;
    static constexpr double lean = 20 * std::numbers::pi / 180;

    static double turn_rate() {
        return std::sqrt(m * g * r * std::tan(lean) / (A * std::sin(lean) + C * b / r + m * r * b));
    }
    static Vector start_q() { return Vector{{b, 0, std::numbers::pi / 2, -lean, 0}}; }
    static Vector start_v() {
        const double w = turn_rate();
        return Vector{{0, w * b, w, 0, w * (b / r + std::sin(lean))}};
    }

    int coordinates() const override { return 5; }
    int rows() const override { return 2; }
    bool holonomic(int) const override { return false; }
    void mass(const Vector& q, Matrix& out) const override {
        const double s = std::sin(q(3)), c = std::cos(q(3));
        out(0, 0) = out(1, 1) = m;
        out(2, 2) = A * c * c + C * s * s;
        out(3, 3) = A + m * r * r * s * s;
        out(4, 4) = C;
        out(2, 4) = out(4, 2) = C * s;
    }
    void force(double, const Vector& q, const Vector& v, Vector& f) const override {
        const double s = std::sin(q(3)), c = std::cos(q(3));
        const double psi = v(2), a = v(3), phi = v(4);
        f(2) = -2 * (C - A) * s * c * a * psi - C * c * a * phi;
        f(3) = -m * r * r * s * c * a * a + (C - A) * s * c * psi * psi + C * c * psi * phi;
        f(4) = -C * c * a * psi;
    }
    double power(double, const Vector&, const Vector&) const override { return 0; }
    double potential(const Vector& q) const override { return m * g * r * std::cos(q(3)); }
    void gradient(const Vector& q, Vector& out) const override { out(3) = -m * g * r * std::sin(q(3)); }
    void jacobian(double, const Vector& q, Matrix& out) const override {
        const double cp = std::cos(q(2)), sp = std::sin(q(2));
        out.row(0) << cp, sp, -r * std::sin(q(3)), 0, -r;
        out.row(1) << -sp, cp, 0, r * std::cos(q(3)), 0;
    }
    void bias(double, const Vector& q, const Vector& v, Vector& out) const override {
        const double cp = std::cos(q(2)), sp = std::sin(q(2)), s = std::sin(q(3)), c = std::cos(q(3));
        out(0) = v(2) * (-sp * v(0) + cp * v(1)) - r * c * v(3) * v(2);
        out(1) = v(2) * (-cp * v(0) - sp * v(1)) - r * s * v(3) * v(3);
    }
};

} // namespace tenon::systems
