// The rows of the core along the motions of two ports. A driver adds the row
//
//     coordinate(a, b) - start - motion(t) = 0,   its phi_t is -motion', its part of gamma -motion''

#include "core/ports/port_joint.hpp"

#include "core/ports/port_joint_parts.hpp"

#include <cmath>

namespace tenon {
namespace {

/// Spins below this do not matter to the multipliers, rad/s.
constexpr double slow = 0.1;

void copy(const RigidRow& from, int row, PortJointRows& to, bool swapped) {
    to.phi[row] = from.value;
    to.rate[row] = from.rate;
    to.gamma[row] = from.bias;
    to.Ba.row(row) = (swapped ? from.g2 : from.g1).transpose();
    to.Bb.row(row) = (swapped ? from.g1 : from.g2).transpose();
}

} // namespace

PortMotion world_side(const PortMotion& other) { return {.p_WP = other.p_WP, .R_WP = other.R_WP}; }

PortMotion motion_from(const double* values, PortKind kind) {
    PortMotion motion;
    if (kind != PortKind::frame) {
        motion.p_WP.x() = values[0];
        motion.v_WP.x() = values[1];
        return motion;
    }
    motion.p_WP = Eigen::Map<const Vec3>(values);
    motion.R_WP = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(values + 3);
    motion.v_WP = Eigen::Map<const Vec3>(values + 12);
    motion.w_WP = Eigen::Map<const Vec3>(values + 15);
    return motion;
}

std::vector<double> motion_values(const PortMotion& motion, PortKind kind) {
    if (kind != PortKind::frame)
        return {motion.p_WP.x(), motion.v_WP.x()};
    std::vector<double> values;
    const auto add = [&](const Vec3& v) { values.insert(values.end(), v.begin(), v.end()); };
    add(motion.p_WP);
    for (int i = 0; i < 3; ++i)
        add(motion.R_WP.row(i).transpose());
    add(motion.v_WP);
    add(motion.w_WP);
    return values;
}

PortJoint::PortJoint(PortJoint&&) noexcept = default;
PortJoint& PortJoint::operator=(PortJoint&&) noexcept = default;
PortJoint::~PortJoint() = default;

PortJoint::PortJoint(const PortJointSpec& joint, PortKind kind, const PortMotion& a, const PortMotion& b)
    : parts_(std::make_unique<Parts>(joint, kind, a, b)) {}

int PortJoint::rows() const { return parts_->rows; }
bool PortJoint::is_angular(int row) const { return parts_->angular[static_cast<std::size_t>(row)]; }
const PortMotion& PortJoint::start_a() const { return parts_->start_a; }
const PortMotion& PortJoint::start_b() const { return parts_->start_b; }

void PortJoint::evaluate(double t, const PortMotion& a, const PortMotion& b, PortJointRows& rows,
                         double late) const {
    const Parts& p = *parts_;
    rows.phi.resize(p.rows);
    rows.rate.resize(p.rows);
    rows.gamma.resize(p.rows);
    rows.Ba.resize(p.rows, 6);
    rows.Bb.resize(p.rows, 6);
    if (p.kind != PortKind::frame) {
        rows.phi[0] = (b.p_WP.x() - p.start_b.p_WP.x()) - (a.p_WP.x() - p.start_a.p_WP.x());
        rows.rate[0] = b.v_WP.x() - a.v_WP.x();
        rows.gamma[0] = 0;
        rows.Ba.row(0) = -Vec6::Unit(0).transpose();
        rows.Bb.row(0) = Vec6::Unit(0).transpose();
        return;
    }
    const Kinematics k_a = kinematics(a), k_b = kinematics(b);
    std::array<RigidRow, 3> block_rows; // no block has more
    int row = 0;
    for (const std::unique_ptr<Rows>& block : (p.use_swapped ? p.swapped : p.straight).rows) {
        block->rigid(p.use_swapped ? k_b : k_a, p.use_swapped ? k_a : k_b, block_rows.data());
        for (int i = 0; i < block->size(); ++i)
            copy(block_rows[static_cast<std::size_t>(i)], row++, rows, p.use_swapped);
    }
    if (p.driven) {
        const Derivatives motion = p.driver(t);
        RigidRow& driven = block_rows[0];
        p.driven_measure().rigid(k_a, k_b, p.start() + motion.value + late, driven);
        driven.value -= p.start() + motion.value;
        driven.rate -= motion.rate;
        driven.bias -= motion.acceleration;
        copy(driven, row, rows, false);
    }
}

PortJoint::Gap PortJoint::gap(const PortJointRows& rows) const {
    Gap gap;
    for (int i = 0; i < parts_->rows; ++i) {
        double& largest = parts_->angular[static_cast<std::size_t>(i)] ? gap.radians : gap.metres;
        largest = std::max(largest, std::abs(rows.phi[i]));
    }
    return gap;
}

bool PortJoint::choose_side(const PortMotion& a, const PortMotion& b) {
    Parts& p = *parts_;
    if (p.swapped.rows.empty())
        return false;
    const double spin_a = p.spin_a(a), spin_b = p.spin_b(b);
    const double carrying = p.use_swapped ? spin_b : spin_a, other = p.use_swapped ? spin_a : spin_b;
    if (carrying <= slow || carrying <= 2 * other)
        return false;
    p.use_swapped = !p.use_swapped;
    return true;
}

bool PortJoint::is_swapped() const { return parts_->use_swapped; }
void PortJoint::set_swapped(bool swapped) { parts_->use_swapped = swapped && !parts_->swapped.rows.empty(); }

bool PortJoint::has_angle() const { return parts_->straight.angle != nullptr; }
bool PortJoint::has_distance() const { return parts_->straight.distance != nullptr; }

double PortJoint::coordinate(const PortMotion& a, const PortMotion& b, double near) const {
    const Parts& p = *parts_;
    if (p.straight.angle)
        return p.straight.angle->value(kinematics(a), kinematics(b), near + p.start_angle) - p.start_angle;
    return distance(a, b);
}

double PortJoint::coordinate_rate(const PortMotion& a, const PortMotion& b, double near) const {
    const Parts& p = *parts_;
    if (!p.straight.angle)
        return distance_rate(a, b);
    RigidRow row;
    p.straight.angle->rigid(kinematics(a), kinematics(b), near + p.start_angle, row);
    return row.rate;
}

double PortJoint::distance(const PortMotion& a, const PortMotion& b) const {
    const Parts& p = *parts_;
    return p.straight.distance
               ? p.straight.distance->value(kinematics(a), kinematics(b), 0) - p.start_distance
               : 0;
}

double PortJoint::distance_rate(const PortMotion& a, const PortMotion& b) const {
    if (!parts_->straight.distance)
        return 0;
    RigidRow row;
    parts_->straight.distance->rigid(kinematics(a), kinematics(b), 0, row);
    return row.rate;
}

bool PortJoint::driven() const { return parts_->driven; }
Derivatives PortJoint::driver(double t) const { return parts_->driven ? parts_->driver(t) : Derivatives{}; }

} // namespace tenon
