#pragma once
// The two linkages of Braun and Goldfarb (seed paper 003), l = 1 m, m = 1 kg, g = 9.81 m/s^2, and their exact motions.
//
//   slider-crank (4.1)     q = (x1, y1, th1, x2, y2, th2), 5 rows; eq. 22 prints four of them, the fifth is
//                          y2 + (l/2) sin th2 = 0. Released at rest; singular at th1 = -pi/2.
//   double four-bar (4.2)  q = the three moving joints, 5 quadratic rows. Q4 is -3/2 m g (printed with a plus).
//                          Singular whenever the links are horizontal, about 10^3 times in 1000 s.

#include "core/equations/own_equations.hpp"

#include <cmath>
#include <numbers>
#include <vector>

namespace tenon::systems {

class SliderCrank : public OwnEquations {
  public:
    static constexpr double g = 9.81;

    static Vector start_q() {
        const double s = std::numbers::sqrt2 / 4, pi = std::numbers::pi;
        return Vector{{s, s, pi / 4, 3 * s, s, -pi / 4}};
    }
    static Vector start_v() { return Vector::Zero(6); }
    static double slider(const Vector& q) { return q(3) + 0.5 * std::cos(q(5)); }

    /// x of the slider at 0, h, 2h .. from the reduced equation (24) by RK4 with `fine` steps in h.
    static std::vector<double> exact_slider(double h, int steps, int fine) {
        const auto acceleration = [](double th, double w) {
            return -3 / (5 - 3 * std::cos(2 * th)) * (std::sin(2 * th) * w * w + g * std::cos(th));
        };
        std::vector<double> x{2 * std::cos(std::numbers::pi / 4)};
        double th = std::numbers::pi / 4, w = 0;
        const double s = h / fine;
        for (int i = 0; i < steps; ++i) {
            for (int j = 0; j < fine; ++j) {
                const double w1 = w, a1 = acceleration(th, w1);
                const double w2 = w + s / 2 * a1, a2 = acceleration(th + s / 2 * w1, w2);
                const double w3 = w + s / 2 * a2, a3 = acceleration(th + s / 2 * w2, w3);
                const double w4 = w + s * a3, a4 = acceleration(th + s * w3, w4);
                th += s / 6 * (w1 + 2 * w2 + 2 * w3 + w4);
                w += s / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
            }
            x.push_back(2 * std::cos(th));
        }
        return x;
    }

    int coordinates() const override { return 6; }
    int rows() const override { return 5; }
    void mass(const Vector&, Matrix& m) const override {
        m.setIdentity();
        m(2, 2) = m(5, 5) = 1.0 / 12;
    }
    bool constant_mass() const override { return true; }
    double potential(const Vector& q) const override { return g * (q(1) + q(4)); }
    void gradient(const Vector&, Vector& out) const override { out(1) = out(4) = g; }
    double power(double, const Vector&, const Vector&) const override { return 0; }
    bool quadratic_potential() const override { return true; }

    void constraint(double, const Vector& q, Vector& phi) const override {
        const double c1 = std::cos(q(2)) / 2, s1 = std::sin(q(2)) / 2, c2 = std::cos(q(5)) / 2,
                     s2 = std::sin(q(5)) / 2;
        phi << q(0) - c1, q(1) - s1, q(0) + c1 - q(3) + c2, q(1) + s1 - q(4) + s2, q(4) + s2;
    }
    void jacobian(double, const Vector& q, Matrix& out) const override {
        const double c1 = std::cos(q(2)) / 2, s1 = std::sin(q(2)) / 2, c2 = std::cos(q(5)) / 2,
                     s2 = std::sin(q(5)) / 2;
        out.row(0) << 1, 0, s1, 0, 0, 0;
        out.row(1) << 0, 1, -c1, 0, 0, 0;
        out.row(2) << 1, 0, -s1, -1, 0, -s2;
        out.row(3) << 0, 1, c1, 0, -1, c2;
        out.row(4) << 0, 0, 0, 0, 1, c2;
    }
    void bias(double, const Vector& q, const Vector& v, Vector& b) const override {
        const double w1 = v(2) * v(2) / 2, w2 = v(5) * v(5) / 2;
        const double c1 = w1 * std::cos(q(2)), s1 = w1 * std::sin(q(2));
        const double c2 = w2 * std::cos(q(5)), s2 = w2 * std::sin(q(5));
        b << c1, s1, -c1 - c2, -s1 - s2, -s2;
    }
};

class DoubleFourBar : public OwnEquations {
  public:
    static constexpr double g = 9.81;

    /// `repeat` appends rows 1 and 4 once more.
    explicit DoubleFourBar(bool repeat = false) : repeat_(repeat) {}

