#include "fmu/instance.hpp"

#include "core/math/error.hpp"
#include "tests/support/folders.hpp"
#include "tools/model_file/model_reader.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <map>

using namespace tenon;
using namespace tenon::fmu;

namespace {

Model example(const std::string& name) {
    return read_model(tests::source_folder() + "/examples/" + name + ".toml");
}

std::size_t slot(const Instance& instance, const std::string& name) {
    for (const fmu::Variable& v : instance.interface().variables())
        for (std::size_t e = 0; e < v.elements(); ++e)
            if (v.element_name(e) == name)
                return v.slot + e;
    FAIL("no variable " << name);
    return 0;
}

void begin(Instance& instance, double start = 0) {
    instance.set_experiment(start, {});
    instance.start();
    instance.set_phase(Phase::step);
}

std::vector<double> outputs(Instance& instance) {
    std::vector<double> values;
    for (const fmu::Variable& v : instance.interface().variables())
        for (std::size_t e = 0; e < v.elements() && v.role == Role::output; ++e)
            values.push_back(instance.get(v.slot + e));
    return values;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

/// A pendulum pushed by an input, as in requirement 42.
Model pushed_pendulum(const std::string& integrator, double step) {
    Model model = parse_model(R"([[body]]
name = "arm"
mass = 2.0
inertia = [0.02, 0.2, 0.2]
position = [0.5, 0.0, 0.0]
[[joint]]
name = "pin"
type = "revolute"
bodies = ["world", "arm"]
at = [0.0, 0.0, 0.0]
axis = [0.0, 1.0, 0.0]
[[force]]
name = "push"
type = "force"
body = "arm"
at = [1.0, 0.0, 0.0]
force = [0.0, 0.0, 0.0]
input = true
[[port]]
name = "tip"
body = "arm"
at = [1.0, 0.0, 0.0]
)",
                              "pushed.toml");
    model.solver.integrator = integrator;
    model.solver.step = step;
    return model;
}

double push(double t) { return 20 * std::sin(3 * t) + 5 * t * t; }
double push_rate(double t) { return 60 * std::cos(3 * t) + 10 * t; }
double push_acceleration(double t) { return -180 * std::sin(3 * t) + 10; }

/// Angle at t = 1 with the push sent by derivatives up to `order` every h.
double pushed(int order, double h) {
    Instance instance{Blueprint(pushed_pendulum("munthe-kaas", 1e-3))};
    const std::size_t u = slot(instance, "push.f[3]");
    instance.set(u, push(0));
    begin(instance);
    const int steps = static_cast<int>(std::round(1 / h));
    for (int i = 0; i < steps; ++i) {
        const double t = i * h;
        instance.set(u, push(t));
        if (order >= 1)
            instance.set_input_derivative(u, 1, push_rate(t));
        if (order >= 2)
            instance.set_input_derivative(u, 2, push_acceleration(t));
        instance.step(t, h);
    }
    return instance.get(slot(instance, "pin.angle"));
}

struct Follower final : StepObserver {
    Instance& instance;
    std::size_t input;
    std::vector<double> asked, ended;
    std::optional<double> stop_at;
    Follower(Instance& i, std::size_t u) : instance(i), input(u) {}
    void inputs_wanted(double time) override {
        asked.push_back(time);
        instance.set(input, push(time));
    }
    std::optional<double> finished(double time) override {
        ended.push_back(time);
        return stop_at;
    }
};

} // namespace

TEST_CASE(
    "an instance reads the same digits as the simulation, whatever the communication step, on the grid") {
    const Model model = example("cart");
    Simulation simulation(model);
    const double h = model.solver.step;
    for (int i = 0; i < 60; ++i)
        simulation.step((i + 1) * h - simulation.time());
    std::vector<double> expected(simulation.columns().size());
    simulation.read(expected);
    for (const int every : {1, 2, 5, 20, 60}) {
        Instance instance{Blueprint(model)};
        begin(instance);
        for (int i = 0; i < 60 / every; ++i)
            instance.step(i * every * h, every * h);
        INFO(every);
        CHECK(outputs(instance) == expected);
        CHECK(instance.get(slot(instance, "time")) == Approx(60 * h));
    }
}

TEST_CASE("an instance started at a negative or large time moves as if started at zero") {
    for (const double start : {-3.0, 100.0}) {
        Instance a{Blueprint(example("driven_crank"))}, b{Blueprint(example("driven_crank"))};
        begin(a);
        begin(b, start);
        for (int i = 0; i < 20; ++i) {
            a.step(i * 0.01, 0.01);
            b.step(start + i * 0.01, 0.01);
        }
        CHECK(difference(outputs(a), outputs(b)) < 1e-7);
        CHECK(b.time() == Approx(start + 0.2));
    }
}

