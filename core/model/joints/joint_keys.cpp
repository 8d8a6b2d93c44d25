#include "core/model/joints/joint_keys.hpp"

#include "core/math/error.hpp"

#include <algorithm>
#include <cmath>

namespace tenon {
namespace {

/// The axes of a universal joint are at right angles; assembly turns what misses that by a degree.
constexpr double most_cosine = 0.017452406437283512;

void check_axis2(const Element& element, const Model&, const Joint& joint) {
    element.not_parallel(joint.axis, joint.axis2, "axis", "axis2");
    if (std::abs(joint.axis.normalized().dot(joint.axis2.normalized())) > most_cosine)
        element.refuse("axis and axis2 must be at right angles within 1 degree at t = 0 (" +
                           digits(joint.axis) + " and " + digits(joint.axis2) + ")",
                       "axis2");
}

void check_points(const Element& element, const Model&, const Joint& joint) {
    if (!((joint.point2 - joint.point1).norm() >= least_axis))
        element.refuse("points must differ, but both are " + digits(joint.point1), "points");
}

void check_pitch(const Element& element, const Model&, const Joint& joint) {
    if (joint.pitch == 0)
        element.refuse("pitch must not be 0 m; a screw without pitch is a revolute joint", "pitch");
}

void check_joints(const Element& element, const Model& model, const Joint& joint) {
    element.measurable(model, joint.joint1, "joints");
    element.measurable(model, joint.joint2, "joints");
    if (joint.joint1 == joint.joint2)
        element.refuse("joints must differ, but both are '" +
                           model.joints[static_cast<std::size_t>(joint.joint1)].name + "'",
                       "joints");
}

void check_ratio(const Element& element, const Model&, const Joint& joint) {
    if (joint.ratio == 0)
        element.refuse("ratio must not be 0; to hold the second joint still use a driver", "ratio");
}

void check_normal(const Element& element, const Model&, const Joint& joint) {
    element.not_parallel(joint.axis, joint.normal, "axis", "normal");
}

} // namespace

const std::vector<JointKey>& joint_keys() {
    using enum ValueType;
    static const std::vector<JointKey> keys = {
        {{.name = "at",
          .type = vector,
          .unit = "m",
          .required = true,
          .meaning = "point of the joint in the world at t = 0"},
         &Joint::at},
        {{.name = "axis",
          .type = vector,
          .required = true,
          .meaning = "direction in the world at t = 0, of any length",
          .limit = Limit::direction},
         &Joint::axis},
        {{.name = "axis2",
          .type = vector,
          .required = true,
          .meaning = "direction on the second body, perpendicular to axis",
          .limit = Limit::direction},
         &Joint::axis2,
         check_axis2},
        {{.name = "points",
          .type = two_points,
          .unit = "m",
          .required = true,
          .meaning = "a point on the first and one on the second body, in the world at t = 0"},
         std::array{&Joint::point1, &Joint::point2},
         check_points},
        {{.name = "length",
          .type = number,
          .unit = "m",
          .fallback = "the distance at t = 0",
          .meaning = "distance of the points",
          .limit = Limit::positive},
         &Joint::length},
        {{.name = "normal",
          .type = vector,
          .required = true,
          .meaning = "normal of the ground, pointing to the wheel's side",
          .limit = Limit::direction},
         &Joint::normal,
         check_normal},
        {{.name = "radius",
          .type = number,
          .unit = "m",
          .required = true,
          .meaning = "radius of the wheel",
          .limit = Limit::positive},
         &Joint::radius},
        {{.name = "pitch",
          .type = number,
          .unit = "m",
          .required = true,
          .meaning = "way along the axis per turn"},
         &Joint::pitch,
         check_pitch},
        {{.name = "joints",
          .type = two_joints,
          .required = true,
          .meaning = "the two joints that are geared together"},
         std::array{&Joint::joint1, &Joint::joint2},
         check_joints},
        {{.name = "ratio",
          .type = number,
          .required = true,
          .meaning = "angle or distance of the second joint over that of the first"},
         &Joint::ratio,
         check_ratio},
    };
    return keys;
}

const JointKey& joint_key(std::string_view name) {
    const auto found =
        std::ranges::find_if(joint_keys(), [&](const JointKey& key) { return key.key.name == name; });
    if (found == joint_keys().end())
        throw Error(ErrorKind::model, "there is no joint key '" + std::string(name) + "'");
    return *found;
}

} // namespace tenon
