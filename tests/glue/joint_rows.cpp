// Rows of joints between ports against finite differences along random motions, for every type.

#include "tests/glue/glue_joints.hpp"

#include "core/math/error.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

using namespace tenon;
using namespace tenon::tests;

namespace {

constexpr PortKind frame = PortKind::frame;

using Evaluate = void (*)(const PortJoint&, double, const PortMotion&, const PortMotion&, PortJointRows&);
const Evaluate for_run = [](const PortJoint& joint, double t, const PortMotion& a, const PortMotion& b,
                            PortJointRows& rows) { joint.evaluate(t, a, b, rows); };
const Evaluate for_assembly = [](const PortJoint& joint, double t, const PortMotion& a, const PortMotion& b,
                                 PortJointRows& rows) { joint.evaluate_for_assembly(t, a, b, rows); };

/// Largest difference of Ba, Bb from central differences of phi over small displacements of either port.
double gradient_error(const PortJoint& joint, Evaluate evaluate, double t, const PortMotion& a,
                      const PortMotion& b) {
    constexpr double h = 1e-5;
    PortJointRows rows, ahead, behind;
    evaluate(joint, t, a, b, rows);
    double worst = 0;
    for (int i = 0; i < 6; ++i) {
        const Vec6 step = h * Vec6::Unit(i);
        evaluate(joint, t, displaced(a, step), b, ahead);
        evaluate(joint, t, displaced(a, -step), b, behind);
        worst = std::max(worst, ((ahead.phi - behind.phi) / (2 * h) - rows.Ba.col(i)).cwiseAbs().maxCoeff());
        evaluate(joint, t, a, displaced(b, step), ahead);
        evaluate(joint, t, a, displaced(b, -step), behind);
        worst = std::max(worst, ((ahead.phi - behind.phi) / (2 * h) - rows.Bb.col(i)).cwiseAbs().maxCoeff());
    }
    return worst;
}

std::string label(const PortJointSpec& joint) {
    std::string text = joint.type;
    for (const auto& [name, numbers] : joint.numbers)
        text += " " + name;
    return text;
}

} // namespace

TEST_CASE("rows of glued joints have the gradients, rates and accelerations of their values") {
    Random random(11);
    constexpr double h = 1e-4;
    for (const PortJointSpec& given : all_glue_joints())
        for (int trial = 0; trial < 5; ++trial) {
            INFO(label(given) << ", trial " << trial);
            const PortMotion a0 = random_motion(random), b0 = random_motion(random);
            const PortJoint joint(given, frame, a0, b0);
            const PortMotion a = random_motion(random), b = random_motion(random);
            const Vec6 acc_a = random.vec6(), acc_b = random.vec6();
            const double t = 0.3;
            PortJointRows rows, ahead, behind;
            joint.evaluate(t, a, b, rows);
            REQUIRE(rows.phi.size() == joint.rows());
            CHECK(gradient_error(joint, for_run, t, a, b) < 3e-8);
            joint.evaluate(t + h, later(a, acc_a, h), later(b, acc_b, h), ahead);
            joint.evaluate(t - h, later(a, acc_a, -h), later(b, acc_b, -h), behind);
            CHECK((rows.rate - (ahead.phi - behind.phi) / (2 * h)).cwiseAbs().maxCoeff() < 2e-6);
            const RowVector second = (ahead.phi - 2 * rows.phi + behind.phi) / (h * h);
            const RowVector expected = rows.Ba * acc_a + rows.Bb * acc_b + rows.gamma;
            CHECK((expected - second).cwiseAbs().maxCoeff() < 2e-5 * (1 + rows.gamma.cwiseAbs().maxCoeff()));
        }
}

TEST_CASE("rows for the assembly have the gradients of their values, and are as many") {
    Random random(12);
    for (const PortJointSpec& given : all_glue_joints())
        for (int trial = 0; trial < 5; ++trial) {
            INFO(label(given) << ", trial " << trial);
            const PortMotion a = random_motion(random), b = random_motion(random);
            const PortJoint joint(given, frame, a, b);
            PortJointRows rows;
            joint.evaluate_for_assembly(0.3, a, b, rows);
            CHECK(rows.phi.size() == joint.rows());
            CHECK(gradient_error(joint, for_assembly, 0.3, a, b) < 1e-7);
        }
}

