// A part written in C (tests/fmus/free_body.c) that hangs on a pin in the world: a pendulum whose motion is that of one equation,
// whatever its mass, and so also when the mass jumps. What the part does besides makes it hard to glue.

#include "tests/glue/glued.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/machine_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

using namespace tenon;
using namespace tenon::tests;

namespace {

constexpr double gravity = 9.81, arm = 0.5, mass = 2, inertia = 0.1;
constexpr double per_radian = mass * gravity * arm / (inertia + mass * arm * arm); // th'' = per_radian cos th

struct Swing {
    double angle = 0, rate = 0;
    double bend() const { return per_radian * std::cos(angle); }
    /// Force of the pin on the part.
    Vec3 force(double part) const {
        const Vec3 out(std::cos(angle), 0, -std::sin(angle)), along(-std::sin(angle), 0, -std::cos(angle));
        return part * mass * (arm * (bend() * along - rate * rate * out) + gravity * Vec3::UnitZ());
    }
};

/// At t = 0, H, 2 H, ...: Runge-Kutta with 1e-4 s.
std::vector<Swing> swings(double step, double stop) {
    const auto slope = [](const Swing& s) { return Swing{s.rate, s.bend()}; };
    const auto moved = [](const Swing& s, const Swing& d, double h) {
        return Swing{s.angle + h * d.angle, s.rate + h * d.rate};
    };
    std::vector<Swing> out = {Swing{}};
    const long inner = std::lround(step / 1e-4);
    for (long i = 0; i < std::lround(stop / step); ++i) {
        Swing s = out.back();
        const double h = step / static_cast<double>(inner);
        for (long k = 0; k < inner; ++k) {
            const Swing k1 = slope(s), k2 = slope(moved(s, k1, h / 2)), k3 = slope(moved(s, k2, h / 2)),
                        k4 = slope(moved(s, k3, h));
            s.angle += h / 6 * (k1.angle + 2 * k2.angle + 2 * k3.angle + k4.angle);
            s.rate += h / 6 * (k1.rate + 2 * k2.rate + 2 * k3.rate + k4.rate);
        }
        out.push_back(s);
    }
    return out;
}

system::Setting setting(const std::string& name, system::SettingValue value) {
    system::Setting setting;
    setting.variable = name;
    setting.value = std::move(value);
    return setting;
}

/// A part on a pin along y at the origin, lying along x at first.
system::System hanging(const std::string& variant, int version, double step, double stop) {
    system::System system;
    system.name = "pendulum";
    system.fmus.resize(1);
    system.fmus[0].name = "part";
    system.fmus[0].file = fmt::format("{}/free_body{}{}.{}.fmu", tests::foreign_fmus(),
                                      variant.empty() ? "" : "-", variant, version);
    const std::vector<double> middle = {arm, 0, 0}, to_port = {-arm, 0, 0};
    system.fmus[0].set = {setting("mass", mass), setting("inertia", std::vector<double>(3, inertia)),
                          setting("r", middle), setting("port_at", to_port)};
    system::GlueJoint pin;
    pin.name = "pin";
    pin.type = "revolute";
    pin.b = {0, "port"};
    pin.numbers["axis"] = {0, 1, 0};
    system.joints = {pin};
    system.master.step = step;
    system.master.stop = stop;
    return system;
}

struct Run {
    std::vector<std::vector<double>> rows;
    std::vector<std::string> names;
    master::MasterReport report;
    std::string failure;

    std::size_t column(const std::string& name) const {
        const auto found = std::ranges::find(names, name);
        REQUIRE(found != names.end());
        return static_cast<std::size_t>(found - names.begin());
    }
    double at(std::size_t row, const std::string& name) const { return rows[row][column(name)]; }
    Vec3 vector(std::size_t row, const std::string& name) const {
        return Vec3(at(row, name + "[1]"), at(row, name + "[2]"), at(row, name + "[3]"));
    }
    long remarks(const std::string& part) const {
        return std::ranges::count_if(
            report.remarks, [&](const std::string& remark) { return remark.find(part) != remark.npos; });
    }
};

/// To the end, or to where it fails: results up to there are kept.
Run run(const system::System& system, int threads = 1) {
    Run run;
    master::MasterOptions options = glue::with_joints();
    options.threads = threads;
    master::Master master(system::check_system(system), options);
    for (const master::Column& column : master.columns())
        run.names.push_back(column.name);
    const auto look = [&] {
        run.rows.emplace_back(run.names.size());
        master.read(run.rows.back());
    };
    try {
        master.initialize();
        look();
        const long steps = std::lround(system.master.stop / system.master.step);
        for (long i = 1; i <= steps; ++i) {
            master.step(i == steps ? system.master.stop : static_cast<double>(i) * system.master.step);
            look();
        }
    } catch (const Error& error) {
        run.failure = error.what();
        look(); // what is left
    }
    run.report = master.report();
    return run;
}

/// Largest error of the angle.
double error_of(const Run& run, const std::vector<Swing>& expected) {
    double largest = run.rows.size() == expected.size() ? 0 : std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < std::min(run.rows.size(), expected.size()); ++i)
        largest = std::max(largest, std::abs(run.at(i, "pin.angle") - expected[i].angle));
    return largest;
}

