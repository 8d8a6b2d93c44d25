// Point on plane: a point of the second body stays in a plane of the first.
//
//   C = (p2 - p1).n1 = 0     1 row

#include "core/model/rows.hpp"

namespace tenon {

void build_point_on_plane(const JointPlace& place, JointRows& rows) {
    add_point_on_plane(place, place.joint.at, place.joint.axis, rows);
}

} // namespace tenon