TEST_CASE("ports that coincide close every joint that is not driven") {
    Random random(13);
    for (PortJointSpec given : all_glue_joints()) {
        const bool open = given.type == "distance" || given.type == "universal" ||
                          given.numbers.lower_bound("motion.") != given.numbers.end();
        if (open || given.numbers.contains("axis_b"))
            continue;
        INFO(label(given));
        const PortMotion a = random_motion(random);
        PortMotion b = random_motion(random);
        b.p_WP = a.p_WP;
        b.R_WP = a.R_WP;
        const PortJoint joint(given, frame, a, b);
        PortJointRows rows;
        joint.evaluate(0, a, b, rows);
        CHECK(rows.phi.cwiseAbs().maxCoeff() < 1e-14);
        joint.evaluate_for_assembly(0, a, b, rows);
        CHECK(rows.phi.cwiseAbs().maxCoeff() < 1e-14);
    }
}

TEST_CASE("rotation vectors of the assembly keep their digits for tiny angles and near half a turn") {
    Random random(14);
    const double half = std::numbers::pi;
    for (const double angle :
         {1e-8, 1e-7, 1e-6, 3e-6, 1e-5, 1e-3, 1.0, half - 1e-3, half - 1e-6, half - 1e-8}) {
        const PortMotion a = random_motion(random);
        const Vec3 direction = random.direction();
        PortMotion b = a;
        b.R_WP = a.R_WP * exp_so3(angle * direction);
        PortJointRows rows;
        const PortJoint fixed(glue_joint("fixed"), frame, a, b);
        fixed.evaluate_for_assembly(0, a, b, rows);
        INFO("angle " << angle);
        CHECK((rows.phi.tail<3>() - angle * direction).norm() <
              1e-15 + 5e-15 * angle / (half - angle + 1e-7));
        // About a normal of the axis all of the angle is a gap of a revolute joint, and k'(b3) does not cancel.
        const Vec3 axis = direction.unitOrthogonal();
        const PortJoint pin(glue_joint("revolute", {{"axis", {axis.x(), axis.y(), axis.z()}}}), frame, a, b);
        pin.evaluate_for_assembly(0, a, b, rows);
        CHECK(rows.phi.tail<2>().norm() == Approx(angle).epsilon(1e-8).margin(1e-15));
        if (angle < 3.1)
            CHECK(gradient_error(pin, for_assembly, 0, a, b) < 1e-6);
    }
}

TEST_CASE("axes that point apart are a gap of half a turn, not a closed joint") {
    PortMotion a, b;
    b.R_WP = exp_so3(std::numbers::pi * Vec3::UnitX());
    const PortJoint pin(glue_joint("revolute", {{"axis", {0, 0, 1}}}), frame, a, b);
    PortJointRows rows;
    pin.evaluate(0, a, b, rows);
    CHECK(pin.gap(rows).radians < 1e-15);
    pin.evaluate_for_assembly(0, a, b, rows);
    CHECK(pin.gap(rows).radians == Approx(std::numbers::pi));
    CHECK(rows.Bb.allFinite());
}

TEST_CASE("angles and distances of glued joints count from the start and through turns") {
    PortMotion a, b;
    a.R_WP = exp_so3(Vec3(0.3, -0.2, 0.9));
    a.p_WP = Vec3(1, 2, 3);
    b = a;
    b.R_WP = a.R_WP * exp_so3(0.7 * Vec3::UnitZ());
    const PortJoint pin(glue_joint("revolute", {{"axis", {0, 0, 2}}}), frame, a, b);
    CHECK(pin.has_angle());
    CHECK(pin.coordinate(a, b, 0) == Approx(0).margin(1e-15));
    PortMotion turned = b;
    turned.R_WP = b.R_WP * exp_so3(2.5 * Vec3::UnitZ());
    turned.w_WP = a.R_WP * Vec3(0, 0, 4);
    CHECK(pin.coordinate(a, turned, 0) == Approx(2.5));
    CHECK(pin.coordinate(a, turned, 14) == Approx(2.5 + 4 * std::numbers::pi));
    CHECK(pin.coordinate_rate(a, turned, 0) == Approx(4));

    PortMotion slid = b;
    slid.p_WP = b.p_WP + a.R_WP * Vec3(0, 0, 0.25);
    slid.v_WP = a.R_WP * Vec3(0, 0, -3);
    const PortJoint sleeve(glue_joint("cylindrical", {{"axis", {0, 0, 1}}}), frame, a, b);
    CHECK(sleeve.coordinate(a, slid, 0) == Approx(0).margin(1e-15));
    CHECK(sleeve.distance(a, slid) == Approx(0.25));
    CHECK(sleeve.distance_rate(a, slid) == Approx(-3));
    const PortJoint rod(glue_joint("distance", {{"length", {2}}}), frame, a, slid);
    CHECK(rod.coordinate(a, slid, 0) == Approx(0.25));
}

