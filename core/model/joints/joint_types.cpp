#include "core/model/joints/joint_types.hpp"

#include "core/math/error.hpp"

#include <algorithm>

namespace tenon {

// Each is defined in the file of its joint.
using Builder = void(const JointPlace& place, JointRows& rows);
Builder build_fixed, build_revolute, build_prismatic, build_cylindrical, build_screw, build_spherical,
    build_universal, build_planar, build_distance, build_point_on_line, build_point_on_plane, build_rolling;

const std::vector<JointType>& joint_types() {
    using enum Orientation;
    static const std::vector<JointType> types = {
        {.name = "fixed",
         .meaning = "leaves nothing free",
         .keys = {{"at", "the second body's origin"}},
         .build = build_fixed,
         .orientation = same,
         .drawn = "fixed"},
        {.name = "revolute",
         .meaning = "leaves rotation about the axis",
         .keys = {"at", "axis"},
         .build = build_revolute,
         .orientation = axis,
         .has_angle = true,
         .flange = true,
         .drawn = "revolute"},
        {.name = "prismatic",
         .meaning = "leaves sliding along the axis",
         .keys = {"at", "axis"},
         .build = build_prismatic,
         .orientation = same,
         .has_distance = true,
         .flange = true,
         .drawn = "prismatic"},
        {.name = "cylindrical",
         .meaning = "leaves rotation about and sliding along the axis",
         .keys = {"at", "axis"},
         .build = build_cylindrical,
         .orientation = axis,
         .has_angle = true,
         .has_distance = true,
         .drawn = "cylindrical"},
        {.name = "screw",
         .meaning = "leaves rotation and sliding, tied by the pitch",
         .keys = {"at", "axis", "pitch"},
         .build = build_screw,
         .orientation = axis,
         .has_angle = true,
         .has_distance = true,
         .one_motion = true,
         .gluable = false,
         .drawn = "screw"},
        {.name = "spherical",
         .meaning = "leaves all rotation",
         .keys = {"at"},
         .build = build_spherical,
         .has_torque = false,
         .drawn = "spherical"},
        {.name = "universal",
         .meaning = "leaves rotation about axis (on the first body) and axis2 (on the second)",
         .keys = {"at", "axis", "axis2"},
         .build = build_universal,
         .orientation = cross,
         .drawn = "universal"},
        {.name = "planar",
         .meaning = "leaves motion in a plane and rotation about its normal, the axis",
         .keys = {"at", "axis"},
         .build = build_planar,
         .orientation = axis,
         .has_angle = true,
         .drawn = "planar"},
        {.name = "distance",
         .meaning = "keeps two points at a distance",
         .keys = {"points", "length"},
         .build = build_distance,
         .has_distance = true,
         .has_torque = false,
         .keeps_distance = true,
         .drawn = "distance"},
        {.name = "point_on_line",
         .meaning = "keeps a point of the second body on a line of the first, which has the direction axis",
         .keys = {"at", "axis"},
         .build = build_point_on_line,
         .has_torque = false,
         .drawn = "point_on_line"},
        {.name = "point_on_plane",
         .meaning = "keeps a point of the second body on a plane of the first, which has the normal axis",
         .keys = {"at", "axis"},
         .build = build_point_on_plane,
         .has_torque = false,
         .drawn = "point_on_plane"},
        {.name = "gear",
         .meaning = "ties two joints: angle or distance of the second = ratio times that of the first",
         .keys = {"joints", "ratio"},
         .gluable = false},
        {.name = "rolling",
         .meaning = "a wheel (second body) rolls on a plane of the first without slip",
         .keys = {{"at", "the second body's origin", "centre of the wheel in the world at t = 0"},
                  "normal",
                  "axis",
                  "radius"},
         .build = build_rolling,
         .gluable = false},
    };
    return types;
}

bool JointType::takes(std::string_view key) const {
    return std::ranges::find(keys, key, &JointKeyUse::name) != keys.end();
}

bool JointType::driven_along(const Driver& driver) const {
    return driver.coordinate.empty() ? slides() : driver.coordinate == driver_coordinates.back();
}

const JointType* find_joint_type(std::string_view name) {
    const auto found = std::ranges::find(joint_types(), name, &JointType::name);
    return found == joint_types().end() ? nullptr : &*found;
}

bool is_rigid_type(std::string_view name) {
    const JointType* type = find_joint_type(name);
    return type && type->rigid();
}

const JointType& type_of(const Joint& joint) {
    if (const JointType* type = find_joint_type(joint.type))
        return *type;
    throw Error(ErrorKind::model, "joint '" + joint.name + "': there is no joint type '" + joint.type + "'",
                joint.name + ".type");
}

} // namespace tenon
