// The FMUs of tests/fmus, good and bad, in both versions of FMI.

#include "tests/check/sloppy.hpp"
#include "tests/support/folders.hpp"

#include <algorithm>
#include <fmt/format.h>

using namespace tenon::fmi;
using namespace tenon::host;
using namespace tenon::check;

namespace {

CheckReport check_foreign(const std::string& name, int version, std::vector<std::string> only = {},
                          double seconds = 20) {
    CheckOptions options;
    options.only = std::move(only);
    options.limits.seconds = seconds;
    return check_fmu(fmt::format("{}/{}.{}.fmu", tenon::tests::foreign_fmus(), name, version), options);
}

/// Errors of one check on the FMU with this misbehaviour.
Rules misbehaves(const std::string& mode, int version, const std::string& check, double seconds = 20) {
    return rules(check_foreign("misbehave-" + mode, version, {check}, seconds), Severity::error);
}

} // namespace

#ifndef TENON_SANITIZERS // which keep freed memory, so that every FMU grows
TEST_CASE("Good foreign FMUs have no errors") {
    const std::string name =
        GENERATE("feedthrough", "stairs", "vanderpol", "oscillator", "gain", "statespace", "units",
                 "free_body", "free_body-minv", "free_body-halves", "free_body-derivatives",
                 "free_body-modelica", "bushing", "flywheel");
    for (const int version : {2, 3}) {
        const CheckReport report = check_foreign(name, version);
        INFO(name << '.' << version);
        CHECK(rules(report, Severity::error) == Rules{});
    }
}
#endif

TEST_CASE("A crash, an exit or a hang in a step is a finding with its call") {
    for (const int version : {2, 3}) {
        CHECK(misbehaves("segfault", version, "token") == Rules{"crash"});
        CHECK(misbehaves("abort", version, "token") == Rules{"crash"});
        CHECK(misbehaves("exit", version, "token") == Rules{"exit"});
        const CheckReport report = check_foreign("misbehave-hang", version, {"token"}, 0.5);
        CHECK(message(report, "hang") ==
              fmt::format("no answer within 0.5 s, while fmi{}DoStep(t = 0.4, h = 0.1) was under way",
                          version));
    }
}

TEST_CASE("A step that fails is a finding with what the FMU logged") {
    for (const int version : {2, 3})
        for (const char* mode : {"error", "fatal"}) {
            const CheckReport report = check_foreign(std::string("misbehave-") + mode, version, {"reset"});
            CHECK(rules(report, Severity::error) == Rules{"call-failed"});
            CHECK(message(report, "call-failed").find("it logged: as the parameter mode says") !=
                  std::string::npos);
        }
}

TEST_CASE("Results that are not finite are a finding, once") {
    for (const int version : {2, 3}) {
        CHECK(misbehaves("nan", version, "token") == Rules{"not-finite"});
        CHECK(misbehaves("nan-once", version, "token") == Rules{"not-finite"});
    }
}

TEST_CASE("An FMU that gives no instance is a finding with its reason") {
    for (const int version : {2, 3}) {
        const CheckReport report = check_foreign("misbehave-null", version);
        CHECK(rules(report) == Rules{"instantiate"});
        CHECK(message(report, "instantiate").find("the licence server does not answer") != std::string::npos);
    }
}

TEST_CASE("Instances that share what they should not are found") {
    for (const int version : {2, 3}) {
        CHECK(misbehaves("shared", version, "instances").front() == "instances-differ");
        CHECK(misbehaves("second", version, "instances") == Rules{"instantiate"});
    }
}

TEST_CASE("An FMU that allows one instance in a process, and says so, has no errors") {
    for (const int version : {2, 3})
        CHECK(rules(check_foreign("misbehave-once", version), Severity::error) == Rules{});
}

TEST_CASE("States that are not all of the state are found in both versions") {
    for (const int version : {2, 3})
        for (const char* check : {"rollback", "initial-state"})
            CHECK(rules(check_foreign("misbehave-state", version, {check})) == Rules{"rollback-differs"});
}

TEST_CASE("Steps that are committed with one flag only, and saving that changes the run, are errors") {
    for (const int version : {2, 3}) {
        CHECK(rules(check_foreign("habits-uncommitted", version, {"step-flag"}), Severity::error) ==
              Rules{"flag-differs"});
        CHECK(rules(check_foreign("habits-disturbed", version, {"saving"}), Severity::error) ==
              Rules{"saving-differs"});
        for (const char* check : {"step-flag", "saving"})
            CHECK(rules(check_foreign("habits-plain", version, {check}), Severity::error) == Rules{});
    }
}

TEST_CASE("A library that dies of freeing nothing gets a note, and is checked all the same") {
    for (const int version : {2, 3}) {
        const CheckReport report = check_foreign("brittle", version, {"determinism"});
        CHECK(rules(report, Severity::error) == Rules{});
        const auto noted = std::ranges::find(report.findings.all(), "null-instance", &Finding::place);
        REQUIRE(noted != report.findings.all().end());
        CHECK(noted->rule == "crash");
        CHECK(noted->severity == Severity::note);
        CHECK(report.stages.back().name == "resources");
    }
}

TEST_CASE("A check ends with its budget and says what it has left out") {
    CheckOptions options;
    options.budget = 0.5;
    const CheckReport report =
        check_fmu(fmt::format("{}/misbehave-hang.2.fmu", tenon::tests::foreign_fmus()), options);
    CHECK(report.seconds < 25); // the default budget is 30 s
    CHECK(rules(report, Severity::error) == Rules{});
    CHECK(message(report, "left-out") == "the time was used up (0.5 s); --budget gives more");
}

TEST_CASE("Wrong derivatives are found at the start and while stepping") {
    for (const int version : {2, 3})
        CHECK(misbehaves("derivatives", version, "derivatives") ==
              Rules{"derivative-wrong", "derivative-wrong"});
}

TEST_CASE("Printing is a warning with what was printed") {
    for (const int version : {2, 3}) {
        const CheckReport report = check_foreign("misbehave-stdout", version, {"token"});
        CHECK(rules(report) == Rules{"prints"});
        CHECK(message(report, "prints").find("misbehave: 0.1 s") != std::string::npos);
    }
}

TEST_CASE("Libraries that cannot be loaded are found with what is missing") {
    for (const int version : {2, 3}) {
        CHECK(message(check_foreign("broken-library", version), "load").find("libabsent.so") !=
              std::string::npos);
        CHECK(message(check_foreign("broken-undefined", version), "load").find("nobody_has_this") !=
              std::string::npos);
        CHECK(rules(check_foreign("broken-symbol", version), Severity::error) ==
              Rules{"symbol-missing", "load"});
    }
}

TEST_CASE("Functions that are missing and that a run can do without keep no check from being made, and are "
          "no error") {
    for (const int version : {2, 3}) {
        const CheckReport report = check_foreign("odd-lacking", version);
        CHECK(rules(report, Severity::error) == Rules{});
        CHECK(report.not_run.empty());
        CHECK(message(report, "symbol-missing").find("Terminate") != std::string::npos);
    }
}

TEST_CASE("A check that is no longer wanted ends with an exception") {
    CheckOptions options;
    options.cancelled = [] { return true; };
    CHECK_THROWS(check_fmu(fmt::format("{}/gain.2.fmu", tenon::tests::foreign_fmus()), options));
}
