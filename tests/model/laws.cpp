// Laws of springs and dampers: values, slopes, integrals, and what is refused.

#include "core/model/law.hpp"
#include "core/model/spring_laws.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace tenon;

namespace {

const Law cubic = polynomial_law({1, -2, 0.5, 4});
const Law kinked{{{0, {0, 100}}, {0.1, {-10, 200}}, {0.3, {-40, 300}}}, {}};
const Law through_points{{}, {{-0.2, -900}, {-0.05, -100}, {0, 0}, {0.1, 0}, {0.2, 800}}};

} // namespace

TEST_CASE("a polynomial law has the polynomial's value, slope, integral and mean") {
    const LawCurve curve(cubic);
    const auto primitive = [](double x) { return x - x * x + 0.5 / 3 * x * x * x + x * x * x * x; };
    for (const double x : {-1.5, 0.0, 0.3, 2.0}) {
        CHECK(curve.value(x) == Approx(1 - 2 * x + 0.5 * x * x + 4 * x * x * x));
        CHECK(curve.slope(x) == Approx(-2 + x + 12 * x * x));
        CHECK(curve.integral(x) == Approx(primitive(x)).margin(1e-15));
        CHECK(curve.mean(-0.7, x) == Approx((primitive(x) - primitive(-0.7)) / (x + 0.7)));
    }
}

TEST_CASE("the mean of a law keeps its digits however short the interval is") {
    for (const Law& law : {cubic, kinked, through_points}) {
        const LawCurve curve(law);
        for (const double x : {-0.17, 0.03, 0.1, 0.3, 1.1})
            for (const double d : {1e-4, 1e-8, 1e-13, 0.0}) {
                // Simpson's rule, which is exact for cubics
                const double simpson =
                    (curve.value(x) + 4 * curve.value(x + 0.5 * d) + curve.value(x + d)) / 6;
                CHECK(curve.mean(x, x + d) == Approx(simpson).epsilon(1e-13).margin(1e-11));
                CHECK(curve.mean(x + d, x) == Approx(curve.mean(x, x + d)).epsilon(1e-14));
            }
    }
}

TEST_CASE("the slope of a law's mean is its derivative by the end") {
    for (const Law& law : {cubic, kinked, through_points}) {
        const LawCurve curve(law);
        for (const double a : {-0.4, 0.02, 0.25})
            for (const double b : {-0.31, 0.07, 0.5}) {
                const double d = 1e-5;
                CHECK(curve.mean_slope(a, b) ==
                      Approx((curve.mean(a, b + d) - curve.mean(a, b - d)) / (2 * d)).epsilon(1e-6));
            }
        CHECK(curve.mean_slope(0.07, 0.07) == Approx(0.5 * curve.slope(0.07)));
    }
}

TEST_CASE("a table's curve meets its points, is monotone between them and straight beyond") {
    const LawCurve curve(through_points);
    for (const auto& [x, effort] : through_points.table)
        CHECK(curve.value(x) == Approx(effort).margin(1e-12));
    double before = curve.value(-0.3);
    for (int i = 1; i <= 600; ++i) {
        const double now = curve.value(-0.3 + i * 1e-3);
        CHECK(now >= before - 1e-12);
        before = now;
    }
    CHECK(curve.slope(-0.21) == curve.slope(-0.4));
    CHECK(curve.value(-0.4) == Approx(-900 - 0.2 * curve.slope(-0.3)));
    CHECK(curve.value(0.05) == 0); // flat between equal values
    // Fritsch and Carlson's own example RPN 14 keeps below 1 where a spline overshoots.
    const LawCurve rpn(Law{{},
                           {{7.99, 0},
                            {8.09, 2.76429e-5},
                            {8.19, 4.37498e-2},
                            {8.7, 0.169183},
                            {9.2, 0.469428},
                            {10, 0.943740},
                            {12, 0.998636},
                            {15, 0.999919},
                            {20, 0.999994}}});
    for (double x = 7.99; x <= 20; x += 0.01)
        CHECK((rpn.value(x) >= 0 && rpn.value(x) <= 0.999994 + 1e-15));
}

