#include "tools/host/call_times.hpp"

#include <catch2/catch.hpp>

using namespace tenon::fmi;
using namespace tenon::host;

TEST_CASE("deadline: by itself it is twenty times the median of the last hundred calls, at least a second") {
    CallTimes times{DeadlineRule{}};
    CHECK(times.limit(Operation::step) == 60);
    for (int i = 0; i < 9; ++i)
        times.add(Operation::step, 0.2);
    CHECK(times.limit(Operation::step) == 60); // too few to judge
    times.add(Operation::step, 100);           // one that was slow does not count for much
    CHECK(times.limit(Operation::step) == Approx(4));
    CHECK(times.limit(Operation::get) == 60); // each operation for itself
    for (int i = 0; i < 60; ++i)
        times.add(Operation::step, 0.01);
    CHECK(times.limit(Operation::step) == 1);
    for (int i = 0; i < 101; ++i) // the first ones are forgotten
        times.add(Operation::step, 0.3);
    CHECK(times.limit(Operation::step) == Approx(6));
    CHECK(times.describe_limit(Operation::step) ==
          "6 s (20 times the median of the last 100 calls, at least 1 s)");
    CHECK(times.describe_limit(Operation::get) == "60 s (the limit of the first 10 calls)");
}

TEST_CASE("deadline: a fixed one holds for every call") {
    DeadlineRule rule;
    rule.fixed = 0.25;
    CallTimes times(rule);
    for (int i = 0; i < 200; ++i)
        times.add(Operation::step, 10);
    CHECK(times.limit(Operation::step) == 0.25);
    CHECK(times.describe_limit(Operation::get) == "0.25 s (fixed)");
}

TEST_CASE("deadline: the time of a call is used up in parts") {
    DeadlineRule rule;
    rule.fixed = 2;
    const CallTimes times(rule);
    Patience patience(times, Operation::step, 100), short_one(times, Operation::step, 0.5);
    patience.used = 1.5;
    CHECK_FALSE(patience.ends(0.4));
    CHECK(patience.ends(0.6));
    CHECK(short_one.ends(0.6));
    CHECK(short_one.describe_limit() == "0.5 s");
    CHECK(patience.describe_limit() == "2 s (fixed)");
}
