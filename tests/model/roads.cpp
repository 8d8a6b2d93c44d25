// Heights and gradients of roads, against their formulas and against differences.

#include "core/math/error.hpp"
#include "core/model/roads/road_surface.hpp"
#include "core/model/validate.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>

using namespace tenon;

namespace {

Choice feature(const std::string& type, std::map<std::string, ChoiceValue, std::less<>> values) {
    return {type, std::move(values)};
}

using Lines = std::vector<std::vector<double>>;
using List = std::vector<double>;

Road road_of(std::vector<Choice> features) {
    Road road;
    road.name = "track";
    road.features = std::move(features);
    return road;
}

/// What validate() says of a road with one feature; empty where it is possible.
std::string refused(const Choice& given) {
    Model model;
    Body body;
    body.name = "body";
    body.mass = 1;
    body.inertia.setIdentity();
    model.bodies = {body};
    model.roads = {road_of({given})};
    try {
        validate(model);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

} // namespace

TEST_CASE("features of a road have the heights of their formulas, and heights add up") {
    const RoadSurface bump(road_of({feature("bump", {{"start", 0.97}, {"length", 5.0}, {"height", 0.2}})}));
    for (const double x : {1.0, 2.5, 3.47, 5.9})
        CHECK(bump.at(x, 0).z ==
              Approx(0.1 * (1 - std::cos(2 * std::numbers::pi * (x - 0.97) / 5))).epsilon(1e-14));
    CHECK(bump.at(0.9, 0).z == 0);
    CHECK(bump.at(6, 0).z == 0);

    const RoadSurface strip(road_of({feature(
        "bump", {{"start", 0.0}, {"length", 2.0}, {"height", 0.1}, {"count", 2.0}, {"y", List{-10, 0}}})}));
    CHECK(strip.at(1, -0.5).z == Approx(0.1));
    CHECK(strip.at(3, -0.5).z == Approx(0.1));
    CHECK(strip.at(5, -0.5).z == 0);
    CHECK(strip.at(1, 0.5).z == 0);

    const RoadSurface second(road_of(
        {feature("ramp", {{"start", 10.0}, {"end", 20.0}, {"height", 1.0}}),
         feature("stairs",
                 {{"start", 20.3}, {"tread", 0.6}, {"rise", 0.1}, {"count", 10.0}, {"rounding", 0.08}})}));
    CHECK(second.at(15, 0).z == Approx(0.5));
    CHECK(second.at(20.2, 0).z == Approx(1.0));
    CHECK(second.at(20.3, 0).z == Approx(1.05)); // the middle of the first edge
    CHECK(second.at(20.6, 0).z == Approx(1.1));
    CHECK(second.at(20.3 + 0.02, 0).z == Approx(1 + 0.1 * (3 * 0.5625 - 2 * 0.421875)));
    CHECK(second.at(30, 0).z == Approx(2.0));

    const RoadSurface rounded(
        road_of({feature("ramp", {{"start", 0.0}, {"end", 4.0}, {"height", 2.0}, {"rounding", 1.0}})}));
    CHECK(rounded.at(0, 0).z == Approx(0.5 * 0.125)); // (c/2)^2 / (2 c) times the slope
    CHECK(rounded.at(2, 0).z == Approx(1));
    CHECK(rounded.at(9, 0).z == Approx(2));

    const RoadSurface plane(road_of({feature("plane", {{"slope", 0.05}, {"slope_y", -0.02}})}));
    CHECK(plane.at(3, 2).z == Approx(0.15 - 0.04));
}

TEST_CASE("a road's table goes through its points and nowhere beyond them, a grid reproduces a plane") {
    const RoadSurface table(
        road_of({feature("table", {{"table", Lines{{0, 0}, {1, 0.5}, {1.2, 0.6}, {4, 0.6}, {5, -1}}}})}));
    CHECK(table.at(1, 0).z == Approx(0.5));
    CHECK(table.at(1.2, 0).z == Approx(0.6));
    CHECK(table.at(-3, 0).z == Approx(0).margin(1e-15));
    CHECK(table.at(8, 0).z == Approx(-1));
    for (double x = 0; x < 5; x += 0.01) {
        const double z = table.at(x, 0).z;
        CHECK((z <= 0.6 + 1e-12 && z >= -1 - 1e-12));
        if (x > 1.2 && x < 4)
            CHECK(z == Approx(0.6));
    }
    Lines z;
    const List x = {0, 0.5, 2, 3}, y = {-1, 0, 4};
    for (const double a : x) {
        z.emplace_back();
        for (const double b : y)
            z.back().push_back(0.3 * a - 0.2 * b + 1);
    }
    const RoadSurface grid(road_of({feature("grid", {{"x", x}, {"y", y}, {"z", z}})}));
    for (const double a : {0.1, 0.5, 1.7, 2.9})
        for (const double b : {-0.9, 0.0, 1.3, 3.9}) {
            const Elevation e = grid.at(a, b);
            CHECK(e.z == Approx(0.3 * a - 0.2 * b + 1));
            CHECK(e.dx == Approx(0.3));
            CHECK(e.dy == Approx(-0.2));
        }
    CHECK(grid.at(-5, 0).z == Approx(1));
    CHECK(grid.at(-5, 0).dx == 0);
}

TEST_CASE("gradients of all features are those of their heights by differences") {
    const std::vector<Choice> features = {
        feature("bump", {{"start", 0.3}, {"length", 1.1}, {"height", 0.2}, {"count", 3.0}}),
        feature("ramp", {{"start", 0.5}, {"end", 3.0}, {"height", 1.0}, {"rounding", 0.7}}),
        feature("stairs", {{"start", 0.4}, {"tread", 0.6}, {"rise", 0.1}, {"count", 4.0}, {"rounding", 0.5}}),
        feature("plane", {{"slope", 0.1}, {"slope_y", 0.3}}),
        feature("table", {{"table", Lines{{0, 0}, {1, 0.5}, {2, 0.2}, {4, 1}}}}),
        feature("grid", {{"x", List{0, 1, 2, 4}},
                         {"y", List{-1, 0, 2}},
                         {"z", Lines{{0, 1, 0}, {0.5, -1, 2}, {1, 0, 0.3}, {0.2, 0.1, 0}}}})};
    constexpr double step = 1e-6;
    for (const Choice& one : features) {
        CAPTURE(one.type);
        CHECK(refused(one).empty());
        const RoadSurface road(road_of({one}));
        for (const double x : {0.173, 0.61, 1.37, 1.83, 2.71, 3.33})
            for (const double y : {-0.43, 0.17, 1.21}) {
                const Elevation e = road.at(x, y);
                CHECK(e.dx ==
                      Approx((road.at(x + step, y).z - road.at(x - step, y).z) / (2 * step)).margin(1e-8));
                CHECK(e.dy ==
                      Approx((road.at(x, y + step).z - road.at(x, y - step).z) / (2 * step)).margin(1e-8));
            }
    }
}

TEST_CASE("features that make no road are refused with what is wrong") {
    using Catch::Contains;
    CHECK_THAT(refused(feature("table", {{"table", Lines{{0, 0}}}})), Contains("at least 2 points"));
    CHECK_THAT(refused(feature("table", {{"table", Lines{{0, 0}, {0, 1}}}})), Contains("must increase"));
    CHECK_THAT(refused(feature("grid", {{"x", List{1, 0}}, {"y", List{0, 1}}, {"z", Lines{{0, 0}, {0, 0}}}})),
               Contains("x of a road's grid must increase"));
    CHECK_THAT(refused(feature("grid", {{"x", List{0, 1}}, {"y", List{0, 1}}, {"z", Lines{{0, 0}, {0}}}})),
               Contains("a height for each y"));
    CHECK_THAT(refused(feature("bump", {{"start", 0.0}, {"length", -1.0}, {"height", 1.0}})),
               Contains("length of bump must be positive (-1"));
    CHECK_THAT(refused(feature("bump", {{"start", 0.0}, {"length", 1.0}})), Contains("needs 'height'"));
    CHECK_THAT(refused(feature("bumb", {})), Contains("did you mean 'bump'"));
    CHECK_THAT(refused(feature("plane", {{"slop", 1.0}})), Contains("did you mean 'slope'"));
    CHECK_THAT(refused(feature("ramp", {{"start", 3.0}, {"end", 1.0}, {"height", 1.0}})),
               Contains("must end behind its start"));
}
