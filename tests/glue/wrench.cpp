// The wrench of a joint over a macro step, and the motion between its ends.

#include "tools/glue/wrench.hpp"

#include "tests/glue/glue_joints.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace tenon;
using namespace tenon::tests;
using PortMotion;
using glue::WrenchCurve;

namespace {

/// A smooth motion known at every time: D = exp(u1 sin t) exp(u2 t), r a helix.
struct KnownMotion {
    Vec3 u1, u2, r1, r2;
    explicit KnownMotion(Random& random)
        : u1(random.vec3()), u2(2 * random.vec3()), r1(random.vec3()), r2(random.vec3()) {}
    Motion at(double t) const {
        Motion motion;
        motion.p_WP = r1 * std::sin(2 * t) + r2 * t;
        motion.v_WP = 2 * r1 * std::cos(2 * t) + r2;
        const Mat3 first = exp_so3(std::sin(t) * u1);
        motion.R_WP = first * exp_so3(t * u2);
        motion.w_WP = std::cos(t) * u1 + first * u2;
        return motion;
    }
};

struct RevoluteCase {
    Random random{21};
    KnownMotion a{random}, b{random};
    PortJoint joint{glue_joint("revolute", {{"axis", {0.2, 0.9, 0.1}}}), PortKind::frame, a.at(0), b.at(0)};
    glue::RowVector c0 = random.vector(5), c1 = random.vector(5);

    Vec6 wrench(const Motion& at_a, const Motion& at_b, const glue::RowVector& lambda) const {
        PortJointRows rows;
        joint.evaluate(0, at_a, at_b, rows);
        return rows.Ba.transpose() * lambda;
    }
    /// Error of the mean wrench over a step of length h; `nodes` of the curve, 3 or 2.
    double error(double h, int nodes) const {
        const double t = 0.4;
        const Motion a0 = a.at(t), b0 = b.at(t), a1 = a.at(t + h), b1 = b.at(t + h);
        // c1 is the growth over the step, so that a smooth multiplier has one proportional to h.
        const glue::RowVector end = c0 + h * c1, mid = c0 + 0.5 * h * c1;
        const Vec6 wa = wrench(a0, b0, c0), wb = wrench(a1, b1, end);
        const Vec6 wm = wrench(glue::middle(a0, a1, h), glue::middle(b0, b1, h), mid);
        const WrenchCurve curve = glue::wrench_through(wa, nodes == 3 ? wm : Vec6(0.5 * (wa + wb)), wb);
        Vec6 mean = Vec6::Zero();
        constexpr int parts = 64; // Simpson's rule on the exact wrench
        for (int i = 0; i <= parts; ++i) {
            const double s = static_cast<double>(i) / parts;
            const double weight = i == 0 || i == parts ? 1 : i % 2 == 1 ? 4 : 2;
            mean += weight / (3 * parts) * wrench(a.at(t + s * h), b.at(t + s * h), c0 + s * h * c1);
        }
        return (curve.mean(0, 1) - mean).norm();
    }
};

} // namespace

TEST_CASE("between the ends of a step a port may turn more than once") {
    const double turn = GENERATE(0.3, 2.0, 5.2, -13.0, 6.2831853); // rad in the step
    INFO(turn);
    const double h = 0.1;
    const Vec3 axis = Vec3(1, 2, -2) / 3;
    PortMotion begin, end;
    begin.R_WP = exp_so3(Vec3(0.4, -0.2, 1));
    begin.w_WP = end.w_WP = turn / h * axis;
    end.R_WP = exp_so3(turn * axis) * begin.R_WP;
    for (const double s : {0.25, 0.5, 0.8}) {
        const Mat3 expected = exp_so3(s * turn * axis) * begin.R_WP;
        const PortMotion cubic = glue::interpolated(begin, end, h, s);
        CHECK((cubic.R_WP - expected).norm() < 1e-12);
        CHECK((cubic.w_WP - begin.w_WP).norm() < 1e-9);
        const PortMotion quintic = glue::interpolated(begin, Vec6::Zero(), end, Vec6::Zero(), h, s);
        CHECK((quintic.R_WP - expected).norm() < (std::abs(turn) > 1 ? 1e-12 : 1e-7));
    }
    CHECK(glue::acceleration_at_end(begin, end, h).norm() < 1e-9);
}

