// The parts that the dynamic checks are made of.

#include "tools/check/call_trace.hpp"
#include "tools/check/inputs.hpp"
#include "tools/check/legality.hpp"
#include "tools/check/sample.hpp"
#include "tools/check/target.hpp"
#include "tools/check/wire.hpp"
#include "tools/host/child.hpp"

#include <catch2/catch.hpp>

#include <bit>
#include <cmath>
#include <csignal>

using namespace tenon::fmi;
using namespace tenon::host;
using namespace tenon::check;

TEST_CASE("A call trace tells which call a process died in") {
    CallTrace trace;
    CHECK(trace.describe() == "before any call into the FMU");
    run_in_child([&](const ChildChannel&) {
        { const TracedCall first(trace, "fmi2Reset"); }
        const TracedCall second(trace, "fmi2DoStep(t = {}, h = {})", 0.5, 0.25);
        std::raise(SIGKILL);
    });
    CHECK(trace.calls() == std::vector<std::string>{"fmi2Reset", "fmi2DoStep(t = 0.5, h = 0.25)"});
    CHECK(trace.describe() == "while fmi2DoStep(t = 0.5, h = 0.25) was under way");
}

TEST_CASE("A call trace keeps the last calls and cuts long ones") {
    CallTrace trace;
    for (int i = 0; i < 100; ++i)
        const TracedCall call(trace, "call {} {}", i, std::string(200, 'x'));
    REQUIRE(trace.calls().size() == 16);
    CHECK(trace.calls().back().starts_with("call 99 xxx"));
    CHECK(trace.calls().back().size() < 120);
    CHECK(trace.describe().starts_with("after call 99"));
}

TEST_CASE("Packed values come back, and bytes that end early are refused") {
    const Finding finding{Severity::warning, "rule", "place", "message", "hint"};
    const std::string bytes =
        Packer().put(3).put("text").put(std::vector<double>{1.5, NAN}).put(finding).bytes();
    Unpacker good(bytes);
    CHECK(good.get<int>() == 3);
    CHECK(good.get<std::string>() == "text");
    const auto numbers = good.get<std::vector<double>>();
    REQUIRE(numbers.size() == 2);
    CHECK(numbers[0] == 1.5);
    CHECK(std::isnan(numbers[1]));
    CHECK(good.get<Finding>().message == "message");
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        Unpacker cut(std::string_view(bytes).substr(0, length));
        CHECK_THROWS([&] {
            cut.get<int>();
            cut.get<std::string>();
            cut.get<std::vector<double>>();
            cut.get<Finding>();
        }());
    }
}

namespace {

Variable real(const std::string& name, Causality causality, double start = 0) {
    Variable variable;
    variable.name = name;
    variable.causality = causality;
    variable.start = std::vector<double>{start};
    return variable;
}

} // namespace

TEST_CASE("Samples are compared by their bits") {
    Description description;
    description.variables = {real("y", Causality::output)};
    const Watch watch(description);
    const auto sample = [](double value) { return Sample{0.5, {std::bit_cast<std::uint64_t>(value)}, {}}; };
    CHECK_FALSE(watch.difference(sample(NAN), sample(NAN)));
    CHECK(watch.difference(sample(0.0), sample(-0.0)) == "y = -0 at t = 0.5 instead of 0");
    CHECK(watch.difference(sample(1.0), sample(std::nextafter(1.0, 2.0))) ==
          "y = 1.0000000000000002 at t = 0.5 instead of 1");
}

TEST_CASE("Inputs move around their start values and stay within their limits") {
    Description description;
    description.variables = {real("u", Causality::input, 100), real("v", Causality::input, 0)};
    description.variables[1].max = 0;
    const Inputs inputs(description);
    bool moves = false;
    for (int i = 0; i < 50; ++i) {
        const std::vector<double> values = inputs.moved(i, 1.0);
        CHECK(std::abs(values[0] - 100) <= 1);
        CHECK(values[1] <= 0);
        moves = moves || values[0] != 100;
    }
    CHECK(moves);
}

TEST_CASE("The experiment is the description's, in whole internal steps") {
    Description description;
    description.experiment = {2.0, 4.0, 1e-5, {}};
    CHECK(choose_experiment(description).start == 2.0);
    CHECK(choose_experiment(description).step == Approx(0.02));
    description.experiment.step = 0.05;
    CHECK(choose_experiment(description).step == 0.05);
    description.capabilities.fixed_internal_step = 0.04;
    CHECK(choose_experiment(description).step == 0.04);
    description.experiment = {};
    description.capabilities.fixed_internal_step.reset();
    CHECK(choose_experiment(description).step == Approx(0.01));
}

TEST_CASE("The tables of legal calls have a column for every state") {
    for (const Version version : {Version::fmi2, Version::fmi3})
        for (const LegalCall& call : legal_calls(version)) {
            INFO(call.function);
            CHECK(call.states.size() == legal_states(version).size());
            CHECK(call.states.find_first_not_of("y-t") == std::string_view::npos);
        }
}
