// Each check finds its fault, in an FMU that has no other.

#include "tests/check/sloppy.hpp"

#include <algorithm>

using namespace tenon::fmi;
using namespace tenon::host;
using namespace tenon::check;

namespace {

/// The findings of one check on an FMU with one fault.
Rules found(const std::string& variant, const std::string& check) {
    return rules(SloppyFmu(variant).check({check}));
}

/// How often a rule is among the notes: robustness against what no master does.
long noted(const std::string& variant, const std::string& check, const std::string& rule) {
    const CheckReport report = SloppyFmu(variant).check({check});
    CHECK(rules(report) == Rules{});
    return std::ranges::count_if(report.findings.all(), [&](const Finding& finding) {
        return finding.severity == Severity::note && finding.rule == rule && finding.place == check;
    });
}

} // namespace

TEST_CASE("An FMU that keeps every rule has neither errors nor warnings, in any check") {
    const CheckReport report = SloppyFmu("").check({});
    CHECK(rules(report) == Rules{});
    for (const CheckStage& stage : report.stages) {
        INFO(stage.name);
        const bool not_claimed = stage.name == "event-mode" || stage.name == "adjoint";
        CHECK(stage.skipped.empty() != not_claimed);
    }
}

TEST_CASE("A wrong GUID that is accepted is found, and one that is refused in silence") {
    CHECK(found("token", "token") == Rules{"token"});
    CHECK(noted("mute", "token", "token-unexplained") == 1);
}

TEST_CASE("What an FMU does wrong with the logger is found") {
    CHECK(found("environment", "logger") == Rules{"logger-environment"});
    CHECK(noted("category", "logger", "log-category") == 1);
    CHECK(found("name", "logger") == Rules{"logger-instance"});
    CHECK(found("lent", "logger") == Rules{"logger-callbacks"});
}

TEST_CASE("A crash without a logger is found with the call that was under way") {
    const CheckReport report = SloppyFmu("null-logger").check({"logger"});
    CHECK(rules(report) == Rules{"crash"});
    CHECK(message(report, "crash").find("while fmi2DoStep(h<0) was under way") != std::string::npos);
}

TEST_CASE("Calls that are accepted where they are forbidden are found, function by function") {
    const CheckReport report = SloppyFmu("lenient").check({"forbidden-calls"});
    std::string all;
    for (const Finding& finding : report.findings.all())
        all += finding.message + "\n";
    CHECK(all.find("fmi2DoStep is accepted in: Instantiated, Initialization Mode, Terminated") !=
          std::string::npos);
    CHECK(all.find("fmi2SetReal is accepted in: Terminated") != std::string::npos);
    CHECK(all.find("fmi2CancelStep is accepted in: Instantiated") != std::string::npos);
    // Tolerated, since masters do it.
    CHECK(all.find("fmi2GetReal is") == std::string::npos);
}

TEST_CASE("Unknown value references and outputs that can be set are found") {
    CHECK(noted("lenient", "arguments", "arguments") == 3);
}

TEST_CASE("Steps of no size and at wrong times that are accepted are found") {
    CHECK(noted("lenient", "step-arguments", "step-arguments") == 5); // 0, negative, NaN, ahead and behind
}

TEST_CASE("A call that no master makes is not waited for as long as others") {
    const CheckReport report = SloppyFmu("endless").check({"step-arguments"}, 3600);
    CHECK(rules(report) == Rules{});
    CHECK(message(report, "hang").find("a step size that is NaN: no answer within") == 0);
}

TEST_CASE("A stop time that is taken to the last bit is found") {
    CHECK(noted("exact-stop", "step-arguments", "stop-time") == 1);
}

TEST_CASE("States as bytes that are accepted though cut or altered are found") {
    const SloppyFmu fmu("lenient");
    const Rules all = rules(fmu.check({"broken-bytes"}), Severity::note);
    CHECK(std::ranges::count(all, "truncated-state") == 1);
    CHECK(std::ranges::count(all, "altered-state") == 1);
    CHECK(rules(fmu.check({"broken-bytes"})) == Rules{});
}

