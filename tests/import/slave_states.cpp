// States of a slave: saved, restored, as bytes.

#include "tests/import/slave_support.hpp"

using namespace tenon;
using namespace tenon::fmi;

namespace {

void steps(Slave& slave, int from, int to) {
    for (int i = from; i < to; ++i)
        REQUIRE(slave.step(i * 0.05, 0.05).status == Status::ok);
}

std::pair<double, double> point(Slave& slave) { return {real(slave, "x0"), real(slave, "x1")}; }

} // namespace

TEST_CASE("a restored state goes on as the first time, bit for bit") {
    const int version = GENERATE(2, 3);
    const Fmu fmu = foreign("vanderpol", version);
    auto slave = started(fmu);
    steps(*slave, 0, 10);
    StateHandle early = nullptr, late = nullptr;
    REQUIRE(slave->save(early) == Status::ok);
    REQUIRE(early != nullptr);
    steps(*slave, 10, 20);
    const auto first = point(*slave);
    REQUIRE(slave->save(late) == Status::ok);
    CHECK(late != early);
    for (int i = 0; i < 2; ++i) { // restoring does not use the copy up
        REQUIRE(slave->restore(early) == Status::ok);
        CHECK(real(*slave, "time") == 0.5);
        steps(*slave, 10, 20);
        CHECK(point(*slave) == first);
    }
    steps(*slave, 20, 30);
    const StateHandle old = early;
    REQUIRE(slave->save(early) == Status::ok); // overwrites
    CHECK(early == old);
    REQUIRE(slave->restore(late) == Status::ok);
    CHECK(point(*slave) == first);
    CHECK(slave->discard(early) == Status::ok);
    CHECK(slave->discard(late) == Status::ok);
    CHECK(early == nullptr);
    CHECK(slave->discard(late) == Status::ok);
}

TEST_CASE("a state as bytes goes on in another instance of another process of loading") {
    const int version = GENERATE(2, 3);
    std::vector<unsigned char> bytes;
    std::pair<double, double> expected;
    {
        const Fmu fmu = foreign("vanderpol", version);
        auto slave = started(fmu);
        steps(*slave, 0, 10);
        StateHandle state = nullptr;
        REQUIRE(slave->save(state) == Status::ok);
        REQUIRE(slave->serialize(state, bytes) == Status::ok);
        CHECK(slave->discard(state) == Status::ok);
        steps(*slave, 10, 20);
        expected = point(*slave);
    }
    const Fmu fmu = foreign("vanderpol", version);
    auto slave = started(fmu);
    StateHandle state = nullptr;
    REQUIRE(slave->deserialize(bytes, state) == Status::ok);
    REQUIRE(slave->restore(state) == Status::ok);
    steps(*slave, 10, 20);
    CHECK(point(*slave) == expected);
    CHECK(slave->discard(state) == Status::ok);
}

TEST_CASE("bytes that are no state of the FMU are an error, and resetting ends it") {
    const int version = GENERATE(2, 3);
    Log log;
    const Fmu fmu = foreign("vanderpol", version);
    auto slave = started(fmu, logging_to(log));
    const std::vector<unsigned char> bytes(100, 7);
    StateHandle state = nullptr;
    CHECK(slave->deserialize(bytes, state) == Status::error);
    CHECK(log.has("the bytes are not a state of this FMU"));
    CHECK(slave->terminate() == Status::error);
    REQUIRE(slave->reset() == Status::ok);
    initialize(*slave);
    CHECK(slave->terminate() == Status::ok);
}

TEST_CASE("states of an FMU that promises none are not asked for") {
    const int version = GENERATE(2, 3);
    Log log;
    const Fmu fmu = foreign("units", version);
    auto slave = started(fmu, logging_to(log));
    StateHandle state = nullptr;
    std::vector<unsigned char> bytes;
    CHECK(slave->save(state) == Status::error);
    CHECK(slave->restore(state) == Status::error);
    CHECK(slave->serialize(state, bytes) == Status::error);
    CHECK(slave->deserialize(bytes, state) == Status::error);
    CHECK(log.count("was not called") == 4);
    CHECK(slave->step(0, 0.1).status == Status::ok);
}

TEST_CASE("a reset instance runs as a new one") {
    const int version = GENERATE(2, 3);
    const Fmu fmu = foreign("vanderpol", version);
    auto slave = started(fmu);
    steps(*slave, 0, 10);
    const auto first = point(*slave);
    REQUIRE(slave->terminate() == Status::ok);
    REQUIRE(slave->reset() == Status::ok);
    initialize(*slave);
    steps(*slave, 0, 10);
    CHECK(point(*slave) == first);
}
