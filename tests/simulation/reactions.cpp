// What is reported at the end of a step: reactions of the index-1 equations whatever the integrator, unwrapped angles.

#include "core/integrators/integrator_types.hpp"
#include "tests/support/bench.hpp"
#include "tests/support/dense_referee.hpp"

#include <catch2/catch.hpp>

#include <numbers>

using namespace tenon;
using namespace tenon::tests;

namespace {

constexpr double pi = std::numbers::pi;

/// The kinematics that a simulation reports, from the result variables alone.
std::vector<Kinematics> reported_kinematics(const Mechanism& mechanism, const Results& results) {
    std::vector<Kinematics> k;
    for (const MechanismBody& body : mechanism.body()) {
        Kinematics out;
        out.D = results.rotation(body.name);
        out.w = results.vector(body.name + ".w_0");
        out.r = results.vector(body.name + ".r_0") + out.D * body.com;
        out.v = results.vector(body.name + ".v_0") + out.w.cross(out.D * body.com);
        k.push_back(out);
    }
    return k;
}

/// M, G, Q and bias of the rigid face as dense matrices.
struct DenseMachine {
    LongMatrix M, G;
    Vector force, bias;

    explicit DenseMachine(const Bench& bench) {
        const Mechanism& m = bench.mechanism;
        M = LongMatrix::Zero(6 * m.bodies(), 6 * m.bodies());
        G = LongMatrix::Zero(m.rows(), 6 * m.bodies());
        for (int b = 0; b < m.bodies(); ++b) {
            const Mat3& D = bench.rigid.kinematics()[b].D;
            M.block(6 * b, 6 * b, 3, 3) =
                LongMatrix::Identity(3, 3) * static_cast<long double>(m.body()[b].mass);
            M.block(6 * b + 3, 6 * b + 3, 3, 3) =
                (D * m.body()[b].inertia * D.transpose()).cast<long double>();
        }
        const auto add = [&](int row, int body, const Vec6& g) {
            if (body >= 0)
                G.block(row, 6 * body, 1, 6) += g.transpose().cast<long double>();
        };
        for (const MechanismLink& link : m.links()) {
            for (int r = link.row; r < link.row + link.rows; ++r) {
                add(r, link.first, bench.rigid.gradient(r).g1);
                add(r, link.second, bench.rigid.gradient(r).g2);
            }
        }
        for (const GearRow& gear : m.gears()) {
            add(gear.row, gear.first.first, bench.rigid.coupling_gradient(gear.gradient));
            add(gear.row, gear.first.second, bench.rigid.coupling_gradient(gear.gradient + 1));
            add(gear.row, gear.second.first, bench.rigid.coupling_gradient(gear.gradient + 2));
            add(gear.row, gear.second.second, bench.rigid.coupling_gradient(gear.gradient + 3));
        }
        force = bench.rigid.force();
        bias = bench.rigid.bias();
    }
};

/// A disc on an axle along z.
Model rotor() {
    Model model;
    Body disc;
    disc.name = "disc";
    disc.mass = 2;
    disc.inertia = Vec3(0.1, 0.1, 0.2).asDiagonal();
    model.bodies = {disc};
    Joint axle;
    axle.name = "axle";
    axle.type = "revolute";
    axle.second = 0;
    model.joints = {axle};
    return model;
}

} // namespace

