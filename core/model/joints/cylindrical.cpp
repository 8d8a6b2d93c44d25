// Cylindrical joint: leaves sliding along and rotation about one axis.
//
//   C = ((p2 - p1).e1, (p2 - p1).e2, e1.n2, e2.n2) = 0     2 + 2 rows
//   angle as of the revolute, distance as of the prismatic joint

#include "core/model/rows.hpp"

namespace tenon {

void build_cylindrical(const JointPlace& place, JointRows& rows) {
    add_point_on_line(place, place.joint.at, place.joint.axis, rows);
    add_parallel_axes(place, place.joint.axis, rows);
    set_angle(place, place.joint.axis, rows);
    set_distance(place, place.joint.at, place.joint.axis, rows);
}

} // namespace tenon
