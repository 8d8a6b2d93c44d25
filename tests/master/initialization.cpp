// Start values, propagation in the order of dependencies, algebraic loops.

#include "tests/master/fake_slave.hpp"

#include <algorithm>
#include <cmath>

using namespace tenon;
using namespace tenon::master;
using namespace tenon::system;
using fmi::Status;

namespace {

/// Two gains in a circle: a.y = ka b.y + ba, b.y = kb a.y + bb.
SystemBuilder circle(int version, double ka, double ba, double kb, double bb) {
    SystemBuilder builder(version);
    builder.foreign("a", "gain", {setting("k", ka), setting("b", ba)})
        .foreign("b", "gain", {setting("k", kb), setting("b", bb)})
        .connect("a.y", "b.u")
        .connect("b.y", "a.u")
        .method("auto", 0.1, 0.3);
    return builder;
}

/// y = f(u), without derivatives.
Behaviour function(std::function<double(double)> f) {
    Behaviour behaviour;
    behaviour.calculate = [f = std::move(f)](FakeSlave& slave) { slave["y"] = f(slave["u"]); };
    return behaviour;
}

} // namespace

TEST_CASE("outputs are handed on in the order of their dependencies, whatever the order of the FMUs") {
    const int version = GENERATE(2, 3);
    SystemBuilder builder(version);
    // d <- c <- b <- a, listed the other way round: y = 2 u + 1 each, from 3.
    for (const char* name : {"d", "c", "b", "a"})
        builder.foreign(name, "gain", {setting("b", 1.0)});
    builder.system.fmus.back().set.push_back(setting("u", 3.0));
    builder.connect("a.y", "b.u").connect("b.y", "c.u").connect("c.y", "d.u").method("jacobi", 0.1, 0.1);
    Run run(builder.check());
    run.go();
    CHECK(run.failure == "");
    CHECK(run.at(0, "a.y") == 7);
    CHECK(run.at(0, "b.y") == 15);
    CHECK(run.at(0, "c.y") == 31);
    CHECK(run.at(0, "d.y") == 63);
}

TEST_CASE("parameters, start values and settings reach the FMUs before the first row") {
    const int version = GENERATE(2, 3);
    SystemBuilder builder(version);
    builder
        .foreign(
            "o", "oscillator",
            {setting("x", 0.5), setting("m", 2.0), setting("k", 8.0), setting("v", 3.0), setting("F", 1.0)})
        .method("jacobi", 0.1, 0.1);
    Run run(builder.check());
    run.go();
    CHECK(run.at(0, "o.x") == 0.5);
    CHECK(run.at(0, "o.v") == 3);
    CHECK(run.at(0, "o.a") == (1 - 8 * 0.5) / 2);
}

TEST_CASE("only what the system gives is set, the start values of a description are the FMU's own") {
    Fakes fakes;
    TestFmu fmu(GENERATE(fmi::Version::fmi2, fmi::Version::fmi3));
    fmu.input("u").output("y").parameter("p").parameter("q").input("w");
    fmu.description().capabilities.variable_step = true;
    for (const std::size_t i : {0u, 2u, 3u, 4u})
        fmu.description().variables[i].start = std::vector<double>{4};
    Behaviour behaviour;
    behaviour.answer = [&](FakeSlave& slave, const std::string& call) {
        if (call == "EnterInitializationMode")
            CHECK(slave["q"] == 7);
        if (call == "ExitInitializationMode")
            CHECK(slave["w"] == 8);
        CHECK(slave["p"] == 0);
        CHECK(slave["u"] == 0);
        return Status::ok;
    };
    fakes.add("a", fmu, behaviour);
    fakes.builder.method("jacobi", 0.1, 0.1);
    fakes.builder.system.fmus[0].set = {setting("q", 7.0), setting("w", 8.0)};
    Run run = fakes.run();
    run.go();
    CHECK(run.failure == "");
    CHECK((*fakes.slaves[0])["q"] == 7);
    CHECK((*fakes.slaves[0])["w"] == 8);
}

