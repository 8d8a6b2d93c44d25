#include "tools/plot/thin_curve.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

using namespace tenon::plot;

TEST_CASE("a thinned curve keeps its ends, its peak and the order of time", "[plot]") {
    std::vector<Point> points;
    for (int i = 0; i < 100000; ++i)
        points.push_back({i * 1e-3, i == 51234 ? 9.0 : std::sin(i * 1e-3)});
    const std::vector<Point> thin = thinned(points, 500);
    CHECK(thin.size() <= 2500);
    CHECK(thin.front().time == points.front().time);
    CHECK(thin.back().time == points.back().time);
    CHECK(std::ranges::is_sorted(thin, {}, &Point::time));
    const auto peak = std::ranges::max_element(thin, {}, &Point::value);
    CHECK(peak->value == 9);
    CHECK(peak->time == 51.234);
}

TEST_CASE("a gap in a curve stays one", "[plot]") {
    std::vector<Point> points;
    for (int i = 0; i < 1000; ++i)
        points.push_back({i * 1.0, i == 500 ? NAN : 1.0});
    const std::vector<Point> thin = thinned(points, 10);
    CHECK(std::ranges::any_of(thin, [](const Point& point) { return std::isnan(point.value); }));
}

TEST_CASE("a curve that is read row by row holds a small multiple of what is drawn", "[plot]") {
    ThinCurve curve;
    for (int i = 0; i < 1'000'000; ++i)
        curve.add(i * 1e-3, i % 1000);
    CHECK(curve.points().size() < 20 * ThinCurve::columns);
    CHECK(curve.points().front().time == 0);
}
