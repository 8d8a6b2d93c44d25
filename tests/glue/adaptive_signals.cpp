// Steps that the master chooses by the tolerance, where FMUs are connected by signals besides joints.

#include "tests/glue/glued.hpp"
#include "tests/support/machines.hpp"
#include "tools/export/export_fmu.hpp"

#include <algorithm>
#include <cmath>

using namespace tenon;
using namespace tenon::tests;

namespace {

/// A wheel of unit inertia that turns about z at this rate. Its flanges: "shaft", and "drive" on the same axis.
Model wheel(const std::string& name, double rate) {
    Model model;
    model.name = name;
    model.gravity = Vec3::Zero();
    Body body;
    body.name = "wheel";
    body.mass = 1;
    body.inertia = Mat3::Identity();
    body.angular_velocity = rate * Vec3::UnitZ();
    model.bodies = {body};
    model.joints = {joint_of("bearing", "revolute", world, 0, Vec3::Zero(), Vec3::UnitZ())};
    model.flanges = {{"shaft", 0}, {"drive", 0}};
    model.solver.integrator = "munthe-kaas";
    model.solver.step = 1e-3;
    return model;
}

void add(system::System& system, const TemporaryFolder& folder, const Model& model) {
    write_archive(folder.path() / (model.name + ".fmu"), fmu_content(model, "", fmi::Version::fmi3),
                  Packing::quick);
    system::SystemFmu fmu;
    fmu.name = model.name;
    fmu.file = folder.path() / (model.name + ".fmu");
    system.fmus.push_back(fmu);
}

/// The torque on one wheel is `factor` times the angle of another.
void connect(system::System& system, std::size_t from, std::size_t to, double factor) {
    system::Connection connection;
    connection.from = {from, "shaft.phi", {}};
    connection.to = {to, "drive.tau", {}};
    connection.factor = factor;
    connection.convert_units = false;
    system.connections.push_back(connection);
}

struct Run {
    double error = 0, smallest = 0;
    long dosteps = 0; ///< of the first FMU
};

/// Runs to the end; error: the largest at the rows, of this column.
Run run(const system::System& system, const std::string& column, double (*exact)(double)) {
    master::Master master(system::check_system(system), glue::with_joints());
    const auto at = std::ranges::find(master.columns(), column, &master::Column::name);
    REQUIRE(at != master.columns().end());
    std::vector<double> row(master.columns().size());
    Run result;
    master.initialize();
    const system::MasterSettings& settings = system.master;
    for (int i = 1; i <= std::lround(settings.stop / settings.step); ++i) {
        const double t = settings.step * i;
        master.step(t);
        master.read(row);
        const double value = row[static_cast<std::size_t>(at - master.columns().begin())];
        result.error = std::max(result.error, std::abs(value - exact(t)));
    }
    result.smallest = master.report().smallest_step;
    result.dosteps = master.report().fmus.front().dosteps;
    return result;
}

system::System with_steps(system::System system, double tolerance) {
    system.master.adaptive = true;
    system.master.tolerance = tolerance;
    return system;
}

} // namespace

TEST_CASE("steps that the master chooses follow the error of signals besides joints, too") {
    // A glued double pendulum, and beside it a wheel with the torque -400 phi, a signal along lines: phi = sin(20 t) from rate 20.
    const GluedMachine glued(skew_double_pendulum());
    const TemporaryFolder folder;
    system::System system = glued.system({.step = 0.05, .stop = 0.5});
    add(system, folder, wheel("swing", 20));
    system.master.extrapolation = 1;
    const auto exact = [](double t) { return std::sin(20 * t); };
    const auto still = [](double t) { return 20 * t; };
    const Run alone = run(with_steps(system, 1e-4), "swing.shaft.phi", still);
    CHECK(alone.error < 1e-10);
    connect(system, 2, 2, -400);
    system::System unjudged = system;
    unjudged.master.step = 0.5 / std::ceil(0.5 / alone.smallest - 1e-6); // the pendulum is content with it
    const Run rough = run(with_steps(system, 1e-4), "swing.shaft.phi", exact);
    const Run fine = run(with_steps(system, 1e-6), "swing.shaft.phi", exact);
    const Run without = run(unjudged, "swing.shaft.phi", exact);
    CAPTURE(alone.smallest, rough.error, rough.dosteps, fine.error, fine.dosteps, without.error);
    CHECK(without.error > 5 * rough.error);
    CHECK(fine.error < 0.2 * rough.error);
    CHECK(fine.dosteps > rough.dosteps);
}

TEST_CASE("what a held signal does to a glued part is in the error estimate, though no signal leaves it") {
    // Two glued wheels with the torque 600 t on one of them, the angle of a third: their angle is 50 t^3. That of the third is right
    // at any step.
    const TemporaryFolder folder;
    system::System system;
    system.name = "wheels";
    for (const Model& model : {wheel("motor", 0), wheel("load", 0), wheel("source", 1)})
        add(system, folder, model);
    system::GlueJoint joint;
    joint.name = "coupling";
    joint.type = "fixed";
    joint.a = {0, "shaft"};
    joint.b = {1, "shaft"};
    system.joints = {joint};
    system.master.step = 0.05;
    system.master.stop = 0.2;
    connect(system, 2, 0, 600);
    const auto exact = [](double t) { return 50 * t * t * t; };
    const Run rough = run(with_steps(system, 1e-5), "load.shaft.phi", exact);
    const Run fine = run(with_steps(system, 1e-7), "load.shaft.phi", exact);
    const Run without = run(system, "load.shaft.phi", exact);
    CAPTURE(rough.error, rough.dosteps, fine.error, fine.dosteps, without.error);
    CHECK(without.error > 5 * rough.error);
    CHECK(fine.error < 0.3 * rough.error);
    CHECK(fine.dosteps > rough.dosteps);
}

TEST_CASE("where no signals are connected the master's steps are those for the joints") {
    const GluedMachine glued(skew_double_pendulum());
    const TemporaryFolder folder;
    const Outside outside{.step = 0.05, .stop = 0.5, .tolerance = 1e-6};
    system::System system = glued.system(outside);
    system.master.adaptive = true;
    const GluedRun joints = glued.run(system, outside);
    CHECK(joints.failure == "");
    add(system, folder, wheel("swing", 10));
    const Run beside = run(system, "swing.shaft.phi", [](double t) { return 10 * t; });
    CHECK(beside.dosteps == joints.report.fmus.front().dosteps);
    CHECK(beside.smallest == joints.report.smallest_step);
}
