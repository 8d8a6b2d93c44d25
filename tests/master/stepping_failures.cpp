// What the master does when an FMU does not do what it should.

#include "tests/master/fake_slave.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace tenon;
using namespace tenon::master;
using namespace tenon::system;
using fmi::Status;

namespace {

/// A misbehaving FMU between two that behave; it goes wrong in the step that passes 0.5.
SystemBuilder with_misbehaviour(int version, const std::string& mode) {
    SystemBuilder builder(version);
    builder.foreign("before", "oscillator")
        .foreign("bad", "misbehave-" + mode)
        .foreign("behind", "oscillator", {setting("x", 0.0)})
        .connect("before.x", "bad.u")
        .connect("bad.y", "behind.F")
        .method("jacobi", 0.1, 1);
    return builder;
}

/// Fails while `fails` says so, and otherwise integrates x' = u with its input.
Behaviour failing(std::function<bool(double t, double h)> fails, Status with) {
    Behaviour behaviour;
    behaviour.step = [fails = std::move(fails), with](FakeSlave& slave, double t, double h) {
        if (fails(t, h))
            return fmi::StepResult{.status = with, .reached = t};
        slave["y"] += h * slave["u"];
        return fmi::StepResult{.status = Status::ok, .reached = t + h};
    };
    return behaviour;
}

} // namespace

TEST_CASE("a warning does not stop a run, and reaches the log") {
    const int version = GENERATE(2, 3);
    std::vector<std::string> lines;
    MasterOptions options;
    options.log = [&](const std::string& fmu, Status status, const std::string& text) {
        if (status == Status::warning)
            lines.push_back(fmu + ": " + text);
    };
    Run run(with_misbehaviour(version, "warning").check(), options);
    run.go();
    CHECK(run.failure == "");
    CHECK(run.master.time() == 1);
    CHECK(lines == std::vector<std::string>{"bad: as the parameter mode says"});
}

TEST_CASE("steps that are discarded are halved ten times, then the run stops with all results") {
    const int version = GENERATE(2, 3);
    MasterOptions options;
    options.log = [](const std::string&, Status, const std::string&) {}; // FMI 3.0 says nothing otherwise
    Run run(with_misbehaviour(version, "discard").check(), options);
    run.go();
    CAPTURE(run.failure);
    // It fails in every step across 0.5, so the steps come ever closer: 0.1 / 2^10 is the last that is tried.
    CHECK(run.times.back() == 0.4);
    CHECK(run.rows.size() == 5);
    CHECK(run.master.report().halvings == 10);
    CHECK(run.master.time() > 0.499);
    CHECK(run.master.time() < 0.5);
    CHECK(contains(run.failure,
                   "fmu 'bad' (misbehave-discard." + std::to_string(version) + ".fmu): DoStep(h="));
    CHECK(contains(run.failure, "returned fmi" + std::to_string(version) + "Discard"));
    CHECK(contains(run.failure, "it says: as the parameter mode says"));
    CHECK(run.failure.substr(0, 6) == "t=0.49");
}

TEST_CASE("an output that is not a number is treated as a discarded step") {
    const int version = GENERATE(2, 3);
    Run run(with_misbehaviour(version, "nan").check());
    run.go();
    CAPTURE(run.failure);
    CHECK(run.times.back() == 0.4);
    CHECK(run.master.report().halvings == 10);
    CHECK(contains(run.failure, "'bad.y' is nan"));
}

TEST_CASE("a recorded output that is not a number ends the run where it is read") {
    SystemBuilder builder;
    builder.foreign("bad", "misbehave-nan").method("jacobi", 0.1, 1);
    Run run(builder.check());
    run.go();
    CHECK(run.times.back() == 0.4);
    CHECK(run.failure == "t=0.5: 'bad.y' is nan; --vars can leave it out");
}

TEST_CASE("after errors smaller steps are tried, ten times as after discarded ones") {
    const int version = GENERATE(2, 3);
    Run run(with_misbehaviour(version, "error").check());
    run.go();
    CAPTURE(run.failure);
    CHECK(run.times.back() == 0.4);
    CHECK(run.master.report().halvings == 10);
    CHECK(contains(run.failure, "returned fmi" + std::to_string(version) + "Error"));
    CHECK(contains(run.failure, "; retried h="));
}

