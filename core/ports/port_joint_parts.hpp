#pragma once
// What a PortJoint is made of.

#include "core/model/joints/joint_types.hpp"
#include "core/ports/port_joint.hpp"

#include <array>

namespace tenon {

/// As the rows of a joint see a port.
inline Kinematics kinematics(const PortMotion& motion) {
    Kinematics result;
    result.r = motion.p_WP;
    result.D = motion.R_WP;
    result.v = motion.v_WP;
    result.w = motion.w_WP;
    return result;
}

struct PortJoint::Parts {
    PortKind kind;
    const JointType* type = nullptr; ///< null for flanges
    PortMotion start_a, start_b;

    Orientation orientation = Orientation::free;
    /// The common direction in the axes of both ports, or the two of a cross.
    Vec3 axis_A = Vec3::UnitZ(), axis_B = Vec3::UnitZ();
    /// The orientation of A in B where nothing is free.
    Mat3 R_BA = Mat3::Identity();
    double length = 0; ///< of a distance joint

    JointRows straight; ///< a is the first body
    JointRows swapped;  ///< b is; empty where that would be another joint
    bool use_swapped = false;
    int rows = 0;
    int points = 0; ///< of them for points: the first; those for orientations follow, then the driver's
    std::array<bool, most_rows> angular{};

    bool driven = false;
    Formula motion;
    Table table;
    double start_angle = 0, start_distance = 0; ///< what counts as zero

    Parts(const PortJointSpec& joint, PortKind kind, const PortMotion& a, const PortMotion& b);
    Derivatives driver(double t) const { return table.empty() ? motion.at(t) : table.at(t); }
    /// The measure that a driver prescribes, less `start`.
    const Measure& driven_measure() const { return straight.angle ? *straight.angle : *straight.distance; }
    double start() const { return straight.angle ? start_angle : start_distance; }
    /// R_WB turned back by `angle` about the axis and by R_BA: R_WA, where the joint is closed.
    Mat3 aligned(const PortMotion& b, double angle) const;
    double spin_a(const PortMotion& a) const; ///< about the axis, absolute
    double spin_b(const PortMotion& b) const;

  private:
    Joint joint_of_model(const PortJointSpec& joint);
    void build(const Joint& joint);
};

} // namespace tenon