TEST_CASE("laws that cannot be are refused with the point and the value") {
    const auto table = [](std::vector<std::array<double, 2>> points) { return Law{{}, std::move(points)}; };
    CHECK(fault_of_law({}).value() == "needs one of constant, polynomial, pieces and table");
    CHECK(fault_of_law(table({{0, 1}})).value() == "needs a table of at least 2 points [x, F] (1 given)");
    CHECK(fault_of_law(table({{0, 1}, {1, 2}, {0.5, 3}})).value() ==
          "needs a table whose x increase, but point 3 of its table has x = 0.5 after 1");
    CHECK(fault_of_law(table({{0, 1}, {0, 2}})).value() ==
          "needs a table whose x increase, but point 2 of its table has x = 0 after 0");
    CHECK(fault_of_law(table({{0, 1}, {1, NAN}})).value().starts_with("is not finite in point 2"));
    CHECK(fault_of_law(Law{{{0, {1}}, {2, {1}}, {1, {1}}}, {}}).value() ==
          "needs pieces whose `from` increases, but piece 3 begins at 1 after 2");
    CHECK(fault_of_law(Law{{{0, {}}}, {}}).has_value());
    CHECK_FALSE(fault_of_law(kinked).has_value());
    CHECK_FALSE(fault_of_spring(kinked).has_value());
    CHECK(fault_of_spring(Law{{{0, {0, 100}}, {0.1, {1, 100}}}, {}}).value() ==
          "jumps at x = 0.1 from 10 to 11; a spring's effort must not jump, or it has no potential");
}

TEST_CASE("dampers that deliver energy anywhere are refused, small jumps are not") {
    CHECK_FALSE(fault_of_damper(polynomial_law({0, 100})).has_value());
    CHECK_FALSE(fault_of_damper(through_points).has_value());
    // A shock absorber of a light vehicle (Iltis benchmark): its pieces miss each other by a few hundredths of a newton.
    const Law shock{{{0, {-416.42, 1844.3}},
                     {-0.2, {0, 9945.627, 33955.72, -59832.25, -395651}},
                     {0.21, {1919.1638, 1634.727}}},
                    {}};
    CHECK_FALSE(fault_of_damper(shock).has_value());
    CHECK_FALSE(fault_of_damper(Law{{{0, {0, 10}}, {1, {0.2, 10}}}, {}}).has_value());
    CHECK(fault_of_spring(Law{{{0, {0, 10}}, {1, {0.2, 10}}}, {}}).has_value());
    CHECK(fault_of_damper(polynomial_law({5})).has_value());
    CHECK(fault_of_damper(polynomial_law({0, -1})).has_value());
    CHECK(fault_of_damper(polynomial_law({0, 1, 0, -1e-4}))
              ->starts_with("would deliver energy: at a speed of"));
    CHECK(fault_of_damper(polynomial_law({0, 1, -2.1, 1})).has_value()); // below zero between its roots only
    CHECK_FALSE(fault_of_damper(polynomial_law({0, 1, -1.9, 1})).has_value());
    CHECK(
        fault_of_damper(Law{{{0, {0, 10}}, {1, {2, 10}}}, {}})->starts_with("jumps at x = 1 from 10 to 12"));
}

TEST_CASE("a stop pushes back only, and its effort over a step is the difference of its potential") {
    const double k = 1e4, c = 50;
    const SpringLaws stops(0.3, {}, {}, Stop{-0.1, k, c}, Stop{0.2, k, c});
    CHECK(stops.potential(0.3) == 0);
    CHECK(stops.potential(0.15) == Approx(0.5 * k * 0.05 * 0.05));
    CHECK(stops.potential(0.52) == Approx(0.5 * k * 0.02 * 0.02));
    for (const double rate : {-3.0, -0.1, 0.0, 0.1, 3.0, 30.0}) {
        const LoadEffort below = stops.at(0.15, rate), above = stops.at(0.52, rate),
                         free = stops.at(0.35, rate);
        CHECK(below.elastic + below.loss >= 0);
        CHECK(above.elastic + above.loss <= 0);
        CHECK(below.loss * rate <= 0);
        CHECK(above.loss * rate <= 0);
        CHECK((free.elastic == 0 && free.loss == 0));
    }
    CHECK(stops.beyond(0.15) == Approx(0.05));
    CHECK(stops.beyond(0.35) == 0);
    const double ends[] = {0.1, 0.15, 0.19999, 0.2, 0.4, 0.49, 0.5, 0.51, 0.6};
    for (const double s0 : ends)
        for (const double s1 : ends) {
            const LoadEffort step = stops.between(s0, s1, 0);
            CHECK(step.elastic * (s1 - s0) ==
                  Approx(stops.potential(s0) - stops.potential(s1)).margin(1e-12));
            const double d = 1e-7;
            for (const double rate : {-2.0, 0.0, 0.5}) { // derivatives, away from the edges
                if (s0 == s1 || s1 == 0.2 || s1 == 0.5)
                    continue;
                const auto total = [&](double end, double speed) {
                    const LoadEffort e = stops.between(s0, end, speed);
                    return e.elastic + e.loss;
                };
                const LoadEffort e = stops.between(s0, s1, rate);
                CHECK(e.stiffness ==
                      Approx(-(total(s1 + d, rate) - total(s1 - d, rate)) / d).epsilon(1e-5).margin(1e-2));
                CHECK(e.damping == Approx(-(total(s1, rate + d) - total(s1, rate - d)) / (2 * d))
                                       .epsilon(1e-5)
                                       .margin(1e-4));
            }
        }
}