TEST_CASE("a second error in the same step is passed by a step that is small enough") {
    Fakes fakes;
    fakes
        .add("a", simple_part(),
             failing([](double t, double h) { return t > 0.25 && h > 0.02; }, Status::error))
        .add("b", simple_part(), {});
    fakes.builder.connect("a.y", "b.u").connect("b.y", "a.u").method("jacobi", 0.1, 1);
    Run run = fakes.run();
    run.go();
    CAPTURE(run.failure);
    CHECK(run.failure.empty());
    CHECK(run.times.back() == Approx(1));
    CHECK(run.master.report().halvings >= 3);
}

TEST_CASE("after a fatal error nothing is called any more") {
    const int version = GENERATE(2, 3);
    [[maybe_unused]] const fmi::LeaksAreIntended leaks{};
    Run run(with_misbehaviour(version, "fatal").check());
    run.go();
    CAPTURE(run.failure);
    CHECK(run.times.back() == 0.4);
    CHECK(run.master.time() == 0.4);
    CHECK(run.master.report().halvings == 0);
    CHECK(contains(run.failure, "returned fmi" + std::to_string(version) + "Fatal"));
    run.master.terminate();
}

TEST_CASE("of a fatal FMU not even the state is freed, and the others end in order") {
    Fakes fakes;
    fakes.add("a", simple_part(), failing([](double t, double) { return t > 0.25; }, Status::fatal))
        .add("b", simple_part(), {});
    fakes.builder.connect("a.y", "b.u").connect("b.y", "a.u").method("jacobi", 0.1, 1);
    {
        Run run = fakes.run();
        run.go();
        CHECK(contains(run.failure, "Fatal"));
        run.master.terminate();
        CHECK(fakes.traces[0].back() == "DoStep");
        CHECK(fakes.traces[1].back() == "Terminate");
    }
    CHECK(fakes.traces[0].back() == "DoStep");
}

TEST_CASE("after a failed step all FMUs are where they were before it") {
    // b moves on by itself; a fails for good at 0.3.
    Fakes fakes;
    Behaviour clock;
    clock.step = [](FakeSlave& slave, double t, double h) {
        slave["y"] = t + h;
        return fmi::StepResult{.status = Status::ok, .reached = t + h};
    };
    fakes.add("a", simple_part(), failing([](double t, double h) { return t + h > 0.35; }, Status::discard))
        .add("b", simple_part(), clock);
    fakes.builder.connect("a.y", "b.u").connect("b.y", "a.u").method("jacobi", 0.1, 1);
    Run run = fakes.run();
    run.go();
    CHECK(contains(run.failure, "fmi3Discard"));
    CHECK(fakes.slaves[0]->time() == run.master.time());
    CHECK(fakes.slaves[1]->time() == run.master.time());
    CHECK((*fakes.slaves[1])["y"] == run.master.time());
}

TEST_CASE("a step that fails once is made in halves, and the size grows again after five good steps") {
    Fakes fakes;
    // Between 0.3 and 0.4 only steps below 0.03 are good.
    const auto is_hard = [](double t, double h) { return t > 0.29 && t < 0.39 && h > 0.03; };
    fakes.add("a", simple_part(), failing(is_hard, Status::discard)).add("b", simple_part(), {});
    fakes.builder.connect("a.y", "b.u").connect("b.y", "a.u").method("jacobi", 0.1, 1);
    Run run = fakes.run();
    run.go();
    CHECK(run.failure == "");
    CHECK(run.times.size() == 11);
    CHECK(run.master.report().halvings == 2);
    CHECK(run.master.report().smallest_step == Approx(0.025));
    CHECK(run.master.report().steps == 10);
    // After 0.3: four of 0.025, one more makes five, then 0.05 until five more, then whole steps again.
    const auto [t, h] = fakes.slaves[0]->steps.back();
    CHECK(t == Approx(0.9));
    CHECK(h == Approx(0.1));
    long small = 0;
    for (const auto& step : fakes.slaves[0]->steps)
        small += step.second < 0.06;
    // One at 0.05 that fails, four good ones to 0.4 and a fifth; then 0.05: two equal parts to 0.5, three more, and the
    // rest of the step in which the size has grown.
    CHECK(small == 1 + 4 + 1 + 2 + 3 + 1);
}

