// The master as a whole: columns, grid, types, reports.

#include "tests/master/fake_slave.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

using namespace tenon;
using namespace tenon::master;
using namespace tenon::system;
using fmi::Status;

TEST_CASE("all outputs are recorded, arrays element by element, with units and descriptions") {
    SystemBuilder builder(3);
    builder.foreign("o", "oscillator").foreign("f", "feedthrough").method("jacobi", 0.1, 0.1);
    const Run run(builder.check());
    std::vector<std::string> names;
    for (const Column& column : run.master.columns())
        names.push_back(column.name);
    CHECK(names == std::vector<std::string>{"o.x",
                                            "o.v",
                                            "o.a",
                                            "f.float64_out",
                                            "f.float32_out",
                                            "f.int8_out",
                                            "f.uint8_out",
                                            "f.int16_out",
                                            "f.uint16_out",
                                            "f.int32_out",
                                            "f.uint32_out",
                                            "f.int64_out",
                                            "f.uint64_out",
                                            "f.boolean_out",
                                            "f.enumeration_out",
                                            "f.matrix_out[1,1]",
                                            "f.matrix_out[1,2]",
                                            "f.matrix_out[1,3]",
                                            "f.matrix_out[2,1]",
                                            "f.matrix_out[2,2]",
                                            "f.matrix_out[2,3]",
                                            "f.integers_out[1]",
                                            "f.integers_out[2]",
                                            "f.integers_out[3]",
                                            "f.booleans_out[1]",
                                            "f.booleans_out[2]"});
    CHECK(run.master.columns()[1].unit == "m/s");
    CHECK(run.master.columns()[9].type == fmi::Type::int32);
}

TEST_CASE("what an FMU logs while it is freed still arrives") {
    Fakes fakes;
    fakes.add("a", simple_part(), {});
    fakes.builder.method("jacobi", 0.1, 0.1);
    std::vector<std::string> lines;
    MasterOptions options;
    options.log = [&](const std::string& fmu, Status, const std::string& text) {
        lines.push_back(fmu + ": " + text);
    };
    options.make_slave = [](const CheckedSystem& system, std::size_t i,
                            const fmi::InstanceOptions& instance) {
        Behaviour last_words;
        last_words.calculate = [end = std::shared_ptr<void>(nullptr, [log = instance.log](void*) {
                                    log(Status::warning, "", "freed");
                                })](FakeSlave&) {};
        return std::make_unique<FakeSlave>(system.fmus[i]->description(), last_words, nullptr, instance);
    };
    { const Run run(fakes.builder.check(), options); }
    CHECK(lines.back() == "a: freed");
}

TEST_CASE("what is recorded can be chosen by name, and locals can be added") {
    SystemBuilder builder(2);
    builder.foreign("v", "vanderpol").foreign("o", "oscillator").method("jacobi", 0.1, 0.1);
    MasterOptions options;
    options.locals = true;
    const auto names = [&] {
        const Run run(builder.check(), options);
        std::vector<std::string> result;
        for (const Column& column : run.master.columns())
            result.push_back(column.name);
        return result;
    };
    CHECK(names() == std::vector<std::string>{"v.x0", "v.x1", "v.der(x0)", "v.der(x1)", "o.x", "o.v", "o.a"});
    options.record = [](const std::string& name) { return name == "o.F" || name == "v.mu" || name == "o.x"; };
    CHECK(names() == std::vector<std::string>{"v.mu", "o.x", "o.F"});
}

TEST_CASE("steps end at start + i h, without adding up round-off") {
    Fakes fakes;
    fakes.add("a", simple_part(), {});
    fakes.builder.method("jacobi", 0.1, 1000.1);
    fakes.builder.system.master.start = 1000;
    Run run = fakes.run();
    run.go();
    REQUIRE(run.times.size() == 2);
    CHECK(fakes.slaves[0]->steps[0].first == 1000);

    Fakes many;
    many.add("a", simple_part(), {});
    many.builder.method("jacobi", 0.1, 100);
    Run long_run = many.run();
    long_run.go();
    REQUIRE(long_run.times.size() == 1001);
    for (std::size_t i = 0; i < 1000; ++i)
        CHECK(many.slaves[0]->steps[i].first == static_cast<double>(i) * 0.1);
    CHECK(long_run.times.back() == 100);
}