TEST_CASE(
    "the trajectory does not depend on the sequence of communication steps within the integrator's error") {
    Instance even{Blueprint(pushed_pendulum("munthe-kaas", 1e-3))},
        odd{Blueprint(pushed_pendulum("munthe-kaas", 1e-3))};
    begin(even);
    begin(odd);
    for (int i = 0; i < 100; ++i)
        even.step(i * 0.01, 0.01);
    double t = 0;
    for (int i = 0; t < 1; ++i) {
        const double h = std::min(0.0007 * (1 + i % 13), 1 - t);
        odd.step(t, h);
        t = odd.time();
    }
    CHECK(difference(outputs(even), outputs(odd)) < 1e-8);
}

TEST_CASE("derivatives of inputs raise the order of a driven pendulum as theory says") {
    const double exact = pushed(2, 1e-3);
    for (const int order : {0, 1, 2}) {
        const double coarse = std::abs(pushed(order, 0.04) - exact),
                     fine = std::abs(pushed(order, 0.02) - exact);
        INFO("order " << order << " errors " << coarse << " " << fine);
        CHECK(std::log2(coarse / fine) == Approx(order + 1).margin(0.25));
    }
}

TEST_CASE("inputs asked for within the step are followed by every internal stage") {
    Instance exact{Blueprint(pushed_pendulum("munthe-kaas", 1e-3))};
    const std::size_t u = slot(exact, "push.f[3]");
    begin(exact);
    Follower fine(exact, u);
    exact.step(0, 1, &fine);
    CHECK(exact.get(slot(exact, "pin.angle")) == Approx(pushed(2, 1e-3)).epsilon(1e-8));
    REQUIRE(fine.ended.size() == 1000);
    CHECK(fine.asked.size() == 3000);
    for (std::size_t i = 0; i < 1000; ++i) { // never behind a finished step
        CHECK(fine.asked[3 * i] >= (i == 0 ? 0 : fine.ended[i - 1]) - 1e-12);
        CHECK(fine.asked[3 * i + 2] <= fine.ended[i] + 1e-12);
    }
    CHECK(exact.get(u) == push(fine.asked.back()));
}

TEST_CASE("a step ends early at the time that was asked for, to the digit") {
    Instance instance{Blueprint(pushed_pendulum("munthe-kaas", 1e-2))};
    begin(instance);
    Follower follower(instance, slot(instance, "push.f[3]"));
    follower.stop_at = 0.0333;
    CHECK(instance.step(0, 0.1, &follower) == Approx(0.0333).epsilon(1e-14));
    CHECK(instance.time() == Approx(0.0333).epsilon(1e-14));
    follower.stop_at.reset();
    CHECK(instance.step(0.0333, 0.1, &follower) == Approx(0.1333));
}

TEST_CASE("a restored instance goes on with the same bits, for every integrator") {
    for (int integrator = 1; integrator <= 10; ++integrator) {
        INFO(integrator);
        Instance instance{Blueprint(example("ports_flanges"))};
        instance.set(slot(instance, "solver.integrator"), integrator);
        begin(instance);
        const std::size_t f = slot(instance, "tip.f_0[1]"), tau = slot(instance, "drive.tau");
        instance.step(0, 0.01);
        instance.set(f, 3);
        instance.set_input_derivative(f, 1, -20);
        instance.step(0.01, 0.01);
        instance.set(tau, 0.4);
        Snapshot saved;
        instance.save(saved);
        const std::vector<unsigned char> bytes = instance.to_bytes(saved);
        const auto go_on = [&](Instance& i) {
            i.set_input_derivative(tau, 2, 7);
            i.step(0.02, 0.013);
            i.step(0.033, 0.007);
            return outputs(i);
        };
        const std::vector<double> first = go_on(instance);
        instance.restore(saved);
        CHECK(go_on(instance) == first);
        Instance other{Blueprint(example("ports_flanges"))};
        other.restore(other.from_bytes(bytes));
        CHECK(go_on(other) == first);
    }
}

TEST_CASE("a saved instance that has not started restores its parameters and inputs") {
    Instance instance{Blueprint(example("ports_flanges"))};
    instance.set(slot(instance, "arm.mass"), 7);
    instance.set(slot(instance, "drive.tau"), 2);
    Snapshot saved;
    instance.save(saved);
    instance.set(slot(instance, "arm.mass"), 1);
    instance.restore(instance.from_bytes(instance.to_bytes(saved)));
    CHECK(instance.get(slot(instance, "arm.mass")) == 7);
    CHECK(instance.get(slot(instance, "drive.tau")) == 2);
}

TEST_CASE("a state's bytes of an FMU are refused when truncated, altered or of another FMU") {
    Instance instance{Blueprint(example("ports_flanges"))}, other{Blueprint(example("cart"))};
    begin(instance);
    Snapshot saved;
    instance.save(saved);
    const std::vector<unsigned char> bytes = instance.to_bytes(saved);
    for (std::size_t i = 0; i < bytes.size(); i += 7) {
        std::vector<unsigned char> altered = bytes;
        altered[i] ^= 1;
        CHECK_THROWS_AS(instance.from_bytes(altered), Error);
        CHECK_THROWS_AS(instance.from_bytes(std::span(bytes).first(i)), Error);
    }
    CHECK_THROWS_WITH(other.from_bytes(bytes), Catch::Contains("another FMU"));
}

