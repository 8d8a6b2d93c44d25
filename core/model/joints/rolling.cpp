// Rolling: a disc (second body) rolls without slip on a plane of the first body.
//
//   C = (c - p1).n1 - radius sqrt(1 - (n1.axis2)^2) = 0     1 row: the disc touches the plane, also when it leans
//   t1.slip = t2.slip = 0                                    2 rows on velocities, nonholonomic
// c: centre of the disc (`at`), p1: where it touches at t = 0, slip: velocity of its material point there.

#include "core/model/rows.hpp"

namespace tenon {

void build_rolling(const JointPlace& place, JointRows& rows) {
    const Joint& joint = place.joint;
    const Vec3 n = joint.normal.normalized();
    const Vec3 axis = joint.axis.normalized();
    const Vec3 down = (n - n.dot(axis) * axis).normalized();
    const Vec3 contact = joint.at - joint.radius * down;
    Vec3 t1, t2;
    orthonormal_pair(n, t1, t2);
    const Vec3 n1 = place.direction1(n);
    const Vec3 axis2 = place.direction2(axis);
    const Vec3 centre = place.point2(joint.at);
    rows.rows.push_back(
        zero_measure(disc_height_measure(place.point1(contact), centre, n1, axis2, joint.radius), false));
    rows.rows.push_back(no_slip(centre, n1, place.direction1(t1), place.direction1(t2), axis2, joint.radius));
    rows.point2 = centre;
}

} // namespace tenon