TEST_CASE("a last step that is shorter ends at the stop time") {
    const int version = GENERATE(2, 3);
    SystemBuilder builder(version);
    builder.foreign("o", "oscillator").method("jacobi", 0.3, 1);
    Run run(builder.check());
    run.go();
    CHECK(run.failure == "");
    CHECK(run.times == std::vector<double>{0, 0.3, 0.6, 3 * 0.3, 1});
    CHECK(run.last("o.x") == Approx(std::cos(std::sqrt(10.0))).epsilon(1e-8));
}

TEST_CASE("FMUs with a fixed step size are not given a shorter last one") {
    Fakes fakes;
    TestFmu rigid = simple_part();
    rigid.description().capabilities.variable_step = false;
    fakes.add("a", rigid, {}).add("b", simple_part(), {});
    fakes.builder.connect("a.y", "b.u").method("jacobi", 0.3, 1);
    Run run = fakes.run();
    CHECK(run.remarks("fmu 'a' has a fixed step size"));
    run.go();
    CHECK(run.failure == "");
    CHECK(run.times == std::vector<double>{0, 0.3, 0.6, 3 * 0.3});
    CHECK(run.remarks("the last step from t=0.8999999999999999 to 1 is left out"));
    for (const auto& [t, h] : fakes.slaves[0]->steps)
        CHECK(h == Approx(0.3));
}

TEST_CASE("a step that fails is not made smaller for FMUs with a fixed step size") {
    Fakes fakes;
    TestFmu rigid = simple_part();
    rigid.description().capabilities.variable_step = false;
    Behaviour failing;
    failing.step = [](FakeSlave&, double t, double h) {
        return t > 0.5 ? fmi::StepResult{.status = Status::discard, .reached = t}
                       : fmi::StepResult{.status = Status::ok, .reached = t + h};
    };
    fakes.add("a", rigid, {}).add("b", simple_part(), failing);
    fakes.builder.connect("a.y", "b.u").method("jacobi", 0.3, 0.9);
    CHECK(contains(fakes.run().go().failure, "cannot be tried again: fmu 'a' has a fixed step size"));
}

TEST_CASE("an internal step that does not divide the master's is remarked on") {
    Fakes fakes;
    TestFmu fmu = simple_part();
    fmu.description().capabilities.fixed_internal_step = 0.02;
    fakes.add("a", fmu, {});
    fakes.builder.method("jacobi", 0.05, 0.1);
    CHECK(
        fakes.run().remarks("fmu 'a' has internal steps of 0.02: the step 0.05 should be a multiple of it"));
    fakes.builder.system.master.step = 0.1;
    CHECK_FALSE(fakes.run().remarks("internal steps"));
}

TEST_CASE("values of all types go along wires, between versions and with arrays") {
    SystemBuilder builder;
    builder
        .fmu("a", fmi::foreign_file("feedthrough", 3),
             {setting("float32_in", 0.5), setting("int8_in", -7.0), setting("uint64_in", 9.0),
              setting("boolean_in", true), setting("string_in", std::string("word")),
              setting("binary_in", std::string("abff")), setting("enumeration_in", 3.0),
              setting("matrix_in", std::vector<double>{1, 2, 3, 4, 5, 6}),
              setting("integers_in", std::vector<double>{7, 8, 9}),
              setting("booleans_in", std::vector<bool>{true, false})})
        .fmu("b", fmi::foreign_file("feedthrough", 2))
        .fmu("c", fmi::foreign_file("feedthrough", 3))
        .connect("a.float32_out", "b.float64_in", 2, 1)
        .connect("a.int8_out", "b.int32_in")
        .connect("a.boolean_out", "b.boolean_in")
        .connect("a.string_out", "b.string_in")
        .connect("a.enumeration_out", "b.enumeration_in")
        .connect("a.matrix_out[2,1]", "b.matrix_in[1,2]")
        .connect("a.matrix_out", "c.matrix_in", -1)
        .connect("a.integers_out", "c.integers_in")
        .connect("a.booleans_out", "c.booleans_in")
        .connect("a.binary_out", "c.binary_in")
        .connect("b.string_out", "c.string_in")
        .connect("b.int32_out", "c.int64_in")
        .connect("b.int32_out", "c.float64_in", 10)
        .method(GENERATE(every_scheme()), 0.1, 0.3);
    Run run(builder.check());
    run.go();
    REQUIRE(run.failure == "");
    CHECK(run.last("b.float64_out") == 2);
    CHECK(run.last("b.int32_out") == -7);
    CHECK(run.last("b.boolean_out") == 1);
    CHECK(run.last("b.enumeration_out") == 3);
    CHECK(run.last("b.matrix_out[1,2]") == 4);
    CHECK(run.last("c.matrix_out[2,3]") == -6);
    CHECK(run.last("c.integers_out[2]") == 8);
    CHECK(run.last("c.booleans_out[1]") == 1);
    CHECK(run.last("c.int64_out") == -7);
    CHECK(run.last("c.float64_out") == -70);
}

