// Work through joints.

#include "tools/glue/ledger.hpp"

#include "tests/glue/glue_joints.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace tenon;
using namespace tenon::tests;
using PortMotion;
using glue::WrenchCurve;

TEST_CASE("work of a known force along a known path is exact for cubic paths and quadratic forces") {
    // r = (t, t^2, t^3) and f = (1 + t, 2, 3 t^2) over 0..h: work = h + h^2/2 + 2 h^2 + 9/5 h^5
    const double h = 0.7;
    Motion begin, end;
    begin.v_WP = Vec3(1, 0, 0);
    end.p_WP = Vec3(h, h * h, h * h * h);
    end.v_WP = Vec3(1, 2 * h, 3 * h * h);
    WrenchCurve wrench;
    wrench.w0.head<3>() = Vec3(1, 2, 0);
    wrench.w1.head<3>() = Vec3(h, 0, 0);
    wrench.w2.head<3>() = Vec3(0, 0, 3 * h * h);
    CHECK(glue::work_over_step(wrench, begin, end, h) ==
          Approx(h + 2.5 * h * h + 9.0 / 5 * std::pow(h, 5)).epsilon(1e-14));
    CHECK(glue::work_over_step(wrench, begin, begin, 0) == 0);
}

TEST_CASE("a constant torque about the axis of a rotation does torque times angle") {
    Motion begin, end;
    const Vec3 axis = Vec3(1, 2, -2) / 3;
    const double speed = 3, h = 0.4;
    begin.w_WP = end.w_WP = speed * axis;
    end.R_WP = exp_so3(speed * h * axis);
    WrenchCurve wrench;
    wrench.w0.tail<3>() = 5 * axis + axis.unitOrthogonal(); // what is normal to the axis does nothing
    CHECK(glue::work_over_step(wrench, begin, end, h) == Approx(5 * speed * h).epsilon(1e-13));
}

TEST_CASE("the ledger sums both sides, and its residual leaves out what the driver has done") {
    glue::Ledger ledger(2);
    ledger.add(0, 3, -1, 2);
    ledger.add(0, 1, -1.25, 0);
    ledger.add(1, 0.5, 0.5, 0);
    const PortJointWork& pin = ledger.joints()[0];
    CHECK(pin.a == 4);
    CHECK(pin.b == -2.25);
    CHECK(pin.residual == -0.25);
    CHECK(pin.largest_step == 0.25);
    CHECK(ledger.joints()[1].residual == 1);
    ledger.set_measured(1, true, false);
    CHECK(ledger.joints()[1].measured_a);
    CHECK_FALSE(ledger.joints()[1].measured_b);
}

TEST_CASE("an ideal joint does no work on the whole along motions that it allows") {
    // Two bodies that turn together about a moving point, and one of them about the pin besides.
    Motion a0, b0, a1, b1;
    const double h = 0.01;
    const Vec3 w(0.4, -1, 2), spin(0, 0, 5), v(1, 2, 3);
    a0.w = w;
    b0.w = w + spin;
    a0.v = b0.v = v;
    a1.D = exp_so3(h * w);
    b1.D = a1.D * exp_so3(h * spin); // the spin is about the pin's axis, which turns with w
    a1.r = b1.r = h * v;
    a1.v = b1.v = v;
    a1.w = w;
    b1.w = w + a1.D * spin;
    const PortJoint pin(glue_joint("revolute", {{"axis", {0, 0, 1}}}), PortKind::frame, a0, b0);
    Random random(31);
    const glue::RowVector lambda = random.vector(5);
    const auto wrench = [&](const Motion& a, const Motion& b, bool first) -> Vec6 {
        PortJointRows rows;
        pin.evaluate(0, a, b, rows);
        return (first ? rows.Ba : rows.Bb).transpose() * lambda;
    };
    double work[2] = {0, 0};
    for (const bool first : {true, false}) {
        const WrenchCurve curve = glue::wrench_through(
            wrench(a0, b0, first), wrench(glue::middle(a0, a1, h), glue::middle(b0, b1, h), first),
            wrench(a1, b1, first));
        work[first ? 0 : 1] = glue::work_over_step(curve, first ? a0 : b0, first ? a1 : b1, h);
    }
    CHECK(std::abs(work[0]) > 1e-3);
    CHECK(std::abs(work[0] + work[1]) < 1e-9 * std::abs(work[0]));
}
