// What a slave does with each status: the duty table of the standard.

#include "tests/import/slave_support.hpp"

using namespace tenon;
using namespace tenon::fmi;

namespace {

/// Takes the step in which a variant of `misbehave` does what its name says.
StepResult provoke(Slave& slave) {
    REQUIRE(slave.step(0, 0.25).status == Status::ok);
    return slave.step(0.25, 0.5);
}

} // namespace

TEST_CASE("after a warning everything goes on") {
    const int version = GENERATE(2, 3);
    Log log;
    const Fmu fmu = foreign("misbehave-warning", version);
    auto slave = started(fmu, logging_to(log));
    const StepResult result = provoke(*slave);
    CHECK(result.status == Status::warning);
    CHECK(result.reached == 0.75);
    CHECK(slave->step(0.75, 0.25).status == Status::ok);
    CHECK(slave->terminate() == Status::ok);
    slave.reset();
    CHECK(log.has("freed"));
}

TEST_CASE("a discarded step has come nowhere and can be taken back") {
    const int version = GENERATE(2, 3);
    const Fmu fmu = foreign("misbehave-discard", version);
    auto slave = started(fmu);
    REQUIRE(slave->step(0, 0.25).status == Status::ok);
    StateHandle state = nullptr;
    REQUIRE(slave->save(state) == Status::ok);
    const StepResult result = slave->step(0.25, 0.5);
    CHECK(result.status == Status::discard);
    CHECK(result.reached == 0.25);
    CHECK_FALSE(result.terminate);
    CHECK(slave->restore(state) == Status::ok);
    CHECK(slave->step(0.25, 0.125).status == Status::ok);
    CHECK(slave->discard(state) == Status::ok);
    CHECK(slave->terminate() == Status::ok);
}

TEST_CASE("after an error an instance is not terminated, but can be reset, restored and freed") {
    const int version = GENERATE(2, 3);
    Log log;
    const Fmu fmu = foreign("misbehave-error", version);
    auto slave = started(fmu, logging_to(log));
    StateHandle state = nullptr;
    REQUIRE(slave->save(state) == Status::ok);
    const StepResult result = provoke(*slave);
    CHECK(result.status == Status::error);
    CHECK(result.reached == 0.25);
    CHECK(slave->terminate() == Status::error);
    CHECK(log.has("terminate was not called: the instance has reported an error"));
    CHECK_FALSE(log.has("Terminate is not allowed")); // what the FMU says when it is called
    CHECK(slave->restore(state) == Status::ok);
    CHECK(slave->step(0, 0.25).status == Status::ok);
    CHECK(slave->terminate() == Status::ok);
    CHECK(slave->reset() == Status::ok);
    initialize(*slave);
    CHECK(provoke(*slave).status == Status::error);
    CHECK(slave->discard(state) == Status::ok);
    CHECK_FALSE(log.has("freed"));
    slave.reset();
    CHECK(log.has("freed"));
}

TEST_CASE("after a fatal error nothing in the library is called, by no instance, not even to free it") {
    const int version = GENERATE(2, 3);
    [[maybe_unused]] const LeaksAreIntended leaks{};
    Log log;
    const Fmu fmu = foreign("misbehave-fatal", version);
    auto slave = started(fmu, logging_to(log)), other = started(fmu, logging_to(log));
    StateHandle state = nullptr;
    REQUIRE(slave->save(state) == Status::ok);
    CHECK(provoke(*slave).status == Status::fatal);
    const std::size_t lines = log.lines.size();
    for (Slave* one : {slave.get(), other.get()}) {
        const Reference u = 1;
        const std::int32_t order = 1;
        double value = 0;
        std::vector<unsigned char> bytes;
        StateHandle mine = nullptr;
        CHECK(one->step(0.25, 0.1).status == Status::fatal);
        CHECK(one->get({&u, 1}, {&value, 1}) == Status::fatal);
        CHECK(one->set(std::span(&u, 1), std::span(&value, 1)) == Status::fatal);
        CHECK(one->set_debug_logging(true, {}) == Status::fatal);
        CHECK(one->enter_initialization(0, {}, {}) == Status::fatal);
        CHECK(one->exit_initialization() == Status::fatal);
        CHECK(one->enter_configuration() == Status::fatal);
        CHECK(one->exit_configuration() == Status::fatal);
        CHECK(one->enter_event_mode() == Status::fatal);
        CHECK(one->update_discrete_states().status == Status::fatal);
        CHECK(one->enter_step_mode() == Status::fatal);
        CHECK(one->terminate() == Status::fatal);
        CHECK(one->reset() == Status::fatal);
        CHECK(one->save(mine) == Status::fatal);
        CHECK(one->restore(state) == Status::fatal);
        CHECK(one->serialize(state, bytes) == Status::fatal);
        CHECK(one->deserialize(bytes, mine) == Status::fatal);
        CHECK(one->set_input_derivatives({&u, 1}, {&order, 1}, {&value, 1}) == Status::fatal);
        CHECK(one->get_output_derivatives({&u, 1}, {&order, 1}, {&value, 1}) == Status::fatal);
        CHECK(one->directional_derivative({&u, 1}, {&u, 1}, {&value, 1}, {&value, 1}) == Status::fatal);
        CHECK(one->adjoint_derivative({&u, 1}, {&u, 1}, {&value, 1}, {&value, 1}) == Status::fatal);
    }
    CHECK(slave->discard(state) == Status::fatal);
    CHECK(state == nullptr);
    slave.reset();
    other.reset();
    CHECK(log.lines.size() == lines); // the FMU would have said "freed", or that it is called after all
    CHECK_THAT(load_error(fmu), Catch::Contains("has reported a fatal error"));
    // The same file opened again is another library.
    const Fmu again = foreign("misbehave-fatal", version);
    CHECK(started(again)->step(0, 0.1).status == Status::ok);
}

TEST_CASE("an FMU of version 2.0 that returns Pending has made an error") {
    Log log;
    const Fmu fmu = foreign("misbehave-pending", 2);
    auto slave = started(fmu, logging_to(log));
    CHECK(provoke(*slave).status == Status::error);
    CHECK(log.has("the FMU returned Pending"));
    CHECK(slave->terminate() == Status::error);
    CHECK(slave->reset() == Status::ok);
}
