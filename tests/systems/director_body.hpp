#pragma once
// A rigid body as origin and directors, as in Bauchau 2003 (seed paper 001), sections 6.1 and 6.2.
//
//   FreeDirectorBody       q = (u, e1, e2, e3), 6 rows: e1.e1/2 - 1/2, e2.e2, e3.e3, e2.e3, e1.e3, e1.e2 (eq. 40)
//   UniversalDirectorBody  q = (e1, e2, e3) about a fixed point, these 6 rows and the rheonomic e3.d1(t) = 0 of a
//                          universal joint whose shaft turns with Omega: d1 = cos(Omega t) i1 - sin(Omega t) i3
//
// T = (M00 u'.u' + 2 u'.sum M0i ei' + sum Mij ei'.ej') / 2 with the moments Mij of the mass, Iii = Mjj + Mkk,
// Iij = -Mij.

#include "core/equations/own_equations.hpp"

#include <array>
#include <cmath>

namespace tenon::systems {

/// The six rows that keep directors orthonormal; `at` is where they start in q.
class DirectorRows {
  public:
    explicit DirectorRows(int at) : at_(at) {}

    void constraint(const Vector& q, Vector& phi) const {
        for (int row = 0; row < 6; ++row)
            phi(row) = row < 3 ? 0.5 * (e(q, first[row]).squaredNorm() - 1)
                               : e(q, first[row]).dot(e(q, second[row]));
    }
    void jacobian(const Vector& q, Matrix& out) const {
        for (int row = 0; row < 6; ++row) {
            out.block<1, 3>(row, at_ + 3 * first[row]) = e(q, second[row]).transpose();
            out.block<1, 3>(row, at_ + 3 * second[row]) = e(q, first[row]).transpose();
        }
    }
    void bias(const Vector& v, Vector& b) const {
        for (int row = 0; row < 6; ++row)
            b(row) = (row < 3 ? 1 : 2) * e(v, first[row]).dot(e(v, second[row]));
    }

  private:
    static constexpr int first[6] = {0, 1, 2, 1, 0, 0};
    static constexpr int second[6] = {0, 1, 2, 2, 2, 1};
    Vec3 e(const Vector& x, int i) const { return x.segment<3>(at_ + 3 * i); }
    int at_;
};

/// Blocks Mij times identity for the directors that start at `at`.
inline void director_mass(const Mat3& moments, int at, Matrix& m) {
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            m.block<3, 3>(at + 3 * i, at + 3 * j) = moments(i, j) * Mat3::Identity();
}

class FreeDirectorBody : public OwnEquations {
  public:
    static Vector start_q() { return Vector{{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}}; }
    /// v = (5, 0, 0) m/s, omega = (0, 4, 0) rad/s.
    static Vector start_v() { return Vector{{5, 0, 0, 0, 0, -4, 0, 0, 0, 4, 0, 0}}; }

    int coordinates() const override { return 12; }
    int rows() const override { return 6; }
    void mass(const Vector&, Matrix& m) const override {
        const double m00 = 1.8;
        const Vec3 m0(0.18, 0.72, 0.54);
        Mat3 moments;
        moments << 0.2, 0.012, 0.015, 0.012, 0.7, 0.023, 0.015, 0.023, 0.4;
        m.block<3, 3>(0, 0) = m00 * Mat3::Identity();
        for (int i = 0; i < 3; ++i) {
            m.block<3, 3>(0, 3 + 3 * i) = m0(i) * Mat3::Identity();
            m.block<3, 3>(3 + 3 * i, 0) = m0(i) * Mat3::Identity();
        }
        director_mass(moments, 3, m);
    }
    bool constant_mass() const override { return true; }
    void gradient(const Vector&, Vector&) const override {}
    bool hessian(const Vector&, Matrix&) const override { return true; }
    bool force_tangents(double, const Vector&, const Vector&, Matrix&, Matrix&) const override {
        return true;
    }
    bool quadratic_rows() const override { return true; }
    bool quadratic_potential() const override { return true; }
    void constraint(double, const Vector& q, Vector& phi) const override { rows_.constraint(q, phi); }
    void jacobian(double, const Vector& q, Matrix& out) const override { rows_.jacobian(q, out); }
    void bias(double, const Vector&, const Vector& v, Vector& b) const override { rows_.bias(v, b); }