double steps_a_step(const Run& run) {
    return static_cast<double>(run.report.dosteps) / static_cast<double>(run.report.steps);
}

} // namespace

TEST_CASE("a part whose mass jumps at an event hangs on with the forces of its new mass at once") {
    const std::string variant = GENERATE("event", "surprise");
    const std::string method = GENERATE("auto", "difference", "dead-beat", "cubic");
    const double factor = GENERATE(0.1, 10.0);
    const double at = GENERATE(0.3, 0.303); // where a step ends, and within one
    INFO(variant << ", " << method << ", mass times " << factor << " at " << at);
    constexpr double step = 0.01, stop = 0.6;
    system::System system = hanging(variant, 3, step, stop);
    system.master.method = method == "cubic" ? "newton" : method;
    system.master.polynomial = method == "cubic" ? "cubic" : "linear";
    system.fmus[0].set.push_back(setting("event_at", at));
    system.fmus[0].set.push_back(setting("event_mass", factor));
    const Run swung = run(system);
    CHECK(swung.failure == "");
    const std::vector<Swing> expected = swings(step, stop);
    const bool exact = method != "dead-beat";
    CHECK(error_of(swung, expected) < (exact ? 1e-6 : 3e-4));
    CHECK(swung.report.max_gap < (exact ? 1e-7 : 3e-4));
    CHECK(swung.report.halvings == 0);
    CHECK(swung.remarks("method difference for") == 0);
    CHECK(steps_a_step(swung) < (method == "cubic"        ? 9
                                 : method == "difference" ? 14
                                 : method == "auto"       ? 3.5
                                                          : 1.1));
    for (std::size_t i = 1; i < swung.rows.size(); ++i) {
        INFO("t = " << static_cast<double>(i) * step);
        const bool after = static_cast<double>(i) * step > at - 1e-9;
        const Vec3 force = expected[i].force(after ? factor : 1);
        REQUIRE((swung.vector(i, "pin.f_0") - force).norm() < (exact ? 5e-3 : 0.1) * force.norm());
    }
}

TEST_CASE("a run that is continued from its bytes behind an event is the run that went on, to the bit") {
    const std::string variant = GENERATE("event", "surprise", "surprise-halves");
    const int step_of_bytes = GENERATE(29, 30, 31);
    INFO(variant << ", bytes of step " << step_of_bytes);
    constexpr double step = 0.01, stop = 0.5;
    system::System system = hanging(variant, 3, step, stop);
    system.fmus[0].set.push_back(setting("event_at", 0.3));
    system.fmus[0].set.push_back(setting("event_mass", 4.0));
    const Run swung = run(system);
    const system::CheckedSystem checked = system::check_system(system);
    master::Master first(checked, glue::with_joints()), continued(checked, glue::with_joints());
    first.initialize();
    for (int i = 1; i <= step_of_bytes; ++i)
        first.step(i * step);
    continued.restore(first.to_bytes());
    for (int i = step_of_bytes + 1; i <= 50; ++i)
        continued.step(i == 50 ? stop : i * step);
    std::vector<double> row(continued.columns().size());
    continued.read(row);
    CHECK(row == swung.rows.back());
}

TEST_CASE("an event in a half of a step that an FMU takes in halves is met where it is") {
    const std::string variant = GENERATE("surprise-halves", "surprise-constant");
    const double at =
        GENERATE(0.302, 0.305, 0.3071, 0.31); // in the first half, between, in the second, at the end
    INFO(variant << ", at " << at);
    constexpr double step = 0.01, stop = 0.6;
    system::System system = hanging(variant, 3, step, stop);
    system.fmus[0].set.push_back(setting("event_at", at));
    system.fmus[0].set.push_back(setting("event_mass", 3.0));
    const Run swung = run(system);
    CHECK(swung.failure == "");
    CHECK(error_of(swung, swings(step, stop)) < 1e-5);
    CHECK(swung.report.max_gap < 1e-6);
    const Vec3 force = swings(step, stop).back().force(3);
    CHECK((swung.vector(60, "pin.f_0") - force).norm() < 1e-2 * force.norm());
}

