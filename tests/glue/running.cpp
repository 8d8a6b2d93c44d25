// What a user does with glue besides gluing: driven joints, parts that start apart, flanges, steps chosen by the master, checkpoints; and
// what is refused.

#include "tests/glue/glued.hpp"
#include "tests/support/machine_run.hpp"
#include "tests/support/machines.hpp"
#include "tools/export/export_fmu.hpp"
#include "tools/files/errors.hpp"
#include "tools/files/temporary_folder.hpp"
#include "tools/glue/methods/method_types.hpp"
#include "tools/master/schemes/scheme_types.hpp"
#include "tools/system/methods.hpp"

using namespace tenon;
using namespace tenon::tests;

namespace {

constexpr double pi = 3.14159265358979323846;

system::Setting setting(const std::string& variable, system::SettingValue value) {
    system::Setting setting;
    setting.variable = variable;
    setting.value = std::move(value);
    return setting;
}

/// What the machine refuses to do with this system.
std::string refusal(const GluedMachine& glued, const system::System& system) {
    try {
        return glued.run(system, {}).failure;
    } catch (const InputError& error) {
        return error.what();
    }
}

/// A wheel on a shaft along z with inertia J about it, a torque on it, and its bearing as a flange.
Model wheel(const std::string& name, double J, double torque) {
    Model model;
    model.name = name;
    model.gravity = Vec3::Zero();
    Body body;
    body.name = "wheel";
    body.mass = 1;
    body.inertia = Vec3(J, J, J).asDiagonal();
    model.bodies = {body};
    model.joints = {joint_of("bearing", "revolute", world, 0, Vec3::Zero(), Vec3::UnitZ())};
    model.flanges = {{"shaft", 0}};
    Force force;
    force.name = "motor";
    force.type = "torque";
    force.second = 0;
    force.set("torque", Vec3(torque * Vec3::UnitZ()));
    model.forces = {force};
    model.solver.integrator = "munthe-kaas";
    model.solver.step = 2.5e-3;
    return model;
}

double column(const master::Master& master, const std::vector<double>& row, const std::string& name) {
    for (std::size_t i = 0; i < row.size(); ++i)
        if (master.columns()[i].name == name)
            return row[i];
    FAIL("no column " << name);
    return 0;
}

} // namespace

TEST_CASE("a driven joint between FMUs moves as it is told, and its work is in the ledger") {
    Machine machine = skew_double_pendulum();
    Driver driver;
    driver.name = "motor";
    driver.joint = 1;
    driver.motion.rate = 2;
    driver.motion.amplitude = 0.3;
    driver.motion.frequency = 1.5;
    driver.motion.phase = pi / 2; // starts with rate 2
    driver.motion.offset = -0.3;
    machine.model.drivers = {driver};
    const Vec3 spin = 2 * machine.model.joints[1].axis.normalized();
    machine.model.bodies[1].angular_velocity = spin;
    machine.model.bodies[1].velocity =
        spin.cross(machine.model.bodies[1].position - machine.model.joints[1].at);
    const GluedMachine glued(machine);
    const Sweep errors = sweep(glued, {}, {0.02, 0.01, 0.005});
    INFO(errors.text());
    CHECK(errors.error[2] < 1e-6);
    CHECK(errors.order() > 3.3);
    const master::JointReport& joint = errors.runs[2].report.joints.front();
    CHECK(std::abs(joint.driver_work) > 0.1);
    CHECK(std::abs(joint.residual) < 1e-5 * std::abs(joint.driver_work));
    CHECK(std::abs(joint.work_a + joint.work_b - joint.driver_work) < 1e-5 * std::abs(joint.driver_work));
    CHECK(errors.runs[2].report.max_energy_error < 1e-4);
}

TEST_CASE("parts that start a little apart are put together, and those that start far apart are refused") {
    const GluedMachine glued(skew_double_pendulum());
    system::System system = glued.system({});
    system.fmus[1].set.push_back(setting("world_r", std::vector<double>{0.003, -0.002, 0.001}));
    const GluedRun run = glued.run(system, {});
    CHECK(run.failure == "");
    CHECK(run.remarks("put together"));
    // The upper part stands on the ground: it stays, and the other goes by the length of world_r.
    CHECK(run.remarks("moved: 'lower' by 0.00374 m and"));
    CHECK(!run.remarks("'upper' by"));
    CHECK(run.report.max_gap < 1e-6);
    CHECK(largest_gap(glued.machine(), run.motion) < 1e-6);
    system.fmus[1].set.back().value = std::vector<double>{0.3, 0, 0};
    const std::string text = refusal(glued, system);
    CHECK(text.find("joint 'elbow': a gap of 0.3 m and") != text.npos);
}