#ifndef TENON_SANITIZERS // whose exit code is its own
TEST_CASE("Addresses in the bytes of a state are found by a process where they mean something else") {
    const Rules list = found("addresses", "serialization");
    REQUIRE(list.size() == 1);
    CAPTURE(list.front());
    // What lies at such an address in another process is a matter of chance.
    CHECK((list.front() == "crash" || list.front() == "serialization-differs" ||
           list.front() == "call-failed"));
}
#endif

TEST_CASE("What a state forgets is found by the run that follows") {
    CHECK(found("forgets-hidden", "rollback") == Rules{"rollback-differs"});
    CHECK(found("forgets-input", "rollback") == Rules{"rollback-differs"});
    CHECK(found("forgets-mode", "initial-state") == Rules{"call-failed"});
    CHECK(found("one-copy", "copies") == Rules{"copies-differ"});
}

TEST_CASE("A run that depends on the clock is found") {
    CHECK(found("clock", "determinism") == Rules{"not-deterministic"});
}

TEST_CASE("A value that outlives a reset is found, and a reset that crashes") {
    CHECK(found("reset", "reset") == Rules{"reset-differs"});
    CHECK(found("crash-at-reset", "reset") == Rules{"crash"});
}

TEST_CASE("A derivative that disturbs the state is found") {
    CHECK(found("derivative-disturbs", "derivatives") == Rules{"derivative-side-effect"});
}

TEST_CASE("Steps that are cut to a grid of the FMU's own are found") {
    CHECK(found("own-grid", "step-size") == Rules{"step-size"});
}

TEST_CASE("NaN that is answered with plausible numbers is found") {
    CHECK(noted("nan", "nan", "nan-swallowed") == 1);
}

TEST_CASE("Memory that grows over many steps is found") {
    CHECK(found("leak", "memory") == Rules{"memory-growth"});
}

TEST_CASE("What an FMU changes of its host is found, once") {
    CHECK(found("rounding", "reset") == Rules{"host-rounding"});
    CHECK(found("traps", "reset") == Rules{"host-traps"});
    CHECK(found("locale", "reset") == Rules{"host-locale"});
    CHECK(found("signals", "reset") == Rules{"host-signals"});
#ifdef __SSE2__
    CHECK(found("denormals", "reset") == Rules{"host-denormals"});
#endif
}

TEST_CASE("Files that an FMU writes into its resources or the working directory are found") {
    CHECK(found("resources", "reset") == Rules{"resources-written"});
    CHECK(found("working-directory", "reset") == Rules{"writes-files"});
}

TEST_CASE("Threads and descriptors that stay behind are found") {
#ifndef TENON_SANITIZERS // whose own start of a thread crashes now and then where the process ends at once
    const Rules rules = found("threads", "unload"); // a thread whose code is unloaded may crash besides
    CHECK(std::ranges::find(rules, "threads") != rules.end());
#endif
    CHECK(found("descriptors", "unload") == Rules{"descriptors"});
}

TEST_CASE("An FMU that crashes when it is freed fails the ordinary run, and checks that need none go on") {
    const CheckReport report = SloppyFmu("free").check({"token", "reset"});
    CHECK(message(report, "crash") == "signal 6 (Aborted), while fmi2FreeInstance was under way");
    const auto skipped = std::find_if(report.stages.begin(), report.stages.end(),
                                      [](const CheckStage& stage) { return stage.name == "reset"; });
    REQUIRE(skipped != report.stages.end());
    CHECK(skipped->skipped == "the ordinary run failed");
}

TEST_CASE("A library whose values are not those of the description is found") {
    CHECK(found("start-value", "start-values") == Rules{"start-value"});
    CHECK(found("time", "reset") == Rules{"time-variable"});
}

TEST_CASE("A dependency that the description leaves out is found in both modes") {
    const SloppyFmu fmu("", {R"(index="3" dependencies="2")", R"(index="3" dependencies="")"});
    CHECK(rules(fmu.check({"dependencies"})) == Rules{"dependency-undeclared"});
    const SloppyFmu initial("", {R"(dependencies="2 4 5")", R"(dependencies="2 4")"});
    CHECK(message(initial.check({"dependencies"}), "dependency-undeclared")
              .find("y reacts to x in initialization mode") != std::string::npos);
}
