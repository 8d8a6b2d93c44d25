// What an FMU logs, on its way to the sink.

#include "tools/import/log_relay.hpp"

#include "tests/import/slave_support.hpp"

using namespace tenon;
using namespace tenon::fmi;
using namespace std::chrono_literals;

namespace {

StepResult provoke(Slave& slave) { return slave.step(0, 1); }

} // namespace

TEST_CASE("messages arrive with their status, category and arguments") {
    const int version = GENERATE(2, 3);
    Log log;
    const Fmu fmu = foreign("misbehave-error", version);
    InstanceOptions options = logging_to(log);
    options.name = "left wheel";
    auto slave = started(fmu, options);
    REQUIRE(log.lines.size() == 1);
    CHECK(log.lines[0].status == Status::ok);
    CHECK(log.lines[0].category == "logEvents");
    CHECK_THAT(log.lines[0].message, Catch::StartsWith("left wheel has 6 variables, its resources are at "));
    provoke(*slave);
    REQUIRE(log.lines.size() == 2);
    CHECK(log.lines[1].status == Status::error);
    CHECK(log.lines[1].category == "logStatusError");
    CHECK(log.lines[1].message == "as the parameter mode says");
}

TEST_CASE("logging can be switched, and a slave without a sink is silent") {
    const int version = GENERATE(2, 3);
    Log log;
    const Fmu fmu = foreign("misbehave-warning", version);
    InstanceOptions options = logging_to(log);
    options.logging = false;
    auto slave = fmu.instantiate(options);
    CHECK(log.lines.empty());
    const std::vector<std::string> categories{"logEvents", "logStatusError"};
    CHECK(slave->set_debug_logging(true, categories) == Status::ok);
    CHECK(slave->set_debug_logging(true, {}) == Status::ok);
    initialize(*slave);
    provoke(*slave);
    CHECK(log.lines.size() == 1);
    CHECK(slave->set_debug_logging(true, std::vector<std::string>{"noSuchCategory"}) == Status::error);
    auto silent = started(fmu);
    CHECK(provoke(*silent).status == Status::warning);
}

TEST_CASE("odd messages are passed as text, cut at four kilobytes") {
    const int version = GENERATE(2, 3);
    Log log;
    const Fmu fmu = foreign("misbehave-loud", version);
    auto slave = started(fmu, logging_to(log));
    log.lines.clear();
    CHECK(provoke(*slave).status == Status::ok);
    REQUIRE(log.lines.size() == 3);
    CHECK(log.lines[0].category.empty()); // it was null
    CHECK(log.lines[0].message == "100 %s of it, %n and \x1b[31mred");
    CHECK(log.lines[1].message == std::string(4096, 'x'));
    CHECK(log.lines[2].message == (version == 2 ? "(null)" : "")); // null
}

TEST_CASE("an FMU that logs without end is cut off") {
    const int version = GENERATE(2, 3);
    Log log;
    const Fmu fmu = foreign("misbehave-flood", version);
    auto slave = started(fmu, logging_to(log));
    CHECK(provoke(*slave).status == Status::ok);
    const std::size_t passed = log.count("again");
    CHECK(passed >= LineLimit::limit - 1);
    CHECK(passed < 100000);
    slave.reset();
    CHECK(log.has("messages were left out"));
}

TEST_CASE("a thousand lines pass in a second, and the next second tells how many did not") {
    LineLimit limit;
    const LineLimit::Time start = std::chrono::steady_clock::now();
    std::size_t passed = 0;
    for (int i = 0; i < 1500; ++i)
        passed += limit.admit(start + i * 100us);
    CHECK(passed == 1000);
    CHECK_FALSE(limit.admit(start + 999ms));
    CHECK(limit.admit(start + 1000ms));
    CHECK(limit.take_left_out() == 501);
    CHECK(limit.take_left_out() == 0);
    for (int i = 0; i < 999; ++i)
        CHECK(limit.admit(start + 1000ms));
    CHECK_FALSE(limit.admit(start + 1500ms));
    CHECK(limit.admit(start + 2000ms));
}

TEST_CASE("an exception of the sink comes out of the call, not through the FMU") {
    const int version = GENERATE(2, 3);
    const Fmu fmu = foreign("misbehave-warning", version);
    InstanceOptions options;
    options.logging = true;
    options.log = [](Status status, const std::string&, const std::string&) {
        if (status == Status::warning)
            throw std::runtime_error("the disk is full");
    };
    auto slave = started(fmu, options);
    CHECK_THROWS_WITH(provoke(*slave), "the disk is full");
    CHECK(slave->terminate() == Status::ok);
}

TEST_CASE("messages arrive whatever environment they come with, and from any thread") {
    const int version = GENERATE(2, 3);
    const std::string habit = GENERATE("stray", "nowhere", "thread");
    INFO(habit << '.' << version);
    Log log, other_log;
    const Fmu fmu = foreign("habits-" + habit, version);
    InstanceOptions options = logging_to(log), other_options = logging_to(other_log);
    other_options.name = "other";
    const auto other = started(fmu, other_options);
    const auto slave = started(fmu, options);
    other_log.lines.clear();
    log.lines.clear();
    CHECK(slave->step(0, 0.1).status == Status::ok);
    CHECK(log.lines.size() == 1);
    CHECK(log.has(habit == "thread" ? "from a thread" : "stepped"));
    CHECK(other_log.lines.empty());
}

TEST_CASE("wild formats, arguments and pointers of a message are shown as far as they can be read") {
    Log log;
    const auto slave = started(foreign("habits-wild", 2), logging_to(log));
    CHECK(slave->step(0, 0.1).status == Status::ok);
    REQUIRE(!log.lines.empty());
    CHECK_THAT(log.lines.back().message, Catch::StartsWith("100 (unreadable) sure,  of "));
    CHECK(log.lines.back().category == "(unreadable)");
    CHECK(log.lines.back().message.size() <= 4096);
    Log log3;
    CHECK(started(foreign("habits-wild", 3), logging_to(log3))->step(0, 0.1).status == Status::ok);
    CHECK(log3.has("100 %s sure"));
}
