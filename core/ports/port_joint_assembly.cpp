// Rows for the assembly: those for points as they are, those for orientations as rotation vectors, since dot products are zero
// also for axes that are turned by half a turn. w = w_WB - w_WA, e_i = columns of R_WA, n_a and n_b the axes of A and B in the world.
//
//     same    psi = log(R_AB),   psi' = Jl^-1(psi) R_WA^T w,   Jl^-1 = 1 - psi~/2 + c psi~^2,   c = (1 - (t/2) cot(t/2)) / t^2
//     axis    b = E^T n_b with E = (e1, e2, n_a):   phi = k (-b2, b1),   k = angle / sin(angle) of n_a and n_b
//             b' = (E^T w) x b,   k' = dk/db3 b3',   dk/db3 = (b3 k - 1) / (1 - b3^2)
//     cross   phi = asin(n_a.n_b),   phi' = w.(n_b x n_a) / |n_b x n_a|
//
// With a prescribed angle the rows are those of `same` for the frame turned back by that angle.

#include "core/math/rotation.hpp"
#include "core/ports/port_joint_parts.hpp"

#include <cmath>

namespace tenon {
namespace {

/// Below this sine directions are parallel: any normal will do.
constexpr double parallel = 1e-12;

/// Inverse of the left Jacobian of SO(3).
Mat3 left_jacobian_inverse(const Vec3& psi) {
    const double square = psi.squaredNorm(), t = std::sqrt(square);
    const double c = square < 1e-4 ? (1 + square / 60) / 12 : (1 - 0.5 * t / std::tan(0.5 * t)) / square;
    const Mat3 s = skew(psi);
    return Mat3::Identity() - 0.5 * s + c * s * s;
}

/// Gradients along w_WB, and the opposite ones along w_WA.
template <class Gradient> void set_angular(PortJointRows& rows, int first, const Gradient& gradient) {
    const auto count = gradient.rows();
    rows.Bb.middleRows(first, count).template leftCols<3>().setZero();
    rows.Bb.middleRows(first, count).template rightCols<3>() = gradient;
    rows.Ba.middleRows(first, count) = -rows.Bb.middleRows(first, count);
}

void same_orientation(const Mat3& R_WA, const Mat3& R_WB, int first, PortJointRows& rows) {
    const Vec3 psi = log_so3(R_WA.transpose() * R_WB);
    rows.phi.segment<3>(first) = psi;
    set_angular(rows, first, Mat3(left_jacobian_inverse(psi) * R_WA.transpose()));
}

struct AngleOverSine {
    double k = 1, slope = -1.0 / 3; ///< and dk / d cos(angle)
};

AngleOverSine angle_over_sine(double sine, double cosine) {
    const double x = 1 - cosine;
    if (x < 1e-3) // k = sum n! / (2n + 1)!! x^n; the closed form of its slope cancels
        return {1 + x * (1.0 / 3 + x * (2.0 / 15 + x * (2.0 / 35 + x * 8 / 315))),
                -(1.0 / 3 + x * (4.0 / 15 + x * (6.0 / 35 + x * 32 / 315)))};
    const double k = std::atan2(sine, cosine) / sine;
    return {k, (cosine * k - 1) / (sine * sine)};
}

void common_axis(const Mat3& R_WA, const Vec3& axis_A, const Vec3& n_b, int first, PortJointRows& rows) {
    Vec3 e1, e2;
    orthonormal_pair(axis_A, e1, e2);
    Mat3 E;
    E << R_WA * e1, R_WA * e2, R_WA * axis_A;
    const Vec3 b = E.transpose() * n_b;
    const double sine = std::hypot(b.x(), b.y());
    if (sine < parallel && b.z() < 0) { // half a turn about any normal: about e1
        rows.phi.segment<2>(first) << std::acos(-1.0), 0;
        set_angular(rows, first, Eigen::Matrix<double, 2, 3>(E.transpose().topRows<2>()));
        return;
    }
    const auto [k, slope] = angle_over_sine(sine, b.z());
    rows.phi.segment<2>(first) << -k * b.y(), k * b.x();
    Eigen::Matrix<double, 2, 3> along_b;
    along_b << 0, -k, -slope * b.y(), k, 0, slope * b.x();
    set_angular(rows, first, Eigen::Matrix<double, 2, 3>(along_b * -skew(b) * E.transpose()));
}

void right_angle(const Vec3& n_a, const Vec3& n_b, int row, PortJointRows& rows) {
    const Vec3 cross = n_b.cross(n_a); // (n_a.n_b)' = n_a.(w x n_b) = w.(n_b x n_a)
    const double sine = cross.norm();
    rows.phi[row] = std::atan2(n_a.dot(n_b), sine);
    Vec3 normal = cross / sine, other;
    if (sine < parallel)
        orthonormal_pair(n_a, normal, other);
    set_angular(rows, row, Eigen::RowVector3d(normal.transpose()));
}

/// |p_AB| = length, linear along p_AB, with a direction also where it is zero.
void distance_row(const Vec3& p_AB, double length, int row, PortJointRows& rows) {
    const double now = p_AB.norm();
    const Vec3 direction = now > 0 ? Vec3(p_AB / now) : Vec3::UnitX();
    rows.phi[row] = now - length;
    rows.Bb.row(row) << direction.transpose(), Eigen::RowVector3d::Zero();
    rows.Ba.row(row) = -rows.Bb.row(row);
}

} // namespace

void PortJoint::evaluate_for_assembly(double t, const PortMotion& a, const PortMotion& b,
                                      PortJointRows& rows) const {
    const Parts& p = *parts_;
    evaluate(t, a, b, rows); // points, and the distance that a driver prescribes
    if (p.kind != PortKind::frame) {
        rows.Ba.setZero();
        rows.Bb.setZero();
    } else if (p.length > 0) {
        distance_row(b.p_WP - a.p_WP, p.driven ? p.driver(t).value : p.length, 0, rows);
    } else if (p.orientation == Orientation::same) {
        same_orientation(a.R_WP, p.aligned(b, 0), p.points, rows);
    } else if (p.orientation == Orientation::axis && p.driven) {
        same_orientation(a.R_WP, p.aligned(b, p.start_angle + p.driver(t).value), p.points, rows);
    } else if (p.orientation == Orientation::axis) {
        common_axis(a.R_WP, p.axis_A, b.R_WP * p.axis_B, p.points, rows);
    } else if (p.orientation == Orientation::cross) {
        right_angle(a.R_WP * p.axis_A, b.R_WP * p.axis_B, p.points, rows);
    }
    Vec6 twist_a, twist_b;
    twist_a << a.v_WP, a.w_WP;
    twist_b << b.v_WP, b.w_WP;
    rows.rate = rows.Ba * twist_a + rows.Bb * twist_b;
    if (p.driven)
        rows.rate[p.rows - 1] -= p.driver(t).rate;
    rows.gamma.setZero();
}

} // namespace tenon
