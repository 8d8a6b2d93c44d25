// Distance joint: two points keep their distance.
//
//   C = (|p2 - p1|^2 - L^2) / (2 L) = 0     1 row, quadratic, in metres near its zero
//   distance = |p2 - p1|

#include "core/model/rows.hpp"

namespace tenon {

void build_distance(const JointPlace& place, JointRows& rows) {
    const Joint& joint = place.joint;
    const Vec3 s1 = place.point1(joint.point1);
    rows.point2 = place.point2(joint.point2);
    const double length = joint.length.value_or((joint.point2 - joint.point1).norm());
    rows.rows.push_back(zero_measure(half_square_measure(s1, rows.point2, length), false));
    rows.distance = length_measure(s1, rows.point2);
}

} // namespace tenon
