// Steps, inputs inside of them, and derivatives.

#include "tests/import/slave_support.hpp"

#include <cmath>

using namespace tenon;
using namespace tenon::fmi;

namespace {

/// x'' + 10 x = F, x(0) = 1, with F = 2 t and with F = 3 t^2: the solutions by hand.
const double omega = std::sqrt(10.0);
double under_no_force(double t) { return std::cos(omega * t); }
double under_ramp(double t) { return std::cos(omega * t) + 0.2 * (t - std::sin(omega * t) / omega); }
double under_parabola(double t) {
    return std::cos(omega * t) + 0.3 * (t * t - 0.2) + 0.06 * std::cos(omega * t);
}

} // namespace

TEST_CASE("a step goes to its end") {
    const int version = GENERATE(2, 3);
    const Fmu fmu = foreign("oscillator", version);
    auto slave = fmu.instantiate({});
    REQUIRE(slave->enter_initialization(-1, 1, 1e-6) == Status::ok);
    REQUIRE(slave->exit_initialization() == Status::ok);
    const StepResult result = slave->step(-1, 0.75, true);
    CHECK(result.status == Status::ok);
    CHECK(result.reached == -0.25);
    CHECK_FALSE(result.early);
    CHECK_FALSE(result.event);
    CHECK_FALSE(result.terminate);
    CHECK(real(*slave, "time") == -0.25);
    CHECK(real(*slave, "x") == Approx(under_no_force(0.75)).margin(1e-9));
    const StepResult beyond = slave->step(-0.25, 10);
    CHECK(beyond.status == Status::error);
    CHECK(beyond.reached == -0.25);
}

TEST_CASE("derivatives of inputs shape the force inside a step of FMI 2.0") {
    const Fmu fmu = foreign("oscillator", 2);
    auto slave = started(fmu);
    const Reference force = reference(*slave, "F");
    const std::int32_t orders[] = {1, 2};
    const double rates[] = {2, 0}, accelerations[] = {0, 6};
    const Reference both[] = {force, force};
    REQUIRE(slave->set_input_derivatives(both, orders, rates) == Status::ok);
    REQUIRE(slave->step(0, 1).status == Status::ok);
    CHECK(real(*slave, "x") == Approx(under_ramp(1)).margin(1e-9));
    CHECK(real(*slave, "F") == Approx(2));

    REQUIRE(slave->reset() == Status::ok);
    initialize(*slave);
    REQUIRE(slave->set_input_derivatives(both, orders, accelerations) == Status::ok);
    REQUIRE(slave->step(0, 1).status == Status::ok);
    CHECK(real(*slave, "x") == Approx(under_parabola(1)).margin(1e-9));

    CHECK(slave->set_input_derivatives(both, orders, std::span(rates, 1)) == Status::error);
}

TEST_CASE("the intermediate update shapes the force inside a step of FMI 3.0") {
    const Fmu fmu = foreign("oscillator", 3);
    std::unique_ptr<Slave> slave;
    InstanceOptions options;
    options.intermediate = {1, 4}; // x, F
    std::vector<double> times;
    bool sets_are_right = true;
    options.intermediate_update = [&](const IntermediateUpdate& update) -> std::optional<double> {
        const Reference force = 4, position = 1;
        const double value = 2 * update.time;
        double x = 0;
        if (update.set_requested)
            sets_are_right =
                sets_are_right && slave->set(std::span(&force, 1), std::span(&value, 1)) == Status::ok;
        if (update.get_allowed) {
            REQUIRE(slave->get({&position, 1}, {&x, 1}) == Status::ok);
            CHECK(x == Approx(under_ramp(update.time)).margin(1e-9));
            times.push_back(update.time);
            CHECK(update.step_finished);
            CHECK_FALSE(update.can_return_early);
        }
        return std::nullopt;
    };
    slave = started(fmu, options);
    REQUIRE(slave->step(0, 1).status == Status::ok);
    CHECK(sets_are_right);
    CHECK(real(*slave, "x") == Approx(under_ramp(1)).margin(1e-9));
    CHECK(times.size() == 1000);
    CHECK(std::ranges::is_sorted(times));
    double rate = 2;
    const Reference force = 4;
    const std::int32_t order = 1;
    CHECK(slave->set_input_derivatives({&force, 1}, {&order, 1}, {&rate, 1}) == Status::error);
    CHECK(slave->step(1, 1).status == Status::ok);
}

