// Prismatic joint: leaves sliding along one axis.
//
//   C = ((p2 - p1).e1, (p2 - p1).e2, x1.y2, y1.z2, z1.x2) = 0     2 + 3 rows; e1, e2 normal to the axis, first body
//   distance = (p2 - p1).n1

#include "core/model/rows.hpp"

namespace tenon {

void build_prismatic(const JointPlace& place, JointRows& rows) {
    add_point_on_line(place, place.joint.at, place.joint.axis, rows);
    add_same_orientation(place, rows);
    set_distance(place, place.joint.at, place.joint.axis, rows);
}

} // namespace tenon
