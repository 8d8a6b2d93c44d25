// Planar joint: leaves motion in a plane and rotation about its normal.
//
//   C = ((p2 - p1).n1, e1.n2, e2.n2) = 0     1 + 2 rows; angle about the normal as of the revolute joint

#include "core/model/rows.hpp"

namespace tenon {

void build_planar(const JointPlace& place, JointRows& rows) {
    add_point_on_plane(place, place.joint.at, place.joint.axis, rows);
    add_parallel_axes(place, place.joint.axis, rows);
    set_angle(place, place.joint.axis, rows);
}

} // namespace tenon
