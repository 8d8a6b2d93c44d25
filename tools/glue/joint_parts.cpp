// The rows are built by the core with the ports' frames for bodies, both at the origin and parallel: ports are plugs, so that is
// how they are where the joint's free motion is zero. With `axis_b` the frame of b is turned by the shortest way that takes
// axis_b to axis.

#include "tools/glue/joint_parts.hpp"

#include "core/math/digits.hpp"
#include "core/math/error.hpp"
#include "core/math/rotation.hpp"

#include <cmath>
#include <optional>

namespace tenon::glue {
namespace {

std::optional<Vec3> vector_of(const system::GlueJoint& joint, const char* name) {
    const auto found = joint.numbers.find(name);
    if (found == joint.numbers.end())
        return {};
    return Vec3(found->second[0], found->second[1], found->second[2]);
}

double number_of(const system::GlueJoint& joint, const char* name, double otherwise = 0) {
    const auto found = joint.numbers.find(name);
    return found == joint.numbers.end() ? otherwise : found->second.front();
}

void read_motion(const system::GlueJoint& joint, Formula& formula, Table& table) {
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

bool has_motion(const system::GlueJoint& joint) {
    const auto found = joint.numbers.lower_bound("motion.");
    return found != joint.numbers.end() && found->first.starts_with("motion.");
}

} // namespace

Joint::Parts::Parts(const system::GlueJoint& joint, system::PortKind port_kind, const Motion& a,
                    const Motion& b)
    : kind(port_kind), start_a(a), start_b(b) {
    if (kind != system::PortKind::frame) {
        rows = 1;
        angular[0] = kind == system::PortKind::rotational;
        return;
    }
    type = find_joint_type(joint.type);
    if (!type || !type->gluable)
        throw Error(ErrorKind::model,
                    "joint '" + joint.name + "': ports cannot be glued by type '" + joint.type + "'");
    orientation = type->orientation;
    driven = has_motion(joint);
    read_motion(joint, motion, table);
    build(core_joint(joint));
    if (straight.angle)
        start_angle = straight.angle->value(a, b, 0);
    if (straight.distance && length == 0)
        start_distance = straight.distance->value(a, b, 0);
    // The world does not spin, and of two ports the slower one carries the rows.
    if (!swapped.rows.empty())
        use_swapped = !joint.b.fmu || (joint.a.fmu && spin_b(b) < spin_a(a));
}

/// The joint as the core knows it, in the axes of a, and where its directions are on both sides.
tenon::Joint Joint::Parts::core_joint(const system::GlueJoint& joint) {
    tenon::Joint core;
    core.type = joint.type;
    axis_a = vector_of(joint, "axis").value_or(Vec3::UnitZ()).normalized();
    axis_b = vector_of(joint, "axis_b").value_or(axis_a).normalized();
    core.axis = axis_a;
    if (orientation == Orientation::cross) {
        // axis2 is given in the axes of a, but belongs to b: the frames as they are at the start say where it is there.
        const Vec3 at_start = start_b.D.transpose() * (start_a.D * vector_of(joint, "axis2").value());
        axis_b = vector_of(joint, "axis_b").value_or(at_start).normalized();
        core.axis2 = axis_b;
    } else {
        turn_b = Eigen::Quaterniond::FromTwoVectors(axis_a, axis_b).toRotationMatrix();
    }
    if (type->keeps_distance) {
        length = number_of(joint, "length", (start_b.r - start_a.r).norm());
        core.length = length;
        if (!(length > 0))
            throw Error(ErrorKind::model, "joint '" + joint.name +
                                              "': the ports are at one point at the start (" +
                                              digits(start_a.r) + "), so that 'length' must be given");
    }
    return core;
}

void Joint::Parts::build(const tenon::Joint& core) {
    Frame second; // turn_b takes its axes to those of the first
    second.D = turn_b.transpose();
    type->build({core, Frame{}, second}, straight);
    // Where both sides have the axis, it is the same joint whichever of them is the first.
    if (orientation == Orientation::axis)
        type->build({core, second, Frame{}}, swapped);
    if (length > 0 && driven) // the driver's row takes the place of the constant length
        straight.rows.clear();
    for (const std::unique_ptr<Rows>& block : straight.rows)
        for (int i = 0; i < block->size(); ++i)
            angular[static_cast<std::size_t>(rows++)] = block->angular(i);
    points = static_cast<int>(std::find(angular.begin(), angular.begin() + rows, true) - angular.begin());
    if (driven)
        angular[static_cast<std::size_t>(rows++)] = type->has_angle;
}

Mat3 Joint::Parts::aligned(const Motion& b, double angle) const {
    return b.D * turn_b * exp_so3(-angle * axis_a);
}

double Joint::Parts::spin_a(const Motion& a) const { return std::abs(a.w.dot(a.D * axis_a)); }
double Joint::Parts::spin_b(const Motion& b) const { return std::abs(b.w.dot(b.D * axis_b)); }

} // namespace tenon::glue
