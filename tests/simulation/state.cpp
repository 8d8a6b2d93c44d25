// The state as one value: saved, restored, sent through bytes, refused, and left alone by a step that fails.

#include "core/integrators/integrator_types.hpp"
#include "core/simulation/state_bytes.hpp"
#include "tests/support/machine_run.hpp"

#include <catch2/catch.hpp>

#include <cstring>
#include <limits>

using namespace tenon;
using namespace tenon::tests;

namespace {

const std::vector<std::string> machines = {"driven_crank", "n_four_bar_2", "rolling_disc", "spring_pendulum",
                                           "cart",         "geared_arms",  "screw_press",  "ports_flanges"};

Model machine(const std::string& name, const std::string& integrator) {
    const Model model = example(name);
    return with(model, {integrator}, model.solver.step, model.solver.stop);
}

/// All bits, so that -0 and NaN count.
bool same(const Vector& a, const Vector& b) {
    return a.size() == b.size() &&
           (a.size() == 0 ||
            std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0);
}

bool same(const State& a, const State& b) {
    bool equal = a.inputs.size() == b.inputs.size() && a.time == b.time && a.work == b.work &&
                 a.power == b.power && a.renew == b.renew && a.iterations == b.iterations && same(a.q, b.q) &&
                 same(a.v, b.v) && same(a.a, b.a) && same(a.lambda, b.lambda) && same(a.memory, b.memory) &&
                 same(a.angle, b.angle) && same(a.angle_rate, b.angle_rate) && same(a.port_work, b.port_work);
    equal = equal && std::memcmp(&a.account, &b.account, sizeof(EnergyAccount)) == 0;
    for (std::size_t i = 0; equal && i < a.inputs.size(); ++i)
        equal = std::memcmp(&a.inputs[i], &b.inputs[i], sizeof(InputPolynomial)) == 0;
    return equal;
}

Vector values(const Simulation& simulation) {
    Vector out(static_cast<Eigen::Index>(simulation.columns().size()));
    simulation.read({out.data(), simulation.columns().size()});
    return out;
}

struct Trace {
    std::vector<State> states;
    std::vector<Vector> read;
};

Trace trace(Simulation& simulation, double h, int steps) {
    Trace out;
    for (int i = 0; i < steps; ++i) {
        simulation.step(i % 2 == 0 ? h : 0.7 * h);
        out.states.push_back(simulation.state());
        out.read.push_back(values(simulation));
    }
    return out;
}

void check_same(const Trace& a, const Trace& b) {
    REQUIRE(a.states.size() == b.states.size());
    for (std::size_t i = 0; i < a.states.size(); ++i) {
        CAPTURE(i);
        CHECK(same(a.states[i], b.states[i]));
        CHECK(same(a.read[i], b.read[i]));
    }
}

/// A crank of 0.5 m that a driver turns on a rod of 0.3 m: it locks where 0.5 sin(angle) = 0.3, at 0.6435 rad.
Model locking_machine(const std::string& integrator) {
    return with(parse_model(R"(
[model]
name = "locking"
[[body]]
name = "crank"
mass = 1
inertia = [0.1, 0.1, 0.1]
position = [0.25, 0, 0]
[[body]]
name = "rod"
mass = 1
inertia = [0.1, 0.1, 0.1]
position = [0.65, 0, 0]
[[joint]]
name = "pin"
type = "revolute"
bodies = ["world", "crank"]
at = [0, 0, 0]
axis = [0, 0, 1]
[[joint]]
name = "knee"
type = "revolute"
bodies = ["crank", "rod"]
at = [0.5, 0, 0]
axis = [0, 0, 1]
[[joint]]
name = "slot"
type = "point_on_line"
bodies = ["world", "rod"]
at = [0.8, 0, 0]
axis = [1, 0, 0]
[[driver]]
name = "motor"
joint = "pin"
motion = { rate = 1.0 }
)",
                            "locking.toml"),
                {integrator}, 0.01, 1);
}

} // namespace

