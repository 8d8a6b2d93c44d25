// The rows of the core along the motions of two ports. A driver adds the row
//
//     coordinate(a, b) - start - motion(t) = 0,   its phi_t is -motion', its part of gamma -motion''

#include "tools/glue/joint.hpp"

#include "tools/glue/joint_parts.hpp"

#include <cmath>

namespace tenon::glue {
namespace {

/// Spins below this do not matter to the multipliers, rad/s.
constexpr double slow = 0.1;

void copy(const RigidRow& from, int row, JointRows& to, bool swapped) {
    to.phi[row] = from.value;
    to.rate[row] = from.rate;
    to.gamma[row] = from.bias;
    to.Ba.row(row) = (swapped ? from.g2 : from.g1).transpose();
    to.Bb.row(row) = (swapped ? from.g1 : from.g2).transpose();
}

} // namespace

Motion world_side(const Motion& other) {
    Motion world;
    world.r = other.r;
    world.D = other.D;
    return world;
}

Motion motion_from(const double* values, system::PortKind kind) {
    Motion motion;
    if (kind != system::PortKind::frame) {
        motion.r.x() = values[0];
        motion.v.x() = values[1];
        return motion;
    }
    motion.r = Eigen::Map<const Vec3>(values);
    motion.D = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(values + 3);
    motion.v = Eigen::Map<const Vec3>(values + 12);
    motion.w = Eigen::Map<const Vec3>(values + 15);
    return motion;
}

Joint::Joint(Joint&&) noexcept = default;
Joint& Joint::operator=(Joint&&) noexcept = default;
Joint::~Joint() = default;

Joint::Joint(const system::GlueJoint& joint, system::PortKind kind, const Motion& a, const Motion& b)
    : parts_(std::make_unique<Parts>(joint, kind, a, b)) {}

int Joint::rows() const { return parts_->rows; }
bool Joint::is_angular(int row) const { return parts_->angular[static_cast<std::size_t>(row)]; }
const Motion& Joint::start_a() const { return parts_->start_a; }
const Motion& Joint::start_b() const { return parts_->start_b; }

void Joint::evaluate(double t, const Motion& a, const Motion& b, JointRows& rows, double late) const {
    const Parts& p = *parts_;
    rows.phi.resize(p.rows);
    rows.rate.resize(p.rows);
    rows.gamma.resize(p.rows);
    rows.Ba.resize(p.rows, 6);
    rows.Bb.resize(p.rows, 6);
    if (p.kind != system::PortKind::frame) {
        rows.phi[0] = (b.r.x() - p.start_b.r.x()) - (a.r.x() - p.start_a.r.x());
        rows.rate[0] = b.v.x() - a.v.x();
        rows.gamma[0] = 0;
        rows.Ba.row(0) = -Vec6::Unit(0).transpose();
        rows.Bb.row(0) = Vec6::Unit(0).transpose();
        return;
    }
    std::array<RigidRow, 3> block_rows; // no block has more
    int row = 0;
    for (const std::unique_ptr<Rows>& block : (p.use_swapped ? p.swapped : p.straight).rows) {
        block->rigid(p.use_swapped ? b : a, p.use_swapped ? a : b, block_rows.data());
        for (int i = 0; i < block->size(); ++i)
            copy(block_rows[static_cast<std::size_t>(i)], row++, rows, p.use_swapped);
    }
    if (p.driven) {
        const Derivatives motion = p.driver(t);
        RigidRow& driven = block_rows[0];
        p.driven_measure().rigid(a, b, p.start() + motion.value + late, driven);
        driven.value -= p.start() + motion.value;
        driven.rate -= motion.rate;
        driven.bias -= motion.acceleration;
        copy(driven, row, rows, false);
    }
}

Joint::Gap Joint::gap(const JointRows& rows) const {
    Gap gap;
    for (int i = 0; i < parts_->rows; ++i) {
        double& largest = parts_->angular[static_cast<std::size_t>(i)] ? gap.radians : gap.metres;
        largest = std::max(largest, std::abs(rows.phi[i]));
    }
    return gap;
}

bool Joint::choose_side(const Motion& a, const Motion& b) {
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

bool Joint::is_swapped() const { return parts_->use_swapped; }
void Joint::set_swapped(bool swapped) { parts_->use_swapped = swapped && !parts_->swapped.rows.empty(); }

bool Joint::has_angle() const { return parts_->straight.angle != nullptr; }
bool Joint::has_distance() const { return parts_->straight.distance != nullptr; }

double Joint::coordinate(const Motion& a, const Motion& b, double near) const {
    const Parts& p = *parts_;
    if (p.straight.angle)
        return p.straight.angle->value(a, b, near + p.start_angle) - p.start_angle;
    return distance(a, b);
}

double Joint::coordinate_rate(const Motion& a, const Motion& b, double near) const {
    const Parts& p = *parts_;
    if (!p.straight.angle)
        return distance_rate(a, b);
    RigidRow row;
    p.straight.angle->rigid(a, b, near + p.start_angle, row);
    return row.rate;
}

double Joint::distance(const Motion& a, const Motion& b) const {
    const Parts& p = *parts_;
    return p.straight.distance ? p.straight.distance->value(a, b, 0) - p.start_distance : 0;
}

double Joint::distance_rate(const Motion& a, const Motion& b) const {
    if (!parts_->straight.distance)
        return 0;
    RigidRow row;
    parts_->straight.distance->rigid(a, b, 0, row);
    return row.rate;
}

bool Joint::driven() const { return parts_->driven; }
Derivatives Joint::driver(double t) const { return parts_->driven ? parts_->driver(t) : Derivatives{}; }

} // namespace tenon::glue
