// Conversion of units from the exponents and factors that FMUs give.

#include "tools/system/units.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::system;
using Catch::Contains;

namespace {

fmi::Unit unit(const std::string& name, std::array<int, 8> exponents, double factor = 1, double offset = 0) {
    return {name, fmi::BaseUnit{exponents, factor, offset}, {}};
}

const fmi::Unit newton = unit("N", {1, 1, -2}), kilonewton = unit("kN", {1, 1, -2}, 1000);
const fmi::Unit kelvin = unit("K", {0, 0, 0, 0, 1}), celsius = unit("degC", {0, 0, 0, 0, 1}, 1, 273.15);
const fmi::Unit radians = unit("rad", {0, 0, 0, 0, 0, 0, 0, 1}),
                degrees = unit("deg", {0, 0, 0, 0, 0, 0, 0, 1}, 0.25);

} // namespace

TEST_CASE("a factor between units is folded into the conversion") {
    const Conversion up = conversion(newton, kilonewton, false), down = conversion(kilonewton, newton, false);
    CHECK(up.problem.empty());
    CHECK(up.linear.factor == 1 / 1000.0);
    CHECK(down.linear.factor == 1000);
    CHECK(down.linear.offset == 0);
    CHECK(conversion(degrees, radians, false).linear.factor == 0.25);
}

TEST_CASE("offsets of units move temperatures, but not their differences") {
    const Linear to_kelvin = conversion(celsius, kelvin, false).linear;
    CHECK(to_kelvin.factor * 20 + to_kelvin.offset == Approx(293.15).epsilon(1e-15));
    const Linear back = conversion(kelvin, celsius, false).linear;
    CHECK(back.factor * 293.15 + back.offset == Approx(20).epsilon(1e-13));
    CHECK(conversion(celsius, kelvin, true).linear.is_identity());
}

TEST_CASE("equal units and missing units pass without rounding") {
    CHECK(conversion(kilonewton, unit("kilonewton", {1, 1, -2}, 1000), false).linear.is_identity());
    CHECK(conversion(newton, {}, false).linear.is_identity());
    CHECK(conversion({}, kilonewton, false).linear.is_identity());
    CHECK(conversion({"bar", {}, {}}, {"bar", {}, {}}, false).problem.empty());
}

TEST_CASE("units of different quantities are refused with both named, and rad counts") {
    CHECK_THAT(conversion(newton, kelvin, false).problem, Contains("'N' (kg.m/s2)") && Contains("'K' (K)"));
    const fmi::Unit rate = unit("rad/s", {0, 0, -1, 0, 0, 0, 0, 1}), hertz = unit("1/s", {0, 0, -1});
    CHECK_THAT(conversion(rate, hertz, false).problem,
               Contains("'rad/s' (rad/s)") && Contains("'1/s' (1/s)"));
}

TEST_CASE("a unit that nobody defines cannot be converted") {
    CHECK_THAT(conversion({"slug", {}, {}}, newton, false).problem,
               Contains("'slug'") && Contains("'N'") && Contains("'slug' is not defined"));
}

TEST_CASE("transformations follow each other in order") {
    const Linear both = Linear{2, 1}.then({10, 5});
    CHECK(both.factor == 20);
    CHECK(both.offset == 15);
    CHECK(Linear{3, 4}.then({}).factor == 3);
}
