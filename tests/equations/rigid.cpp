// The rigid face: charts, energies, power and momentum of whole machines.

#include "tests/support/bench.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::tests;

namespace {

const std::vector<std::string> machines = {
    "andrews_squeezer",  "bricard",         "cart",         "chain_10",
    "double_four_bar",   "double_pendulum", "driven_crank", "four_revolutes",
    "free_body",         "geared_arms",     "heavy_top",    "n_four_bar_2",
    "parallel_four_bar", "ports_flanges",   "robot_arm",    "rolling_disc",
    "satellite",         "screw_press",     "slider_crank", "spherical_pendulum",
    "spring_pendulum",   "universal_shaft", "wind_rotor"};

double largest(const Vector& x) { return x.size() == 0 ? 0.0 : x.lpNorm<Eigen::Infinity>(); }

/// Sum of what the efforts do, for tolerances.
double power_scale(const Bench& bench) { return 1 + bench.rigid.force().cwiseAbs().dot(bench.v.cwiseAbs()); }

} // namespace

TEST_CASE("both charts give the same residuals, accelerations, reactions, energies and power") {
    for (const std::string& name : machines) {
        Bench bench(example(name), 3);
        Vector q, v, a = bench.a, lambda = bench.lambda;
        bench.to_lie(q, v);
        bench.lie.evaluate(bench.time, q, v);
        CAPTURE(name);
        CHECK(largest(bench.lie.position_residual() - bench.rigid.position_residual()) < 1e-14);
        CHECK(largest(bench.lie.velocity_residual() - bench.rigid.velocity_residual()) < 1e-12);
        CHECK(largest(bench.lie.bias() - bench.rigid.bias()) < 1e-12 * (1 + largest(bench.rigid.bias())));
        CHECK(bench.lie.kinetic() == Approx(bench.rigid.kinetic()).epsilon(1e-12));
        CHECK(bench.lie.potential() == Approx(bench.rigid.potential()).epsilon(1e-12));
        CHECK(bench.lie.potential_rate(v) ==
              Approx(bench.rigid.potential_rate(bench.v)).margin(1e-12 * power_scale(bench)));
        bench.lie.factor(Metric::mass);
        CHECK(bench.lie.rank_deficiency() == bench.rigid.rank_deficiency());
        const Vector rhs = -bench.lie.bias();
        bench.lie.solve(bench.lie.force(), rhs, a, lambda);
        for (int b = 0; b < bench.mechanism.bodies(); ++b) {
            const Vec3 turn = bench.rigid.kinematics()[b].D * a.segment<3>(6 * b + 3);
            a.segment<3>(6 * b + 3) = turn; // body to world axes
        }
        CHECK(largest(a - bench.a) < 1e-10 * largest(bench.a));
        CHECK(largest(lambda - bench.lambda) < 1e-9 * (1 + largest(bench.lambda)));
        CHECK(bench.lie.power(lambda) ==
              Approx(bench.rigid.power(bench.lambda)).margin(1e-9 * power_scale(bench)));
    }
}

TEST_CASE("half of momentum times velocity is the kinetic energy in both charts") {
    for (const std::string& name : machines) {
        Bench bench(example(name), 4);
        Vector q, v, p = bench.v;
        bench.to_lie(q, v);
        bench.rigid.momentum(bench.v, p);
        CAPTURE(name);
        CHECK(0.5 * p.dot(bench.v) == Approx(bench.rigid.kinetic()).epsilon(1e-13));
        bench.lie.evaluate(bench.time, q, v);
        bench.lie.momentum(v, p);
        CHECK(0.5 * p.dot(v) == Approx(bench.rigid.kinetic()).epsilon(1e-12));
    }
}

TEST_CASE("accelerations satisfy the rows' second derivatives and Newton's and Euler's equations with the "
          "reactions") {
    for (const std::string& name : machines) {
        Bench bench(example(name), 5);
        const Mechanism& m = bench.mechanism;
        // M a - Q - G^T lambda, gradient by gradient.
        Vector rest = -bench.rigid.force();
        for (int b = 0; b < m.bodies(); ++b) {
            const Kinematics& k = bench.rigid.kinematics()[b];
            rest.segment<3>(6 * b) += m.body()[b].mass * bench.a.segment<3>(6 * b);
            rest.segment<3>(6 * b + 3) +=
                k.D * m.body()[b].inertia * k.D.transpose() * bench.a.segment<3>(6 * b + 3);
        }
        const auto add = [&](int body, double effort, const Vec6& g) {
            if (body >= 0)
                rest.segment<6>(6 * body) -= effort * g;
        };
        for (const MechanismLink& link : m.links()) {
            for (int r = link.row; r < link.row + link.rows; ++r) {
                add(link.first, bench.lambda[r], bench.rigid.gradient(r).g1);
                add(link.second, bench.lambda[r], bench.rigid.gradient(r).g2);
            }
        }
        for (const GearRow& gear : m.gears()) {
            add(gear.first.first, bench.lambda[gear.row], bench.rigid.coupling_gradient(gear.gradient));
            add(gear.first.second, bench.lambda[gear.row], bench.rigid.coupling_gradient(gear.gradient + 1));
            add(gear.second.first, bench.lambda[gear.row], bench.rigid.coupling_gradient(gear.gradient + 2));
            add(gear.second.second, bench.lambda[gear.row], bench.rigid.coupling_gradient(gear.gradient + 3));
        }
        CAPTURE(name);
        CHECK(largest(rest) < 1e-10 * (1 + largest(bench.rigid.force()) + largest(bench.lambda)));
        CHECK(bench.rigid.acceleration_violation(bench.a) < 1e-9 * (1 + largest(bench.a)));
    }
}