TEST_CASE("going back from a step that fails leaves all before it as it was, to the last bit") {
    // The 21st step of `bad` is the one that fails.
    const int version = GENERATE(2, 3);
    const auto rows = [&](const std::string& mode) {
        SystemBuilder builder(version);
        builder.foreign("a", "oscillator", {setting("d", 0.3)})
            .foreign("bad", "misbehave-" + mode, {setting("at", 0.2005)})
            .connect("a.x", "bad.u")
            .connect("bad.y", "a.F", 0.5)
            .method("jacobi", 0.01, 1);
        Run run(builder.check());
        run.master.initialize();
        for (int i = 1; i <= 20; ++i) {
            run.master.step(0.01 * i);
            run.row();
        }
        if (mode == "nan") { // the step after the last row fails, and takes everybody back to it
            CHECK_THROWS_AS(run.master.step(0.21), Error);
            const double stopped_at = run.master.time();
            CHECK(stopped_at > 0.2);
            CHECK(stopped_at < 0.2005);
        }
        return run.rows;
    };
    CHECK(rows("nan") == rows("none"));
}

TEST_CASE("results after steps were repeated are those of a run that chose the smaller steps itself") {
    // A whole step from 0.2 on fails once in both halves; the run with halves from there on must give the same bits.
    Fakes fakes;
    int failures = 0;
    const auto fails = [&](double t, double h) { return t > 0.995 && h > 0.02 && failures++ == 0; };
    fakes.add("a", simple_part(), failing(fails, Status::discard))
        .add("b", simple_part(), failing([](double, double) { return false; }, Status::ok));
    fakes.builder.connect("a.y", "b.u", 1, 0.5).connect("b.y", "a.u", -1).method("jacobi", 0.03125, 2);
    Run run = fakes.run();
    run.go();
    REQUIRE(run.failure == "");
    REQUIRE(run.master.report().halvings == 1);

    Fakes again;
    again.add("a", simple_part(), failing([](double, double) { return false; }, Status::ok))
        .add("b", simple_part(), failing([](double, double) { return false; }, Status::ok));
    again.builder.connect("a.y", "b.u", 1, 0.5).connect("b.y", "a.u", -1).method("jacobi", 0.03125, 2);
    Run same(again.builder.check(), again.options());
    same.master.initialize();
    std::vector<double> values(2);
    for (const auto& [t, h] : fakes.slaves[1]->steps) {
        // What was made and not taken back: steps that begin where the last one has ended.
        if (t == same.master.time() && !(t == 1.0 && h > 0.02))
            same.master.step(t + h);
    }
    same.master.read(values);
    CHECK(same.master.time() == 2);
    CHECK(values == run.rows.back());
}

TEST_CASE("FMUs without rollback are named before the run, and a failed step ends it") {
    Fakes fakes;
    TestFmu stuck = simple_part();
    stuck.description().capabilities.get_and_set_state = false;
    fakes.add("a", simple_part(), failing([](double t, double) { return t > 0.25; }, Status::discard))
        .add("b", stuck, {});
    fakes.builder.connect("a.y", "b.u").method("jacobi", 0.1, 1);
    Run run = fakes.run();
    CHECK(run.remarks("fmu 'b' does not support rollback"));
    CHECK(run.master.report().fmus[0].rollback);
    CHECK_FALSE(run.master.report().fmus[1].rollback);
    run.go();
    CHECK(run.master.time() == Approx(0.3));
    CHECK(fakes.slaves[0]->time() == Approx(0.3));
    CHECK(contains(run.failure, "the step cannot be tried again: fmu 'b' does not support rollback"));
    CHECK(std::ranges::count(fakes.traces[1], "GetFMUState") == 0);
    CHECK(std::ranges::count(fakes.traces[1], "SetFMUState") == 0);
}

TEST_CASE("iterating and adaptive steps are refused where an FMU has no rollback") {
    TestFmu stuck = simple_part();
    stuck.description().capabilities.get_and_set_state = false;
    const auto refused = [&](const std::string& method, bool adaptive) {
        Fakes fakes;
        fakes.add("a", simple_part(), {}).add("b", stuck, {});
        fakes.builder.connect("a.y", "b.u").connect("b.y", "a.u").method(method, 0.1, 1);
        fakes.builder.system.master.adaptive = adaptive;
        return refusal(fakes.builder.check(), fakes.options());
    };
    CHECK(contains(refused("iterate", false),
                   "method 'iterate' needs rollback, which fmu 'b' does not support"));
    CHECK(contains(refused("jacobi", true), "'adaptive' needs rollback, which fmu 'b' does not support"));
    CHECK(refused("jacobi", false).empty());
}

