#include "tools/viewer/thinning.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using namespace tenon::viewer;

namespace {

/// The value of point i of a thinned curve.
double value(const ThinColumn& column, std::size_t i) {
    return column.offset + static_cast<double>(column.values.at(i));
}

/// Its time, as the page computes it.
double time_of(const ThinResult& result, const ThinColumn& column, std::size_t i) {
    if (i == 0)
        return result.frames.front();
    if (i + 1 == column.values.size())
        return result.stop;
    const std::size_t bucket = (i - 1) / 2;
    const double begin = result.buckets[bucket];
    const double end = bucket + 1 < result.buckets.size() ? result.buckets[bucket + 1] : result.stop;
    return begin + (end - begin) * column.positions[i - 1] / 65535.0;
}

constexpr int rows = 100000;
double row_time(int i) { return 1e-3 * i; }
double wave(int i) { return std::sin(2e-3 * i) + (i == 43210 ? 10 : 0) - (i == 77777 ? 7 : 0); }

ThinResult thinned(const Thinning& thinning) {
    Thinner thinner(thinning, {true, false});
    for (int i = 0; i < rows; ++i) {
        const double both[] = {0.5 * i, wave(i)};
        thinner.add(row_time(i), both);
    }
    return thinner.finish();
}

} // namespace

TEST_CASE("results that fit are not thinned", "[viewer]") {
    CHECK(choose_thinning(10'000, 100, 28).whole());
    CHECK(choose_thinning(1, 0, 0).whole());
    CHECK_FALSE(choose_thinning(1'000'000, 4000, 1400).whole());
}

TEST_CASE("a page of a million rows and 200 bodies stays below 48 MB of numbers", "[viewer]") {
    const std::uint64_t many = 1'000'000, columns = 4200, moving = 1400;
    const Thinning thinning = choose_thinning(many, columns, moving);
    const std::uint64_t frames = many / thinning.stride + 2, buckets = many / thinning.bucket + 1;
    CHECK(frames > 400);
    CHECK(buckets > 250);
    CHECK(4 * moving * frames + 12 * columns * buckets < 48'000'000);
}

TEST_CASE("a thinned curve keeps its highest and lowest value at their times", "[viewer]") {
    const ThinResult result = thinned({50, 500});
    const ThinColumn& column = result.columns[1];
    REQUIRE(column.values.size() == 2 * rows / 500 + 2);
    REQUIRE(column.positions.size() == column.values.size() - 2);
    const auto highest = static_cast<std::size_t>(
        std::max_element(column.values.begin(), column.values.end()) - column.values.begin());
    const auto lowest = static_cast<std::size_t>(
        std::min_element(column.values.begin(), column.values.end()) - column.values.begin());
    CHECK(value(column, highest) == Approx(wave(43210)).epsilon(1e-6));
    CHECK(time_of(result, column, highest) == Approx(row_time(43210)).margin(0.5 / 65535 * 2));
    CHECK(value(column, lowest) == Approx(wave(77777)).epsilon(1e-6));
    CHECK(time_of(result, column, lowest) == Approx(row_time(77777)).margin(0.5 / 65535 * 2));
}

TEST_CASE("the times of a thinned curve never run backwards and span the whole result", "[viewer]") {
    const ThinResult result = thinned({7, 333});
    const ThinColumn& column = result.columns[1];
    for (std::size_t i = 1; i < column.values.size(); ++i)
        REQUIRE(time_of(result, column, i) >= time_of(result, column, i - 1));
    CHECK(time_of(result, column, 0) == row_time(0));
    CHECK(time_of(result, column, column.values.size() - 1) == row_time(rows - 1));
    CHECK(value(column, column.values.size() - 1) == Approx(wave(rows - 1)).margin(1e-6));
}

TEST_CASE("the frames of the animation are rows of the result, the last one among them", "[viewer]") {
    const ThinResult result = thinned({70, 333});
    const ThinColumn& column = result.columns[0];
    REQUIRE(column.samples.size() == result.frames.size());
    REQUIRE(result.frames.size() == (rows - 1) / 70 + 2); // 99999 is no multiple of 70
    for (std::size_t i = 0; i + 1 < result.frames.size(); ++i) {
        REQUIRE(result.frames[i] == row_time(static_cast<int>(70 * i)));
        REQUIRE(column.offset + static_cast<double>(column.samples[i]) == 35.0 * static_cast<double>(i));
    }
    CHECK(result.frames.back() == row_time(rows - 1));
    CHECK(result.columns[1].samples.empty());
}

TEST_CASE("a drift far below the digits of single precision survives in a large energy", "[viewer]") {
    Thinner thinner({}, {false});
    for (int i = 0; i < 10; ++i) {
        const double energy = 1e6 + 1e-7 * i; // single precision is 0.06 wide there
        thinner.add(i, {&energy, 1});
    }
    const ThinResult result = thinner.finish();
    REQUIRE(result.thinning.whole());
    CHECK(static_cast<double>(result.columns[0].values[9]) == Approx(9e-7).margin(2e-10));
}

TEST_CASE("values that are not there leave a gap and no extreme", "[viewer]") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    Thinner thinner({1, 4}, {false});
    for (int i = 0; i < 8; ++i) {
        const double v = i < 4 ? nan : i;
        thinner.add(i, {&v, 1});
    }
    const ThinColumn column = thinner.finish().columns[0];
    REQUIRE(column.values.size() == 6);
    CHECK(std::isnan(column.values[1]));
    CHECK(std::isnan(column.values[2]));
    CHECK(column.values[3] == 4);
    CHECK(column.values[4] == 7);
}