TEST_CASE("a driven glued joint asks for its angle on any turn") {
    PortMotion a, b;
    const PortJoint pin(glue_joint("revolute", {{"axis", {0, 0, 1}}, {"motion.rate", {3}}}), frame, a, b);
    REQUIRE(pin.rows() == 6);
    for (const double t : {0.0, 0.4, 5.0, 50.0}) {
        b.R_WP = exp_so3(std::remainder(3 * t, 2 * std::numbers::pi) * Vec3::UnitZ());
        b.w_WP = Vec3(0, 0, 3);
        PortJointRows rows;
        pin.evaluate(t, a, b, rows);
        CHECK(rows.phi.cwiseAbs().maxCoeff() < 1e-13);
        CHECK(std::abs(rows.rate[5]) < 1e-14);
        CHECK(pin.driver(t).rate == 3);
    }
}

TEST_CASE("torque rows are carried by the side that spins less, and the joint is the same") {
    Random random(15);
    for (const char* type : {"revolute", "cylindrical", "planar"}) {
        INFO(type);
        PortMotion a, b;
        a.R_WP = random.rotation();
        b.R_WP = a.R_WP * exp_so3(0.4 * Vec3::UnitZ());
        b.w_WP = a.R_WP * Vec3(0, 0, 50);
        PortJoint joint(glue_joint(type, {{"axis", {0, 0, 1}}}), frame, a, b);
        CHECK_FALSE(joint.choose_side(a, b));
        PortJointRows before, after;
        joint.evaluate(0, a, b, before);
        std::swap(a.w_WP, b.w_WP);
        CHECK(joint.choose_side(a, b));
        CHECK_FALSE(joint.choose_side(a, b));
        joint.evaluate(0, a, b, after);
        CHECK(after.phi.cwiseAbs().maxCoeff() < 1e-15);
        // The same directions are forbidden: the rows after are combinations of those before.
        Matrix both(2 * joint.rows(), 12);
        both << before.Ba, before.Bb, after.Ba, after.Bb;
        const Vector sizes = Eigen::JacobiSVD<Matrix>(both).singularValues();
        CHECK(sizes[joint.rows() - 1] > 0.1);
        CHECK(sizes[joint.rows()] < 1e-12);
    }
    const PortMotion rest;
    PortMotion spinning;
    spinning.w_WP = Vec3(0, 0, 9);
    PortJoint ball(glue_joint("spherical"), frame, spinning, rest);
    CHECK_FALSE(ball.choose_side(spinning, rest));
}

TEST_CASE("the world is a side at rest where the other port starts") {
    Random random(16);
    const PortMotion port = random_motion(random);
    const PortMotion world = world_side(port);
    CHECK(world.p_WP == port.p_WP);
    CHECK(world.R_WP == port.R_WP);
    CHECK(world.v_WP.norm() + world.w_WP.norm() == 0);
    PortJointSpec given = glue_joint("revolute", {{"axis", {0, 1, 0}}});
    given.world_b = true;
    const PortJoint joint(given, frame, port, world);
    PortJointRows rows;
    joint.evaluate(0, port, joint.start_b(), rows);
    CHECK(rows.phi.cwiseAbs().maxCoeff() < 1e-15);
    CHECK((rows.rate - rows.Ba * twist_of(port)).cwiseAbs().maxCoeff() < 1e-14);
}

TEST_CASE("joined flanges keep the difference they have at the start") {
    PortMotion a, b;
    a.p_WP.x() = 2;
    b.p_WP.x() = 0.5;
    const PortJoint shaft(glue_joint("fixed"), PortKind::rotational, a, b);
    REQUIRE(shaft.rows() == 1);
    PortJointRows rows;
    a.p_WP.x() += 7;
    b.p_WP.x() += 7.25;
    a.v_WP.x() = 1;
    b.v_WP.x() = 3;
    shaft.evaluate(0, a, b, rows);
    CHECK(rows.phi[0] == 0.25);
    CHECK(rows.rate[0] == 2);
    CHECK(rows.Ba.row(0) == -Vec6::Unit(0).transpose());
    CHECK(shaft.gap(rows).radians == 0.25);
    CHECK(shaft.gap(rows).metres == 0);
}

TEST_CASE("a distance joint between ports at one point needs a length") {
    const PortMotion a;
    CHECK_THROWS_WITH(PortJoint(glue_joint("distance"), frame, a, a),
                      Catch::Contains("joint 'pin'") && Catch::Contains("'length'"));
    CHECK_THROWS_AS(PortJoint(glue_joint("gear"), frame, a, a), Error);
}