TEST_CASE("saved, stepped, restored and stepped again gives the same bits with every integrator") {
    for (const IntegratorType& type : integrator_types()) {
        for (const std::string& name : machines) {
            CAPTURE(type.name, name);
            Simulation simulation(machine(name, type.name));
            const double h = simulation.model().solver.step;
            trace(simulation, h, 4);
            const State saved = simulation.state();
            const Vector seen = values(simulation);
            const Trace once = trace(simulation, h, 3);
            simulation.step(0.31 * h); // what a method might remember aside
            simulation.restore(saved);
            CHECK(same(simulation.state(), saved));
            CHECK(same(values(simulation), seen));
            CHECK(simulation.time() == saved.time);
            check_same(once, trace(simulation, h, 3));
        }
    }
}

TEST_CASE(
    "a state sent through bytes to another simulation goes on with the same bits with every integrator") {
    for (const IntegratorType& type : integrator_types()) {
        for (const std::string& name : machines) {
            CAPTURE(type.name, name);
            Simulation first(machine(name, type.name)), second(machine(name, type.name));
            const double h = first.model().solver.step;
            trace(first, h, 4);
            trace(second, 0.5 * h, 3); // the other has been elsewhere
            const std::vector<unsigned char> bytes = first.to_bytes();
            second.from_bytes(bytes);
            CHECK(same(first.state(), second.state()));
            CHECK(same(values(first), values(second)));
            CHECK(second.to_bytes() == bytes);
            check_same(trace(first, h, 3), trace(second, h, 3));
        }
    }
}

TEST_CASE("inputs set before or after saving are part of the state with every integrator") {
    for (const IntegratorType& type : integrator_types()) {
        for (const char* name : {"cart", "ports_flanges"}) {
            CAPTURE(type.name, name);
            Simulation first(machine(name, type.name)), second(machine(name, type.name));
            const double h = first.model().solver.step;
            REQUIRE_FALSE(first.inputs().empty());
            const int input =
                static_cast<int>(first.inputs().size()) - 1; // the pull, the torque about the shaft
            trace(first, h, 2);
            first.set_input(input, 3, 0.5, -1);
            first.step(h);
            first.set_input(input, -1, 2, 0); // just set, not stepped yet
            const State saved = first.state();
            const std::vector<unsigned char> bytes = first.to_bytes();
            const Trace once = trace(first, h, 3);
            first.set_input(input, 100);
            first.restore(saved);
            check_same(once, trace(first, h, 3));
            second.set_input(input, 50);
            second.step(h);
            second.from_bytes(bytes);
            check_same(once, trace(second, h, 3));
            // The input matters.
            first.restore(saved);
            first.set_input(input, 7);
            CHECK_FALSE(same(trace(first, h, 3).states.back().q, once.states.back().q));
        }
    }
}

TEST_CASE("an input that changes between steps acts from there on with every integrator") {
    // A cart of 14 kg reduced mass: F held over steps of h changes the speed by F h / 14; half a step late would be 2 %.
    for (const IntegratorType& type : integrator_types()) {
        CAPTURE(type.name);
        Simulation simulation(machine("cart", type.name));
        Results results(simulation);
        const double h = 0.005;
        double expected = 0.5;
        const double forces[] = {2, 28, -14, 0, 70};
        for (double force : forces) {
            simulation.set_input(0, force);
            simulation.step(h);
            expected += force * h / 14;
        }
        results.refresh();
        CHECK(results("cart.v_0[1]") == Approx(expected).epsilon(1e-4));
    }
}

TEST_CASE("truncated, lengthened and altered bytes are refused and leave the simulation as it was") {
    for (const char* integrator : {"projection", "munthe-kaas", "gauss-newmark"}) {
        CAPTURE(integrator);
        Simulation simulation(machine("cart", integrator)), twin(machine("cart", integrator));
        const double h = simulation.model().solver.step;
        trace(simulation, h, 3);
        trace(twin, h, 3);
        const std::vector<unsigned char> bytes = twin.to_bytes();
        const State before = simulation.state();
        const Vector seen = values(simulation);
        REQUIRE(bytes.size() > 200);
        for (std::size_t n = 0; n < bytes.size(); ++n) {
            const std::span<const unsigned char> cut(bytes.data(), n);
            CHECK_THROWS_AS(simulation.from_bytes(cut), Error);
        }
        std::vector<unsigned char> longer = bytes;
        longer.push_back(0);
        CHECK_THROWS_AS(simulation.from_bytes(longer), Error);
        longer.insert(longer.end(), bytes.begin(), bytes.end());
        CHECK_THROWS_AS(simulation.from_bytes(longer), Error);
        for (std::size_t n = 0; n < bytes.size(); ++n) {
            std::vector<unsigned char> altered = bytes;
            altered[n] = static_cast<unsigned char>(altered[n] ^ (1U << (n % 8)));
            CHECK_THROWS_AS(simulation.from_bytes(altered), Error);
        }
        std::vector<unsigned char> swapped = bytes; // two numbers changed places
        std::swap_ranges(swapped.begin() + 64, swapped.begin() + 72, swapped.begin() + 72);
        CHECK_THROWS_AS(simulation.from_bytes(swapped), Error);
        CHECK(same(simulation.state(), before));
        CHECK(same(values(simulation), seen));
        check_same(trace(simulation, h, 2), trace(twin, h, 2));
    }
}