TEST_CASE("a start value that an FMU refuses is named with its value") {
    Fakes fakes;
    TestFmu fmu = simple_part();
    fmu.parameter("mass").parameter("length");
    Behaviour behaviour;
    behaviour.answer = [](FakeSlave&, const std::string& call) {
        return call == "Set" ? Status::discard : Status::ok;
    };
    fakes.add("a", fmu, behaviour);
    fakes.builder.method("jacobi", 0.1, 0.1);
    CHECK(fakes.run().go().failure == ""); // nothing is set
    fakes.builder.system.fmus[0].set = {setting("mass", 0.5), setting("length", -2.0)};
    CHECK(contains(fakes.run().go().failure, "fmu 'a' (a.fmu): setting 'mass' = 0.5 returned fmi3Discard"));
}

TEST_CASE("structural parameters resize arrays before everything else") {
    SystemBuilder builder(3);
    builder
        .foreign("s", "statespace",
                 {setting("m", 1.0), setting("n", 1.0), setting("r", 3.0), setting("A", 0.0),
                  setting("B", 0.0), setting("C", std::vector<double>{1, 2, 3}),
                  setting("D", std::vector<double>{0, 0, 1}), setting("x0", 5.0), setting("u", 7.0)})
        .method("jacobi", 0.1, 0.1);
    Run run(builder.check());
    run.go();
    REQUIRE(run.failure == "");
    CHECK(run.master.columns().size() == 3);
    CHECK(run.last("s.y[1]") == 5);
    CHECK(run.last("s.y[2]") == 10);
    CHECK(run.last("s.y[3]") == 22);
}

TEST_CASE("a linear loop is solved in one iteration and named in the report") {
    const int version = GENERATE(2, 3);
    // a = 2 b + 1, b = 3 a + 2
    Run run(circle(version, 2, 1, 3, 2).check());
    run.go();
    CHECK(run.failure == "");
    CHECK(run.at(0, "a.y") == Approx(-1).epsilon(1e-14));
    CHECK(run.at(0, "b.y") == Approx(-1).epsilon(1e-14));
    CHECK(run.remarks(
        "algebraic loop at the start over 'a.u', 'b.u': solved by Newton's method in 1 iteration"));
    CHECK(run.remarks("method iterate: 'a.u', 'b.u' depend on themselves by feedthrough"));
}

TEST_CASE("a loop across both versions of FMI is solved") {
    SystemBuilder builder;
    builder.fmu("a", fmi::foreign_file("gain", 2), {setting("k", 0.5), setting("b", 1.0)})
        .fmu("b", fmi::foreign_file("gain", 3), {setting("k", -4.0), setting("b", 2.0)})
        .connect("a.y", "b.u", 0.1, 3)
        .connect("b.y", "a.u")
        .method("jacobi", 0.1, 0.1);
    Run run(builder.check());
    run.go();
    CHECK(run.failure == "");
    const double a = run.at(0, "a.y"), b = run.at(0, "b.y");
    CHECK(a == Approx(0.5 * b + 1));
    CHECK(b == Approx(-4 * (0.1 * a + 3) + 2));
}

TEST_CASE("the loop of an oscillator's own acceleration is solved by its derivatives") {
    // F = -3 a, so that (m + 3) a = -k x.
    const int version = GENERATE(2, 3);
    SystemBuilder builder(version);
    builder.foreign("o", "oscillator").connect("o.a", "o.F", -3).method("iterate", 0.01, 0.01);
    builder.system.master.iteration = "quasi-newton"; // the gain of the loop is 3
    Run run(builder.check());
    run.go();
    CHECK(run.failure == "");
    CHECK(run.at(0, "o.a") == Approx(-10.0 / 4));
}

TEST_CASE("wrong derivatives of an FMU do not keep a loop from being solved") {
    const int version = GENERATE(2, 3);
    SystemBuilder builder(version);
    builder.foreign("a", "misbehave-derivatives", {setting("x", 1.0)})
        .foreign("b", "gain", {setting("k", 0.5)})
        .connect("a.y", "b.u")
        .connect("b.y", "a.u")
        .method("jacobi", 0.1, 0.1);
    Run run(builder.check());
    run.go();
    CHECK(run.failure == "");
    CHECK(run.at(0, "a.y") == Approx(2)); // y = u + 1, u = y / 2
}

TEST_CASE("a nonlinear loop without derivatives converges from a poor start") {
    Fakes fakes;
    fakes.add("a", simple_part(), function([](double u) { return std::exp(-u) - 2; }))
        .add("b", simple_part(), function([](double u) { return u + 1.5; }));
    fakes.builder.connect("a.y", "b.u").connect("b.y", "a.u").method("jacobi", 0.1, 0.1);
    Run run = fakes.run();
    run.go();
    CHECK(run.failure == "");
    const double x = run.at(0, "b.y"); // x = exp(-x) - 0.5
    CHECK(x == Approx(std::exp(-x) - 0.5).margin(1e-8));
}

