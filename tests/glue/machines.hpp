#pragma once
// The machines that glue is proved on: each one a model, and the joints that it is cut at. Numbers are our own where no source is
// named; references are runs of the whole model at a step so small that its error does not count.

#include "core/model/model.hpp"

#include <string>
#include <vector>

namespace tenon::tests {

/// A machine and where it is cut.
struct Machine {
    Model model;
    std::vector<std::string> cuts;
};

/// Two uniform rods of 1 m and 1 kg in a plane, released horizontally (tests/reference/glued_planar.json): 2 parts.
Machine planar_double_pendulum();
/// Crank 1 m, coupler 3 m, rocker 2.5 m, pivots 3 m apart; the crank starts upright at 4 rad/s (same source): 3 parts.
Machine planar_four_bar();
/// The same on a turntable that a driver turns: a plane machine that stands askew in space. Cut at one joint, one part.
Machine turning_four_bar(const std::string& cut);
/// Two rods on axes that neither meet nor are parallel, released from rest: 2 parts.
Machine skew_double_pendulum();
/// The same two arms, joined by any type: a revolute, universal, prismatic, spherical or fixed joint.
Machine swinging_arm(const std::string& joint_type);
/// IFToMM A04 (examples/bricard.toml): 2, 3 or 5 parts.
Machine bricard(int parts);
/// Crank, ball joint, rod, universal joint, slider: 2 parts, cut at the universal joint.
Machine spatial_slider_crank();
/// 20 links of 0.2 m and 0.2 kg on axes that alternate between y and z: 2, 5 or 20 parts.
Machine spatial_chain(int links, int parts);
/// A plate on four parallel cranks, cut at all its joints (examples/four_revolutes.toml): 5 parts, 11 redundant rows.
Machine plate_on_four_cranks();
/// IFToMM A02 with two loops through the flat position (examples/n_four_bar_2.toml), cut at both sides of the middle crank.
Machine n_four_bar();
/// An arm that carries a port body with a mass hidden behind a spring of 1e6 N/m (damper 40 N s/m): 2 parts.
Machine stiff_hidden_mass(double port_mass, double hidden_mass);
/// A disc at 100 rad/s in the fork of a swinging arm, nutation 200 rad/s: 2 parts.
Machine fast_rotor();

} // namespace tenon::tests
