// Between the ends of a step positions are cubic Hermite polynomials, orientations R = exp(u) R0 with u one, too:
//
//     u(0) = 0, u(1) = th = log(R1 R0^T);   u' = dexpinv_u w,   w = dexp_u u'          (w in world axes)
//     dexp_u = 1 + (1 - cos t)/t^2 u~ + (t - sin t)/t^3 u~^2,   dexpinv_u = 1 - u~/2 + c u~^2,   t = |u|
//     c = (1 - (t/2) cot(t/2)) / t^2

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

WrenchCurve WrenchCurve::linear() const { return {w0 - w2 / 6, w1 + w2, Vec6::Zero()}; }

Vec6 WrenchCurve::mean(double from, double to) const {
    return w0 + w1 * (0.5 * (from + to)) + w2 * ((from * from + from * to + to * to) / 3);
}

WrenchCurve& WrenchCurve::operator+=(const WrenchCurve& other) {
    w0 += other.w0;
    w1 += other.w1;
    w2 += other.w2;
    return *this;
}

WrenchCurve wrench_through(const Vec6& begin, const Vec6& middle, const Vec6& end) {
    const Vec6 w2 = 2 * (begin - 2 * middle + end);
    return {begin, end - begin - w2, w2};
}

Motion interpolated(const Motion& begin, const Motion& end, double h, double s) {
    const Hermite position(begin.r, end.r, h * begin.v, h * end.v, s);
    const Vec3 th = log_so3(end.D * begin.D.transpose());
    const Hermite turn(Vec3::Zero(), th, h * begin.w, h * dexp_inverse_world(th, end.w), s);
    Motion motion;
    motion.r = position.value;
    motion.v = position.slope / h;
    motion.D = exp_so3(turn.value) * begin.D;
    motion.w = dexp_world(turn.value, turn.slope) / h;
    return motion;
}

Motion middle(const Motion& begin, const Motion& end, double h) { return interpolated(begin, end, h, 0.5); }

// u'' at the end instead of the angular acceleration: they differ by terms that vanish with u.
Vec6 acceleration_at_end(const Motion& begin, const Motion& end, double h) {
    const Vec3 th = log_so3(end.D * begin.D.transpose());
    Vec6 result;
    result.head<3>() = (2 * begin.v + 4 * end.v) / h - 6 * (end.r - begin.r) / (h * h);
    result.tail<3>() = (2 * begin.w + 4 * dexp_inverse_world(th, end.w)) / h - 6 * th / (h * h);
    return result;
}

Motion extrapolated(const Motion& begin, const Vec3& a, const Vec3& al, double h) {
    Motion end;
    end.r = begin.r + h * begin.v + 0.5 * h * h * a;
    end.v = begin.v + h * a;
    end.D = exp_so3(h * begin.w + 0.5 * h * h * al) * begin.D;
    end.w = begin.w + h * al;
    return end;
}

} // namespace tenon::glue
