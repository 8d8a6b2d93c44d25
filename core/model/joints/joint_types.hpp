#pragma once
// The registry of joint types: one line a type, one file joint_<type>.cpp each.

#include "core/model/joint.hpp"
#include "core/model/rows.hpp"

#include <string_view>
#include <vector>

namespace tenon {

struct JointType {
    std::string_view name;
    /// What model files may say: which of at, axis, axis2, points, length, pitch, joints, ratio, normal, radius.
    std::vector<std::string_view> keys;
    bool has_angle = false;    ///< of the second body about the axis, zero at t = 0
    bool has_distance = false; ///< of the second body along the axis, zero at t = 0
    /// Adds the rows of the joint; null for gears, which couple the coordinates of two other joints.
    void (*build)(const JointPlace&, JointRows&) = nullptr;
    bool has_torque =
        true; ///< the reaction has a torque at the joint's point; a single point passes on a force only
};

const std::vector<JointType>& joint_types();
/// Null where there is no such type.
const JointType* find_joint_type(std::string_view name);

} // namespace tenon