TEST_CASE("three nodes give the mean wrench of a moving joint to fourth order, two only to second") {
    const RevoluteCase revolute;
    const double three = revolute.error(0.1, 3) / revolute.error(0.05, 3);
    const double two = revolute.error(0.1, 2) / revolute.error(0.05, 2);
    CHECK(std::log2(three) > 3.6);
    CHECK(std::log2(two) == Approx(2).margin(0.3));
    CHECK(revolute.error(0.05, 3) < 1e-2 * revolute.error(0.05, 2));
}

TEST_CASE("a wrench curve passes its three nodes, and its mean is that of the parabola") {
    Random random(22);
    const Vec6 begin = random.vec6(), middle = random.vec6(), end = random.vec6();
    const WrenchCurve curve = glue::wrench_through(begin, middle, end);
    CHECK((curve.at(0) - begin).norm() < 1e-15);
    CHECK((curve.at(0.5) - middle).norm() < 1e-15);
    CHECK((curve.at(1) - end).norm() < 1e-15);
    CHECK((curve.mean(0, 1) - (begin + 4 * middle + end) / 6).norm() < 1e-15);
    CHECK((0.5 * (curve.mean(0, 0.5) + curve.mean(0.5, 1)) - curve.mean(0, 1)).norm() < 1e-15);
    WrenchCurve twice = curve;
    twice += curve;
    CHECK((twice.at(0.3) - 2 * curve.at(0.3)).norm() < 1e-15);
}

TEST_CASE("the linear wrench has the impulse and the first moment of the quadratic one") {
    Random random(23);
    const WrenchCurve curve = glue::wrench_through(random.vec6(), random.vec6(), random.vec6());
    const WrenchCurve line = curve.linear();
    CHECK(line.w2.norm() == 0);
    const auto moment = [](const WrenchCurve& w) -> Vec6 { return w.w0 / 2 + w.w1 / 3 + w.w2 / 4; };
    CHECK((line.mean(0, 1) - curve.mean(0, 1)).norm() < 1e-15);
    CHECK((moment(line) - moment(curve)).norm() < 1e-15);
}

TEST_CASE("the middle of a step is found from its ends to fourth order, with its velocities to third") {
    Random random(24);
    const KnownMotion known(random);
    const auto errors = [&](double h) {
        const Motion begin = known.at(0.3), end = known.at(0.3 + h), exact = known.at(0.3 + 0.5 * h);
        const Motion found = glue::middle(begin, end, h);
        return std::array{(found.p_WP - exact.p_WP).norm(), (found.R_WP - exact.R_WP).norm(),
                          (found.v_WP - exact.v_WP).norm(), (found.w_WP - exact.w_WP).norm()};
    };
    const auto coarse = errors(0.1), fine = errors(0.05);
    CHECK(std::log2(coarse[0] / fine[0]) > 3.7);
    CHECK(std::log2(coarse[1] / fine[1]) > 3.7);
    CHECK(std::log2(coarse[2] / fine[2]) > 2.7);
    CHECK(std::log2(coarse[3] / fine[3]) > 2.7);
    const Motion begin = known.at(1), end = known.at(1.1);
    CHECK((glue::interpolated(begin, end, 0.1, 1).w_WP - end.w_WP).norm() < 1e-13);
    CHECK((glue::interpolated(begin, end, 0.1, 1).R_WP - end.R_WP).norm() < 1e-13);
    CHECK((glue::interpolated(begin, end, 0.1, 0).v_WP - begin.v_WP).norm() < 1e-13);
}

TEST_CASE("extrapolation to the end of a step is of third order in the pose") {
    Random random(25);
    const KnownMotion known(random);
    constexpr double small = 1e-5;
    const Motion begin = known.at(0.3);
    const Vec3 a = (known.at(0.3 + small).v_WP - known.at(0.3 - small).v_WP) / (2 * small);
    const Vec3 al = (known.at(0.3 + small).w_WP - known.at(0.3 - small).w_WP) / (2 * small);
    const auto error = [&](double h) {
        const Motion exact = known.at(0.3 + h), found = glue::extrapolated(begin, a, al, h);
        return (found.p_WP - exact.p_WP).norm() + (found.R_WP - exact.R_WP).norm();
    };
    CHECK(std::log2(error(0.04) / error(0.02)) > 2.7);
    CHECK((glue::extrapolated(begin, a, al, 0.1).v_WP - begin.v_WP - 0.1 * a).norm() < 1e-15);
}
