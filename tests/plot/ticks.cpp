#include "tools/plot/ticks.hpp"
#include "tools/plot/axis.hpp"

#include <catch2/catch.hpp>

using namespace tenon::plot;

TEST_CASE("marks lie within the axis, are few, and read as their values", "[plot]") {
    for (const double width : {1e-12, 0.37, 1.0, 42.0, 9.9e15}) {
        const Ticks ticks = linear_ticks(-width / 3, width, 6);
        REQUIRE(ticks.major.size() >= 2);
        CHECK(ticks.major.size() <= 6);
        CHECK(ticks.major.front().value >= -width / 3);
        CHECK(ticks.major.back().value <= width * (1 + 1e-12));
    }
    const Ticks plain = linear_ticks(0, 10, 6);
    CHECK(plain.note.empty());
    CHECK(plain.major[1].label == "2");
}

TEST_CASE("labels differ where a small drift stands on a large number", "[plot]") {
    const Ticks ticks = linear_ticks(98.1, 98.1 + 4e-9, 5);
    REQUIRE(ticks.major.size() >= 2);
    CHECK(ticks.major[0].label != ticks.major[1].label);
    CHECK(ticks.major[1].label.size() < 8);
    CHECK_FALSE(ticks.note.empty());
}

TEST_CASE("logarithmic axes have powers of ten, and what is not above zero lies below them", "[plot]") {
    const Axis axis = log_axis(3e-14, 2e-9);
    CHECK(axis.low == Approx(1e-14));
    CHECK(axis.high == Approx(1e-8));
    CHECK(axis.part(1e-11) == Approx(0.5));
    CHECK(axis.part(0) < 0);
    CHECK(log_ticks(1e-14, 1e-8, 4).major.size() <= 4);
    CHECK(power_of_ten(-3) == "10\u207b\u00b3");
}

TEST_CASE("values that differ by round-off are drawn as the constant they are", "[plot]") {
    const Axis axis = linear_axis(1.0, 1.0 + 2e-16, 0.05);
    CHECK(axis.high - axis.low > 1e-6);
}
