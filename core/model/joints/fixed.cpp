// Fixed joint: leaves nothing free.
//
//   C = (p2 - p1, x1.y2, y1.z2, z1.x2) = 0     3 + 3 rows; x, y, z: world axes at t = 0, carried by each body

#include "core/model/rows.hpp"

namespace tenon {

void build_fixed(const JointPlace& place, JointRows& rows) {
    add_common_point(place, place.joint.at, rows);
    add_same_orientation(place, rows);
}

} // namespace tenon