TEST_CASE("derivatives that are not numbers end the run with FMU and port, and keep what was before") {
    const int version = GENERATE(2, 3);
    constexpr double step = 0.01, stop = 0.6;
    system::System system = hanging("nan", version, step, stop);
    system.fmus[0].set.push_back(setting("event_at", 0.305));
    const Run swung = run(system);
    INFO(swung.failure);
    CHECK(swung.failure.find("fmu 'part'") != std::string::npos);
    CHECK(swung.failure.find("port 'port'") != std::string::npos);
    CHECK(swung.failure.find("nan") != std::string::npos);
    CHECK(swung.failure.find("retried h=") != std::string::npos);
    REQUIRE(swung.rows.size() == 32); // to 0.3, and 0.305
    for (std::size_t i = 0; i <= 30; ++i)
        REQUIRE(swung.at(i, "pin.angle") == Approx(swings(step, 0.3)[i].angle).margin(1e-6));
    CHECK(swung.at(31, "pin.angle") == Approx(swings(0.005, 0.305).back().angle).margin(1e-6));
    CHECK(swung.report.halvings == 10);
}

TEST_CASE("an event that fails at the end of a step leaves all as it was at its start") {
    constexpr double step = 0.01, stop = 0.6;
    system::System system = hanging("event-nan", 3, step, stop);
    system.fmus[0].set.push_back(setting("event_at", 0.31));
    const Run swung = run(system);
    INFO(swung.failure);
    CHECK(swung.failure.starts_with("t=0.31: fmu 'part'"));
    CHECK(swung.failure.find("port 'port' is nan") != std::string::npos);
    REQUIRE(swung.rows.size() == 32); // to 0.3, and what was left after the failure
    CHECK(swung.rows[31] == swung.rows[30]);
    system.master.stop = 0.3;
    const Run before = run(system);
    CHECK(swung.report.joints[0].work_b == before.report.joints[0].work_b);
    CHECK(swung.report.max_gap == before.report.max_gap);
}

TEST_CASE("members of aux that are not what they should be count as missing") {
    const std::string variant = GENERATE("shape", "type", "causality");
    const int version = GENERATE(2, 3);
    INFO(variant << '.' << version);
    constexpr double step = 0.01, stop = 0.3;
    const Run swung = run(hanging(variant, version, step, stop));
    CHECK(swung.failure == "");
    CHECK(swung.remarks("method difference: newton is not possible, fmu 'part' gives no accelerations of its "
                        "port 'port'") == 1);
    CHECK_FALSE(swung.report.joints[0].measured_b);
    CHECK(error_of(swung, swings(step, stop)) < 1e-6);
    system::System system = hanging(variant, version, step, stop);
    system.master.method = "newton";
    CHECK_THROWS_WITH(run(system),
                      Catch::Contains("method 'newton' is not possible: fmu 'part' gives no accelerations"));
}

TEST_CASE("two ports with the same inputs for their forces carry a part together") {
    const std::string method = GENERATE("newton", "difference", "dead-beat");
    const int version = GENERATE(2, 3);
    INFO(method << ", version " << version);
    constexpr double step = 0.01, stop = 1;
    system::System system = hanging("twins", version, step, stop);
    system.master.method = method;
    system.joints.push_back(system.joints[0]);
    system.joints[1].name = "second";
    system.joints[1].b.terminal = "twin";
    const Run swung = run(system);
    CHECK(swung.failure == "");
    CHECK(error_of(swung, swings(step, stop)) < (method == "dead-beat" ? 1e-4 : 1e-6));
    CHECK(swung.report.rank_deficiency == 5);
    const Vec3 force = swings(step, stop).back().force(1);
    CHECK((swung.vector(100, "pin.f_0") + swung.vector(100, "second.f_0") - force).norm() <
          3e-2 * force.norm());
}

TEST_CASE("work through two ports with the same inputs is counted once") {
    system::System system = hanging("twins", 3, 0.01, 1);
    system.joints.push_back(system.joints[0]);
    system.joints[1].name = "second";
    system.joints[1].b.terminal = "twin";
    system.joints[0].numbers["motion.offset"] = {-0.5};
    system.joints[0].numbers["motion.amplitude"] = {0.5};
    system.joints[0].numbers["motion.frequency"] = {0.3};
    system.joints[0].numbers["motion.phase"] = {0.5 * 3.14159265358979323846}; // starts at rest
    const Run driven = run(system);
    CHECK(driven.failure == "");
    CHECK_FALSE(driven.report.joints[0].measured_b);
    const double gained = driven.at(100, "part.energy.total") - driven.at(0, "part.energy.total");
    CHECK(std::abs(gained) > 1);
    CHECK(driven.report.joints[0].work_b + driven.report.joints[1].work_b == Approx(gained).epsilon(1e-5));
    CHECK(driven.report.joints[0].driver_work == Approx(gained).epsilon(1e-5));
}