TEST_CASE("the report counts steps, FMU steps and iterations") {
    SystemBuilder builder(2);
    builder.foreign("a", "oscillator").foreign("b", "oscillator").connect("a.x", "b.F").connect("b.x", "a.F");
    builder.method("iterate", 0.1, 1);
    Run run(builder.check());
    run.go();
    const MasterReport& report = run.master.report();
    CHECK(report.steps == 10);
    CHECK(report.iterations >= 20);
    CHECK(report.dosteps == 2 * report.iterations);
    CHECK(report.rollbacks == report.iterations - 10);
    CHECK(report.fmus.size() == 2);
    CHECK(report.fmus[1].name == "b");
    CHECK(report.fmus[1].dosteps == report.iterations);
    CHECK(report.fmus[1].seconds > 0);
    CHECK(report.halvings == 0);
    CHECK(report.smallest_step == Approx(0.1));
}

TEST_CASE("the time of long steps is counted in full, however quickly states are saved between them") {
    const auto length = std::chrono::microseconds(300);
    Fakes fakes;
    Behaviour slow;
    slow.step = [&](FakeSlave&, double t, double h) {
        std::this_thread::sleep_for(length);
        return fmi::StepResult{.status = Status::ok, .reached = t + h};
    };
    fakes.add("slow", simple_part(), slow);
    fakes.builder.method("jacobi", 0.01, 1);
    Run run = fakes.run();
    run.go();
    CHECK(run.master.report().fmus[0].seconds >= 100 * std::chrono::duration<double>(length).count());
}

TEST_CASE("in step mode nothing is got after something was set, in any method") {
    // Reading outputs that belong to new inputs before the step with them is what the standard forbids.
    const std::string method = GENERATE(every_scheme());
    const int order = GENERATE(0, 1, 2);
    const bool adaptive = GENERATE(false, true);
    Fakes fakes;
    Behaviour integrating;
    integrating.step = [](FakeSlave& slave, double t, double h) {
        slave["y"] += h * (slave["u"] + 1);
        return fmi::StepResult{.status = Status::ok, .reached = t + h};
    };
    fakes.add("a", simple_part(fmi::Version::fmi2), integrating).add("b", simple_part(), integrating);
    fakes.builder.connect("a.y", "b.u").connect("b.y", "a.u", -1).method(method, 0.1, 0.5);
    fakes.builder.system.master.extrapolation = order;
    fakes.builder.system.master.adaptive = adaptive;
    fakes.builder.system.master.tolerance = 1e-4;
    Run run = fakes.run();
    run.go();
    REQUIRE(run.failure == "");
    for (const std::vector<std::string>& trace : fakes.traces) {
        bool set = false, stepping = false;
        for (const std::string& call : trace) {
            stepping |= call == "ExitInitializationMode";
            if (stepping && call == "Set")
                set = true;
            if (call == "DoStep" || call == "SetFMUState")
                set = false;
            if (stepping && call == "Get")
                CHECK_FALSE(set);
        }
    }
}

