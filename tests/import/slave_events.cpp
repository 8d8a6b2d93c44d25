// Event mode, early return and clocks of FMI 3.0.

#include "tests/import/slave_support.hpp"

using namespace tenon;
using namespace tenon::fmi;

namespace {

InstanceOptions with_events(bool early_return) {
    InstanceOptions options;
    options.event_mode = true;
    options.early_return = early_return;
    return options;
}

EventResult handle_events(Slave& slave) {
    EventResult result;
    do {
        result = slave.update_discrete_states();
        REQUIRE(result.status == Status::ok);
    } while (result.again);
    REQUIRE(slave.enter_step_mode() == Status::ok);
    return result;
}

} // namespace

TEST_CASE("events are handled where they happen when early return is allowed") {
    const Fmu fmu = foreign("stairs", 3);
    auto slave = fmu.instantiate(with_events(true));
    initialize(*slave);
    EventResult events = handle_events(*slave);
    CHECK(events.next_event == 1.0);
    CHECK_FALSE(events.terminate);
    REQUIRE(slave->step(0, 0.7).status == Status::ok);
    const StepResult result = slave->step(0.7, 0.7);
    CHECK(result.status == Status::ok);
    CHECK(result.early);
    CHECK(result.event);
    CHECK(result.reached == 1);
    CHECK(integer(*slave, "counter") == 1);
    REQUIRE(slave->enter_event_mode() == Status::ok);
    events = handle_events(*slave);
    CHECK(events.next_event == 2.0);
    CHECK(integer(*slave, "counter") == 2);
    CHECK_FALSE(slave->step(1, 0.4).event);
}

TEST_CASE("a step to the very time of an event ends with the event") {
    const bool early_return = GENERATE(true, false);
    const Fmu fmu = foreign("stairs", 3);
    auto slave = fmu.instantiate(with_events(early_return));
    initialize(*slave);
    handle_events(*slave);
    const StepResult result = slave->step(0, 1);
    CHECK(result.event);
    CHECK_FALSE(result.early);
    CHECK(result.reached == 1);
    CHECK(integer(*slave, "counter") == 1);
    REQUIRE(slave->enter_event_mode() == Status::ok);
    handle_events(*slave);
    CHECK(integer(*slave, "counter") == 2);
}

TEST_CASE(
    "without early return the FMU handles the events inside a step itself and says that there were some") {
    const Fmu fmu = foreign("stairs", 3);
    auto slave = fmu.instantiate(with_events(false));
    initialize(*slave);
    handle_events(*slave);
    const StepResult result = slave->step(0, 2.5);
    CHECK(result.event);
    CHECK_FALSE(result.early);
    CHECK(result.reached == 2.5);
    CHECK(integer(*slave, "counter") == 3);
}

TEST_CASE("the same FMU works without event mode, as in FMI 2.0") {
    const int version = GENERATE(2, 3);
    Log log;
    const Fmu fmu = foreign("stairs", version);
    auto slave = started(fmu, logging_to(log));
    for (int i = 0; i < 25; ++i) {
        const StepResult result = slave->step(i * 0.1, 0.1);
        REQUIRE(result.status == Status::ok);
        CHECK_FALSE(result.event);
        CHECK_FALSE(result.early);
    }
    CHECK(integer(*slave, "counter") == 3);
    CHECK(slave->enter_event_mode() == Status::error);
    CHECK(slave->enter_step_mode() == Status::error);
    CHECK(slave->update_discrete_states().status == Status::error);
    CHECK(log.count("was not called") == 3);
    CHECK(slave->step(2.5, 0.1).status == Status::ok);
}

TEST_CASE("event mode is not asked of an FMU that has none") {
    Log log;
    const Fmu fmu = foreign("gain", 3);
    InstanceOptions options = logging_to(log);
    options.event_mode = true;
    auto slave = started(fmu, options);
    CHECK(slave->step(0, 1).status == Status::ok); // it is in step mode
    CHECK(slave->enter_event_mode() == Status::error);
    CHECK(log.has("hasEventMode"));
}

TEST_CASE("clocks are ticked and read in event mode") {
    const Fmu fmu = foreign("clocks", 3);
    auto slave = fmu.instantiate(with_events(true));
    initialize(*slave);
    handle_events(*slave);
    REQUIRE(slave->step(0, 0.5).status == Status::ok);
    REQUIRE(slave->enter_event_mode() == Status::ok);
    const Reference trigger = reference(*slave, "trigger"), echo = reference(*slave, "echo");
    bool tick = true, seen = false;
    REQUIRE(slave->get(Type::clock, {&echo, 1}, &seen, 1) == Status::ok);
    CHECK_FALSE(seen);
    REQUIRE(slave->set(Type::clock, {&trigger, 1}, &tick, 1) == Status::ok);
    REQUIRE(slave->get(Type::clock, {&echo, 1}, &seen, 1) == Status::ok);
    CHECK(seen);
    CHECK(slave->set(Type::clock, {&trigger, 1}, &tick, 2) == Status::error);
    CHECK(slave->get(Type::clock, {&echo, 1}, &seen, 2) == Status::error);
    handle_events(*slave);
    CHECK(integer(*slave, "count") == 1);
}
