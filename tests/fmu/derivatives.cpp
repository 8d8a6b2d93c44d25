#include "core/math/error.hpp"
#include "fmu/instance.hpp"
#include "tests/support/folders.hpp"
#include "tools/model_file/model_reader.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <map>

using namespace tenon;
using namespace tenon::fmu;

namespace {

Blueprint example(const std::string& name, const std::string& integrator = {}) {
    Model model = read_model(tests::source_folder() + "/examples/" + name + ".toml");
    if (!integrator.empty())
        model.solver.integrator = integrator, model.solver.options.clear(), model.solver.coordinates.clear();
    return Blueprint(model);
}

void begin(Instance& instance, int steps) {
    instance.set_experiment(0, {});
    instance.start();
    instance.set_phase(Phase::step);
    for (int i = 0; i < steps; ++i)
        instance.step(i * 0.01, 0.01);
}

std::vector<std::size_t> slots(const Instance& instance, Role role) {
    std::vector<std::size_t> result;
    for (const fmu::Variable& v : instance.interface().variables())
        for (std::size_t e = 0; e < v.elements() && v.role == role; ++e)
            result.push_back(v.slot + e);
    return result;
}

std::vector<double> read(Instance& instance, const std::vector<std::size_t>& list) {
    std::vector<double> values;
    for (const std::size_t s : list)
        values.push_back(instance.get(s));
    return values;
}

const fmu::Variable& owner(const Instance& instance, std::size_t slot) {
    return instance.interface().variables()[instance.interface().variable_of(slot)];
}

} // namespace

TEST_CASE("directional derivatives by inputs agree with differences and with the declared dependencies, both "
          "ways") {
    for (const char* integrator : {"projection", "explicit-correction", "munthe-kaas", "energy-preserving"}) {
        INFO(integrator);
        Model model = read_model(tests::source_folder() + "/examples/ports_flanges.toml");
        model.joints[0].type =
            "spherical"; // the housing moves too, so that all follows all but the torque of the ball
        model.joints[0].at = Vec3(0.1, 0.2, 0);
        model.solver.integrator = integrator;
        Instance instance{Blueprint(model)};
        begin(instance, 7);
        const auto outputs = slots(instance, Role::output), inputs = slots(instance, Role::input);
        std::map<std::pair<std::size_t, std::size_t>, bool> reacts; // by variables
        for (const std::size_t input : inputs) {
            const double one = 1, u = instance.get(input);
            std::vector<double> exact(outputs.size());
            instance.directional_derivative(outputs, {&input, 1}, {&one, 1}, exact);
            instance.set(input, u + 0.5);
            const std::vector<double> above = read(instance, outputs);
            instance.set(input, u - 0.5);
            const std::vector<double> below = read(instance, outputs);
            instance.set(input, u);
            for (std::size_t i = 0; i < outputs.size(); ++i) {
                INFO(owner(instance, outputs[i]).name << " by " << owner(instance, input).name);
                const double differences = above[i] - below[i];
                CHECK(exact[i] == Approx(differences).epsilon(1e-6).margin(1e-7));
                if (exact[i] != 0)
                    reacts[{instance.interface().variable_of(outputs[i]),
                            instance.interface().variable_of(input)}] = true;
            }
        }
        const auto& all = instance.interface().variables();
        for (std::size_t o = 0; o < all.size(); ++o)
            for (std::size_t i = 0; i < all.size(); ++i)
                if (all[o].role == Role::output && all[i].role == Role::input) {
                    INFO(all[o].name << " by " << all[i].name);
                    if (all[o].name != "constraint.acceleration") // follows all inputs, but by rounding only
                        CHECK(instance.interface().depends(all[o], all[i]) == reacts.contains({o, i}));
                }
    }
}

TEST_CASE("adjoint and directional derivatives agree in the dot product") {
    Instance instance(example("ports_flanges"));
    begin(instance, 5);
    const auto outputs = slots(instance, Role::output), inputs = slots(instance, Role::input);
    std::vector<double> seed(inputs.size()), weight(outputs.size()), forward(outputs.size()),
        back(inputs.size());
    for (std::size_t i = 0; i < seed.size(); ++i)
        seed[i] = std::sin(1.0 + static_cast<double>(i));
    for (std::size_t i = 0; i < weight.size(); ++i)
        weight[i] = std::cos(2.0 * static_cast<double>(i));
    instance.directional_derivative(outputs, inputs, seed, forward);
    instance.adjoint_derivative(outputs, inputs, weight, back);
    double a = 0, b = 0;
    for (std::size_t i = 0; i < forward.size(); ++i)
        a += weight[i] * forward[i];
    for (std::size_t i = 0; i < back.size(); ++i)
        b += back[i] * seed[i];
    CHECK(a == Approx(b).epsilon(1e-12));
    CHECK(std::abs(a) > 1e-3);
}