TEST_CASE("the intermediate update can end a step where early return was allowed") {
    const bool allowed = GENERATE(true, false);
    const Fmu fmu = foreign("oscillator", 3);
    InstanceOptions options;
    options.early_return = allowed;
    options.intermediate_update = [&](const IntermediateUpdate& update) -> std::optional<double> {
        CHECK(update.can_return_early == (allowed && update.step_finished));
        return update.time >= 0.25 ? std::optional(0.3005) : std::nullopt;
    };
    auto slave = started(fmu, options);
    const StepResult result = slave->step(0, 1);
    CHECK(result.status == Status::ok);
    CHECK(result.early == allowed);
    CHECK(result.reached == (allowed ? 0.3005 : 1.0));
    CHECK(real(*slave, "x") == Approx(under_no_force(result.reached)).margin(1e-9));
    CHECK(slave->step(result.reached, 0.1).status == Status::ok);
}

TEST_CASE("an exception of the intermediate update comes out of the step, not through the FMU") {
    const Fmu fmu = foreign("oscillator", 3);
    InstanceOptions options;
    options.intermediate_update = [](const IntermediateUpdate& update) -> std::optional<double> {
        if (update.time > 0.5)
            throw std::runtime_error("no more");
        return std::nullopt;
    };
    auto slave = started(fmu, options);
    CHECK_THROWS_WITH(slave->step(0, 1), "no more");
}

TEST_CASE("a step that stops half way says how far it came") {
    const int version = GENERATE(2, 3);
    Log log;
    const Fmu fmu = foreign("misbehave-partial", version);
    InstanceOptions options = logging_to(log);
    options.early_return = GENERATE(true, false);
    auto slave = started(fmu, options);
    REQUIRE(slave->step(0, 0.25).status == Status::ok);
    const StepResult result = slave->step(0.25, 0.5);
    CHECK(result.status == (version == 2 ? Status::discard : Status::ok));
    CHECK(result.early);
    CHECK(result.reached == 0.5);
    CHECK_FALSE(result.terminate);
    CHECK(log.has("returned early, although it was not allowed to") ==
          (version == 3 && !options.early_return));
}

TEST_CASE("a step that ends before it has begun has come nowhere") {
    const int version = GENERATE(2, 3);
    Log log;
    const Fmu fmu = foreign("misbehave-backwards", version);
    auto slave = started(fmu, logging_to(log));
    REQUIRE(slave->step(0, 0.25).status == Status::ok);
    const StepResult result = slave->step(0.25, 0.5);
    CHECK(result.status == (version == 2 ? Status::discard : Status::error));
    CHECK(result.reached == 0.25);
    if (version == 2)
        CHECK_FALSE(result.early);
    else
        CHECK(log.has("returned early at -0.75, which is not in the step from 0.25 to 0.75"));
}

TEST_CASE("an FMU that wants to end says so") {
    const int version = GENERATE(2, 3);
    const Fmu fmu = foreign("misbehave-terminate", version);
    auto slave = started(fmu);
    const StepResult result = slave->step(0, 0.5);
    CHECK(result.terminate);
    CHECK(result.status == (version == 2 ? Status::discard : Status::ok));
    CHECK(result.reached == 0.5);
    CHECK(slave->terminate() == Status::ok);
}

