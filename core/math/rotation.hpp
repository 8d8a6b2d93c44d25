#pragma once
// SO(3): exponential, logarithm, tangent, quaternions.

#include "core/math/types.hpp"

#include <cmath>

namespace tenon {

/// exp(u~) - 1, small for small u and then exact to relative round-off.
inline Mat3 exp_so3_minus_identity(const Vec3& u) {
    const double square = u.squaredNorm();
    double a = 0, b = 0; // sin t / t, (1 - cos t) / t^2
    if (square < 1e-4) {
        a = 1 - square / 6 * (1 - square / 20 * (1 - square / 42));
        b = 0.5 - square / 24 * (1 - square / 30 * (1 - square / 56));
    } else {
        const double t = std::sqrt(square);
        a = std::sin(t) / t;
        const double half = std::sin(0.5 * t) / t; // 1 - cos t would cancel
        b = 2 * half * half;
    }
    const Mat3 s = skew(u);
    return a * s + b * s * s;
}

/// exp(u~): the rotation by |u| about u.
inline Mat3 exp_so3(const Vec3& u) { return Mat3::Identity() + exp_so3_minus_identity(u); }

/// Scalar-first unit quaternion of a rotation matrix, scalar part not negative.
inline Eigen::Vector4d to_quaternion(const Mat3& R) {
    const Eigen::Quaterniond q(R);
    Eigen::Vector4d out(q.w(), q.x(), q.y(), q.z());
    out.normalize();
    return out[0] < 0 ? Eigen::Vector4d(-out) : out;
}

inline Mat3 from_quaternion(const Eigen::Vector4d& q) {
    return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
}

/// The rotation vector of R, |u| <= pi.
inline Vec3 log_so3(const Mat3& R) {
    const Eigen::AngleAxisd a(R);
    return a.angle() * a.axis();
}

/// u' of R = R0 exp(u~) for body angular velocity w, to the order a fourth-order method needs:
/// w + 1/2 u x w + 1/12 u x (u x w). (Terze et al. print the sign of the other trivialisation.)
inline Vec3 dexp_inverse(const Vec3& u, const Vec3& w) {
    const Vec3 uw = u.cross(w);
    return w + 0.5 * uw + u.cross(uw) / 12;
}

/// The rotation by the smallest angle that takes the unit vector a to the unit vector b; to -a by half a turn about some normal.
/// As a quaternion (a.h, a x h), h half way between them; of almost opposite ones h is lost in rounding, and half a turn comes first.
inline Mat3 shortest_rotation(const Vec3& a, const Vec3& b) {
    const Vec3 sum = a + b;
    if (sum.norm() > 1e-3) {
        const Vec3 h = sum.normalized();
        Eigen::Vector4d q;
        q << a.dot(h), a.cross(h);
        return from_quaternion(q);
    }
    Vec3 normal = a.cross(b);
    normal = normal.norm() > 1e-12 ? normal.normalized() : a.unitOrthogonal();
    const Mat3 half_turn = 2 * normal * normal.transpose() - Mat3::Identity();
    return shortest_rotation(half_turn * a, b) * half_turn;
}

/// The nearest rotation to a matrix that is almost one: Newton's iteration for the polar factor.
inline void orthonormalise(Mat3& D) {
    for (int i = 0; i < 8; ++i) {
        const Mat3 defect = D.transpose() * D - Mat3::Identity();
        D -= 0.5 * D * defect;
        if (defect.cwiseAbs().maxCoeff() < 1e-8)
            return;
    }
}

} // namespace tenon
