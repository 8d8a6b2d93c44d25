// Formulas and tables over time.

#include "core/model/signal.hpp"
#include "core/math/error.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <numbers>

using namespace tenon;

TEST_CASE("a formula's derivatives are those of its value") {
    const Formula formula{0.3, -1.2, 0.7, 2.5, 0.4};
    const double t = 0.37, h = 1e-5;
    const Derivatives before = formula.at(t - h), now = formula.at(t), after = formula.at(t + h);
    CHECK(now.value ==
          Approx(0.3 - 1.2 * t + 0.7 * std::sin(2 * std::numbers::pi * 2.5 * t + 0.4)).epsilon(1e-14));
    CHECK(now.rate == Approx((after.value - before.value) / (2 * h)).epsilon(1e-7));
    CHECK(now.acceleration == Approx((after.rate - before.rate) / (2 * h)).epsilon(1e-7));
}

TEST_CASE("a table of two points is the cubic that starts and ends at rest") {
    // The Hermite cubic 3 s^2 - 2 s^3 on [0, 1], stretched to [2, 6] and [1, 5].
    const Table table({2, 6}, {1, 5});
    const Derivatives at = table.at(3);
    const double s = 0.25;
    CHECK(at.value == Approx(1 + 4 * (3 * s * s - 2 * s * s * s)).epsilon(1e-14));
    CHECK(at.rate == Approx(6 * s - 6 * s * s).epsilon(1e-14));
    CHECK(at.acceleration == Approx((6 - 12 * s) / 4).epsilon(1e-14));
}

TEST_CASE("a table passes through its points with continuous first and second derivative") {
    const std::vector<double> time = {0, 0.4, 1.1, 1.5, 3}, value = {1, -2, 0.5, 0.5, 4};
    const Table table(time, value);
    for (std::size_t i = 0; i < time.size(); ++i)
        CHECK(table.at(time[i]).value == Approx(value[i]).epsilon(1e-13));
    const double e = 1e-9;
    for (std::size_t i = 1; i + 1 < time.size(); ++i) {
        CHECK(table.at(time[i] - e).rate == Approx(table.at(time[i] + e).rate).margin(1e-6));
        CHECK(table.at(time[i] - e).acceleration == Approx(table.at(time[i] + e).acceleration).margin(1e-5));
    }
}

TEST_CASE("a table's derivatives are those of its value") {
    const Table table({0, 0.4, 1.1, 1.5, 3}, {1, -2, 0.5, 0.5, 4});
    const double h = 1e-5;
    for (double t : {0.2, 0.9, 1.3, 2.9}) {
        CHECK(table.at(t).rate ==
              Approx((table.at(t + h).value - table.at(t - h).value) / (2 * h)).epsilon(1e-6));
        CHECK(table.at(t).acceleration ==
              Approx((table.at(t + h).rate - table.at(t - h).rate) / (2 * h)).epsilon(1e-6));
    }
}

TEST_CASE("a table reproduces a cubic that starts and ends at rest exactly") {
    // t^2 (3 - t) has zero slope at 0 and 2, so the complete spline through any of its points is the cubic itself.
    std::vector<double> time = {0, 0.3, 0.9, 1.0, 1.7, 2}, value;
    for (double t : time)
        value.push_back(t * t * (3 - t));
    const Table table(time, value);
    for (double t = 0; t <= 2; t += 0.125) {
        CHECK(table.at(t).value == Approx(t * t * (3 - t)).margin(1e-13));
        CHECK(table.at(t).acceleration == Approx(6 - 6 * t).margin(1e-12));
    }
}

TEST_CASE("a table is at rest at both ends and constant outside") {
    const Table table({1, 2, 4}, {3, -1, 7});
    CHECK(table.at(1).rate == Approx(0).margin(1e-13));
    CHECK(table.at(4).rate == Approx(0).margin(1e-13));
    CHECK(table.at(0.999).value == 3);
    CHECK(table.at(1e9).value == 7);
    CHECK(table.at(1e9).rate == 0);
    CHECK(table.at(-5).acceleration == 0);
}

TEST_CASE("an impossible table is refused") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_AS(Table({0}, {1}), Error);
    CHECK_THROWS_AS(Table({}, {}), Error);
    CHECK_THROWS_AS(Table({0, 1}, {1, 2, 3}), Error);
    CHECK_THROWS_AS(Table({0, 1, 1}, {1, 2, 3}), Error);
    CHECK_THROWS_AS(Table({0, 2, 1}, {1, 2, 3}), Error);
    CHECK_THROWS_AS(Table({0, nan}, {1, 2}), Error);
    CHECK_THROWS_AS(Table({0, 1}, {1, nan}), Error);
    CHECK_THROWS_AS(Table({0, 1e-300}, {0, 1e300}), Error);
    CHECK_THROWS_WITH(Table({0, 2, 1}, {1, 2, 3}), Catch::Contains("1 after 2"));
}
