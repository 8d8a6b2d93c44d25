// Parts written in C against the FMI headers alone (tests/fmus/free_body.c, flywheel.c), glued to one of ours, against the same
// machine in one piece. What the supplier offers decides how.

#include "tests/glue/glued.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/machine_run.hpp"
#include "tests/support/machines.hpp"
#include "tools/export/export_fmu.hpp"
#include "tools/files/temporary_folder.hpp"

#include <fmt/format.h>

using namespace tenon;
using namespace tenon::tests;

namespace {

std::filesystem::path foreign(const std::string& name, int version) {
    return fmt::format("{}/{}.{}.fmu", tests::foreign_fmus(), name, version);
}

std::vector<double> numbers(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

system::Setting setting(const std::string& name, system::SettingValue value) {
    system::Setting setting;
    setting.variable = name;
    setting.value = std::move(value);
    return setting;
}

/// Our arm and a lower one that hangs on it; the frames of both are parallel to the world's at t = 0.
Machine arms(const std::string& joint_type) {
    Machine machine = swinging_arm(joint_type);
    machine.model.bodies[1].rotation = Mat3::Identity();
    return machine;
}

/// The lower arm's own world within that of the machine.
struct OwnWorld {
    Vec3 r = Vec3::Zero();
    Mat3 R = Mat3::Identity();
};

/// The arm from our model, the lower one in C, told to be what the model says.
class ForeignArm {
  public:
    ForeignArm(const std::string& joint_type, const std::string& variant, int version,
               const OwnWorld& place = {})
        : machine_(arms(joint_type)), cut_(glue::cut(machine_.model, machine_.cuts)),
          system_(glue::glued_system(cut_, "arms", ".fmu")) {
        const Model ours = with(cut_.parts[0], {"munthe-kaas"}, 2.5e-3, 10);
        write_archive(folder_.path() / "upper.fmu", fmu_content(ours, "", fmi::Version::fmi2));
        system_.fmus[0].file = folder_.path() / "upper.fmu";
        system_.fmus[1].file = foreign(variant.empty() ? "free_body" : "free_body-" + variant, version);
        system_.joints[0].b.terminal = "port";
        const Body& lower = machine_.model.bodies[1];
        const Mat3 turned = place.R.transpose();
        const Eigen::Quaterniond q(turned);
        const auto set = [&](const char* name, system::SettingValue value) {
            system_.fmus[1].set.push_back(setting(name, std::move(value)));
        };
        set("mass", lower.mass);
        set("inertia", numbers(lower.inertia.diagonal()));
        set("gravity", numbers(turned * machine_.model.gravity));
        set("port_at", numbers(machine_.model.joints[1].at - lower.position));
        set("r", numbers(turned * (lower.position - place.r)));
        set("q", std::vector<double>{q.w(), q.x(), q.y(), q.z()});
        set("world_r", numbers(place.r));
        set("world_R", std::vector<double>(turned.data(),
                                           turned.data() + 9)); // column major of the transpose: row major
    }

    struct Run {
        double error = 0; ///< of the port of the part in C, at any macro point, metres or radians
        master::MasterReport report;
        std::string failure;
    };

    Run run(double step, double stop, const std::string& method = "auto") const {
        Run run;
        try {
            follow(step, stop, method, run);
        } catch (const std::exception& error) {
            run.failure = error.what();
        }
        return run;
    }

  private:
    void follow(double step, double stop, const std::string& method, Run& run) const {
        system::System system = system_;
        system.master.step = step;
        system.master.stop = stop;
        system.master.method = method;
        master::Master master(system::check_system(system), glue::with_joints());
        std::map<std::string, std::size_t> columns;
        for (std::size_t i = 0; i < master.columns().size(); ++i)
            columns.emplace(master.columns()[i].name, i);
        const std::size_t r = columns.at("lower.port.r_0[1]"),
                          R = first_of(columns, {"lower.port.R[1,1]", "lower.port.R.T[1,1]"});
        const bool transposed = columns.contains("lower.port.R.T[1,1]");
        const Motion whole = whole_motion(machine_.model, 2.5e-4, step, stop);
        const Vec3 at = machine_.model.joints[1].at - machine_.model.bodies[1].position;
        std::vector<double> row(master.columns().size());
        master.initialize();
        for (std::size_t i = 0;; ++i) {
            master.read(row);
            const Pose& expected = whole[i][1];
            Mat3 turned = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(&row[R]);
            if (transposed)
                turned.transposeInPlace();
            run.error =
                std::max({run.error, (expected.r + expected.R * at - Eigen::Map<const Vec3>(&row[r])).norm(),
                          log_so3(expected.R.transpose() * turned).norm()});
            run.report = master.report();
            if (i + 1 == whole.size())
                return;
            master.step(i + 2 == whole.size() ? stop : static_cast<double>(i + 1) * step);
        }
    }

    static std::size_t first_of(const std::map<std::string, std::size_t>& columns,
                                const std::vector<std::string>& names) {
        for (const std::string& name : names)
            if (const auto place = columns.find(name); place != columns.end())
                return place->second;
        throw std::out_of_range(names.front());
    }

    Machine machine_;
    glue::CutMachine cut_;
    system::System system_;
    TemporaryFolder folder_;
};

bool mentions(const std::vector<std::string>& remarks, const std::string& part) {
    return std::any_of(remarks.begin(), remarks.end(),
                       [&](const std::string& remark) { return remark.find(part) != remark.npos; });
}

} // namespace

TEST_CASE("a part written in C is glued to ours by the best method that its offer allows", "[slow]") {
    struct Case {
        const char *variant, *method;
        double limit; ///< of the error at 0.005 s
    };
    const auto offered =
        GENERATE(values<Case>({{"", "newton", 2e-7},
                               {"minv", "newton", 2e-7},
                               {"state", "difference", 3e-7},
                               {"modelica", "difference", 3e-7}, // in its own axes
                               {"constant", "newton", 4e-7},     // in two halves with the same moments
                               {"halves", "difference", 4e-7},
                               {"derivatives", "dead-beat", 4e-5}}));
    const std::string type = GENERATE("revolute", "spherical");
    const int version = GENERATE(2, 3);
    INFO("free_body-" << offered.variant << '.' << version << ", " << type);
    const ForeignArm arm(type, offered.variant, version);
    const ForeignArm::Run run = arm.run(0.005, 0.5);
    CHECK(run.failure == "");
    CHECK(run.error < offered.limit);
    CHECK(mentions(run.report.remarks, std::string("'elbow': method ") + offered.method));
}

TEST_CASE("the error of a part written in C falls as that of our own, with the fourth power of the step",
          "[slow]") {
    const std::string variant = GENERATE("", "minv", "state", "modelica");
    INFO(variant);
    const ForeignArm arm("revolute", variant, 3);
    const ForeignArm::Run coarse = arm.run(0.02, 0.5), fine = arm.run(0.005, 0.5);
    CHECK(coarse.failure == "");
    CHECK(fine.failure == "");
    INFO(coarse.error << ", " << fine.error);
    CHECK(fine.error < coarse.error / 100); // 4^4 = 256
    CHECK(coarse.error < 1e-5);
}

TEST_CASE("a part that has neither rollback nor accelerations is refused by name") {
    for (const int version : {2, 3}) {
        const ForeignArm::Run run = ForeignArm("revolute", "nothing", version).run(0.005, 0.5);
        CHECK(run.failure.find("'lower'") != std::string::npos);
    }
}

TEST_CASE("a part that has its world elsewhere moves as in one piece") {
    const Mat3 turned = Eigen::AngleAxisd(0.8, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
    const ForeignArm arm("revolute", "", 3, {Vec3(3, -1, 0.5), turned});
    const ForeignArm::Run run = arm.run(0.01, 0.5);
    CHECK(run.failure == "");
    CHECK(run.error < 4e-7);
}

namespace {

/// One body of ours and the bushing in C, joined by a "joint" that is nothing but signals. Returns a column of each step.
std::vector<double> on_bushing(const Model& model, std::vector<system::Setting> settings, int own,
                               int version, double step, double stop, const std::string& name) {
    const TemporaryFolder folder;
    write_archive(folder.path() / "block.fmu",
                  fmu_content(with(model, {"munthe-kaas"}, step / 2, stop), "",
                              own == 2 ? fmi::Version::fmi2 : fmi::Version::fmi3));
    system::System system;
    system.fmus.resize(2);
    system.fmus[0].name = "block";
    system.fmus[0].file = folder.path() / "block.fmu";
    system.fmus[1].name = "bushing";
    system.fmus[1].file = foreign("bushing", version);
    system.fmus[1].set = std::move(settings);
    system::GlueJoint joint;
    joint.name = "mount";
    joint.type = "fixed";
    joint.a = {0, "mount"};
    joint.b = {1, "port"};
    system.joints = {joint};
    system.master.step = step;
    system.master.stop = stop;
    system.master.method = "iterate";
    system.master.extrapolation = 1;
    const system::CheckedSystem checked = system::check_system(system);
    CHECK(checked.system.joints.empty());
    CHECK(checked.wires.size() == 24);
    CHECK(mentions(checked.system.remarks, "'bushing/port' takes motion and gives efforts"));
    master::Master master(checked, glue::with_joints());
    const auto column = std::ranges::find(master.columns(), name, &master::Column::name);
    REQUIRE(column != master.columns().end());
    std::vector<double> row(master.columns().size()), result;
    master.initialize();
    for (int i = 1; i <= std::lround(stop / step); ++i) {
        master.step(i * step);
        master.read(row);
        result.push_back(row[static_cast<std::size_t>(column - master.columns().begin())]);
    }
    return result;
}

Model block_on(const std::string& joint, const Vec3& axis) {
    Model block;
    block.name = "block";
    block.bodies = {heavy_body("block", Vec3::Zero())};
    block.joints = {joint_of("guide", joint, world, 0, Vec3::Zero(), axis)};
    block.ports = {{"mount", 0}};
    return block;
}

} // namespace

TEST_CASE("a part that takes motion and gives forces is connected by signals, and acts with the other sign") {
    const int version = GENERATE(2, 3), own = GENERATE(2, 3);
    constexpr double k = 400, d = 8, m = 2, step = 0.002, stop = 0.5;
    Model block = block_on("prismatic", Vec3::UnitZ());
    block.bodies[0].mass = m;
    const std::vector<double> found = on_bushing(block, {setting("stiffness", k), setting("damping", d)}, own,
                                                 version, step, stop, "block.mount.r_0[3]");
    const double decay = d / (2 * m), rate = std::sqrt(k / m - decay * decay), rest = -m * 9.81 / k;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const double t = static_cast<double>(i + 1) * step;
        const double z =
            rest * (1 - std::exp(-decay * t) * (std::cos(rate * t) + decay / rate * std::sin(rate * t)));
        CHECK(found[i] == Approx(z).margin(1e-5));
    }
}

TEST_CASE("its torque follows the axes of the port, and turns them back") {
    const int version = GENERATE(2, 3), own = GENERATE(2, 3);
    constexpr double c = 30, step = 0.002, stop = 0.5, spin = 3;
    const Vec3 axis = Vec3(1, 2, 2) / 3;
    Model block = block_on("revolute", axis);
    block.bodies[0].com = Vec3::Zero();
    block.bodies[0].inertia = Vec3(0.5, 0.4, 0.6).asDiagonal();
    block.bodies[0].angular_velocity = spin * axis;
    const double inertia = axis.dot(block.bodies[0].inertia * axis);
    const std::vector<double> found =
        on_bushing(block, {setting("stiffness", 0.0), setting("damping", 0.0), setting("torsion", c)}, own,
                   version, step, stop, "block.guide.angle");
    // inertia phi'' = -c sin(phi), by small steps of the leapfrog method
    constexpr int parts = 200;
    constexpr double h = step / parts;
    double phi = 0, w = spin;
    for (const double angle : found) {
        for (int i = 0; i < parts; ++i) {
            w -= h / 2 * c / inertia * std::sin(phi);
            phi += h * w;
            w -= h / 2 * c / inertia * std::sin(phi);
        }
        CHECK(angle == Approx(phi).margin(2e-5));
    }
}

TEST_CASE(
    "a fast part with forces in its own axes is held as well as one with forces in those of the world") {
    const auto gap_of = [](const std::string& variant) {
        system::System system;
        system.fmus.resize(1);
        system.fmus[0].name = "top";
        system.fmus[0].file = foreign("free_body-" + variant, 3);
        system.fmus[0].set = {
            setting("port_at", std::vector<double>{0, 0, -0.5}), setting("r", std::vector<double>{0, 0, 0.5}),
            setting("v", std::vector<double>{7.5, 0, 0}), setting("w", std::vector<double>{0, 15, 7.5})};
        system::GlueJoint joint;
        joint.name = "foot";
        joint.type = "spherical";
        joint.b = {0, "port"};
        system.joints = {joint};
        system.master.step = 0.02;
        system.master.stop = 2;
        system.master.method = "difference";
        master::Master master(system::check_system(system), glue::with_joints());
        master.initialize();
        for (int i = 1; i <= 100; ++i)
            master.step(i * 0.02);
        return std::pair(master.report().joints[0].gap, static_cast<double>(master.report().dosteps));
    };
    const auto [own, own_steps] = gap_of("modelica");
    const auto [other, other_steps] = gap_of("state");
    INFO(own << " and " << other << " m, " << own_steps << " and " << other_steps << " steps");
    CHECK(own < 2e-5); // 0.3 rad a step; with axes of another moment than the wrenches it was 9e-3
    CHECK(other < 2e-5);
    CHECK(own_steps < 1.5 * other_steps);
}

TEST_CASE("a flywheel written in C on the shaft of our pendulum turns as if it were a part of it") {
    const int version = GENERATE(2, 3);
    constexpr double inertia = 0.4, step = 0.01, stop = 1;
    Model pendulum;
    pendulum.name = "pendulum";
    pendulum.bodies = {heavy_body("bob", {0.5, 0, 0})};
    pendulum.joints = {joint_of("pin", "revolute", world, 0, Vec3::Zero(), Vec3::UnitY())};
    pendulum.bodies[0].inertia = Vec3(0.5, 0.3, 0.5).asDiagonal();
    Model whole = pendulum;
    whole.bodies[0].inertia(1, 1) += inertia;
    pendulum.flanges = {{"shaft", 0}};
    const TemporaryFolder folder;
    write_archive(folder.path() / "pendulum.fmu",
                  fmu_content(with(pendulum, {"munthe-kaas"}, 2.5e-3, stop), "", fmi::Version::fmi3));

    system::System system;
    system.fmus.resize(2);
    system.fmus[0].name = "pendulum";
    system.fmus[0].file = folder.path() / "pendulum.fmu";
    system.fmus[1].name = "flywheel";
    system.fmus[1].file = foreign("flywheel", version);
    system.fmus[1].set = {setting("inertia", inertia)};
    system::GlueJoint coupling;
    coupling.name = "coupling";
    coupling.type = "fixed";
    coupling.a = {0, "shaft"};
    coupling.b = {1, "shaft"};
    system.joints = {coupling};
    system.master.step = step;
    system.master.stop = stop;
    master::Master master(system::check_system(system), glue::with_joints());
    std::size_t phi = 0;
    while (master.columns()[phi].name != "flywheel.shaft.phi")
        ++phi;
    Simulation simulation(with(whole, {"munthe-kaas"}, 2.5e-4, stop));
    Results expected(simulation);
    std::vector<double> row(master.columns().size());
    master.initialize();
    for (int i = 1; i <= 100; ++i) {
        master.step(i == 100 ? stop : i * step);
        for (int k = 0; k < 40; ++k)
            simulation.step(2.5e-4);
        master.read(row);
        expected.refresh();
        REQUIRE(row[phi] == Approx(expected("pin.angle")).margin(1e-6));
    }
    CHECK(std::abs(row[phi]) > 1); // it has moved
}
