#pragma once
// What a glue::Joint is made of.

#include "core/model/joints/joint_types.hpp"
#include "tools/glue/joint.hpp"

#include <array>

namespace tenon::glue {

struct Joint::Parts {
    system::PortKind kind;
    const JointType* type = nullptr; ///< null for flanges
    Motion start_a, start_b;

    Orientation orientation = Orientation::free;
    /// In the axes of the ports: the common direction, or the two of a cross.
    Vec3 axis_a = Vec3::UnitZ(), axis_b = Vec3::UnitZ();
    /// Its columns are, in b's axes, the directions that are parallel to a's axes where nothing is free.
    Mat3 turn_b = Mat3::Identity();
    double length = 0; ///< of a distance joint

    tenon::JointRows straight; ///< a is the first body
    tenon::JointRows swapped;  ///< b is; empty where that would be another joint
    bool use_swapped = false;
    int rows = 0;
    int points =
        0; ///< of them for points, the first ones; those for orientations follow, then that of the driver
    std::array<bool, most_rows> angular{};

    bool driven = false;
    Formula motion;
    Table table;
    double start_angle = 0, start_distance = 0; ///< what counts as zero

    Parts(const system::GlueJoint& joint, system::PortKind kind, const Motion& a, const Motion& b);
    Derivatives driver(double t) const { return table.empty() ? motion.at(t) : table.at(t); }
    /// The measure that a driver prescribes, less `start`.
    const Measure& driven_measure() const { return straight.angle ? *straight.angle : *straight.distance; }
    double start() const { return straight.angle ? start_angle : start_distance; }
    /// The orientation of b turned back by `angle` about the axis and by turn_b: a's, where the joint is closed.
    Mat3 aligned(const Motion& b, double angle) const;
    double spin_a(const Motion& a) const; ///< about the axis, absolute
    double spin_b(const Motion& b) const;

  private:
    tenon::Joint core_joint(const system::GlueJoint& joint);
    void build(const tenon::Joint& core);
};

} // namespace tenon::glue