TEST_CASE(
    "reactions at the end of a step are those of an independent solution there, whatever the integrator") {
    for (const char* name :
         {"double_pendulum", "driven_crank", "geared_arms", "heavy_top", "rolling_disc", "slider_crank",
          "spring_pendulum", "satellite", "universal_shaft", "bricard", "cart"}) {
        for (const IntegratorType& type : integrator_types()) {
            CAPTURE(name, type.name);
            const Model given = example(name);
            const Model model = with(given, {type.name}, given.solver.step, 1);
            Simulation simulation(model);
            for (int i = 0; i < 20; ++i)
                simulation.step(model.solver.step);
            Results results(simulation);
            results.refresh();
            Bench bench(model);
            for (int i = 0; i < bench.mechanism.slots(); ++i)
                bench.memory.angle[i] = simulation.state().angle[i];
            bench.memory.time = simulation.time();
            bench.rigid.evaluate_at(simulation.time(), reported_kinematics(bench.mechanism, results));
            const DenseMachine dense(bench);
            const Referee truth = referee(dense.M, dense.G, dense.force, -dense.bias);
            const LongMatrix Gt = dense.G.transpose();
            const Vector lambda =
                Gt.completeOrthogonalDecomposition().solve(truth.reaction.cast<long double>()).cast<double>();
            const double scale = 1 + dense.force.lpNorm<Eigen::Infinity>() + lambda.lpNorm<Eigen::Infinity>();
            // The reported violation of accelerations is that of consistent ones; a row left out as redundant follows
            // from the others only as well as the method keeps velocities.
            const double limit = simulation.start().rank_deficiency == 0 ? 1e-7 : 1e-3;
            CHECK(results("constraint.acceleration") < limit * (1 + truth.a.lpNorm<Eigen::Infinity>()));
            // What each body feels of all joints, gears and drivers together: unique whatever is redundant.
            Vector felt = Vector::Zero(truth.reaction.size());
            const auto feel = [&](int body, const Vec6& wrench) {
                if (body >= 0)
                    felt.segment<6>(6 * body) += wrench;
            };
            for (const MechanismLink& link : bench.mechanism.links()) {
                const std::string& joint = model.joints[link.joint].name;
                const Kinematics& k1 = bench.mechanism.at(bench.rigid.kinematics(), link.first);
                const Kinematics& k2 = bench.mechanism.at(bench.rigid.kinematics(), link.second);
                const Vec3 f = results.vector(joint + ".f_0"), t = results.vector(joint + ".t_0");
                const Vec3 at = k2.r + k2.D * link.parts.point2;
                Vec6 on1, on2;
                on2 << f, t + (at - k2.r).cross(f);
                on1 << -f, -t - (at - k1.r).cross(f);
                feel(link.first, on1);
                feel(link.second, on2);
            }
            for (const DriverRow& driver : bench.mechanism.drivers()) {
                const double effort = results(model.drivers[driver.driver].name + ".effort");
                feel(driver.coordinate.first, effort * bench.rigid.gradient(driver.row).g1);
                feel(driver.coordinate.second, effort * bench.rigid.gradient(driver.row).g2);
            }
            for (const GearRow& gear : bench.mechanism.gears()) {
                const double effort = results(model.joints[gear.joint].name + ".effort");
                feel(gear.first.first, effort * bench.rigid.coupling_gradient(gear.gradient));
                feel(gear.first.second, effort * bench.rigid.coupling_gradient(gear.gradient + 1));
                feel(gear.second.first, effort * bench.rigid.coupling_gradient(gear.gradient + 2));
                feel(gear.second.second, effort * bench.rigid.coupling_gradient(gear.gradient + 3));
            }
            CHECK((felt - truth.reaction).lpNorm<Eigen::Infinity>() < 1e-6 * scale);
            for (std::size_t j = 0; j < model.joints.size() && simulation.start().rank_deficiency == 0; ++j) {
                const int l = bench.mechanism.link_of_joint(static_cast<int>(j));
                const std::string& joint = model.joints[j].name;
                if (l < 0) {
                    for (const GearRow& gear : bench.mechanism.gears())
                        CHECK(results(joint + ".effort") == Approx(lambda[gear.row]).margin(1e-6 * scale));
                    continue;
                }
                const MechanismLink& link = bench.mechanism.links()[l];
                Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
                for (int r = link.row; r < link.row + link.rows; ++r) {
                    if (bench.mechanism.row_joint(r) >= 0) {
                        force += lambda[r] * bench.rigid.gradient(r).g2.head<3>();
                        torque += lambda[r] * bench.rigid.gradient(r).g2.tail<3>();
                    }
                }
                const Kinematics& second = bench.mechanism.at(bench.rigid.kinematics(), link.second);
                torque -= (second.D * link.parts.point2).cross(force); // from the centre of mass to the joint
                CAPTURE(joint);
                CHECK((results.vector(joint + ".f_0") - force).norm() < 1e-6 * scale);
                CHECK((results.vector(joint + ".t_0") - torque).norm() < 1e-6 * scale);
            }
        }
    }
}

TEST_CASE("a body cut free obeys Newton's and Euler's laws under the reported reactions") {
    // The middle rod of a chain: forces of both joints and its weight against differences of the reported motion.
    const Model model = with(example("chain_10"), {"munthe-kaas"}, 1e-4, 1);
    Simulation simulation(model);
    Results results(simulation);
    const int b = 4;
    const Body& body = model.bodies[b];
    struct Sample {
        Vec3 p, l, force, torque;
    };
    std::vector<Sample> samples;
    for (int i = 0; i < 105; ++i) {
        simulation.step(1e-4);
        if (i < 100)
            continue;
        results.refresh();
        const Mat3 D = results.rotation(body.name);
        const Vec3 w = results.vector(body.name + ".w_0"),
                   r = results.vector(body.name + ".r_0") + D * body.com;
        Sample s;
        s.p = body.mass * (results.vector(body.name + ".v_0") + w.cross(D * body.com));
        s.l = D * body.inertia * D.transpose() * w;
        s.force = body.mass * model.gravity;
        s.torque = Vec3::Zero();
        for (const Joint& joint : model.joints) {
            const double sign = joint.second == b ? 1 : joint.first == b ? -1 : 0;
            if (sign == 0)
                continue;
            const Vec3 f = sign * results.vector(joint.name + ".f_0"),
                       t = sign * results.vector(joint.name + ".t_0");
            // The joint's point, carried by this body.
            const Vec3 at =
                r + D * body.rotation.transpose() * (joint.at - body.position - body.rotation * body.com);
            s.force += f;
            s.torque += t + (at - r).cross(f);
        }
        samples.push_back(s);
    }
    const Vec3 rate_p = (8 * (samples[3].p - samples[1].p) - (samples[4].p - samples[0].p)) / (12 * 1e-4);
    const Vec3 rate_l = (8 * (samples[3].l - samples[1].l) - (samples[4].l - samples[0].l)) / (12 * 1e-4);
    CHECK((rate_p - samples[2].force).norm() < 1e-6 * (1 + samples[2].force.norm()));
    CHECK((rate_l - samples[2].torque).norm() < 1e-6);
    CHECK(samples[2].force.norm() > 0.1);
}

