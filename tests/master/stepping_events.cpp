// Events of FMI 3.0: event mode, early return, announced times, and FMUs that can do none of it.

#include "tests/master/fake_slave.hpp"

#include <algorithm>
#include <cmath>

using namespace tenon;
using namespace tenon::master;
using namespace tenon::system;
using fmi::Status;

namespace {

fmi::EventResult event_result(bool again, bool terminate) {
    fmi::EventResult result;
    result.again = again;
    result.terminate = terminate;
    return result;
}

/// A part with event mode that returns early.
TestFmu event_part() {
    TestFmu fmu = simple_part(fmi::Version::fmi3);
    fmu.description().capabilities.event_mode = true;
    fmu.description().capabilities.might_return_early = true;
    return fmu;
}

/// y rises by one at `at`, which nobody knows before: the step ends there.
Behaviour surprise(double at) {
    Behaviour behaviour;
    behaviour.step = [at](FakeSlave& slave, double t, double h) {
        fmi::StepResult result{.status = Status::ok, .reached = t + h};
        if (t < at && t + h >= at - 1e-12) {
            result.event = true;
            result.early = slave.instance.early_return && at < t + h - 1e-12;
            result.reached = result.early ? at : t + h;
        }
        return result;
    };
    behaviour.update = [at](FakeSlave& slave) {
        if (slave.time() >= at - 1e-12 && slave["y"] == 0)
            slave["y"] = 1;
        return fmi::EventResult{};
    };
    return behaviour;
}

/// Integrates its input.
Behaviour integrator() {
    Behaviour behaviour;
    behaviour.step = [](FakeSlave& slave, double t, double h) {
        slave["y"] += h * slave["u"];
        return fmi::StepResult{.status = Status::ok, .reached = t + h};
    };
    return behaviour;
}

} // namespace

TEST_CASE("announced events are stepped to, and recorded before and after") {
    SystemBuilder builder(3);
    builder.foreign("stairs", "stairs", {setting("interval", 0.25)}).method("jacobi", 0.2, 0.8);
    Run run(builder.check());
    run.go();
    REQUIRE(run.failure == "");
    CHECK(run.times == std::vector<double>{0, 0.2, 0.25, 0.25, 0.4, 0.5, 0.5, 3 * 0.2, 0.75, 0.75, 0.8});
    const std::vector<double> counters = {1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4};
    for (std::size_t i = 0; i < counters.size(); ++i)
        CHECK(run.at(i, "stairs.counter") == counters[i]);
}

TEST_CASE("an event on the grid has its row before, and the row of the grid is the one after") {
    SystemBuilder builder(3);
    builder.foreign("stairs", "stairs", {setting("interval", 0.5)}).method("jacobi", 0.25, 0.75);
    Run run(builder.check());
    run.go();
    REQUIRE(run.failure == "");
    CHECK(run.times == std::vector<double>{0, 0.25, 0.5, 0.5, 0.75});
    CHECK(run.at(2, "stairs.counter") == 1);
    CHECK(run.at(3, "stairs.counter") == 2);
}

TEST_CASE("the same FMU without event mode counts the same at the grid") {
    SystemBuilder builder(2);
    builder.foreign("stairs", "stairs", {setting("interval", 0.25)}).method("jacobi", 0.2, 0.8);
    Run run(builder.check());
    run.go();
    REQUIRE(run.failure == "");
    CHECK(run.times.size() == 5);
    CHECK(run.last("stairs.counter") == 4);
}

TEST_CASE("an event that an FMU finds only when it is to pass the place it stopped at is handled there") {
    constexpr double at = 0.27;
    Behaviour late;
    late.step = [](FakeSlave& slave, double t, double h) {
        const bool event = slave["y"] == 0 && t + h > at; // not in a step that ends there
        return fmi::StepResult{
            .status = Status::ok, .early = event, .event = event, .reached = event ? at : t + h};
    };
    late.update = [](FakeSlave& slave) {
        if (slave.time() >= at)
            slave["y"] = 1;
        return fmi::EventResult{};
    };
    Fakes fakes;
    fakes.add("a", event_part(), late).add("b", simple_part(), integrator());
    fakes.builder.connect("a.y", "b.u").method("jacobi", 0.1, 0.5);
    Run run = fakes.run();
    run.go();
    REQUIRE(run.failure == "");
    CHECK(run.last("a.y") == 1);
    CHECK(run.last("b.y") == Approx(0.5 - at));
}

