// Screw joint: a cylindrical joint whose distance and angle are tied.
//
//   C = (cylindrical joint, distance - pitch / (2 pi) angle) = 0     4 + 1 rows; the last is not quadratic

#include "core/model/rows.hpp"

namespace tenon {

void build_screw(const JointPlace& place, JointRows& rows) {
    add_point_on_line(place, place.joint.at, place.joint.axis, rows);
    add_parallel_axes(place, place.joint.axis, rows);
    set_angle(place, place.joint.axis, rows);
    set_distance(place, place.joint.at, place.joint.axis, rows);
    JointRows tied;
    set_angle(place, place.joint.axis, tied);
    set_distance(place, place.joint.at, place.joint.axis, tied);
    rows.rows.push_back(screw_row(std::move(tied.distance), std::move(tied.angle), place.joint.pitch));
}

} // namespace tenon