TEST_CASE("derivatives change nothing") {
    Instance asked(example("ports_flanges")), spared(example("ports_flanges"));
    begin(asked, 5);
    begin(spared, 5);
    const auto outputs = slots(asked, Role::output), inputs = slots(asked, Role::input);
    std::vector<double> seed(inputs.size(), 1.0), result(outputs.size());
    asked.directional_derivative(outputs, inputs, seed, result);
    const std::size_t time = 0;
    const double one = 1;
    asked.directional_derivative(outputs, {&time, 1}, {&one, 1}, result);
    for (const std::size_t o : outputs)
        asked.output_derivative(o, 1);
    asked.step(0.05, 0.01);
    spared.step(0.05, 0.01);
    CHECK(read(asked, outputs) == read(spared, outputs));
}

TEST_CASE("the derivative by time of a driven wheel's effort is its inertia times the third derivative") {
    const Model model = parse_model(R"([[body]]
name = "wheel"
mass = 3.0
inertia = [0.4, 0.4, 0.7]
[[joint]]
name = "pin"
type = "revolute"
bodies = ["world", "wheel"]
at = [0.0, 0.0, 0.0]
axis = [0.0, 0.0, 1.0]
[[driver]]
name = "motor"
joint = "pin"
motion = { amplitude = 0.4, frequency = 0.8 }
)",
                                    "wheel.toml");
    Instance instance{Blueprint(model)};
    begin(instance, 4);
    std::size_t effort = 0;
    for (const fmu::Variable& v : instance.interface().variables())
        if (v.name == "motor.effort")
            effort = v.slot;
    const std::size_t time = 0;
    const double one = 1, w = 2 * M_PI * 0.8;
    double by_time = 0;
    instance.directional_derivative({&effort, 1}, {&time, 1}, {&one, 1}, {&by_time, 1});
    CHECK(by_time == Approx(-0.7 * 0.4 * w * w * w * std::cos(w * 0.04)).epsilon(1e-7));
}

TEST_CASE("derivatives of outputs by time are those of the motion") {
    for (const char* name : {"ports_flanges", "screw_press", "universal_shaft", "bricard"}) {
        Instance instance(example(name, "munthe-kaas"));
        begin(instance, 10);
        const auto outputs = slots(instance, Role::output);
        Snapshot here;
        instance.save(here);
        const double h = 1e-4;
        std::vector<double> rates;
        for (const std::size_t o : outputs)
            rates.push_back(instance.output_derivative(o, 1));
        const std::vector<double> at = read(instance, outputs);
        instance.step(0.1, h);
        const std::vector<double> after = read(instance, outputs);
        instance.step(0.1 + h, h);
        const std::vector<double> later = read(instance, outputs);
        instance.restore(here);
        int known = 0;
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            const fmu::Variable& v = owner(instance, outputs[i]);
            INFO(name << ": " << v.name);
            if (rates[i] == 0)
                continue; // not known, or at rest
            ++known;
            const double difference = (-3 * at[i] + 4 * after[i] - later[i]) / (2 * h);
            CHECK(rates[i] == Approx(difference).epsilon(1e-4).margin(1e-3));
        }
        CHECK(known > 6);
        CHECK(instance.output_derivative(outputs[0], 2) == 0);
    }
}

TEST_CASE("while initializing, derivatives by start values are those of the assembled start") {
    Instance instance(example("double_pendulum"));
    instance.set_experiment(0, {});
    instance.set_phase(Phase::initialization);
    std::size_t gravity = 0;
    for (const fmu::Variable& v : instance.interface().variables())
        if (v.name == "gravity")
            gravity = v.slot + 2;
    const auto outputs = slots(instance, Role::output);
    const double one = 1;
    std::vector<double> exact(outputs.size());
    instance.directional_derivative(outputs, {&gravity, 1}, {&one, 1}, exact);
    // Potential energy is -m g z and the reactions are linear in g.
    const double g = instance.get(gravity);
    std::vector<double> at = read(instance, outputs);
    instance.set(gravity, g + 0.25);
    const std::vector<double> above = read(instance, outputs);
    int reacting = 0;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        INFO(owner(instance, outputs[i]).name);
        CHECK(exact[i] == Approx((above[i] - at[i]) / 0.25).epsilon(1e-5).margin(1e-6));
        reacting += std::abs(exact[i]) > 1e-3 ? 1 : 0;
    }
    CHECK(reacting > 2);
}

// ---- a start at the equilibrium ------------------------------------------------------------------------------------

