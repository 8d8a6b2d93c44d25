#pragma once
// Joints between ports as a user would ask for them, and motions of ports, for the tests of the glue.

#include "core/math/rotation.hpp"
#include "core/ports/port_joint.hpp"
#include "tests/support/random.hpp"

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace tenon::tests {

using Numbers = std::map<std::string, std::vector<double>>;

inline PortJointSpec glue_joint(const std::string& type, Numbers numbers = {}) {
    PortJointSpec joint;
    joint.name = "pin";
    joint.type = type;
    joint.numbers = std::move(numbers);
    return joint;
}

/// One of each type that can be glued, driven ones too, with axes that are no coordinate axes.
inline std::vector<PortJointSpec> all_glue_joints() {
    const std::vector<double> axis = {0.3, -0.8, 0.5}, axis_b = {-0.2, 0.7, 0.9};
    const std::vector<double> axis2 = {0.8, 0.55, 0.4};
    return {
        glue_joint("fixed"),
        glue_joint("revolute", {{"axis", axis}}),
        glue_joint("revolute", {{"axis", axis}, {"axis_b", axis_b}}),
        glue_joint("revolute", {{"axis", axis},
                                {"motion.offset", {0.1}},
                                {"motion.rate", {2}},
                                {"motion.amplitude", {0.4}},
                                {"motion.frequency", {0.7}},
                                {"motion.phase", {0.2}}}),
        glue_joint("prismatic", {{"axis", axis}}),
        glue_joint("prismatic", {{"axis", axis}, {"axis_b", axis_b}}),
        glue_joint("prismatic",
                   {{"axis", axis}, {"motion.time", {0, 0.5, 2}}, {"motion.value", {0, 0.3, -0.1}}}),
        glue_joint("cylindrical", {{"axis", axis}, {"axis_b", axis_b}}),
        glue_joint("spherical"),
        glue_joint("universal", {{"axis", axis}, {"axis2", axis2}}),
        glue_joint("universal", {{"axis", axis}, {"axis2", axis2}, {"axis_b", axis_b}}),
        glue_joint("planar", {{"axis", axis}}),
        glue_joint("planar", {{"axis", axis}, {"axis_b", axis_b}, {"motion.rate", {-1}}}),
        glue_joint("distance"),
        glue_joint("distance", {{"length", {0.7}}}),
        glue_joint("distance", {{"motion.offset", {1.5}}, {"motion.rate", {0.2}}}),
        glue_joint("point_on_line", {{"axis", axis}}),
        glue_joint("point_on_plane", {{"axis", axis}}),
    };
}

inline PortMotion random_motion(Random& random) {
    PortMotion motion;
    motion.p_WP = random.vec3();
    motion.R_WP = random.rotation();
    motion.v_WP = random.vec3();
    motion.w_WP = 2 * random.vec3();
    return motion;
}

/// Along a motion with constant acceleration a of the point and u'' = al of the rotation exp(u) D: only for small t.
inline PortMotion later(const PortMotion& motion, const Vec6& acceleration, double t) {
    PortMotion result = motion;
    result.p_WP += t * motion.v_WP + 0.5 * t * t * acceleration.head<3>();
    result.R_WP = exp_so3(t * motion.w_WP + 0.5 * t * t * acceleration.tail<3>()) * motion.R_WP;
    return result;
}

/// Displaced by a twist (d, th) about the port's own origin.
inline PortMotion displaced(const PortMotion& motion, const Vec6& twist) {
    PortMotion result = motion;
    result.p_WP += twist.head<3>();
    result.R_WP = exp_so3(twist.tail<3>()) * motion.R_WP;
    return result;
}

inline Vec6 twist_of(const PortMotion& motion) {
    Vec6 twist;
    twist << motion.v_WP, motion.w_WP;
    return twist;
}

} // namespace tenon::tests
