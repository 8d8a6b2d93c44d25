#pragma once
// The parallel four-bar linkage of Tseng and Hulbert (seed paper 002): bodies 2, 3, 4 of lengths 1, 2, 1 m, masses
// 10, 20, 10 kg, inertias 1, 2, 1 kg m^2 about their middles, no gravity, torque -2 t on body 2. Reduced inertia 27:
//
//   q1 = pi/2 + 2 pi t - t^3/81,   q1' = 2 pi - t^2/27,   q1'' = -2 t/27
//
//   relative    q = angles of the open chain 1-2-3-4, joint 4-1 cut (eq. 33); mass matrix depends on q
//   Cartesian   q = (x, y, angle) of bodies 2, 3, 4; body 4's angle from its ground pivot (2, 0); joints 1-2, 2-3,
//               3-4, 4-1 with rows p_first - p_second

#include "core/equations/own_equations.hpp"

#include <cmath>
#include <numbers>

namespace tenon::systems {

namespace parallel_four_bar {
inline constexpr double mass[3] = {10, 20, 10}, inertia[3] = {1, 2, 1}, length[3] = {1, 2, 1};
inline double torque(double t) { return -2 * t; }
inline double angle(double t) { return std::numbers::pi / 2 + 2 * std::numbers::pi * t - t * t * t / 81; }
inline double rate(double t) { return 2 * std::numbers::pi - t * t / 27; }
inline double acceleration(double t) { return -2 * t / 27; }
} // namespace parallel_four_bar

class RelativeFourBar : public OwnEquations {
  public:
    static Vector exact_q(double t) {
        const double q = parallel_four_bar::angle(t), pi = std::numbers::pi;
        return Vec3(q, 2 * pi - q, q + pi);
    }
    static Vector exact_v(double t) { return parallel_four_bar::rate(t) * Vec3(1, -1, 1); }
    static Vector exact_a(double t) { return parallel_four_bar::acceleration(t) * Vec3(1, -1, 1); }

    int coordinates() const override { return 3; }
    int rows() const override { return 2; }
    void mass(const Vector& q, Matrix& m) const override { m = sums.transpose() * chain_mass(q) * sums; }
    void force(double t, const Vector& q, const Vector& v, Vector& f) const override {
        // Absolute angles th: sum_j Cij (cos(th_i - th_j) th_j'' + sin(th_i - th_j) th_j'^2) = Q_i.
        const Vec3 th = sums * q, w = sums * v;
        Vec3 turning = Vec3::Zero();
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                turning(i) -= i == j ? 0 : coupling(i, j) * std::sin(th(i) - th(j)) * w(j) * w(j);
        f = sums.transpose() * turning;
        f(0) += parallel_four_bar::torque(t);
    }
    double power(double t, const Vector&, const Vector& v) const override {
        return parallel_four_bar::torque(t) * v(0);
    }
    void gradient(const Vector&, Vector&) const override {}
    void constraint(double, const Vector& q, Vector& phi) const override {
        const Vec3 th = sums * q;
        phi(0) = -parallel_four_bar::length[1];
        for (int i = 0; i < 3; ++i) {
            phi(0) += parallel_four_bar::length[i] * std::cos(th(i));
            phi(1) += parallel_four_bar::length[i] * std::sin(th(i));
        }
    }
    void jacobian(double, const Vector& q, Matrix& out) const override {
        const Vec3 th = sums * q;
        for (int i = 0; i < 3; ++i) {
            out(0, i) = -parallel_four_bar::length[i] * std::sin(th(i));
            out(1, i) = parallel_four_bar::length[i] * std::cos(th(i));
        }
        out *= sums;
    }
    void bias(double, const Vector& q, const Vector& v, Vector& b) const override {
        const Vec3 th = sums * q, w = sums * v;
        for (int i = 0; i < 3; ++i) {
            b(0) -= parallel_four_bar::length[i] * std::cos(th(i)) * w(i) * w(i);
            b(1) -= parallel_four_bar::length[i] * std::sin(th(i)) * w(i) * w(i);
        }
    }

  private:
    // Absolute angles from relative ones.
    static inline const Mat3 sums = (Mat3() << 1, 0, 0, 1, 1, 0, 1, 1, 1).finished();

