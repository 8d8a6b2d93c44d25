// Between the ends of a step positions are cubic Hermite polynomials, orientations R = exp(u) R0 with u one, too:
//
//     u(0) = 0, u(1) = th = log(R1 R0^T);   u' = dexpinv_u w,   w = dexp_u u'          (w in world axes)
//     dexp_u = 1 + (1 - cos t)/t^2 u~ + (t - sin t)/t^3 u~^2,   dexpinv_u = 1 - u~/2 + c u~^2,   t = |u|
//     c = (1 - (t/2) cot(t/2)) / t^2
//
// A turn of more than 1 rad in a step is first taken off, p = h (w0 + w1) / 2, R = exp(s p) exp(u) R0: what is left is small, and no
// logarithm has to guess how often the port has been round.
//
//     u(1) = log(exp(-p) R1 R0^T),   h w = p + exp(s p) dexp_u u',   h w' = p x w + exp(s p) (dexp_u u')' / h

#include "tools/glue/wrench.hpp"

#include "core/math/rotation.hpp"

#include <cmath>

namespace tenon::glue {
namespace {

Vec3 dexp_inverse_world(const Vec3& u, const Vec3& w) {
    const double square = u.squaredNorm(), t = std::sqrt(square);
    const double c = square < 1e-4 ? (1 + square / 60) / 12 : (1 - 0.5 * t / std::tan(0.5 * t)) / square;
    const Vec3 uw = u.cross(w);
    return w - 0.5 * uw + c * u.cross(uw);
}

Vec3 dexp_world(const Vec3& u, const Vec3& rate) {
    const double square = u.squaredNorm(), t = std::sqrt(square);
    double b = 0, c = 0;
    if (square < 1e-4) {
        b = 0.5 - square / 24;
        c = 1.0 / 6 - square / 120;
    } else {
        const double half = std::sin(0.5 * t) / t; // 1 - cos t would cancel
        b = 2 * half * half;
        c = (t - std::sin(t)) / (square * t);
    }
    const Vec3 ur = u.cross(rate);
    return rate + b * ur + c * u.cross(ur);
}

/// What is taken off: p, and exp(-p).
struct SteadyTurn {
    Vec3 p = Vec3::Zero();
    Mat3 back = Mat3::Identity();
    SteadyTurn(const PortMotion& begin, const PortMotion& end, double h) {
        const Vec3 turn = 0.5 * h * (begin.w_WP + end.w_WP);
        if (turn.squaredNorm() <= 1)
            return;
        p = turn;
        back = exp_so3(-p);
    }
    bool is_zero() const { return p.isZero(0); }
    Mat3 at(double s) const { return is_zero() ? Mat3::Identity() : exp_so3(s * p); }
};

/// The cubic with values x0, x1 and slopes d0, d1 over s in [0, 1], and its slope.
struct Hermite {
    Vec3 value, slope;
    Hermite(const Vec3& x0, const Vec3& x1, const Vec3& d0, const Vec3& d1, double s) {
        const Vec3 chord = x1 - x0;
        const Vec3 second = 3 * chord - 2 * d0 - d1, third = d0 + d1 - 2 * chord;
        value = x0 + s * (d0 + s * (second + s * third));
        slope = d0 + s * (2 * second + 3 * s * third);
    }
};

} // namespace

WrenchCurve WrenchCurve::quadratic() const {
    return {w0 + w3 / 20, w1 - 0.6 * w3, w2 + 1.5 * w3, Vec6::Zero()};
}

WrenchCurve WrenchCurve::linear() const {
    const WrenchCurve q = quadratic();
    return {q.w0 - q.w2 / 6, q.w1 + q.w2, Vec6::Zero(), Vec6::Zero()};
}

Vec6 WrenchCurve::mean(double from, double to) const {
    return w0 + w1 * (0.5 * (from + to)) + w2 * ((from * from + from * to + to * to) / 3) +
           w3 * ((from + to) * (from * from + to * to) / 4);
}

WrenchCurve& WrenchCurve::operator+=(const WrenchCurve& other) {
    w0 += other.w0;
    w1 += other.w1;
    w2 += other.w2;
    w3 += other.w3;
    return *this;
}

WrenchCurve wrench_through(const Vec6& begin, const Vec6& middle, const Vec6& end) {
    const Vec6 w2 = 2 * (begin - 2 * middle + end);
    return {begin, end - begin - w2, w2, Vec6::Zero()};
}

WrenchCurve wrench_through(const std::array<Vec6, 5>& W) {
    // Differences of the quartic with spacing 1/4, then powers of x = 4 s, then s^4 -> 2 s^3 - 9/7 s^2 + 2/7 s - 1/70.
    const Vec6 d1 = W[1] - W[0], d2 = W[2] - 2 * W[1] + W[0], d3 = W[3] - 3 * W[2] + 3 * W[1] - W[0];
    const Vec6 d4 = W[4] - 4 * W[3] + 6 * W[2] - 4 * W[1] + W[0];
    const Vec6 x1 = d1 - d2 / 2 + d3 / 3 - d4 / 4, x2 = d2 / 2 - d3 / 2 + 11 * d4 / 24, x3 = d3 / 6 - d4 / 4,
               x4 = d4 / 24;
    const Vec6 fourth = 256 * x4;
    return {W[0] - fourth / 70, 4 * x1 + fourth * (2.0 / 7), 16 * x2 - fourth * (9.0 / 7),
            64 * x3 + 2 * fourth};
}

PortMotion interpolated(const PortMotion& begin, const PortMotion& end, double h, double s) {
    const Hermite position(begin.p_WP, end.p_WP, h * begin.v_WP, h * end.v_WP, s);
    const SteadyTurn steady(begin, end, h);
    const Vec3 th = log_so3(steady.back * end.R_WP * begin.R_WP.transpose());
    const Hermite turn(Vec3::Zero(), th, h * begin.w_WP - steady.p,
                       dexp_inverse_world(th, steady.back * (h * end.w_WP) - steady.p), s);
    const Mat3 turned = steady.at(s);
    PortMotion motion;
    motion.p_WP = position.value;
    motion.v_WP = position.slope / h;
    motion.R_WP = turned * exp_so3(turn.value) * begin.R_WP;
    motion.w_WP = (steady.p + turned * dexp_world(turn.value, turn.slope)) / h;
    return motion;
}

PortMotion interpolated(const PortMotion& begin, const Vec6& acceleration_begin, const PortMotion& end,
                        const Vec6& acceleration_end, double h, double s) {
    // Values, slopes and curvatures over s in [0, 1] at both ends.
    const auto quintic = [&](const Vec3& x0, const Vec3& v0, const Vec3& a0, const Vec3& x1, const Vec3& v1,
                             const Vec3& a1) -> Vec3 {
        const Vec3 slope0 = h * v0, curve0 = 0.5 * h * h * a0;
        const Vec3 rest = x1 - x0 - slope0 - curve0, rest1 = h * v1 - slope0 - 2 * curve0,
                   rest2 = h * h * a1 - 2 * curve0;
        const Vec3 k3 = 10 * rest - 4 * rest1 + 0.5 * rest2, k4 = -15 * rest + 7 * rest1 - rest2,
                   k5 = 6 * rest - 3 * rest1 + 0.5 * rest2;
        return x0 + s * (slope0 + s * (curve0 + s * (k3 + s * (k4 + s * k5))));
    };
    PortMotion motion = begin;
    motion.p_WP = quintic(begin.p_WP, begin.v_WP, acceleration_begin.head<3>(), end.p_WP, end.v_WP,
                          acceleration_end.head<3>());
    const auto bend = [](const Vec3& w, const Vec3& al, const Vec3& d) -> Vec3 {
        return al.cross(d) + w.cross(w.cross(d));
    };
    // The axes as seen by somebody who makes the steady turn.
    const SteadyTurn steady(begin, end, h);
    const Vec3 p = steady.p / h;
    const Vec3 w0 = begin.w_WP - p, w1 = steady.back * end.w_WP - p;
    const Vec3 al0 = acceleration_begin.tail<3>() - p.cross(begin.w_WP),
               al1 = steady.back * (acceleration_end.tail<3>() - p.cross(end.w_WP));
    for (int i = 0; i < 3; ++i) {
        const Vec3 d0 = begin.R_WP.col(i), d1 = steady.back * end.R_WP.col(i);
        motion.R_WP.col(i) =
            quintic(d0, w0.cross(d0), bend(w0, al0, d0), d1, w1.cross(d1), bend(w1, al1, d1));
    }
    motion.R_WP = steady.at(s) * motion.R_WP.eval();
    return motion;
}

PortMotion middle(const PortMotion& begin, const PortMotion& end, double h) {
    return interpolated(begin, end, h, 0.5);
}

// u'' at the end instead of the angular acceleration: they differ by terms that vanish with u.
Vec6 acceleration_at_end(const PortMotion& begin, const PortMotion& end, double h) {
    const SteadyTurn steady(begin, end, h);
    const Vec3 th = log_so3(steady.back * end.R_WP * begin.R_WP.transpose());
    Vec6 result;
    result.head<3>() = (2 * begin.v_WP + 4 * end.v_WP) / h - 6 * (end.p_WP - begin.p_WP) / (h * h);
    const Vec3 slope0 = h * begin.w_WP - steady.p,
               slope1 = dexp_inverse_world(th, steady.back * (h * end.w_WP) - steady.p);
    const Vec3 bend = (2 * slope0 + 4 * slope1 - 6 * th) / (h * h);
    result.tail<3>() = steady.p.cross(end.w_WP) / h + steady.at(1) * bend;
    return result;
}

PortMotion extrapolated(const PortMotion& begin, const Vec3& a, const Vec3& al, double h) {
    PortMotion end;
    end.p_WP = begin.p_WP + h * begin.v_WP + 0.5 * h * h * a;
    end.v_WP = begin.v_WP + h * a;
    end.R_WP = exp_so3(h * begin.w_WP + 0.5 * h * h * al) * begin.R_WP;
    end.w_WP = begin.w_WP + h * al;
    return end;
}

} // namespace tenon::glue
