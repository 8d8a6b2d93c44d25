// The rows are those of a model's joint with the ports' frames for bodies, both at the origin and parallel: ports are plugs, so that
// is how they are where the joint's free motion is zero. With `axis_b` the frame B is turned by the shortest way that takes
// axis_b to axis.

#include "core/ports/port_joint_parts.hpp"

#include "core/math/digits.hpp"
#include "core/math/error.hpp"
#include "core/math/rotation.hpp"

#include <cmath>
#include <optional>

namespace tenon {
namespace {

std::optional<Vec3> vector_of(const PortJointSpec& joint, const char* name) {
    const auto found = joint.numbers.find(name);
    if (found == joint.numbers.end())
        return {};
    return Vec3(found->second[0], found->second[1], found->second[2]);
}

double number_of(const PortJointSpec& joint, const char* name, double otherwise = 0) {
    const auto found = joint.numbers.find(name);
    return found == joint.numbers.end() ? otherwise : found->second.front();
}

void read_motion(const PortJointSpec& joint, Formula& formula, Table& table) {
    if (const auto time = joint.numbers.find("motion.time"); time != joint.numbers.end()) {
        table = Table(time->second, joint.numbers.at("motion.value"));
        return;
    }
    formula.offset = number_of(joint, "motion.offset");
    formula.rate = number_of(joint, "motion.rate");
    formula.amplitude = number_of(joint, "motion.amplitude");
    formula.frequency = number_of(joint, "motion.frequency");
    formula.phase = number_of(joint, "motion.phase");
}

bool has_motion(const PortJointSpec& joint) {
    const auto found = joint.numbers.lower_bound("motion.");
    return found != joint.numbers.end() && found->first.starts_with("motion.");
}

} // namespace

PortJoint::Parts::Parts(const PortJointSpec& joint, PortKind port_kind, const PortMotion& a,
                        const PortMotion& b)
    : kind(port_kind), start_a(a), start_b(b) {
    if (kind != PortKind::frame) {
        rows = 1;
        angular[0] = kind == PortKind::rotational;
        return;
    }
    type = find_joint_type(joint.type);
    if (!type || !type->gluable)
        throw Error(ErrorKind::model,
                    "joint '" + joint.name + "': ports cannot be glued by type '" + joint.type + "'");
    orientation = type->orientation;
    driven = has_motion(joint);
    read_motion(joint, motion, table);
    build(joint_of_model(joint));
    if (straight.angle)
        start_angle = straight.angle->value(kinematics(a), kinematics(b), 0);
    if (straight.distance && length == 0)
        start_distance = straight.distance->value(kinematics(a), kinematics(b), 0);
    // The world does not spin, and of two ports the slower one carries the rows.
    if (!swapped.rows.empty())
        use_swapped = joint.world_b || (!joint.world_a && spin_b(b) < spin_a(a));
}

/// The joint as a model has it, in the axes of A, and where its directions are on both sides.
Joint PortJoint::Parts::joint_of_model(const PortJointSpec& joint) {
    Joint result;
    result.type = joint.type;
    axis_A = vector_of(joint, "axis").value_or(Vec3::UnitZ()).normalized();
    axis_B = vector_of(joint, "axis_b").value_or(axis_A).normalized();
    result.axis = axis_A;
    if (orientation == Orientation::cross) {
        // axis2 is given in the axes of A, but belongs to B: the frames as they are at the start say where it is there.
        const Vec3 at_start = start_b.R_WP.transpose() * (start_a.R_WP * vector_of(joint, "axis2").value());
        axis_B = vector_of(joint, "axis_b").value_or(at_start).normalized();
        result.axis2 = axis_B;
    } else {
        R_BA = shortest_rotation(axis_A, axis_B);
    }
    if (type->keeps_distance) {
        length = number_of(joint, "length", (start_b.p_WP - start_a.p_WP).norm());
        result.length = length;
        if (!(length > 0))
            throw Error(ErrorKind::model, "joint '" + joint.name +
                                              "': the ports are at one point at the start (" +
                                              digits(start_a.p_WP) + "), so that 'length' must be given");
    }
    return result;
}

void PortJoint::Parts::build(const Joint& joint) {
    Frame second; // R_BA takes its axes to those of the first
    second.D = R_BA.transpose();
    type->build({joint, Frame{}, second}, straight);
    // Where both sides have the axis, it is the same joint whichever of them is the first.
    if (orientation == Orientation::axis)
        type->build({joint, second, Frame{}}, swapped);
    if (length > 0 && driven) // the driver's row takes the place of the constant length
        straight.rows.clear();
    for (const std::unique_ptr<Rows>& block : straight.rows)
        for (int i = 0; i < block->size(); ++i)
            angular[static_cast<std::size_t>(rows++)] = block->angular(i);
    points = static_cast<int>(std::find(angular.begin(), angular.begin() + rows, true) - angular.begin());
    if (driven)
        angular[static_cast<std::size_t>(rows++)] = type->has_angle;
}

Mat3 PortJoint::Parts::aligned(const PortMotion& b, double angle) const {
    return b.R_WP * R_BA * exp_so3(-angle * axis_A);
}

double PortJoint::Parts::spin_a(const PortMotion& a) const { return std::abs(a.w_WP.dot(a.R_WP * axis_A)); }
double PortJoint::Parts::spin_b(const PortMotion& b) const { return std::abs(b.w_WP.dot(b.R_WP * axis_B)); }

} // namespace tenon