    // Twice the kinetic energy is sum Cij cos(th_i - th_j) th_i' th_j'.
    static double coupling(int i, int j) {
        const auto& l = parallel_four_bar::length;
        double c = i == j ? parallel_four_bar::inertia[i] : 0;
        for (int body = std::max(i, j); body < 3; ++body)
            c +=
                parallel_four_bar::mass[body] * (body == i ? l[i] / 2 : l[i]) * (body == j ? l[j] / 2 : l[j]);
        return c;
    }
    static Mat3 chain_mass(const Vector& q) {
        const Vec3 th = sums * q;
        Mat3 m;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                m(i, j) = coupling(i, j) * std::cos(th(i) - th(j));
        return m;
    }
};

class CartesianFourBar : public OwnEquations {
  public:
    static Vector exact_q(double t) {
        const double q = parallel_four_bar::angle(t), c = std::cos(q), s = std::sin(q);
        return Vector{{c / 2, s / 2, q, 1 + c, s, 0, 2 + c / 2, s / 2, q}};
    }
    static Vector exact_v(double t) {
        const double q = parallel_four_bar::angle(t), w = parallel_four_bar::rate(t);
        const double c = w * std::cos(q), s = w * std::sin(q);
        return Vector{{-s / 2, c / 2, w, -s, c, 0, -s / 2, c / 2, w}};
    }

    int coordinates() const override { return 9; }
    int rows() const override { return 8; }
    void mass(const Vector&, Matrix& m) const override {
        for (int i = 0; i < 3; ++i) {
            m(3 * i, 3 * i) = m(3 * i + 1, 3 * i + 1) = parallel_four_bar::mass[i];
            m(3 * i + 2, 3 * i + 2) = parallel_four_bar::inertia[i];
        }
    }
    bool constant_mass() const override { return true; }
    void force(double t, const Vector&, const Vector&, Vector& f) const override {
        f(2) = parallel_four_bar::torque(t);
    }
    bool force_tangents(double, const Vector&, const Vector&, Matrix&, Matrix&) const override {
        return true;
    }
    void gradient(const Vector&, Vector&) const override {}
    bool hessian(const Vector&, Matrix&) const override { return true; }
    bool quadratic_potential() const override { return true; }

    void constraint(double, const Vector& q, Vector& phi) const override {
        phi.segment<2>(0) = -end(q, 0, -1);
        phi.segment<2>(2) = end(q, 0, 1) - end(q, 1, -1);
        phi.segment<2>(4) = end(q, 1, 1) - end(q, 2, 1);
        phi.segment<2>(6) = end(q, 2, -1) - Eigen::Vector2d(2, 0);
    }
    void jacobian(double, const Vector& q, Matrix& out) const override {
        add_end(q, 0, -1, -1, 0, out);
        add_end(q, 0, 1, 1, 2, out);
        add_end(q, 1, -1, -1, 2, out);
        add_end(q, 1, 1, 1, 4, out);
        add_end(q, 2, 1, -1, 4, out);
        add_end(q, 2, -1, 1, 6, out);
    }
    void bias(double, const Vector& q, const Vector& v, Vector& b) const override {
        const auto turning = [&](int body, double side) -> Eigen::Vector2d {
            return -v(3 * body + 2) * v(3 * body + 2) * arm(q, body, side);
        };
        b.segment<2>(0) = -turning(0, -1);
        b.segment<2>(2) = turning(0, 1) - turning(1, -1);
        b.segment<2>(4) = turning(1, 1) - turning(2, 1);
        b.segment<2>(6) = turning(2, -1);
    }

  private:
    // From a body's middle to the end on one side, and that end.
    static Eigen::Vector2d arm(const Vector& q, int body, double side) {
        const double th = q(3 * body + 2);
        return side * 0.5 * parallel_four_bar::length[body] * Eigen::Vector2d(std::cos(th), std::sin(th));
    }
    static Eigen::Vector2d end(const Vector& q, int body, double side) {
        return q.segment<2>(3 * body) + arm(q, body, side);
    }
    static void add_end(const Vector& q, int body, double side, double sign, int row, Matrix& out) {
        const Eigen::Vector2d d = arm(q, body, side);
        out.block<2, 2>(row, 3 * body) += sign * Eigen::Matrix2d::Identity();
        out.block<2, 1>(row, 3 * body + 2) += sign * Eigen::Vector2d(-d.y(), d.x());
    }
};

} // namespace tenon::systems
