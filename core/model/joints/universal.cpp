// Universal joint: leaves rotation about an axis of each body.
//
//   C = (p2 - p1, a1.a2) = 0     3 + 1 rows; a1 = `axis` on the first body, a2 = `axis2` on the second

#include "core/model/rows.hpp"

namespace tenon {

void build_universal(const JointPlace& place, JointRows& rows) {
    add_common_point(place, place.joint.at, rows);
    const Vec3 a1 = place.direction1(place.joint.axis.normalized());
    const Vec3 a2 = place.direction2(place.joint.axis2.normalized());
    rows.rows.push_back(zero_measure(direction_measure(a1, a2), true));
}

} // namespace tenon
