// Screw joint: a cylindrical joint whose distance and angle are tied.
//
//   C = (cylindrical joint, distance - pitch / (2 pi) angle) = 0     4 + 1 rows; the last is not quadratic

#include "core/model/joints/joint_builders.hpp"

namespace tenon {

void build_screw(const JointPlace& place, JointRows& rows) {
    build_cylindrical(place, rows);
    JointRows tied;
    set_angle(place, place.joint.axis, tied);
    set_distance(place, place.joint.at, place.joint.axis, tied);
    rows.rows.push_back(screw_row(std::move(tied.distance), std::move(tied.angle), place.joint.pitch));
}

} // namespace tenon
