// What is said of a run's accuracy: the estimate beside the measured difference, and leaps of velocities.

#include "tools/run/accuracy.hpp"
#include "tools/run/model_run.hpp"

#include "core/simulation/simulation.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/machines.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::run;

namespace {

/// A body in free flight that turns about a main axis, with a force that is an input.
Model thrown() {
    Model model;
    model.gravity.setZero();
    Body body = tests::heavy_body("stone", Vec3::Zero(), 2);
    body.com.setZero();
    body.inertia = Vec3(0.05, 0.06, 0.08).asDiagonal();
    body.velocity = Vec3(1, 0, 0);
    body.angular_velocity = Vec3(0, 0, 100);
    model.bodies = {body};
    model.forces = {tests::push("blow", 0, Vec3::Zero(), Vec3::Zero())};
    model.forces[0].set("input", true);
    model.solver.integrator = "munthe-kaas";
    model.solver.step = 1e-3;
    return model;
}

} // namespace

TEST_CASE("the estimated error of positions is of the order of what half the step changes") {
    for (const char* name : {"double_pendulum", "spring_pendulum", "slider_crank"}) {
        for (const char* method : {"projection", "energy-preserving", "explicit-correction"}) {
            ModelRequest request;
            request.model = std::string(tests::source_folder() + "/examples/") + name + ".toml";
            request.changes.integrator = method;
            request.changes.step = 5e-3;
            request.changes.stop = 2;
            request.refine = true;
            ModelRun run(request);
            Watcher watcher;
            REQUIRE(run.run(watcher) == Ending::done);
            const double estimated = run.summary().position_error.metres;
            const double measured = run.summary().refined_difference.metres;
            CAPTURE(name, method, estimated, measured);
            CHECK(estimated > 0.2 * measured);
            CHECK(estimated < 100 * measured);
        }
    }
}

TEST_CASE("a step that the core makes in parts is compared with finer ones, not with itself") {
    // Periods of 9 ms, with which steps of 10 ms by gauss-newmark do not converge.
    Model model = thrown();
    model.bodies[0].angular_velocity = Vec3(0, 0, 10);
    Force spring;
    spring.name = "stiff";
    spring.type = "spring_damper";
    spring.first = world;
    spring.second = 0;
    spring.set("points", std::array<Vec3, 2>{Vec3(0, 2, 0), Vec3(0.01, 0.02, 0)});
    spring.set("stiffness", 1e6);
    spring.set("free_length", 1.98);
    model.forces = {spring};
    model.solver.integrator = "gauss-newmark";
    Simulation simulation(model);
    const double h = 1e-2;
    WatchedModel machine(simulation, {}, 60, std::make_unique<Simulation>(model));
    for (int i = 1; i <= 60; ++i)
        machine.step(i * h);
    CHECK(simulation.report().halvings > 60);
    CHECK(simulation.report().shortest_part < 0.6 * h);
    CHECK(machine.estimate().metres > 1e-6);
    CHECK(machine.difference().metres > 1e-6);
}

TEST_CASE("a velocity that leaps in one step is found, a steady turn and a force that lasts are not") {
    for (const bool blow : {false, true}) {
        Simulation simulation(thrown());
        const double h = 1e-3, turning = 0.5 * 0.08 * 100 * 100 + 1;
        WatchedModel machine(simulation, {}, 60, nullptr);
        for (int i = 1; i <= 60; ++i) {
            const double push = blow && i == 30 ? 2 * 20 / h
                                : i < 15        ? 0.0
                                                : 20.0; // 20 m/s in a step, or 10 m/s2
            simulation.set_input(0, push);
            machine.step(i * h);
        }
        CAPTURE(blow, machine.leap().energy);
        CHECK(machine.leap().kinetic > 0.95 * turning);
        CHECK(machine.leap().doubtful() == blow);
    }
}