TEST_CASE("an event of one FMU is where all others are stepped to, once they have gone back") {
    Fakes fakes;
    fakes.add("a", event_part(), surprise(0.27)).add("b", simple_part(), integrator());
    fakes.builder.connect("a.y", "b.u").method("jacobi", 0.1, 0.5);
    Run run = fakes.run();
    run.go();
    REQUIRE(run.failure == "");
    CHECK(fakes.slaves[0]->instance.event_mode);
    CHECK(fakes.slaves[0]->instance.early_return);
    CHECK(run.times.size() == 6 + 2);
    CHECK(run.times[3] == 0.27);
    CHECK(run.times[4] == 0.27);
    CHECK(run.at(3, "a.y") == 0);
    CHECK(run.at(4, "a.y") == 1);
    // b has integrated the one from the event on, and nothing before.
    CHECK(run.last("b.y") == Approx(0.5 - 0.27));
    CHECK(run.master.report().rollbacks == 1);
}

TEST_CASE("where an FMU has no rollback, events that come unannounced are handled at the next grid point") {
    Fakes fakes;
    TestFmu stuck = simple_part();
    stuck.description().capabilities.get_and_set_state = false;
    fakes.add("a", event_part(), surprise(0.27)).add("b", stuck, integrator());
    fakes.builder.connect("a.y", "b.u").method("jacobi", 0.1, 0.5);
    Run run = fakes.run();
    CHECK(run.remarks("events that fmu 'a' does not announce are handled at communication points only"));
    run.go();
    REQUIRE(run.failure == "");
    CHECK_FALSE(fakes.slaves[0]->instance.early_return);
    CHECK(run.times.size() == 6 + 1);
    CHECK(run.times[3] == Approx(0.3));
    CHECK(run.times[4] == run.times[3]);
    CHECK(run.at(3, "a.y") == 0);
    CHECK(run.at(4, "a.y") == 1);
    CHECK(run.last("b.y") == Approx(0.2));
}

TEST_CASE("an FMU that returns early without permission catches up alone") {
    Fakes fakes;
    TestFmu stuck = simple_part();
    stuck.description().capabilities.get_and_set_state = false;
    Behaviour behaviour = surprise(0.27);
    behaviour.step = [](FakeSlave&, double t, double h) {
        const bool early = t < 0.27 && t + h > 0.27;
        return fmi::StepResult{
            .status = Status::ok, .early = early, .event = early, .reached = early ? 0.27 : t + h};
    };
    fakes.add("a", event_part(), behaviour).add("b", stuck, integrator());
    fakes.builder.connect("a.y", "b.u").method("jacobi", 0.1, 0.5);
    Run run = fakes.run();
    run.go();
    REQUIRE(run.failure == "");
    CHECK(run.times.size() == 6);
    CHECK(run.at(3, "a.y") == 1);
    CHECK(fakes.slaves[0]->steps.size() == 6);
    CHECK(fakes.slaves[0]->steps[3].first == 0.27);
    CHECK(fakes.slaves[0]->time() == 0.5);
    CHECK(run.last("b.y") == Approx(0.2));
}

TEST_CASE("the events of one FMU make another one handle its new inputs in event mode") {
    Fakes fakes;
    TestFmu counter = event_part();
    Behaviour counting; // counts how often it sees a new input in event mode
    counting.update = [](FakeSlave& slave) {
        if (slave["u"] == 1)
            slave["y"] += 1;
        return fmi::EventResult{};
    };
    fakes.add("a", event_part(), surprise(0.2)).add("b", counter, counting);
    fakes.builder.connect("a.y", "b.u").method("jacobi", 0.1, 0.5);
    Run run = fakes.run();
    run.go();
    REQUIRE(run.failure == "");
    CHECK(run.last("b.y") == 1);
    CHECK(std::ranges::count(fakes.traces[1], "EnterEventMode") == 1);
    CHECK(std::ranges::count(fakes.traces[0], "EnterEventMode") == 1);
}

TEST_CASE("a discrete input changes in event mode only") {
    // The source has no event mode; its counter changes between steps.
    Fakes fakes;
    TestFmu source(fmi::Version::fmi3);
    source.output("n", "", fmi::Type::int32);
    source.description().capabilities.variable_step = true;
    TestFmu sink(fmi::Version::fmi3);
    sink.input("n", "", fmi::Type::int32).output("seen", "", fmi::Type::int32);
    sink.description().capabilities.variable_step = sink.description().capabilities.event_mode = true;
    Behaviour counting, watching;
    counting.step = [](FakeSlave& slave, double t, double h) {
        slave["n"] = std::floor((t + h) * 5 + 1e-9);
        return fmi::StepResult{.status = Status::ok, .reached = t + h};
    };
    watching.update = [](FakeSlave& slave) {
        slave["seen"] = slave["n"];
        return fmi::EventResult{};
    };
    fakes.add("a", source, counting).add("b", sink, watching);
    fakes.builder.connect("a.n", "b.n").method(GENERATE("jacobi", "gauss-seidel"), 0.1, 0.4);
    Run run = fakes.run();
    run.go();
    REQUIRE(run.failure == "");
    CHECK(run.last("b.seen") == 2);
    CHECK(std::ranges::count(fakes.traces[1], "EnterEventMode") == 2);
    // At 0.2: before the event it has not seen the new value, after it it has.
    CHECK(run.times.size() == 5 + 2);
    CHECK(run.at(2, "b.seen") == 0);
    CHECK(run.at(3, "b.seen") == 1);
}

