#pragma once
// The wrench of a joint over a macro step. The multipliers are linear, lambda(s) = c0 + c1 s with s = (t - t_n) / H in [0, 1];
// the wrench is B(t)^T lambda(t), and since B turns with the port it needs three nodes (begin, middle, end), in world axes:
//
//     wa = B0^T c0,   wm = Bh^T (c0 + c1 / 2),   wb = B1^T (c0 + c1)
//     W(s) = wa + w1 s + w2 s^2,   w2 = 2 (wa - 2 wm + wb),   w1 = wb - wa - w2
//
// Cubic multipliers have five nodes, and the curve is a cubic: the L2 projection of the quartic through them. For inputs that may be of
// lower order, L2 projections again (s^3 -> 3/2 s^2 - 3/5 s + 1/20, s^2 -> s - 1/6).

#include "core/ports/port_joint.hpp"

#include <array>

namespace tenon::glue {

/// W(s) = w0 + w1 s + w2 s^2 + w3 s^3 on one port.
struct WrenchCurve {
    Vec6 w0 = Vec6::Zero(), w1 = Vec6::Zero(), w2 = Vec6::Zero(), w3 = Vec6::Zero();
    Vec6 at(double s) const { return w0 + s * (w1 + s * (w2 + s * w3)); }
    WrenchCurve quadratic() const;           ///< L2 projection
    WrenchCurve linear() const;              ///< L2 projection
    Vec6 mean(double from, double to) const; ///< over s in [from, to]
    WrenchCurve& operator+=(const WrenchCurve& other);
};

WrenchCurve wrench_through(const Vec6& begin, const Vec6& middle, const Vec6& end);
/// At s = 0, 1/4, 1/2, 3/4, 1.
WrenchCurve wrench_through(const std::array<Vec6, 5>& nodes);

/// A moment s in [0, 1] of a macro step of length h from its ends, velocities too: cubic Hermite, see wrench.cpp.
PortMotion interpolated(const PortMotion& begin, const PortMotion& end, double h, double s);
/// The middle of a macro step of length h from both ends, fourth order in h:
/// r = (r0 + r1)/2 + h/8 (v0 - v1);  R = exp(th/2 + h/8 (w0 - dexpinv_th w1)) R0 with th = log(R1 R0^T).
PortMotion middle(const PortMotion& begin, const PortMotion& end, double h);
/// Accelerations at the end of the step, of the cubic through both ends; second order in h.
Vec6 acceleration_at_end(const PortMotion& begin, const PortMotion& end, double h);
/// A moment s from poses, velocities and accelerations of both ends, sixth order in h: quintic Hermite, also for the axes, which are not
/// made orthogonal again. Poses only.
PortMotion interpolated(const PortMotion& begin, const Vec6& acceleration_begin, const PortMotion& end,
                        const Vec6& acceleration_end, double h, double s);
/// The end by extrapolation: r + h v + h^2/2 a, exp(h w + h^2/2 al) R; velocities too.
PortMotion extrapolated(const PortMotion& begin, const Vec3& a, const Vec3& al, double h);

} // namespace tenon::glue
