// Chains of parts, and parts that a driver moves. Ten rods in ten FMUs have directions in which joints have hardly any compliance: a gap of a micrometre
// stands for a large error of the forces there, with which the next step begins.

#include "tests/glue/glued.hpp"
#include "tests/support/machine_run.hpp"
#include "tests/support/machines.hpp"

#include <cmath>

using namespace tenon;
using namespace tenon::tests;

namespace {

Body hanging_rod(int number, const Vec3& from, double angle, double length) {
    Body body;
    body.name = "rod_" + std::to_string(number);
    body.mass = 1.3;
    body.inertia = Vec3(0.001, 1.3 * length * length / 12, 1.3 * length * length / 12).asDiagonal();
    body.rotation = Eigen::AngleAxisd(angle, Vec3::UnitY()).toRotationMatrix();
    body.position = from + body.rotation * Vec3(0.5 * length, 0, 0);
    return body;
}

/// Rods of 0.8 m in an arc, released from rest, cut at all joints between them.
Machine arc(int rods) {
    constexpr double length = 0.8;
    Machine machine;
    machine.model.name = "arc";
    machine.model.gravity = Vec3(0, 0, -9.81);
    Vec3 from = Vec3::Zero();
    for (int i = 0; i < rods; ++i) {
        const double angle = 0.1 + 0.15 * i;
        machine.model.bodies.push_back(hanging_rod(i, from, angle, length));
        const std::string name = "pin_" + std::to_string(i);
        machine.model.joints.push_back(
            joint_of(name, "revolute", i == 0 ? world : i - 1, i, from, Vec3::UnitY()));
        if (i > 0)
            machine.cuts.push_back(name);
        from += length * Vec3(std::cos(angle), 0, -std::sin(angle));
    }
    return machine;
}

} // namespace

TEST_CASE(
    "a chain of ten FMUs stays closed and near the whole machine, with no more corrections than converged") {
    const Machine machine = arc(10);
    const GluedMachine glued(machine);
    Outside outside{.method = "auto", .step = 0.005, .stop = 0.9};
    const GluedRun run = glued.run(outside);
    outside.corrections = "converged";
    const GluedRun converged = glued.run(outside);
    const Motion whole = whole_motion(machine.model, 2.5e-4, outside.step, outside.stop);
    CAPTURE(run.failure, run.report.iterations, converged.report.iterations);
    REQUIRE(run.failure.empty());
    CHECK(run.report.max_gap < 1e-6);
    CHECK(run.report.halvings == 0);
    CHECK(run.report.iterations <= converged.report.iterations);
    const double error = largest_difference(run.motion, whole);
    CAPTURE(error, largest_difference(converged.motion, whole));
    CHECK(error < 2 * largest_difference(converged.motion, whole) + 1e-6);
    CHECK(error < 1e-3);
}

TEST_CASE("a part whose port a driver moves has no compliance there, and newton glues it") {
    Machine machine = arc(3);
    machine.cuts = {"pin_1"};
    Driver motor;
    motor.name = "motor";
    motor.joint = 0;
    motor.motion.amplitude = 0.5;
    motor.motion.frequency = 1;
    machine.model.drivers = {motor};
    const GluedMachine glued(machine);
    const Outside outside{.method = "auto", .step = 0.005, .stop = 1};
    const GluedRun run = glued.run(outside);
    CAPTURE(run.failure, run.report.method);
    REQUIRE(run.failure.empty());
    CHECK(run.report.method == "newton");
    CHECK_FALSE(run.remarks("difference"));
    CHECK(run.report.max_gap < 1e-6);
    CHECK(largest_difference(run.motion, whole_motion(machine.model, 2.5e-4, outside.step, outside.stop)) <
          1e-4);
}