TEST_CASE("a failed step leaves the instance as it was, to the bit") {
    Model model = pushed_pendulum("projection", 1e-2);
    Instance instance{Blueprint(model)}, spared{Blueprint(model)};
    const std::size_t u = slot(instance, "push.f[3]");
    for (Instance* i : {&instance, &spared}) {
        begin(*i);
        i->step(0, 0.1);
    }
    const std::vector<double> before = outputs(instance);
    instance.set(u, 1e300);
    CHECK_THROWS_AS(instance.step(0.1, 0.1), Error);
    CHECK(instance.time() == 0.1);
    instance.set(u, 0);
    CHECK(outputs(instance) == before);
    instance.step(0.1, 0.1);
    spared.step(0.1, 0.1);
    CHECK(outputs(instance) == outputs(spared));
}

TEST_CASE("times that make no sense are refused and rounding is not") {
    Instance instance{Blueprint(pushed_pendulum("munthe-kaas", 1e-2))};
    instance.set_experiment(0, 0.3);
    instance.start();
    for (const double h : {0.0, -0.1, std::nan(""), static_cast<double>(INFINITY)})
        CHECK_THROWS_AS(instance.step(0, h), Error);
    CHECK_THROWS_WITH(instance.step(0.05, 0.1), Catch::Contains("begins at"));
    instance.step(1e-17, 0.1);
    instance.step(0.1 * (1 + 1e-15), 0.1);
    CHECK_THROWS_WITH(instance.step(0.2, 0.11), Catch::Contains("stop time"));
    instance.step(0.2, 0.1 + 1e-13);
}

TEST_CASE("a tuned mass acts from the next step on and goes on from where the machine is") {
    Model heavy = pushed_pendulum("munthe-kaas", 1e-3);
    Instance instance{Blueprint(heavy)};
    const std::size_t mass = slot(instance, "arm.mass"), u = slot(instance, "push.f[3]"),
                      a = slot(instance, "tip.aux.a_0[3]"), angle = slot(instance, "pin.angle");
    begin(instance);
    instance.step(0, 0.1);
    const double before = instance.get(angle);
    instance.set(mass, 4);
    instance.set(u, 1);
    instance.step(0.1, 0.001);
    CHECK(instance.get(angle) == Approx(before).epsilon(0.05));
    // Euler about the pin with the new mass: (I + m l^2) w' = moment of gravity and push.
    const double phi = instance.get(angle), inertia = 0.2 + 4 * 0.25;
    const double expected = -(-4 * 9.81 * 0.5 + 1.0) * std::cos(phi) / inertia;
    const double rate = instance.get(slot(instance, "pin.rate"));
    CHECK(instance.get(a) == Approx(-expected * std::cos(phi) + rate * rate * std::sin(phi)).epsilon(1e-6));
    Snapshot saved; // and is part of the state
    instance.save(saved);
    instance.set(mass, 2);
    instance.step(0.101, 0.01);
    instance.restore(saved);
    CHECK(instance.get(mass) == 4);
}

TEST_CASE("an instance reset after anything begins as the first time") {
    Instance instance{Blueprint(example("ports_flanges"))};
    const auto run = [&] {
        begin(instance);
        for (int i = 0; i < 10; ++i)
            instance.step(i * 0.01, 0.01);
        return outputs(instance);
    };
    const std::vector<double> first = run();
    instance.set(slot(instance, "drive.tau"), 3);
    CHECK_THROWS(instance.step(99, 1));
    instance.reset();
    instance.set(slot(instance, "arm.mass"), 9);
    instance.reset();
    CHECK(run() == first);
}

TEST_CASE("the world of an FMU can be put elsewhere in the master's") {
    Instance a{Blueprint(example("ports_flanges"))}, b{Blueprint(example("ports_flanges"))};
    b.set(slot(b, "world_r[1]"), 5);
    for (const auto& [name, value] : std::map<std::string, double>{
             {"world_R[1,1]", 0}, {"world_R[1,2]", -1}, {"world_R[2,1]", 1}, {"world_R[2,2]", 0}})
        b.set(slot(b, name), value); // a quarter turn about z
    a.set(slot(a, "tip.f_0[1]"), 2);
    b.set(slot(b, "tip.f_0[2]"), 2);
    begin(a);
    begin(b);
    a.step(0, 0.05);
    b.step(0, 0.05);
    CHECK(b.get(slot(b, "tip.r_0[1]")) == Approx(5 - a.get(slot(a, "tip.r_0[2]"))).margin(1e-9));
    CHECK(b.get(slot(b, "tip.r_0[2]")) == Approx(a.get(slot(a, "tip.r_0[1]"))).margin(1e-9));
    CHECK(b.get(slot(b, "tip.aux.work")) == Approx(a.get(slot(a, "tip.aux.work"))).margin(1e-9));
}