TEST_CASE("small FMUs cost one set, one step, one get and one copy of their state a step") {
    Fakes fakes;
    TestFmu fmu = simple_part();
    fmu.output("more").input("other");
    fakes.add("a", fmu, {}).add("b", fmu, {});
    fakes.builder.connect("a.y", "b.u")
        .connect("a.more", "b.other")
        .connect("b.y", "a.u")
        .connect("b.more", "a.other");
    fakes.builder.method("jacobi", 0.1, 10);
    MasterOptions options = fakes.options();
    options.record = [](const std::string&) { return false; };
    Run run(fakes.builder.check(), options);
    run.master.initialize();
    const auto count = [&](const char* call) { return std::ranges::count(fakes.traces[0], call); };
    const auto sets = count("Set"), gets = count("Get"), steps = count("DoStep"),
               saved = count("GetFMUState");
    run.on();
    CHECK(count("Set") - sets == 100);
    CHECK(count("DoStep") - steps == 100);
    CHECK(count("Get") - gets == 100);
    CHECK(count("GetFMUState") - saved == 100); // no older one may be needed: FMUs are told so
    CHECK(run.master.columns().empty());
}

TEST_CASE("several instances of one FMU, also of one that allows only one in a process, run side by side") {
    const int version = GENERATE(2, 3);
    SystemBuilder builder(version);
    for (const char* name : {"a", "b", "c"})
        builder.foreign(name, "misbehave-once",
                        {setting("u", 1.0), setting("x", std::string(name) == "b" ? 5.0 : 0.0)});
    builder.method("jacobi", 0.1, 1);
    Run run(builder.check());
    run.go();
    CHECK(run.failure == "");
    CHECK(run.last("a.y") == Approx(2));
    CHECK(run.last("b.y") == Approx(7));
    CHECK(run.last("c.y") == Approx(2));
}

TEST_CASE("an FMU that cannot be loaded is named") {
    SystemBuilder builder(2);
    builder.foreign("a", "misbehave-null").method("jacobi", 0.1, 1);
    CHECK(contains(refusal(builder.check()), "misbehave-null.2.fmu: fmi2Instantiate gave no instance"));
}

TEST_CASE("an FMU to be isolated is said to run in this process where nobody isolates it") {
    SystemBuilder builder(2);
    builder.foreign("a", "gain").method("jacobi", 0.1, 1);
    builder.system.fmus[0].isolate = true;
    CHECK(Run(builder.check()).remarks("fmu 'a' runs in this process, although it is to be isolated"));
}

TEST_CASE("what a log sink throws comes out of the step that logged") {
    SystemBuilder builder(2);
    builder.foreign("a", "misbehave-warning").method("jacobi", 0.1, 1);
    MasterOptions options;
    options.log = [](const std::string&, Status status, const std::string&) {
        if (status == Status::warning)
            throw std::runtime_error("the log is full");
    };
    Run run(builder.check(), options);
    CHECK_THROWS_WITH(run.go(), "the log is full");
}

TEST_CASE("auto does not iterate over FMUs without rollback, and says so") {
    Fakes fakes;
    TestFmu stuck = simple_part();
    stuck.description().capabilities.get_and_set_state = false;
    fakes.add("a", stuck, {}).add("b", simple_part(), {});
    fakes.builder.connect("a.y", "b.u").connect("b.y", "a.u").method("auto", 0.1, 1);
    CHECK(fakes.run().remarks(
        "method jacobi, although 'a.u', 'b.u' depend on themselves by feedthrough: iterating needs "
        "rollback of fmu 'a'"));
}

TEST_CASE("with iterate an algebraic loop holds at every communication point") {
    const int version = GENERATE(2, 3);
    const int order = GENERATE(0, 1);
    // An oscillator with half of its acceleration fed back through a gain: (m + 0.5) a = -k x at all times.
    SystemBuilder builder(version);
    builder.foreign("o", "oscillator")
        .foreign("g", "gain", {setting("k", -0.5)})
        .connect("o.a", "g.u")
        .connect("g.y", "o.F")
        .method("auto", 0.01, 0.5);
    builder.system.master.extrapolation = order;
    Run run(builder.check());
    run.go();
    REQUIRE(run.failure == "");
    CHECK(run.remarks("method iterate"));
    for (std::size_t i = 0; i < run.rows.size(); ++i)
        CHECK(1.5 * run.at(i, "o.a") == Approx(-10 * run.at(i, "o.x")).epsilon(1e-6).margin(1e-6));
    CHECK(run.last("o.x") == Approx(std::cos(std::sqrt(10 / 1.5) * 0.5)).epsilon(order == 0 ? 2e-2 : 2e-4));
}
