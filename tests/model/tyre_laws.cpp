// Laws of tyres at single points, against values computed from the formulas by an independent program (tests/reference/tyres.py).

#include "core/model/tyres/tyre_laws.hpp"

#include <catch2/catch.hpp>

using namespace tenon;

namespace {

const Choice iltis_calspan = {"calspan",
                              {{"A0", 2625.0},
                               {"A1", 14.47},
                               {"A2", 12930.0},
                               {"A3", 2.29},
                               {"A4", 18175.0},
                               {"B1", -4.64e-5},
                               {"B3", 1.216},
                               {"B4", 2.18e-11},
                               {"SN", 1.0274},
                               {"AF1", -1.71e-5},
                               {"AF2", 1.71e-5}}};

} // namespace

TEST_CASE("Calspan's lateral force and torque have the values of the formula") {
    const auto law = make_tyre_law(lateral_laws(), iltis_calspan);
    struct Point {
        double load, slip, camber, force, moment;
    };
    const std::vector<Point> points = {{3831.31, 0.01, 0.0, -402.3923231239837, 23.594069561563476},
                                       {3831.31, -0.2, 0.02, 3938.034588949154, 7.186875599420847},
                                       {5000.0, 0.05, -0.03, -1823.403300445508, 99.04690909519864},
                                       {14000.0, 0.02, 0.01, -137.17728327049045, 32.51846053447783},
                                       {500.0, 0.3, 0.0, -612.744159665, -1.1813248638452452}};
    for (const Point& p : points) {
        const TyreInput in{p.load, p.slip, 0, p.camber, 1};
        const double force = law->force(in).value;
        CHECK(force == Approx(p.force).epsilon(1e-12));
        CHECK(law->moment(in, force) == Approx(p.moment).epsilon(1e-12));
    }
}

TEST_CASE("Calspan's slopes at the Iltis's loads are the cornering and camber stiffnesses and trails of its "
          "benchmark") {
    const auto law = make_tyre_law(lateral_laws(), iltis_calspan);
    // Linearised values of the benchmark's Robotran model, front and rear, printed to 5 and 4 digits.
    struct Axle {
        double load, cornering, camber, trail;
    };
    for (const Axle& a : {Axle{3831.31, 41641, 6925, 0.06553}, Axle{3591.91, 40162, 6600, 0.06142}}) {
        constexpr double small = 1e-7;
        const double f = law->force({a.load, small, 0, 0, 1}).value;
        CHECK(-f / small == Approx(a.cornering).epsilon(3e-4));
        CHECK(-law->force({a.load, 0, 0, small, 1}).value / small == Approx(a.camber).epsilon(3e-4));
        CHECK(-law->moment({a.load, small, 0, 0, 1}, f) / f == Approx(a.trail).epsilon(3e-4));
    }
}

TEST_CASE("the Magic Formula has the values of an independent evaluation") {
    const Choice lateral = {
        "magic", {{"FNOMIN", 4000.0}, {"R0", 0.33},    {"pCy1", 1.3},    {"pDy1", 1.05},  {"pDy2", -0.2},
                  {"pDy3", 2.0},      {"pEy1", -0.9},  {"pEy2", -0.5},   {"pEy3", 0.1},   {"pEy4", -5.0},
                  {"pKy1", -18.0},    {"pKy2", 1.8},   {"pKy3", 0.3},    {"pHy1", 0.003}, {"pHy2", -0.001},
                  {"pHy3", 0.04},     {"pVy1", 0.02},  {"pVy2", -0.01},  {"pVy3", -0.3},  {"pVy4", -0.1},
                  {"qBz1", 9.0},      {"qBz2", -1.5},  {"qBz3", -0.5},   {"qBz4", -0.3},  {"qBz5", 0.5},
                  {"qBz9", 18.0},     {"qBz10", 0.1},  {"qCz1", 1.1},    {"qDz1", 0.11},  {"qDz2", -0.005},
                  {"qDz3", -0.4},     {"qDz4", 8.0},   {"qDz6", -0.004}, {"qDz7", 0.002}, {"qDz8", -0.2},
                  {"qDz9", 0.05},     {"qEz1", -1.5},  {"qEz2", 0.4},    {"qEz3", 0.1},   {"qEz4", 0.15},
                  {"qEz5", -1.0},     {"qHz1", 0.004}, {"qHz2", 0.001},  {"qHz3", 0.08},  {"qHz4", 0.02}}};
    const Choice longitudinal = {"magic",
                                 {{"FNOMIN", 4000.0},
                                  {"pCx1", 1.6},
                                  {"pDx1", 1.2},
                                  {"pDx2", -0.08},
                                  {"pDx3", 3.0},
                                  {"pEx1", 0.1},
                                  {"pEx2", 0.2},
                                  {"pEx3", -0.1},
                                  {"pEx4", 0.05},
                                  {"pKx1", 22.0},
                                  {"pKx2", -0.5},
                                  {"pKx3", 0.2},
                                  {"pHx1", -0.0005},
                                  {"pHx2", 0.0003},
                                  {"pVx1", 0.001},
                                  {"pVx2", -0.002}}};
    const auto fy = make_tyre_law(lateral_laws(), lateral);
    const auto fx = make_tyre_law(longitudinal_laws(), longitudinal);
    struct Point {
        double load, slip, camber, y, moment, x;
    };
    const std::vector<Point> points = {
        {4000.0, 0.02, 0.0, -1285.2270832073546, 40.3414114465924, 1641.002130716846},
        {3000.0, -0.08, 0.05, 2648.2989241499354, -62.57749196049453, -3073.206698613949},
        {6500.0, 0.15, -0.03, -5197.740306826704, 128.24802395630604, 6557.124832250842},
        {2000.0, 0.6, 0.02, -1888.7881595375914, -2.8143460031610714, 1691.7883431189389}};
    for (const Point& p : points) {
        const TyreInput in{p.load, p.slip, 0, p.camber, 0.9};
        CHECK(fy->force(in).value == Approx(p.y).epsilon(1e-12));
        CHECK(fy->moment(in, p.y) == Approx(p.moment).epsilon(1e-12));
        CHECK(fx->force(in).value == Approx(p.x).epsilon(1e-12));
    }
}

TEST_CASE("a linear law bends over to its bound, a viscous one goes by the sliding velocity") {
    const auto free =
        make_tyre_law(lateral_laws(), {"linear", {{"cornering", 1000.0}, {"camber", 50.0}, {"trail", 0.1}}});
    CHECK(free->force({100, 0.5, 0, 0.2, 1}).value == Approx(-510));
    CHECK(free->moment({100, 0.5, 0, 0.2, 1}, -510) == Approx(51));
    const auto bounded = make_tyre_law(longitudinal_laws(), {"linear", {{"stiffness", 1000.0}, {"mu", 0.8}}});
    CHECK(bounded->force({100, 1e-9, 0, 0, 0.5}).value == Approx(1e-6));
    CHECK(bounded->force({100, -1, 0, 0, 0.5}).value == Approx(-40));
    CHECK(bounded->force({100, 0.04, 0, 0, 0.5}).value == Approx(40 * (1 - 1.0 / 3 + 1.0 / 27)));
    const auto viscous = make_tyre_law(longitudinal_laws(), {"viscous", {{"coefficient", 20.0}}});
    CHECK(viscous->force({100, 0.3, -2, 0, 1}).value == Approx(40));
    CHECK(make_tyre_law(lateral_laws(), {"none", {}}) == nullptr);
}