TEST_CASE("bytes of another model, integrator, coordinates or parameter are refused") {
    const Model model = machine("double_pendulum", "explicit-correction");
    Simulation simulation(model);
    simulation.step(model.solver.step);
    const State before = simulation.state();
    const auto refused = [&](const Model& other) {
        Simulation foreign(other);
        foreign.step(model.solver.step);
        CHECK_THROWS_AS(simulation.from_bytes(foreign.to_bytes()), Error);
    };
    refused(machine("double_pendulum", "baumgarte")); // of the same size
    refused(machine("double_pendulum", "projection"));
    refused(machine("slider_crank", "explicit-correction"));
    Model other = model;
    other.bodies[1].mass *= 1 + 1e-15;
    refused(other);
    other = model;
    other.gravity.x() = 1e-9;
    refused(other);
    other = model;
    other.joints[0].friction.viscous = 0.1;
    refused(other);
    other = model;
    other.solver.coordinates = "lie";
    refused(other);
    other = model;
    other.solver.tolerance = 1e-9;
    refused(other);
    other = model;
    other.solver.options["energy"] = false;
    refused(other);
    CHECK(same(simulation.state(), before));
    // A start velocity, a name of the model and a drawing do not matter for going on.
    other = model;
    other.name = "renamed";
    other.bodies[0].shape.color = "red";
    Simulation twin(other);
    CHECK_NOTHROW(twin.from_bytes(simulation.to_bytes()));
    CHECK(same(twin.state(), simulation.state()));
}

TEST_CASE("every integrator fails where a machine locks and leaves the state as it was") {
    for (const IntegratorType& type : integrator_types()) {
        CAPTURE(type.name);
        Simulation simulation(locking_machine(type.name));
        State before;
        Vector seen;
        std::string message;
        for (int i = 0; i < 80 && message.empty(); ++i) {
            before = simulation.state();
            seen = values(simulation);
            try {
                simulation.step(0.01);
            } catch (const Error& error) {
                message = error.what();
                CHECK(error.kind() == ErrorKind::computation);
            }
        }
        CAPTURE(message);
        REQUIRE_FALSE(message.empty());
        CHECK(simulation.time() > 0.6);
        CHECK(simulation.time() < 0.66);
        CHECK(message.find("t = ") != std::string::npos);
        CHECK(same(simulation.state(), before));
        CHECK(same(values(simulation), seen));
        const long steps = simulation.report().steps;
        CHECK_THROWS_AS(simulation.step(0.01), Error); // and fails again
        CHECK(same(simulation.state(), before));
        CHECK(simulation.report().steps == steps);
        simulation.restore(before);
        CHECK(same(simulation.state(), before));
    }
}

TEST_CASE(
    "an input that is not a number makes the step fail with an error, and the machine goes on when it is "
    "set right") {
    for (const IntegratorType& type : integrator_types()) {
        CAPTURE(type.name);
        Simulation simulation(machine("cart", type.name)), twin(machine("cart", type.name));
        const double h = simulation.model().solver.step;
        trace(simulation, h, 2);
        trace(twin, h, 2);
        const State saved = simulation.state();
        simulation.set_input(0, std::numeric_limits<double>::quiet_NaN());
        const State before = simulation.state();
        CHECK_THROWS_AS(simulation.step(h), Error);
        CHECK(same(simulation.state(), before));
        simulation.restore(saved);
        check_same(trace(simulation, h, 2), trace(twin, h, 2));
    }
}