    /// Linear momentum, and angular momentum about the world's origin.
    std::array<Vec3, 2> momenta(const Vector& q, const Vector& v) const {
        Matrix m = Matrix::Zero(12, 12);
        mass(q, m);
        const Vector p = m * v;
        Vec3 turning = Vec3::Zero();
        for (int i = 0; i < 4; ++i)
            turning += q.segment<3>(3 * i).cross(p.segment<3>(3 * i));
        return {Vec3(p.head<3>()), turning};
    }

  private:
    DirectorRows rows_{3};
};

/// Case "up+i2, as printed" of the reference: I = [1.1, 0.6, 0.9] with products +0.012, +0.015, +0.023 as tensor
/// elements, centre of mass eta = (0.1, 0.4, 0.3), 1.8 kg, i2 upwards, start R = 1, omega = (0, Omega, 0).
class UniversalDirectorBody : public OwnEquations {
  public:
    static constexpr double shaft_speed = 1;

    static Vector start_q() { return Vector{{1, 0, 0, 0, 1, 0, 0, 0, 1}}; }
    static Vector start_v() { return Vector{{0, 0, -shaft_speed, 0, 0, 0, shaft_speed, 0, 0}}; }

    int coordinates() const override { return 9; }
    int rows() const override { return 7; }
    void mass(const Vector&, Matrix& m) const override {
        Mat3 moments;
        moments << 0.2, -0.012, -0.015, -0.012, 0.7, -0.023, -0.015, -0.023, 0.4;
        director_mass(moments, 0, m);
    }
    bool constant_mass() const override { return true; }
    double potential(const Vector& q) const override {
        return weight * (0.1 * q(1) + 0.4 * q(4) + 0.3 * q(7));
    }
    void gradient(const Vector&, Vector& out) const override {
        out(1) = 0.1 * weight;
        out(4) = 0.4 * weight;
        out(7) = 0.3 * weight;
    }
    bool hessian(const Vector&, Matrix&) const override { return true; }
    bool force_tangents(double, const Vector&, const Vector&, Matrix&, Matrix&) const override {
        return true;
    }
    bool quadratic_rows() const override { return true; }
    bool quadratic_potential() const override { return true; }

    void constraint(double t, const Vector& q, Vector& phi) const override {
        rows_.constraint(q, phi);
        phi(6) = q.tail<3>().dot(cross_pin(t));
    }
    void jacobian(double t, const Vector& q, Matrix& out) const override {
        rows_.jacobian(q, out);
        out.block<1, 3>(6, 6) = cross_pin(t).transpose();
    }
    bool rheonomic() const override { return true; }
    void constraint_rate(double t, const Vector& q, Vector& rate) const override {
        rate(6) = q.tail<3>().dot(cross_pin_rate(t));
    }
    void bias(double t, const Vector& q, const Vector& v, Vector& b) const override {
        rows_.bias(v, b);
        b(6) = 2 * v.tail<3>().dot(cross_pin_rate(t)) -
               shaft_speed * shaft_speed * q.tail<3>().dot(cross_pin(t));
    }

  private:
    static constexpr double weight = 1.8 * 9.81;
    static Vec3 cross_pin(double t) { return {std::cos(shaft_speed * t), 0, -std::sin(shaft_speed * t)}; }
    static Vec3 cross_pin_rate(double t) {
        return shaft_speed * Vec3(-std::sin(shaft_speed * t), 0, -std::cos(shaft_speed * t));
    }
    DirectorRows rows_{0};
};

} // namespace tenon::systems
