// Point on line: a point of the second body stays on a line of the first.
//
//   C = ((p2 - p1).e1, (p2 - p1).e2) = 0     2 rows; e1, e2 normal to the line, first body

#include "core/model/rows.hpp"

namespace tenon {

void build_point_on_line(const JointPlace& place, JointRows& rows) {
    add_point_on_line(place, place.joint.at, place.joint.axis, rows);
}

} // namespace tenon
