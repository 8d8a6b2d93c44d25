#pragma once
// One function a joint type, each in its file joint_<type>.cpp; listed in joint_types.cpp.

#include "core/model/rows.hpp"

namespace tenon {

void build_fixed(const JointPlace& place, JointRows& rows);
void build_revolute(const JointPlace& place, JointRows& rows);
void build_prismatic(const JointPlace& place, JointRows& rows);
void build_cylindrical(const JointPlace& place, JointRows& rows);
void build_screw(const JointPlace& place, JointRows& rows);
void build_spherical(const JointPlace& place, JointRows& rows);
void build_universal(const JointPlace& place, JointRows& rows);
void build_planar(const JointPlace& place, JointRows& rows);
void build_distance(const JointPlace& place, JointRows& rows);
void build_point_on_line(const JointPlace& place, JointRows& rows);
void build_point_on_plane(const JointPlace& place, JointRows& rows);
void build_rolling(const JointPlace& place, JointRows& rows);

} // namespace tenon