TEST_CASE("a loop without a solution is named with its residual") {
    Fakes fakes;
    fakes.add("a", simple_part(), function([](double u) { return u * u + 1; }))
        .add("b", simple_part(), function([](double u) { return u + 1; }));
    fakes.builder.connect("a.y", "b.u").connect("b.y", "a.u").method("jacobi", 0.1, 0.1);
    const std::string failure = fakes.run().go().failure;
    CAPTURE(failure);
    CHECK(contains(failure, "t=0: the algebraic loop over 'a.u', 'b.u' does not converge: residual"));
    CHECK(contains(failure, "> 1e-08 after"));
}

TEST_CASE("a singular loop is named") {
    const int version = GENERATE(2, 3);
    const std::string failure = Run(circle(version, 1, 1, 1, 0).check()).go().failure;
    CAPTURE(failure);
    CHECK(contains(failure,
                   "t=0: the algebraic loop over 'a.u', 'b.u' is singular: its equations have rank 1 of 2"));
}

TEST_CASE("a singular loop that its start values solve is left there") {
    // a = b, b = a: everything is a solution, and zero is where they start.
    Run run(circle(2, 1, 0, 1, 0).check());
    run.go();
    CHECK(run.failure == "");
    CHECK(run.at(0, "a.y") == 0);
}

TEST_CASE("an FMU that does not say what its outputs depend on is taken to depend on all") {
    Fakes fakes; // simple_part gives no dependencies
    fakes.add("a", simple_part(), function([](double) { return 4.0; }))
        .add("b", simple_part(), function([](double u) { return u; }));
    fakes.builder.connect("a.y", "b.u").connect("b.y", "a.u").method("jacobi", 0.1, 0.1);
    Run run = fakes.run();
    run.go();
    CHECK(run.failure == "");
    CHECK(run.remarks("algebraic loop at the start over 'a.u', 'b.u'"));
    CHECK(run.at(0, "b.y") == 4);
}

TEST_CASE("declared dependencies keep a circle of FMUs from being a loop") {
    // Positions do not depend on forces: nothing to be solved.
    SystemBuilder builder(2);
    builder.foreign("a", "oscillator").foreign("b", "oscillator").connect("a.x", "b.F").connect("b.x", "a.F");
    builder.method("auto", 0.01, 0.01);
    Run run(builder.check());
    run.go();
    CHECK_FALSE(run.remarks("algebraic loop"));
    CHECK(run.remarks("method jacobi: no input depends on itself by feedthrough"));
}

TEST_CASE("discrete values in a loop are handed on until they stay") {
    // The strings and integers of two feedthroughs in a circle, with floats beside them.
    SystemBuilder builder(3);
    builder.foreign("a", "feedthrough", {setting("int32_in", 5.0), setting("boolean_in", true)})
        .foreign("b", "feedthrough")
        .connect("a.int32_out", "b.int32_in")
        .connect("b.int32_out", "a.int64_in")
        .connect("a.boolean_out", "b.boolean_in")
        .connect("b.boolean_out", "a.boolean_in")
        .connect("a.string_out", "b.string_in")
        .method("jacobi", 0.1, 0.1);
    Run run(builder.check());
    run.go();
    REQUIRE(run.failure == "");
    CHECK(run.at(0, "b.int32_out") == 5);
    CHECK(run.at(0, "a.int64_out") == 5);
}

TEST_CASE("the tolerance is told to FMUs only where the step is controlled by the error") {
    // The foreign FMU refuses a tolerance of zero, and takes any other: here it is asked by a fake.
    Fakes fakes;
    fakes.add("a", simple_part(), {});
    fakes.builder.method("jacobi", 0.1, 0.1);
    fakes.builder.system.master.stop = 0; // nothing to run: no stop time either
    Run run = fakes.run();
    run.master.initialize();
    CHECK(run.master.time() == 0);
}

TEST_CASE("methods for joints are refused where there are none") {
    SystemBuilder builder(2);
    builder.foreign("a", "oscillator").method("newton", 0.1, 1);
    CHECK(contains(refusal(builder.check()), "method 'newton' is for joints, and the system has none"));
}