TEST_CASE("start velocities that a joint does not allow are refused with the joint") {
    const GluedMachine glued(skew_double_pendulum());
    system::System system = glued.system({});
    system.fmus[1].set.push_back(setting("lower.velocity", std::vector<double>{1, 0, 0}));
    const std::string text = refusal(glued, system);
    INFO(text);
    CHECK(text.find("joint 'elbow': its sides start with velocities that it does not allow") != text.npos);
}

TEST_CASE("joined flanges turn together as one inertia") {
    const TemporaryFolder folder;
    const double J1 = 0.4, J2 = 0.1, torque = 3;
    system::System system;
    system.name = "shaft";
    for (const Model& model : {wheel("motor", J1, torque), wheel("load", J2, 0)}) {
        write_archive(folder.path() / (model.name + ".fmu"), fmu_content(model, "", fmi::Version::fmi3),
                      Packing::quick);
        system::SystemFmu fmu;
        fmu.name = model.name;
        fmu.file = folder.path() / (model.name + ".fmu");
        system.fmus.push_back(fmu);
    }
    system::GlueJoint joint;
    joint.name = "coupling";
    joint.type = "fixed";
    joint.a = {0, "shaft"};
    joint.b = {1, "shaft"};
    system.joints = {joint};
    master::Master master(system::check_system(system), glue::with_joints());
    master.initialize();
    for (int i = 1; i <= 100; ++i)
        master.step(0.01 * i);
    std::vector<double> row(master.columns().size());
    master.read(row);
    const double angle = 0.5 * torque / (J1 + J2);
    CHECK(column(master, row, "motor.shaft.phi") == Approx(angle).epsilon(1e-10));
    CHECK(column(master, row, "load.shaft.phi") == Approx(angle).epsilon(1e-10));
    CHECK(column(master, row, "coupling.f_0[1]") == Approx(torque * J2 / (J1 + J2)).epsilon(1e-8));
    CHECK(column(master, row, "coupling.work_b") ==
          Approx(0.5 * J2 * std::pow(torque / (J1 + J2), 2)).epsilon(1e-8));
    CHECK(master.report().joints.front().measured_b);
}

TEST_CASE("the master chooses steps by the tolerance, and the error follows it") {
    // The study: errors of 0.03 times the tolerance, with 156 and 471 steps of each FMU.
    const GluedMachine glued(skew_double_pendulum());
    const Motion whole = whole_motion(glued.machine().model, 2.5e-4, 0.05, 1);
    for (const double tolerance : {1e-4, 1e-6}) {
        Outside outside{.step = 0.05, .tolerance = tolerance};
        system::System system = glued.system(outside);
        system.master.adaptive = true;
        const GluedRun run = glued.run(system, outside);
        const double error = largest_difference(run.motion, whole);
        INFO("tolerance " << tolerance << ": error " << error << ", steps "
                          << run.report.fmus.front().dosteps);
        CHECK(run.failure == "");
        CHECK(error < 0.3 * tolerance);
        CHECK(error > 1e-3 * tolerance);
        CHECK(run.report.fmus.front().dosteps < 1000);
    }
}

TEST_CASE("a run that is continued from its bytes is the run that went on, to the bit") {
    const std::string method = GENERATE("newton", "difference", "hidden", "dead-beat", "cubic");
    INFO(method);
    const GluedMachine glued(bricard(3), {.hides_accelerations = method == "hidden"});
    const Outside outside{.method = method == "cubic"    ? "newton"
                                    : method == "hidden" ? "difference"
                                                         : method,
                          .step = 0.005,
                          .stop = 0.2};
    system::System system = glued.system(outside);
    system.master.polynomial = method == "cubic" ? "cubic" : "linear";
    const system::CheckedSystem checked = system::check_system(system);
    master::Master whole(checked, glue::with_joints());
    whole.initialize();
    std::vector<unsigned char> bytes;
    for (int i = 1; i <= 40; ++i) {
        whole.step(0.005 * i);
        if (i == 17)
            bytes = whole.to_bytes();
    }
    master::Master continued(checked, glue::with_joints());
    continued.restore(bytes);
    std::vector<double> a(whole.columns().size()), b(a.size());
    for (int i = 18; i <= 40; ++i)
        continued.step(0.005 * i);
    whole.read(a);
    continued.read(b);
    for (std::size_t i = 0; i < a.size(); ++i) {
        INFO(whole.columns()[i].name);
        REQUIRE(a[i] == b[i]);
    }
    CHECK(whole.report().joints[0].work_a == continued.report().joints[0].work_a);
    bytes[bytes.size() / 2] ^= 1;
    master::Master damaged(checked, glue::with_joints());
    CHECK_THROWS_AS(damaged.restore(bytes), Error);
}