TEST_CASE("an FMU without rollback may be beside a loop that is iterated") {
    Fakes fakes;
    TestFmu stuck = simple_part();
    stuck.description().capabilities.get_and_set_state = false;
    Behaviour half;
    half.calculate = [](FakeSlave& slave) { slave["y"] = 0.5 * slave["u"] + 1; };
    fakes.add("a", simple_part(), half).add("b", simple_part(), half).add("c", stuck, half);
    fakes.builder.connect("a.y", "b.u").connect("b.y", "a.u").connect("b.y", "c.u").method("iterate", 0.1, 1);
    Run run = fakes.run();
    run.go();
    CHECK(run.failure == "");
    CHECK(run.last("c.y") == Approx(2));
    CHECK(fakes.slaves[2]->steps.size() == 10);
}

TEST_CASE("an iteration that does not converge is tried with smaller steps, then named with its residual") {
    Fakes fakes;
    Behaviour growing;
    growing.calculate = [](FakeSlave& slave) { slave["y"] = -3 * slave["u"] + slave.time(); };
    fakes.add("a", simple_part(), growing).add("b", simple_part(), growing);
    fakes.builder.connect("a.y", "b.u").connect("b.y", "a.u").method("iterate", 0.1, 1);
    fakes.builder.system.master.max_iterations = 20;
    Run run = fakes.run();
    run.go();
    CAPTURE(run.failure);
    CHECK(run.master.time() == 0);
    CHECK(run.master.report().halvings == 10);
    CHECK(contains(run.failure, "t=0: the iteration over '"));
    CHECK(contains(run.failure, "does not converge: relative change"));
    CHECK(contains(run.failure, "after 20 iterations"));
    CHECK(contains(run.failure, "retried h=0.05 ... 9.8e-05"));
}

TEST_CASE("the quasi-Newton iteration converges where the fixed-point iteration does not") {
    Fakes fakes;
    Behaviour growing;
    growing.calculate = [](FakeSlave& slave) { slave["y"] = -3 * slave["u"] + slave.time(); };
    fakes.add("a", simple_part(), growing).add("b", simple_part(), growing);
    fakes.builder.connect("a.y", "b.u").connect("b.y", "a.u", 1, 1).method("iterate", 0.1, 1);
    fakes.builder.system.master.iteration = "quasi-newton";
    Run run = fakes.run();
    run.go();
    CHECK(run.failure == "");
    CHECK(run.master.report().halvings == 0);
    // x = -3 y + t, y = -3 (x) ... solved by hand: a = -3 (b + 1) + t, b = -3 a + t.
    const double t = 1, a = (-3 * (t + 1) + t) / (1 - 9), b = -3 * a + t;
    CHECK(run.last("a.y") == Approx(a).epsilon(1e-7));
    CHECK(run.last("b.y") == Approx(b).epsilon(1e-7));
}

TEST_CASE("an FMU that wants to end is obeyed") {
    const int version = GENERATE(2, 3);
    Run run(with_misbehaviour(version, "terminate").check());
    run.go();
    CHECK(run.failure == "");
    CHECK(run.ended);
    CHECK(run.master.time() == Approx(0.5));
    CHECK(run.times.size() == 6);
    CHECK_FALSE(run.master.step(0.6));
    CHECK(run.master.time() == Approx(0.5));
    run.master.terminate();
}

TEST_CASE("FMUs are terminated once, and not after an error") {
    Fakes fakes;
    TestFmu stuck = simple_part();
    stuck.description().capabilities.get_and_set_state = false;
    fakes.add("a", stuck, failing([](double t, double) { return t > 0.25; }, Status::error))
        .add("b", simple_part(), {});
    fakes.builder.connect("a.y", "b.u").method("jacobi", 0.1, 1);
    Run run = fakes.run();
    run.go();
    CHECK(contains(run.failure, "Error"));
    run.master.terminate();
    run.master.terminate();
    CHECK(std::ranges::count(fakes.traces[0], "Terminate") == 0);
    CHECK(std::ranges::count(fakes.traces[1], "Terminate") == 1);
}

TEST_CASE("a value that does not fit into the type of an input is named") {
    SystemBuilder builder(3);
    builder.foreign("a", "gain", {setting("k", 1e300), setting("u", 1.0)})
        .foreign("b", "feedthrough")
        .connect("a.y", "b.float32_in")
        .method("jacobi", 0.1, 1);
    Run run(builder.check());
    run.go();
    CHECK(contains(run.failure, "a value does not fit into the type of 'b.float32_in'"));
}