    /// All links at angle th with rate w.
    static Vector q_at(double th) {
        const double c = std::cos(th), s = std::sin(th);
        return Vector{{c, s, 1 + c, s, 2 + c, s}};
    }
    static Vector v_at(double th, double w) {
        const double c = w * std::cos(th), s = w * std::sin(th);
        return Vector{{-s, c, -s, c, -s, c}};
    }
    static Vector start_q() { return Vector{{0, 1, 1, 1, 2, 1}}; }
    static Vector start_v() { return Vector{{1, 0, 1, 0, 1, 0}}; }

    /// (x3, y3) at time t from start_q, start_v: th'' + (7 g / 6) cos th = 0 solved by Jacobi's functions.
    static Eigen::Vector2d exact_joint3(double t) {
        const double w0 = 7 * g / 6, wb = std::sqrt(1 + 4 * w0), m = 4 * w0 / (wb * wb);
        const double sn = std::sin(amplitude(quarter_period(m) - wb * t / 2, m));
        const double cn = std::cos(amplitude(quarter_period(m) - wb * t / 2, m));
        return {2 + 2 * sn * cn, sn * sn - cn * cn};
    }

    int coordinates() const override { return 6; }
    int rows() const override { return repeat_ ? 7 : 5; }
    void mass(const Vector&, Matrix& m) const override {
        for (int axis = 0; axis < 2; ++axis) {
            m(axis, axis) = m(4 + axis, 4 + axis) = 2.0 / 3;
            m(2 + axis, 2 + axis) = 1;
            m(axis, 2 + axis) = m(2 + axis, axis) = m(2 + axis, 4 + axis) = m(4 + axis, 2 + axis) = 1.0 / 6;
        }
    }
    bool constant_mass() const override { return true; }
    double potential(const Vector& q) const override { return g * (q(1) + 1.5 * q(3) + q(5)); }
    void gradient(const Vector&, Vector& out) const override {
        out(1) = out(5) = g;
        out(3) = 1.5 * g;
    }
    double power(double, const Vector&, const Vector&) const override { return 0; }
    bool quadratic_rows() const override { return true; }
    bool quadratic_potential() const override { return true; }

    void constraint(double, const Vector& q, Vector& phi) const override {
        for (int row = 0; row < rows(); ++row)
            phi(row) = bar(q, of(row), true).squaredNorm() - 1;
    }
    void jacobian(double, const Vector& q, Matrix& out) const override {
        for (int row = 0; row < rows(); ++row) {
            const Eigen::Vector2d d = 2 * bar(q, of(row), true);
            if (of(row) < 3) {
                out.block<1, 2>(row, 2 * of(row)) = d.transpose();
            } else {
                out.block<1, 2>(row, 2 * (of(row) - 2)) = d.transpose();
                out.block<1, 2>(row, 2 * (of(row) - 3)) = -d.transpose();
            }
        }
    }
    void bias(double, const Vector&, const Vector& v, Vector& b) const override {
        for (int row = 0; row < rows(); ++row)
            b(row) = 2 * bar(v, of(row), false).squaredNorm();
    }

  private:
    static int of(int row) { return row < 5 ? row : (row == 5 ? 0 : 3); }
    // Of the bar behind a row: joint i minus its pivot, or joint i + 1 minus joint i.
    static Eigen::Vector2d bar(const Vector& x, int row, bool positions) {
        if (row < 3)
            return x.segment<2>(2 * row) - (positions ? Eigen::Vector2d(row, 0) : Eigen::Vector2d(0, 0));
        return x.segment<2>(2 * (row - 2)) - x.segment<2>(2 * (row - 3));
    }

    // K(m) and am(u, m) by the arithmetic-geometric mean (Abramowitz and Stegun 16.4).
    static double quarter_period(double m) {
        double a = 1, b = std::sqrt(1 - m);
        while (std::abs(a - b) > 1e-16 * a) {
            const double mean = (a + b) / 2;
            b = std::sqrt(a * b);
            if (mean == a)
                break;
            a = mean;
        }
        return std::numbers::pi / (2 * a);
    }
    static double amplitude(double u, double m) {
        double a[12], c[12];
        a[0] = 1;
        double b = std::sqrt(1 - m);
        int n = 0;
        while (n < 11 && std::abs(a[n] - b) > 1e-16 * a[n]) {
            a[n + 1] = (a[n] + b) / 2;
            c[n + 1] = (a[n] - b) / 2;
            b = std::sqrt(a[n] * b);
            ++n;
        }
        double phi = std::ldexp(a[n] * u, n);
        for (; n > 0; --n)
            phi = (phi + std::asin(c[n] / a[n] * std::sin(phi))) / 2;
        return phi;
    }

    bool repeat_;
};

} // namespace tenon::systems