TEST_CASE("the acceleration violation sees a wrong acceleration") {
    Bench bench(example("geared_arms"), 6);
    Vector a = bench.a;
    a[3] += 0.5;
    CHECK(bench.rigid.acceleration_violation(a) > 0.1);
}

TEST_CASE("the rate of the potential is its derivative along the motion") {
    for (const std::string& name : machines) {
        Bench bench(example(name), 7);
        const double rate = bench.rigid.potential_rate(bench.v);
        const double scale = power_scale(bench);
        const double difference = derivative(
            [&](double s) {
                Vector q = bench.q;
                bench.rigid.correct(q, s * bench.v);
                bench.rigid.evaluate(bench.time, q, bench.v);
                return bench.rigid.potential();
            },
            1e-3);
        CAPTURE(name);
        CHECK(rate == Approx(difference).margin(1e-7 * scale));
    }
}

TEST_CASE("kinetic and potential energy change by the power of drivers, inputs, loads and friction, and "
          "nothing else") {
    for (const std::string& name : machines) {
        Bench bench(example(name), 8);
        const double power = bench.rigid.power(bench.lambda);
        const double scale = power_scale(bench) + std::abs(power);
        const double along = derivative(
            [&](double s) { // any curve with these first derivatives will do
                Vector q = bench.q;
                bench.rigid.correct(q, s * bench.v);
                bench.rigid.evaluate(bench.time + s, q, bench.v + s * bench.a);
                return bench.rigid.kinetic() + bench.rigid.potential();
            },
            name == "andrews_squeezer" ? 1e-6 : 1e-4);
        CAPTURE(name, power);
        CHECK(along == Approx(power).margin(2e-7 * scale));
    }
}

TEST_CASE("machines that are driven, damped or loaded have power, the others none") {
    for (const char* name : {"driven_crank", "robot_arm", "screw_press", "spring_pendulum", "satellite",
                             "cart", "wind_rotor", "andrews_squeezer"}) {
        Bench bench(example(name), 9);
        CAPTURE(name);
        CHECK(std::abs(bench.rigid.power(bench.lambda)) > 1e-6);
    }
    for (const char* name :
         {"bricard", "chain_10", "geared_arms", "rolling_disc", "heavy_top", "n_four_bar_2"}) {
        Bench bench(example(name), 9);
        CAPTURE(name);
        CHECK(bench.rigid.power(bench.lambda) == 0);
    }
}

TEST_CASE("springs, dampers, bushings, friction and joints inside a floating machine change no momentum") {
    Bench bench(floating_machine());
    bench.wander(10, 0.3, 2.0);
    const Mechanism& m = bench.mechanism;
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero(), weight = Vec3::Zero(), moment = Vec3::Zero();
    for (int b = 0; b < m.bodies(); ++b) {
        const Kinematics& k = bench.rigid.kinematics()[b];
        const Mat3 inertia = k.D * m.body()[b].inertia * k.D.transpose();
        const Vec3 push = m.body()[b].mass * bench.a.segment<3>(6 * b);
        const Vec3 w = k.w, wd = bench.a.segment<3>(6 * b + 3);
        force += push;
        torque += k.r.cross(push) + inertia * wd + w.cross(inertia * w);
        weight += m.body()[b].mass * bench.model.gravity;
        moment += k.r.cross(m.body()[b].mass * bench.model.gravity);
    }
    CHECK((force - weight).norm() < 1e-11 * weight.norm());
    CHECK((torque - moment).norm() < 1e-11 * (1 + moment.norm()));
    CHECK(largest(bench.rigid.force()) > 20); // the springs do pull
    CHECK(bench.rigid.power(bench.lambda) < 0);
}

TEST_CASE("the correction of positions is a rigid motion of every body and restores orthonormal axes") {
    Bench bench(example("double_pendulum"));
    Vector q = bench.q;
    q.array() += 1e-4;
    for (const RigidEquations* face : {&bench.rigid, &bench.lie}) {
        Vector moved = q;
        face->correct(moved, Vector::Zero(bench.v.size()));
        for (int b = 0; b < 2; ++b) {
            const Mat3 D = Eigen::Map<const Mat3>(moved.data() + 12 * b + 3);
            CHECK((D.transpose() * D - Mat3::Identity()).norm() < 1e-14);
        }
    }
}

TEST_CASE("the rate of a displacement is the derivative of the displaced position in both charts") {
    Bench bench(example("satellite"));
    bench.wander(12, 0.3, 1.0);
    Vector lie_q, lie_v;
    bench.to_lie(lie_q, lie_v);
    Random random(13);
    for (const bool is_lie : {false, true}) {
        const RigidEquations& face = is_lie ? bench.lie : bench.rigid;
        const Vector& v = is_lie ? lie_v : bench.v;
        const Vector u = 0.02 * random.vector(face.sizes().u);
        Vector q = bench.q, ud = u;
        face.displace(bench.q, u, q);
        face.rate(q, u, v, ud);
        const Vector slope = derivative(
            [&](double s) {
                Vector moved = bench.q;
                face.displace(bench.q, u + s * ud, moved);
                return moved;
            },
            1e-3);
        // What q' is at q for velocity v: w x d in world axes, D w~ in body axes.
        Vector expected = q;
        for (int b = 0; b < 2; ++b) {
            const Mat3 D = Eigen::Map<const Mat3>(q.data() + 12 * b + 3);
            const Vec3 w = v.segment<3>(6 * b + 3);
            expected.segment<3>(12 * b) = v.segment<3>(6 * b);
            Eigen::Map<Mat3>(expected.data() + 12 * b + 3) = is_lie ? Mat3(D * skew(w)) : Mat3(skew(w) * D);
        }
        CAPTURE(is_lie);
        CHECK(largest(slope - expected) < 1e-8); // dexp^-1 is cut after the second order: u^4 / 720
    }
}