TEST_CASE("the reaction of a point mass on a pendulum is m g cos + m l rate^2 with every integrator") {
    const Model given = example("simple_pendulum");
    const double mass = given.bodies[0].mass, g = given.gravity.norm();
    for (const IntegratorType& type : integrator_types()) {
        CAPTURE(type.name);
        Simulation simulation(with(given, {type.name}, 0.002, 1));
        Results results(simulation);
        for (int i = 0; i < 400; ++i) {
            simulation.step(0.002);
            if (i % 40 != 0)
                continue;
            results.refresh();
            const Joint& pin = given.joints[0];
            const Vec3 arm = results.vector(given.bodies[0].name + ".r_0") +
                             results.rotation(given.bodies[0].name) * given.bodies[0].com - pin.at;
            const double rate = results(pin.name + ".rate");
            // Along the arm, towards the pin.
            const double along = -results.vector(pin.name + ".f_0").dot(arm.normalized());
            const double closed = mass * (arm.norm() * rate * rate + given.gravity.dot(arm.normalized()));
            CHECK(along == Approx(closed).margin(1e-5 * mass * g));
            const Vec3 across = results.vector(pin.name + ".f_0") + along * arm.normalized();
            CHECK(across.norm() < 1e-5 * mass * g); // a point mass on a massless link
        }
    }
}

TEST_CASE("an angle counts turns over many revolutions at a fifth of a turn a step with every integrator") {
    const double h = 0.01;
    for (const IntegratorType& type : integrator_types()) {
        for (double turns : {0.05, 0.2, -0.2}) { // a step
            if (type.name == "augmented-lagrangian") {
                continue; // is there to show its drift; steps this long make it diverge
            }
            Model model = rotor();
            model.bodies[0].angular_velocity = Vec3(0, 0, 2 * pi * turns / h);
            Simulation simulation(with(model, {type.name, {{"accept_divergence", true}}}, h, 10));
            Results results(simulation);
            double last = 0;
            CAPTURE(type.name, turns);
            for (int i = 0; i < 200; ++i) {
                simulation.step(h);
                results.refresh();
                // Whatever the method makes of a step so long (energy-decaying damps it): never a turn lost or gained.
                const double part = (results("axle.angle") - last) / (2 * pi * turns);
                CHECK(part > 0.2);
                CHECK(part < 1.35);
                last = results("axle.angle");
            }
        }
    }
}

TEST_CASE("a driven angle is what is prescribed at nearly half a turn a step") {
    const double h = 0.01;
    for (const char* integrator : {"munthe-kaas", "explicit-correction", "projection"}) {
        Model model = rotor();
        Driver motor;
        motor.name = "motor";
        motor.joint = 0;
        motor.motion.rate = 2 * pi * (std::string(integrator) == "munthe-kaas" ? 0.49 : 0.2) / h;
        model.drivers = {motor};
        // The angle is right; projection's account of the driver's work is not, at a fifth of a turn a step.
        Simulation simulation(with(model, {integrator, {{"accept_divergence", true}}}, h, 10));
        Results results(simulation);
        CAPTURE(integrator);
        for (int i = 1; i <= 200; ++i) {
            simulation.step(h);
            results.refresh();
            CHECK(results("axle.angle") == Approx(motor.motion.rate * i * h).epsilon(1e-9));
        }
    }
}

TEST_CASE(
    "a free rotor turning nearly half a turn a step keeps count on the Lie group, where the step is exact") {
    Model model = rotor();
    const double h = 0.01, rate = 2 * pi * 0.48 / h;
    model.bodies[0].angular_velocity = Vec3(0, 0, rate);
    Simulation simulation(with(model, {"munthe-kaas"}, h, 10));
    Results results(simulation);
    for (int i = 1; i <= 300; ++i) {
        simulation.step(h);
        results.refresh();
        CHECK(results("axle.angle") == Approx(rate * i * h).epsilon(1e-9));
    }
}

TEST_CASE("the wheels of a cart have turned by its way over their radius after many turns") {
    for (const char* integrator : {"projection", "explicit-correction", "energy-preserving"}) {
        Simulation simulation(with(example("cart"), {integrator}, 0.02, 30));
        simulation.set_input(0, 0);
        for (int i = 0; i < 1500; ++i)
            simulation.step(0.02);
        Results results(simulation);
        results.refresh();
        CAPTURE(integrator);
        CHECK(results("cart.r_0[1]") == Approx(15).epsilon(1e-3));
        CHECK(std::abs(results("front_left_axle.angle")) > 20 * 2 * pi);
        CHECK(std::abs(results("front_left_axle.angle")) ==
              Approx(results("cart.r_0[1]") / 0.1).epsilon(1e-3));
    }
}