namespace {

/// A mass on a spring under a sledge that nothing holds along x.
Model sledge() {
    return parse_model(R"([[body]]
name = "sledge"
mass = 5.0
inertia = [0.1, 0.1, 0.1]
[[body]]
name = "mass"
mass = 3.0
inertia = [0.1, 0.1, 0.1]
position = [0.0, 0.0, -1.0]
[[joint]]
name = "rail"
type = "prismatic"
bodies = ["world", "sledge"]
at = [0.0, 0.0, 0.0]
axis = [1.0, 0.0, 0.0]
[[joint]]
name = "guide"
type = "prismatic"
bodies = ["sledge", "mass"]
at = [0.0, 0.0, -1.0]
axis = [0.0, 0.0, 1.0]
[[force]]
name = "coil"
type = "spring_damper"
bodies = ["sledge", "mass"]
points = [[0.0, 0.0, 0.0], [0.0, 0.0, -1.0]]
stiffness = 200.0
free_length = 1.0
[solver]
step = 0.001
start = "equilibrium"
)",
                       "sledge.toml");
}

std::size_t slot_of(const Instance& instance, const std::string& name, std::size_t element = 0) {
    for (const fmu::Variable& v : instance.interface().variables())
        if (v.name == name)
            return v.slot + element;
    FAIL("no variable " << name);
    return 0;
}

double derivative(Instance& instance, std::size_t unknown, std::size_t known) {
    const double one = 1;
    double result = 0;
    instance.directional_derivative({&unknown, 1}, {&known, 1}, {&one, 1}, {&result, 1});
    return result;
}

} // namespace

TEST_CASE("a start at the equilibrium follows its parameters, and is held where gravity aslant would push it "
          "away") {
    Instance instance{Blueprint(sledge())};
    const std::size_t x = slot_of(instance, "mass.r_0", 0), z = slot_of(instance, "mass.r_0", 2);
    // z = -1 + m g_z / k
    CHECK(instance.get(z) == Approx(-1 - 3 * 9.81 / 200).epsilon(1e-9));
    CHECK(derivative(instance, z, slot_of(instance, "mass.mass")) == Approx(-9.81 / 200).epsilon(1e-7));
    CHECK(derivative(instance, z, slot_of(instance, "coil.stiffness")) ==
          Approx(3 * 9.81 / (200 * 200)).epsilon(1e-7));
    CHECK(derivative(instance, z, slot_of(instance, "gravity", 2)) == Approx(3.0 / 200).epsilon(1e-7));
    CHECK(std::abs(derivative(instance, x, slot_of(instance, "gravity", 0))) < 1e-9);
    // It would run away: a_x = g_x, said by the reaction of the rail, which holds y and z only.
    CHECK(std::abs(derivative(instance, slot_of(instance, "rail.f_0", 0), slot_of(instance, "gravity", 0))) <
          1e-7);
}

TEST_CASE(
    "parameters that change during a run look for no equilibrium, nor does a state that is taken up again") {
    Instance instance{Blueprint(sledge())};
    begin(instance, 3);
    const std::size_t z = slot_of(instance, "mass.r_0", 2);
    const double before = instance.get(z);
    instance.set(slot_of(instance, "coil.stiffness"), 0); // nothing holds it now: there is no equilibrium
    instance.step(0.03, 0.01);
    CHECK(instance.get(z) == Approx(before - 0.5 * 9.81 * 1e-4).epsilon(1e-9));
    Snapshot snapshot;
    instance.save(snapshot);
    Instance other{Blueprint(sledge())};
    other.restore(other.from_bytes(instance.to_bytes(snapshot)));
    CHECK(other.get(z) == instance.get(z));
    instance.step(0.04, 0.01);
    other.step(0.04, 0.01);
    CHECK(other.get(z) == instance.get(z));
}

TEST_CASE("a vehicle that starts at rest on its springs has derivatives by all components of gravity") {
    Model model = read_model(tests::source_folder() + "/examples/iltis.toml");
    model.solver.options["start"] = std::string("equilibrium");
    Instance instance{Blueprint(model)};
    const std::size_t z = slot_of(instance, "chassis.r_0", 2);
    for (std::size_t i = 0; i < 3; ++i)
        CHECK(std::isfinite(derivative(instance, z, slot_of(instance, "gravity", i))));
    // Against rests that are found each for itself.
    const double h = 0.5;
    double heights[2];
    for (int i = 0; i < 2; ++i) {
        Model other = model;
        for (Body& body : other.bodies)
            if (body.name == "chassis")
                body.mass += i == 0 ? h : -h;
        Instance rest{Blueprint(other)};
        heights[i] = rest.get(z);
    }
    CHECK(derivative(instance, z, slot_of(instance, "chassis.mass")) ==
          Approx((heights[0] - heights[1]) / (2 * h)).epsilon(1e-4));
}