TEST_CASE("a part that is bad for newton for a while is glued by newton again when that is over") {
    constexpr double step = 0.01, stop = 3;
    system::System system = hanging("wrong", 3, step, stop);
    system.fmus[0].set.push_back(setting("event_at", 1.0)); // from here on its derivatives are right
    const Run swung = run(system);
    CHECK(swung.failure == "");
    CHECK(error_of(swung, swings(step, stop)) < 1e-5);
    CHECK(swung.report.joints[0].method == "newton");
    CHECK(swung.remarks("method difference for 20 steps") == 1);
    CHECK(swung.remarks("method difference for 40 steps") == 1);
    CHECK(swung.remarks("method difference for 80 steps") == 1);
    CHECK(swung.remarks("method difference for 160 steps") == 0);
    CHECK(swung.remarks("method newton again") == 3);

    const system::CheckedSystem checked = system::check_system(system);
    master::Master first(checked, glue::with_joints());
    first.initialize();
    for (int i = 1; i <= 50; ++i)
        first.step(i * step);
    const std::vector<unsigned char> bytes = first.to_bytes();
    master::Master continued(checked, glue::with_joints());
    continued.restore(bytes);
    for (int i = 51; i <= 300; ++i)
        continued.step(i == 300 ? stop : i * step);
    std::vector<double> row(continued.columns().size());
    continued.read(row);
    CHECK(row == swung.rows.back());
}

TEST_CASE("a part for which newton never works is tried with it ever more seldom") {
    const Run swung = run(hanging("wrong", 3, 0.01, 3));
    CHECK(swung.failure == "");
    CHECK(swung.report.joints[0].method == "difference");
    CHECK(swung.remarks("method newton again") == 3); // after 20, 40, 80 of 300 steps
}

TEST_CASE("a rotor that turns more than half a turn in a step has the angle that it has turned by") {
    // 5.2 rad and 13 rad in a step.
    const double rate = GENERATE(52.0, -130.0);
    INFO(rate);
    constexpr double step = 0.1, stop = 2;
    system::System system = hanging("", 3, step, stop);
    system.fmus[0].set = {setting("mass", mass), setting("step", 1e-3),
                          setting("w", std::vector<double>{0, rate, 0})};
    const Run spun = run(system);
    CHECK(spun.failure == "");
    for (std::size_t i = 0; i < spun.rows.size(); ++i) {
        REQUIRE(spun.at(i, "pin.angle") == Approx(rate * step * static_cast<double>(i)).margin(1e-4));
        REQUIRE(spun.at(i, "pin.rate") == Approx(rate));
        REQUIRE((spun.vector(i, "pin.f_0") - Vec3(0, 0, mass * gravity)).norm() < 1e-6);
    }
}

TEST_CASE("a driven rotor that turns more than half a turn in a step follows its driver, turn by turn") {
    const std::string method = GENERATE("newton", "difference", "cubic");
    INFO(method);
    constexpr double step = 0.1, stop = 2, amplitude = 30, frequency = 10 / (2 * 3.14159265358979323846);
    system::System system = hanging("", 3, step, stop);
    system.master.method = method == "cubic" ? "newton" : method;
    system.master.polynomial = method == "cubic" ? "cubic" : "linear";
    system.fmus[0].set = {setting("mass", mass), setting("step", 2.5e-4),
                          setting("w", std::vector<double>{0, 10 * amplitude, 0})};
    system.joints[0].numbers["motion.amplitude"] = {amplitude};
    system.joints[0].numbers["motion.frequency"] = {frequency};
    const Run spun = run(system);
    CHECK(spun.failure == "");
    for (std::size_t i = 0; i < spun.rows.size(); ++i) {
        INFO("t = " << step * static_cast<double>(i));
        REQUIRE(spun.at(i, "pin.angle") ==
                Approx(amplitude * std::sin(10 * step * static_cast<double>(i))).margin(1e-4));
    }
    CHECK(spun.report.joints[0].driver_work ==
          Approx(0.5 * 0.1 * std::pow(10 * amplitude, 2) * (std::pow(std::cos(20), 2) - 1)).epsilon(2e-2));
}