TEST_CASE("a part that looks at the forces once in a step is refused with advice") {
    const GluedMachine glued(skew_double_pendulum(), {.integrator = "energy-preserving", .step = 0.01});
    const std::string text = glued.run({.step = 0.01}).failure;
    INFO(text);
    CHECK(text.find("looks at the forces on its ports once") != text.npos);
    CHECK(text.find("solver.step") != text.npos);
}

TEST_CASE("a spring in a joint's place deflects by force over stiffness") {
    const GluedMachine glued(skew_double_pendulum());
    const Outside outside{.method = "compliant", .step = 1e-3, .stop = 0.3};
    system::System system = glued.system(outside);
    CHECK(refusal(glued, system).find("needs 'stiffness' and 'damping'") != std::string::npos);
    system.joints[0].numbers["stiffness"] = {1e4};
    system.joints[0].numbers["damping"] = {20};
    const GluedRun run = glued.run(system, outside);
    CHECK(run.failure == "");
    CHECK(run.remarks("deflects"));
    CHECK(run.report.max_gap > 1e-4); // some newtons over 1e4 N/m
    CHECK(run.report.max_gap < 1e-2);
}

TEST_CASE("a prescribed motion that does not begin at zero is where the part is put") {
    Machine machine = skew_double_pendulum();
    const GluedMachine glued(machine);
    const Outside outside{.stop = 0.2};
    system::System system = glued.system(outside);
    system.joints[0].numbers["motion.offset"] = {0.005};
    const GluedRun run = glued.run(system, outside);
    CHECK(run.failure == "");
    CHECK(run.remarks("put together"));
    CHECK(run.report.max_gap < 1e-6);
}

TEST_CASE("steps by tolerance are refused where no method estimates the error") {
    const GluedMachine glued(skew_double_pendulum());
    system::System system = glued.system({.method = "dead-beat"});
    system.master.adaptive = true;
    CHECK(refusal(glued, system).find("which method dead-beat does not give") != std::string::npos);
}

TEST_CASE("coupled joints have one method") {
    const GluedMachine glued(bricard(3));
    system::System system = glued.system({.method = "auto"});
    system.joints[0].method = "newton";
    system.joints[1].method = "difference";
    CHECK(refusal(glued, system).find("all joints of a group have one method") != std::string::npos);
}

TEST_CASE("every word for a method has a scheme or a glue method behind it, and they have no others") {
    std::vector<std::string_view> words, found;
    for (const system::MethodWord& word : system::method_words()) {
        words.push_back(word.name);
        CHECK_FALSE(word.help.empty());
        CHECK((master::find_scheme_type(word.name) != nullptr) == !word.for_joints);
        CHECK((glue::find_method_type(word.name) != nullptr) == word.for_joints);
    }
    for (const master::SchemeType& type : master::scheme_types())
        found.push_back(type.name);
    for (const glue::MethodType* type : glue::method_types())
        found.push_back(type->name);
    CHECK(found == words);
}

TEST_CASE("a word that nobody knows is refused by the master, for signals and for joints") {
    const GluedMachine glued(bricard(3));
    const system::CheckedSystem good = system::check_system(glued.system({.method = "auto"}));
    const auto refused = [](const system::CheckedSystem& checked, const master::MasterOptions& options) {
        try {
            master::Master(checked, options).initialize();
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    system::CheckedSystem bad = good;
    bad.system.master.method = "jacoby";
    CHECK(refused(bad, glue::with_joints()).find("method cannot be 'jacoby'") != std::string::npos);
    bad.system.joints.clear();
    CHECK(refused(bad, {}).find("method cannot be 'jacoby'") != std::string::npos);
    bad = good;
    for (system::GlueJoint& joint : bad.system.joints)
        joint.method = "newtown";
    CHECK(refused(bad, glue::with_joints()).find("method 'newtown' is not one for joints") !=
          std::string::npos);
    CHECK(refused(good, {}).find("without a scheme for them") != std::string::npos);
}
