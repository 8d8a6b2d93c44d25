#include "tools/plot/quantity.hpp"

#include <catch2/catch.hpp>

using namespace tenon::plot;

TEST_CASE("violations are told by the words of a name", "[plot]") {
    CHECK(says_violation("constraint.position"));
    CHECK(says_violation("left.gap"));
    CHECK(says_violation("plant.energy_error"));
    CHECK_FALSE(says_violation("singapore.angle"));
    CHECK_FALSE(says_violation("energy.total"));
}

TEST_CASE("variables of a unit share a panel, and its axis names quantity and unit", "[plot]") {
    const std::vector<Variable> angles = {{"pin.angle", "rad"}, {"knee.angle", "rad"}};
    CHECK(panel_key(angles[0]) == panel_key(angles[1]));
    CHECK(panel_label(angles) == "angle [rad]");
    CHECK(panel_key({"left.gap", "m"}) == panel_key({"constraint.position", ""}));
    CHECK(panel_key({"a.x", ""}) != panel_key({"a.y", ""}));
}

TEST_CASE("units are printed as in a text", "[plot]") {
    CHECK(unit_text("N.m") == "N\u00b7m");
    CHECK(unit_text("m/s2") == "m/s\u00b2");
}