TEST_CASE("after the initialisation every FMU with event mode goes through it before its first step") {
    Fakes fakes;
    fakes.add("a", event_part(), {});
    fakes.builder.method("jacobi", 0.1, 0.1);
    Run run = fakes.run();
    run.go();
    REQUIRE(run.failure == "");
    const std::vector<std::string>& trace = fakes.traces[0];
    const auto exit = std::ranges::find(trace, "ExitInitializationMode");
    const auto update = std::find(exit, trace.end(), "UpdateDiscreteStates");
    const auto step_mode = std::find(update, trace.end(), "EnterStepMode");
    const auto step = std::find(step_mode, trace.end(), "DoStep");
    CHECK(step != trace.end());
    CHECK(std::find(exit, step_mode, "EnterEventMode") == step_mode);
}

TEST_CASE("an event that raises itself for ever is an error") {
    Fakes fakes;
    Behaviour restless;
    restless.update = [](FakeSlave&) { return event_result(true, false); };
    fakes.add("a", event_part(), restless);
    fakes.builder.method("jacobi", 0.1, 0.1);
    Run run = fakes.run();
    run.go();
    CHECK(run.failure == "t=0: the events do not end after 100 iterations");
}

TEST_CASE("an event may ask for the end of the simulation") {
    Fakes fakes;
    Behaviour ending = surprise(0.25);
    ending.update = [](FakeSlave& slave) { return event_result(false, slave.time() > 0.2); };
    fakes.add("a", event_part(), ending);
    fakes.builder.method("jacobi", 0.1, 0.5);
    Run run = fakes.run();
    run.go();
    CHECK(run.failure == "");
    CHECK(run.ended);
    CHECK(run.master.time() == 0.25);
}

TEST_CASE("an event that fails takes all FMUs back to the last good time") {
    Fakes fakes;
    Behaviour failing = surprise(0.25);
    failing.answer = [](FakeSlave& slave, const std::string& call) {
        return call == "EnterEventMode" && slave.time() > 0.2 ? Status::error : Status::ok;
    };
    fakes.add("a", event_part(), failing).add("b", simple_part(), integrator());
    fakes.builder.connect("a.y", "b.u").method("jacobi", 0.1, 0.5);
    Run run = fakes.run();
    run.go();
    CHECK(run.failure == "t=0.25: fmu 'a' (a.fmu): EnterEventMode returned fmi3Error");
    CHECK(run.master.time() == Approx(0.2));
    CHECK(fakes.slaves[1]->time() == Approx(0.2));
}

TEST_CASE("an FMU that stands still without an event is an error that names it") {
    Fakes fakes;
    Behaviour lazy;
    lazy.step = [](FakeSlave&, double t, double h) {
        return t > 0.15 ? fmi::StepResult{.status = Status::ok, .early = true, .reached = t}
                        : fmi::StepResult{.status = Status::ok, .reached = t + h};
    };
    fakes.add("b", simple_part(), integrator()).add("a", event_part(), lazy);
    fakes.builder.connect("a.y", "b.u").method("jacobi", 0.1, 0.5);
    Run run = fakes.run();
    run.go();
    CHECK(contains(run.failure, "fmu 'a' (a.fmu): steps end where they began"));
    CHECK(run.master.report().halvings == 10);
}

TEST_CASE("extrapolation starts anew after an event") {
    // u jumps from 0 to 1 at 0.2: a line through the values before and after would go up to 2.
    Fakes fakes;
    TestFmu sink = simple_part(fmi::Version::fmi2);
    std::vector<double> seen;
    Behaviour watching;
    watching.step = [&](FakeSlave& slave, double t, double h) {
        seen.push_back(slave["u"]);
        return fmi::StepResult{.status = Status::ok, .reached = t + h};
    };
    fakes.add("a", event_part(), surprise(0.2)).add("b", sink, watching);
    fakes.builder.connect("a.y", "b.u").method("jacobi", 0.1, 0.4);
    fakes.builder.system.master.extrapolation = 1;
    Run run = fakes.run();
    run.go();
    REQUIRE(run.failure == "");
    CHECK(seen == std::vector<double>{0, 0, 1, 1});
}

TEST_CASE("FMUs with clocks to be ticked are refused by name") {
    SystemBuilder builder(3);
    builder.foreign("c", "clocks").method("jacobi", 0.1, 1);
    CHECK(contains(refusal(builder.check()),
                   "fmu 'c': input 'trigger' is a clock, and this master ticks no clocks"));
}
