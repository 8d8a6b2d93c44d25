// Spherical joint: leaves all rotation.
//
//   C = p2 - p1 = 0     3 rows, linear

#include "core/model/rows.hpp"

namespace tenon {

void build_spherical(const JointPlace& place, JointRows& rows) {
    add_common_point(place, place.joint.at, rows);
}

} // namespace tenon
