// Revolute joint: leaves the rotation about one axis.
//
//   C = (p2 - p1, e1.n2, e2.n2) = 0     3 + 2 rows; n the axis, e1, e2 normal to it on the first body
//   angle = atan2(e2.f, e1.f), f = e1 at t = 0, carried by the second body

#include "core/model/rows.hpp"

namespace tenon {

void build_revolute(const JointPlace& place, JointRows& rows) {
    add_common_point(place, place.joint.at, rows);
    add_parallel_axes(place, place.joint.axis, rows);
    set_angle(place, place.joint.axis, rows);
}

} // namespace tenon
