// Steps that cannot be believed: found, done in parts, refused, accepted where that is asked for.

#include "core/simulation/judge.hpp"

#include "tests/support/machine_run.hpp"
#include "tests/support/machines.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::tests;

namespace {

Judged moving(double kinetic, double energy) {
    Judged now;
    now.kinetic = kinetic;
    now.energy = energy;
    now.speed = 1;
    return now;
}

/// 10 J of kinetic energy, and a potential whose zero is far away.
EnergyAccount opened(const Judge& judge) {
    EnergyAccount account;
    judge.start(account, moving(10, 1e5));
    return account;
}

} // namespace

TEST_CASE("energy out of nothing is found by its step, and by its sum where it comes little by little") {
    const Judge judge(false, 0, 1);
    EnergyAccount account = opened(judge);
    CHECK_FALSE(judge.step(account, moving(10.4, 1e5 + 0.4)));
    const auto leap = judge.step(account, moving(13, 1e5 + 3));
    REQUIRE(leap);
    CHECK(leap->of == Verdict::Of::energy_of_step);
    CHECK(leap->value == Approx(2.6));

    account = opened(judge);
    int steps = 0;
    double energy = 0;
    std::optional<Verdict> found;
    for (; !found && steps < 1000; ++steps) {
        energy += 0.01 * (10 + energy); // grows by 1 % in every step
        found = judge.step(account, moving(10 + energy, 1e5 + energy));
    }
    REQUIRE(found);
    CHECK(found->of == Verdict::Of::energy);
    CHECK(found->value < 1.2);
}

TEST_CASE("work is no error, and a loss is one however large the potential") {
    const Judge judge(false, 0, 1);
    EnergyAccount account = opened(judge);
    Judged now = moving(60, 1e5 + 50);
    now.work = now.exchanged = 50;
    CHECK_FALSE(judge.step(account, now));
    now = moving(40, 1e5 + 30);
    now.work = 50;
    CHECK(judge.step(account, now));
}

TEST_CASE("a method that damps may lose what springs hold, and no method may gain it") {
    for (const bool damps : {false, true}) {
        const Judge judge(damps, 0, 1);
        EnergyAccount account;
        Judged now = moving(1, 100);
        now.springs = 99;
        judge.start(account, now);
        CHECK(judge.step(account, moving(1, 5)).has_value() == !damps);
        judge.start(account, now);
        CHECK(judge.step(account, moving(96, 195)).has_value());
    }
}

TEST_CASE("velocities of joints are compared with speeds, and a prescribed motion that jumps is no error") {
    const Judge judge(false, 0, 1);
    EnergyAccount account = opened(judge);
    Judged now = moving(10, 1e5);
    now.velocity_violation = 0.4;
    CHECK_FALSE(judge.step(account, now));
    now.velocity_violation = 0.6;
    const auto apart = judge.step(account, now);
    REQUIRE(apart);
    CHECK(apart->of == Verdict::Of::velocity);

    now = moving(500, 2e5);
    now.jumped = true;
    CHECK_FALSE(judge.step(account, now));
    now.jumped = false;
    CHECK_FALSE(judge.step(account, now));
    CHECK(judge.step(account, moving(500, 3e5)));
}

TEST_CASE("a machine that floats at rest without weight is not refused for rounding") {
    Model model = four_bar(true);
    model.gravity.setZero();
    model.forces.clear();
    Body base = heavy_body("base", Vec3(0.5, -0.2, 0.3), 3);
    base.rotation = exp_so3(Vec3(0.4, -1.1, 0.7));
    model.bodies.push_back(base);
    for (Joint& joint : model.joints) {
        joint.first = joint.first == world ? 3 : joint.first;
    }
    for (const std::string& method : all_methods()) {
        model.solver.integrator = method;
        Simulation simulation(model);
        CAPTURE(method);
        CHECK_NOTHROW(run(simulation, 1e-3, 0.05));
    }
}

TEST_CASE("energy-decaying leaves a parallelogram at its branch point only where that is accepted") {
    const Model model = example("parallel_four_bar");
    Simulation judged(with(model, {.integrator = "energy-decaying"}, 0.01, 5));
    Simulation accepting(
        with(model, {.integrator = "energy-decaying", .options = {{"accept_divergence", true}}}, 0.01, 5));
    std::string refusal;
    State before;
    for (int i = 0; i < 500 && refusal.empty(); ++i) {
        before = judged.state();
        try {
            judged.step(0.01);
        } catch (const Error& error) {
            refusal = error.what();
        }
    }
    CHECK(refusal.starts_with(std::string(divergence_words)));
    CHECK(judged.time() < 4);
    CHECK(judged.state().q == before.q);
    CHECK(judged.state().account.error == before.account.error);
    for (int i = 0; i < 500; ++i)
        accepting.step(0.01);
    CHECK_FALSE(accepting.report().divergence.empty());
}

TEST_CASE("every other method passes the branch points of parallelograms and keeps its energy") {
    for (const char* method : {"projection", "conserving", "conserving-projection", "energy-preserving",
                               "explicit-correction", "munthe-kaas", "gauss-newmark"}) {
        for (const double step : {0.01, 0.02, 0.04}) {
            Simulation machine(with(example("double_four_bar"), {.integrator = method}, step, 3));
            CAPTURE(method, step);
            for (int i = 0; i < std::lround(3 / step); ++i)
                machine.step(step);
            CHECK(machine.report().max_energy_error < 0.1 * machine.report().energy_scale);
        }
    }
}
