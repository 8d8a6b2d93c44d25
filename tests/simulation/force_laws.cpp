// Machines with laws, stops, limits and actuators: against closed forms, an integration of their own, and their energy.

#include "tests/support/machine_run.hpp"
#include "tests/support/machines.hpp"

#include <numbers>

using namespace tenon;
using namespace tenon::tests;

namespace {

constexpr double mass = 2;

/// A block of 2 kg that slides along x without gravity, held to the world by a force along x.
Model block(Force force, double speed = 0) {
    Model model;
    model.gravity = Vec3::Zero();
    Body body;
    body.name = "block";
    body.mass = mass;
    body.inertia = Vec3(0.1, 0.1, 0.1).asDiagonal();
    body.velocity = Vec3(speed, 0, 0);
    model.bodies = {body};
    model.joints = {joint_of("rail", "prismatic", world, 0, Vec3::Zero(), Vec3::UnitX())};
    force.name = "hold";
    model.forces = {std::move(force)};
    return model;
}

/// Between a point 1 m to the left and the block; x is the block's way.
Force spring() {
    Force force;
    force.type = "spring_damper";
    force.first = world;
    force.second = 0;
    force.set("points", std::array<Vec3, 2>{Vec3(-1, 0, 0), Vec3::Zero()});
    return force;
}

const Law hardening = polynomial_law({0, 200, 0, 2e4});
const Law kinked{{{0, {0, 200}}, {0.05, {-30, 800}}}, {}};
const Law over_points{{}, {{-0.2, -80}, {-0.1, -15}, {0, 0}, {0.1, 30}, {0.2, 90}}};
const Stop bump{-0.04, 5e3, 0}, rebound{0.06, 8e3, 0};

/// Everything elastic at once would hide what one of them does.
std::vector<Force> elastic_forces() {
    std::vector<Force> all;
    for (const Law& law : {hardening, kinked, over_points})
        all.push_back(spring().set("spring", law));
    all.push_back(spring().set("stiffness", 50.0).set("bump_stop", bump).set("rebound_stop", rebound));
    all.push_back(spring().set("spring", polynomial_law({-400, 400})).set("free_length", 0.0));
    return all;
}

/// x and v after `stop` of m x'' = f(x, x'), by the classical Runge-Kutta method with steps of 10 microseconds.
template <class F> Vec3 integrated(F f, double v, double stop) {
    double x = 0;
    const long n = std::lround(stop / 1e-5);
    const double h = stop / static_cast<double>(n);
    for (long i = 0; i < n; ++i) {
        const double a1 = f(x, v) / mass, v1 = v;
        const double a2 = f(x + h / 2 * v1, v + h / 2 * a1) / mass, v2 = v + h / 2 * a1;
        const double a3 = f(x + h / 2 * v2, v + h / 2 * a2) / mass, v3 = v + h / 2 * a2;
        const double a4 = f(x + h * v3, v + h * a3) / mass, v4 = v + h * a3;
        x += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
        v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return {x, v, 0};
}

/// A result variable now, of those on request too.
double now(const Simulation& simulation, const std::string& name) {
    const std::vector<Column>& columns = simulation.all_columns();
    std::vector<double> values(columns.size());
    simulation.read(values);
    const auto found = std::ranges::find(columns, name, &Column::name);
    REQUIRE(found != columns.end());
    return values[static_cast<std::size_t>(found - columns.begin())];
}

double way_after(const Model& model, const std::string& method, double step, double stop) {
    Simulation simulation(with(model, {.integrator = method}, step, stop));
    run(simulation, step, stop);
    Results results(simulation);
    results.refresh();
    return results("block.r_0[1]");
}

/// Largest |E - E0 - W| over a run, and the largest rise of the energy from one step to the next.
std::pair<double, double> energy_error(const Model& model, const Method& method, double step, double stop) {
    Simulation simulation(with(model, method, step, stop));
    Results results(simulation);
    double start = 0, before = 0, error = 0, rise = -1e300;
    bool first = true;
    run(simulation, step, stop, [&](const Simulation&) {
        results.refresh();
        const double energy = results.energy(), balance = energy - results("energy.work");
        if (first)
            start = balance;
        else
            rise = std::max(rise, energy - before);
        error = std::max(error, std::abs(balance - start));
        before = energy;
        first = false;
    });
    return {error, rise};
}

} // namespace

TEST_CASE("energy methods keep the energy of springs with laws and stops to round-off") {
    for (const Force& force : elastic_forces())
        for (const char* method : {"energy-preserving", "conserving"}) {
            INFO(method);
            CHECK(energy_error(block(force, 1.5), {.integrator = method, .tolerance = 1e-12}, 0.01, 2).first <
                  1e-9);
        }
}

TEST_CASE("energy-decaying never lets the energy of springs with laws and stops rise") {
    for (const Force& force : elastic_forces())
        for (const double dissipation : {0.0, 1.0}) {
            const auto [error, rise] = energy_error(block(force, 1.5),
                                                    {.integrator = "energy-decaying",
                                                     .options = {{"dissipation", dissipation}},
                                                     .tolerance = 1e-12},
                                                    0.01, 2);
            CHECK(rise < 1e-9);
            if (dissipation == 0)
                CHECK(error < 1e-9);
        }
}

TEST_CASE("what dampers with laws and stops take is in the work, to round-off") {
    Force force = spring().set("spring", hardening).set("damper", Law{{}, {{-1, -8}, {0, 0}, {1, 20}}});
    force.set("bump_stop", Stop{-0.04, 5e3, 40}).set("rebound_stop", Stop{0.06, 8e3, 40});
    const auto [error, rise] =
        energy_error(block(force, 1.5), {.integrator = "energy-preserving", .tolerance = 1e-12}, 0.01, 2);
    CHECK(error < 1e-9);
    CHECK(rise < 1e-9);
}

TEST_CASE("every method follows a block on a law, a damper and stops as an integration of its own does") {
    const auto pull = [](double x, double v) {
        double f = -(200 * x + 2e4 * x * x * x) - (v > 0 ? 20 * v : 8 * v);
        if (x > 0.06)
            f -= std::max(0.0, 8e3 * (x - 0.06) + 5 * v);
        return f;
    };
    Force force = spring().set("spring", hardening);
    force.set("damper", Law{{{0, {0, 8}}, {0, {0, 20}}}, {}}).set("rebound_stop", Stop{0.06, 8e3, 5});
    const Vec3 there = integrated(pull, 1.5, 0.4);
    for (const std::string& method : all_methods()) {
        INFO(method);
        CHECK(way_after(block(force, 1.5), method, 1e-3, 0.4) ==
              Approx(there[0]).margin(method == "baumgarte" ? 1e-3 : 2e-4));
    }
}

TEST_CASE("explicit methods are of fourth order on a smooth law") {
    const double there =
        integrated([](double x, double) { return -(200 * x + 2e4 * x * x * x); }, 1.5, 0.5)[0];
    const Model model = block(spring().set("spring", hardening), 1.5);
    for (const char* method : {"munthe-kaas", "baumgarte"}) {
        INFO(method);
        const double coarse = std::abs(way_after(model, method, 0.01, 0.5) - there);
        const double fine = std::abs(way_after(model, method, 0.005, 0.5) - there);
        CHECK(std::log2(coarse / fine) > 3.5);
    }
}

TEST_CASE("a spring with an axis measures along it, of either sign") {
    Force force = spring();
    force.set("points", std::array<Vec3, 2>{Vec3(1, 3, 0), Vec3::Zero()}).set("axis", Vec3(2, 0, 0));
    force.set("stiffness", 50.0).set("free_length", -1.2);
    Simulation simulation(with(block(force), {.integrator = "munthe-kaas"}, 1e-3, 1));
    CHECK(now(simulation, "hold.length") == Approx(-1));
    CHECK(now(simulation, "hold.force") == Approx(50 * 0.2));
    run(simulation, 1e-3, 1);
    // x'' = -25 (x + 0.2)
    CHECK(now(simulation, "block.r_0[1]") == Approx(0.2 * std::cos(5.0) - 0.2).epsilon(1e-6));
}

TEST_CASE("a joint's limits push back and never pull, and say when they are touched") {
    Force limit;
    limit.type = "joint_limit";
    limit.joint = 0;
    limit.set("lower", -0.1).set("upper", 0.05).set("stiffness", 2e4).set("damping", 60.0);
    Simulation simulation(with(block(limit, 1), {.integrator = "energy-preserving"}, 1e-3, 1));
    bool upper = false, lower = false;
    run(simulation, 1e-3, 1, [&](const Simulation&) {
        const double x = now(simulation, "rail.distance"), p = std::max({0.0, x - 0.05, -0.1 - x});
        CHECK(now(simulation, "hold.penetration") == Approx(p).margin(1e-12));
        CHECK(now(simulation, "hold.contact") == (p > 0 ? 1 : 0));
        CHECK(now(simulation, "hold.effort") * (x > 0 ? 1 : -1) <= 0);
        upper = upper || x > 0.05;
        lower = lower || x < -0.1;
    });
    CHECK((upper && lower));
}

TEST_CASE("an actuator applies its effort within its limits, as number, table and input") {
    Force push_right;
    push_right.type = "actuator";
    push_right.joint = 0;
    push_right.set("effort", 10.0);
    CHECK(way_after(block(push_right), "munthe-kaas", 1e-3, 1) == Approx(0.5 * 10 / mass));
    push_right.set("limits", std::vector<double>{-3, 4});
    CHECK(way_after(block(push_right), "munthe-kaas", 1e-3, 1) == Approx(0.5 * 4 / mass));
    push_right.set("effort", Table({0, 1}, {2, 2}));
    CHECK(way_after(block(push_right), "munthe-kaas", 1e-3, 1) == Approx(0.5 * 2 / mass));

    push_right.set("effort", 3.5).set("input", true);
    Simulation simulation(with(block(push_right), {.integrator = "energy-preserving"}, 1e-3, 1));
    REQUIRE(simulation.inputs().size() == 1);
    CHECK(simulation.inputs()[0].name == "hold.effort");
    CHECK(simulation.inputs()[0].unit == "N");
    CHECK(now(simulation, "hold.applied") == 3.5);
    simulation.set_input(0, -8);
    CHECK(now(simulation, "hold.applied") == -3);
    run(simulation, 1e-3, 1);
    CHECK(now(simulation, "block.r_0[1]") == Approx(-0.5 * 3 / mass));

    Force along_line = spring();
    along_line.type = "actuator";
    along_line.set("effort", 10.0); // pushes the points apart
    CHECK(way_after(block(along_line), "munthe-kaas", 1e-3, 1) == Approx(0.5 * 10 / mass));
}