TEST_CASE("derivatives of outputs are those of the motion") {
    const int version = GENERATE(2, 3);
    const Fmu fmu = foreign("oscillator", version);
    auto slave = started(fmu);
    REQUIRE(slave->step(0, 0.4).status == Status::ok);
    const std::vector<Reference> outputs{reference(*slave, "x"), reference(*slave, "v")};
    const std::vector<std::int32_t> orders{1, 1};
    std::vector<double> rates(2);
    REQUIRE(slave->get_output_derivatives(outputs, orders, rates) == Status::ok);
    CHECK(rates[0] == real(*slave, "v"));
    CHECK(rates[1] == real(*slave, "a"));
    CHECK(slave->get_output_derivatives(outputs, std::span(orders).first(1), rates) == Status::error);

    Log log;
    const Fmu without = foreign("gain", version);
    auto other = started(without, logging_to(log));
    CHECK(other->get_output_derivatives(outputs, orders, rates) == Status::error);
    CHECK(log.has("maxOutputDerivativeOrder"));
}

TEST_CASE("directional derivatives are those of the equations") {
    const int version = GENERATE(2, 3);
    const Fmu fmu = foreign("vanderpol", version);
    auto slave = started(fmu);
    REQUIRE(slave->step(0, 0.3).status == Status::ok);
    const double x0 = real(*slave, "x0"), x1 = real(*slave, "x1");
    const std::vector<Reference> unknowns{reference(*slave, "der(x0)"), reference(*slave, "der(x1)")};
    const std::vector<Reference> knowns{reference(*slave, "x0"), reference(*slave, "x1"),
                                        reference(*slave, "u")};
    const std::vector<double> seed{1, 10, 100};
    std::vector<double> result(2);
    REQUIRE(slave->directional_derivative(unknowns, knowns, seed, result) == Status::ok);
    CHECK(result[0] == 10);
    CHECK(result[1] == Approx((-2 * x0 * x1 - 1) + 10 * (1 - x0 * x0) + 100).epsilon(1e-14));
    CHECK(slave->directional_derivative(unknowns, knowns, std::span(seed).first(2), result) == Status::error);
}

TEST_CASE("directional and adjoint derivatives of arrays are each other's transpose") {
    const Fmu fmu = foreign("statespace", 3);
    auto slave = fmu.instantiate({});
    const Reference c = reference(*slave, "C"), d = reference(*slave, "D");
    const std::vector<double> C{1, 2, 3, 4}, D{5, 6, 7, 8};
    REQUIRE(slave->set(std::span(&c, 1), C) == Status::ok);
    REQUIRE(slave->set(std::span(&d, 1), D) == Status::ok);
    initialize(*slave);
    const std::vector<Reference> y{reference(*slave, "y")};
    const std::vector<Reference> x_and_u{reference(*slave, "x"), reference(*slave, "u")};
    std::vector<double> forward(2), backward(4);
    REQUIRE(slave->directional_derivative(y, x_and_u, std::vector<double>{1, 10, 100, 1000}, forward) ==
            Status::ok);
    CHECK(forward == std::vector<double>{1 + 20 + 500 + 6000, 3 + 40 + 700 + 8000});
    REQUIRE(slave->adjoint_derivative(y, x_and_u, std::vector<double>{1, 10}, backward) == Status::ok);
    CHECK(backward == std::vector<double>{31, 42, 75, 86});
}

TEST_CASE("derivatives that an FMU does not promise are not asked for") {
    const int version = GENERATE(2, 3);
    Log log;
    const Fmu fmu = foreign("units", version);
    auto slave = started(fmu, logging_to(log));
    const Reference one = 1, other = 11;
    const std::int32_t order = 1;
    double value = 1;
    CHECK(slave->directional_derivative({&other, 1}, {&one, 1}, {&value, 1}, {&value, 1}) == Status::error);
    CHECK(slave->adjoint_derivative({&other, 1}, {&one, 1}, {&value, 1}, {&value, 1}) == Status::error);
    CHECK(slave->set_input_derivatives({&one, 1}, {&order, 1}, {&value, 1}) == Status::error);
    CHECK(log.count("was not called") == 3);
    CHECK(slave->step(0, 1).status == Status::ok);
}
