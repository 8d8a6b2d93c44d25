#include "tools/glue/group.hpp"

#include "core/math/bytes.hpp"
#include "tools/files/errors.hpp"
#include "tools/glue/failures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tenon::glue {
namespace {

std::vector<JointBasis::Rows> kinds_of_rows(const std::vector<GluedJoint*>& joints) {
    std::vector<JointBasis::Rows> result;
    for (const GluedJoint* joint : joints) {
        result.push_back({.count = joint->rows()});
        for (int i = 0; i < joint->rows(); ++i)
            result.back().angular[static_cast<std::size_t>(i)] = joint->joint.is_angular(i);
    }
    return result;
}

void put(ByteWriter& bytes, const RowVector& values) {
    bytes.put(std::span<const double>(values.data(), static_cast<std::size_t>(values.size())));
}

void get(ByteReader& bytes, RowVector& values) {
    bytes.get(std::span<double>(values.data(), static_cast<std::size_t>(values.size())));
}

Eigen::Index first(std::size_t port) { return static_cast<Eigen::Index>(port) * port_coordinates; }

} // namespace

const PortMotion& GluedJoint::motion_begin(int side) const {
    const End& at = sides[static_cast<std::size_t>(side)];
    return at.fmu ? at.fmu->states[at.port].begin : side == 0 ? joint.start_a() : joint.start_b();
}

const PortMotion& GluedJoint::motion_end(int side) const {
    const End& at = sides[static_cast<std::size_t>(side)];
    return at.fmu ? at.fmu->states[at.port].end : side == 0 ? joint.start_a() : joint.start_b();
}

void GluedJoint::evaluate_end(double t, double h) {
    const PortMotion &a = motion_end(0), &b = motion_end(1);
    joint.evaluate(t + h, a, b, end);
    if (!joint.driven())
        return;
    const Eigen::Index last = rows() - 1;
    const Derivatives before = joint.driver(t), after = joint.driver(t + h);
    const double turn = 0.5 * h * (begin.rate[last] + before.rate + end.rate[last] + after.rate);
    joint.evaluate(t + h, a, b, end, begin.phi[last] + before.value + turn - after.value);
}

std::vector<std::pair<int, int>> joint_edges(const std::vector<GluedJoint*>& joints) {
    std::vector<std::pair<int, int>> edges;
    std::vector<std::pair<const GluedFmu*, int>> at;
    for (std::size_t j = 0; j < joints.size(); ++j)
        for (const GluedJoint::End& end : joints[j]->sides)
            if (end.fmu)
                at.emplace_back(end.fmu, static_cast<int>(j));
    std::ranges::sort(at, {},
                      [](const auto& entry) { return std::pair(entry.first->number(), entry.second); });
    for (std::size_t a = 0; a < at.size(); ++a)
        for (std::size_t b = a + 1; b < at.size() && at[b].first == at[a].first; ++b)
            if (at[a].second != at[b].second)
                edges.emplace_back(at[a].second, at[b].second);
    return edges;
}

Group::Group(GroupParts parts)
    : ensemble_(parts.ensemble), joints_(std::move(parts.joints)), fmus_(std::move(parts.fmus)),
      settings_(parts.settings), edges_(joint_edges(joints_)), basis_(kinds_of_rows(joints_), edges_),
      schur_(static_cast<int>(joints_.size()), edges_) {
    stacked_ = effect_ = Vector::Zero(static_cast<Eigen::Index>(6 * joints_.size()));
    struct Place {
        const GluedFmu* fmu;
        int joint, side;
        std::size_t port;
    };
    std::vector<Place> places;
    for (std::size_t j = 0; j < joints_.size(); ++j) {
        for (int side = 0; side < 2; ++side)
            if (const GluedJoint::End& end = joints_[j]->sides[static_cast<std::size_t>(side)]; end.fmu)
                places.push_back({end.fmu, static_cast<int>(j), side, end.port});
        for (RowVector* c : {&joints_[j]->c0, &joints_[j]->c1, &joints_[j]->c2, &joints_[j]->c3})
            c->setZero(joints_[j]->rows());
        for (RowVector* c : joints_[j]->last())
            c->setZero(joints_[j]->rows());
    }
    for (GluedFmu* fmu : fmus_) {
        for (const Place& a : places)
            for (const Place& b : places)
                if (a.fmu == fmu && b.fmu == fmu)
                    pairs_.push_back({a.joint, b.joint, fmu, a.side, b.side, first(a.port), first(b.port)});
    }
    std::map<std::pair<int, int>, std::size_t> known;
    for (const Pair& pair : pairs_) {
        const auto [found, added] = known.emplace(std::pair(pair.i, pair.j), slots_.size());
        if (added)
            slots_.emplace_back(pair.i, pair.j);
        slot_.push_back(found->second);
    }
    G_.assign(slots_.size(), Mat6::Zero());
}

std::string Group::names() const {
    constexpr std::size_t most = 4;
    std::string text = joints_.size() == 1 ? "joint " : "joints ";
    for (std::size_t j = 0; j < std::min(most, joints_.size()); ++j)
        text += fmt::format("{}'{}'", j == 0 ? "" : ", ",
                            printable(ensemble_.system.system.joints[joints_[j]->number].name));
    return joints_.size() > most ? text + fmt::format(" and {} more", joints_.size() - most) : text;
}

bool Group::has_compliance() const {
    return std::ranges::all_of(fmus_,
                               [](const GluedFmu* fmu) { return fmu->source() != ComplianceSource::none; });
}

bool Group::collect(unsigned flags, double t, double h) {
    if (!(flags & master::flag_failed))
        return true;
    failure_ = ensemble_.outcome(flags, t, h).failure;
    return false;
}

master::Failure Group::open_joint(double gap, double limit, double h) const {
    const GluedJoint* worst = joints_.front();
    for (const GluedJoint* joint : joints_)
        if (!(joint->end.phi.cwiseAbs().maxCoeff() <= worst->end.phi.cwiseAbs().maxCoeff()))
            worst = joint;
    const GluedFmu* fmu = worst->sides[0].fmu ? worst->sides[0].fmu : worst->sides[1].fmu;
    return glue::open_joint(worst->number, fmu->number(), gap, limit, corrections_, h);
}

bool Group::measure(Matrix GluedFmu::*compliance) {
    const unsigned flags = ensemble_.team.collect(fmus_.size(), [&](std::size_t i) {
        GluedFmu& fmu = *fmus_[i];
        const master::Participant::Sample sample(fmu.participant(), master::Participant::Work::derivative);
        return fmu.measure_compliance(fmu.*compliance) ? 0u : unsigned{master::flag_failed};
    });
    return collect(flags, 0, 0);
}

/// When the step is over; the FMUs have the forces of its end afterwards, which results are read with.
bool Group::measure_at_end() {
    if (!measure(&GluedFmu::compliance))
        return false;
    for (GluedFmu* fmu : fmus_)
        if (fmu->source() == ComplianceSource::feedthrough && !fmu->send_end_efforts()) {
            failure_ = fmu->participant().failure;
            return false;
        }
    return true;
}

void Group::couple(const PortJointRows& i, const PortJointRows& j, const Pair& pair, const Matrix& compliance,
                   Mat6& block) {
    const RowMatrix& left = GluedJoint::gradient(i, pair.side_i);
    const RowMatrix& right = GluedJoint::gradient(j, pair.side_j);
    const auto H = compliance.block<6, 6>(pair.first_i, pair.first_j);
    RowMatrix product(left.rows(), 6);
    product.noalias() = left.lazyProduct(H);
    block.setZero();
    block.topLeftCorner(left.rows(), right.rows()).noalias() = product.lazyProduct(right.transpose());
}

void Group::find_basis() {
    for (Mat6& block : G_)
        block.setZero();
    Mat6 block;
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
        const Pair& pair = pairs_[k];
        couple(joints_[static_cast<std::size_t>(pair.i)]->begin,
               joints_[static_cast<std::size_t>(pair.j)]->begin, pair, pair.fmu->compliance, block);
        G_[slot_[k]] += block;
    }
    basis_.set_zero();
    for (const Pair& pair : pairs_)
        if (pair.i == pair.j)
            add_terms(pair);
    decide({});
}

/// |B| |H| |B|^T, the diagonal of it.
void Group::add_terms(const Pair& pair) {
    const PortJointRows& rows = joints_[static_cast<std::size_t>(pair.i)]->begin;
    const RowMatrix &left = GluedJoint::gradient(rows, pair.side_i),
                    &right = GluedJoint::gradient(rows, pair.side_j);
    const Mat6 H = pair.fmu->compliance.block<6, 6>(pair.first_i, pair.first_j).cwiseAbs();
    Vec6 terms = Vec6::Zero();
    for (Eigen::Index i = 0; i < left.rows(); ++i)
        terms[i] = left.row(i).cwiseAbs().lazyProduct(H).dot(right.row(i).cwiseAbs());
    basis_.add_terms(pair.i, terms);
}

void Group::decide_rank(const JointBasis::Limits& limits) {
    basis_.set_zero();
    decide(limits);
}

void Group::decide(const JointBasis::Limits& limits) {
    for (std::size_t k = 0; k < slots_.size(); ++k)
        basis_.add(slots_[k].first, slots_[k].second, G_[k]);
    basis_.find(limits);
}

bool Group::solve_compliance(Vector& rhs) {
    schur_.set_zero();
    for (std::size_t k = 0; k < slots_.size(); ++k) {
        const auto [i, j] = slots_[k];
        schur_.block(i, j) += basis_.basis(i).transpose() * G_[k] * basis_.basis(j);
    }
    for (int j = 0; j < basis_.joints(); ++j) {
        for (int i = basis_.rank(j); i < 6; ++i)
            schur_.block(j, j)(i, i) = 1;
        rhs.segment<6>(6 * j) = basis_.basis(j).transpose() * rhs.segment<6>(6 * j).eval();
    }
    if (!schur_.factor())
        return false;
    schur_.solve(rhs);
    for (int j = 0; j < basis_.joints(); ++j)
        rhs.segment<6>(6 * j) = basis_.basis(j) * rhs.segment<6>(6 * j).eval();
    return true;
}

void Group::reduce(Vector& multipliers) {
    if (basis_.deficiency() == 0)
        return;
    effect_.setZero();
    for (std::size_t k = 0; k < slots_.size(); ++k)
        effect_.segment<6>(6 * slots_[k].first).noalias() +=
            G_[k] * multipliers.segment<6>(6 * slots_[k].second);
    if (solve_compliance(effect_))
        multipliers = effect_;
}

void Group::reduce(RowVector GluedJoint::*multipliers) {
    if (basis_.deficiency() == 0)
        return;
    stacked_.setZero();
    for (std::size_t j = 0; j < joints_.size(); ++j)
        stacked_.segment(static_cast<Eigen::Index>(6 * j), joints_[j]->rows()) = joints_[j]->*multipliers;
    reduce(stacked_);
    for (std::size_t j = 0; j < joints_.size(); ++j)
        joints_[j]->*multipliers = stacked_.segment(static_cast<Eigen::Index>(6 * j), joints_[j]->rows());
}

bool Group::solve_start(double t) {
    for (GluedJoint* joint : joints_)
        joint->joint.evaluate(t, joint->motion_begin(0), joint->motion_begin(1), joint->begin);
    if (!has_compliance())
        return true;
    if (!measure(&GluedFmu::compliance))
        return false;
    for (GluedFmu* fmu : fmus_)
        if (!fmu->read_free_accelerations()) {
            failure_ = fmu->participant().failure;
            return false;
        }
    find_basis();
    Vector rhs = Vector::Zero(static_cast<Eigen::Index>(6 * joints_.size()));
    for (std::size_t j = 0; j < joints_.size(); ++j) {
        const GluedJoint& joint = *joints_[j];
        auto part = rhs.segment(static_cast<Eigen::Index>(6 * j), joint.rows());
        part = -joint.begin.gamma;
        for (int side = 0; side < 2; ++side)
            if (const GluedJoint::End& end = joint.sides[static_cast<std::size_t>(side)]; end.fmu)
                part -= GluedJoint::gradient(joint.begin, side) * end.fmu->states[end.port].acceleration;
    }
    if (!solve_compliance(rhs))
        return true;
    for (std::size_t j = 0; j < joints_.size(); ++j) {
        GluedJoint& joint = *joints_[j];
        joint.c0 = rhs.segment(static_cast<Eigen::Index>(6 * j), joint.rows());
        joint.last_c0 += joint.c0 - joint.last_multipliers();
    }
    add_wrenches_to_accelerations();
    // The first results are those with the joints closed.
    for (GluedFmu* fmu : fmus_) {
        for (std::size_t p = 0; p < fmu->states.size(); ++p)
            fmu->states[p].wrench = {fmu->wrenches.segment<6>(first(p)), Vec6::Zero(), Vec6::Zero(),
                                     Vec6::Zero()};
        if (!fmu->hold_efforts(t)) {
            failure_ = fmu->participant().failure;
            return false;
        }
    }
    return true;
}

/// Accelerations were free ones: a = a0 + H W.
void Group::add_wrenches_to_accelerations() {
    for (GluedFmu* fmu : fmus_)
        fmu->wrenches.setZero();
    for (const GluedJoint* joint : joints_)
        for (int side = 0; side < 2; ++side)
            if (const GluedJoint::End& end = joint->sides[static_cast<std::size_t>(side)]; end.fmu)
                end.fmu->wrenches.segment<6>(first(end.port)) +=
                    GluedJoint::gradient(joint->begin, side).transpose() * joint->c0;
    for (GluedFmu* fmu : fmus_)
        for (std::size_t p = 0; p < fmu->states.size(); ++p)
            fmu->states[p].acceleration += fmu->compliance.middleRows<6>(first(p)) * fmu->wrenches;
}

void Group::evaluate_end(double t, double h) {
    for (GluedJoint* joint : joints_) {
        const PortMotion &a = joint->motion_end(0), &b = joint->motion_end(1);
        const PortMotion middle_a = joint->sides[0].fmu ? middle(joint->motion_begin(0), a, h) : a;
        const PortMotion middle_b = joint->sides[1].fmu ? middle(joint->motion_begin(1), b, h) : b;
        joint->evaluate_end(t, h);
        joint->joint.evaluate(t + h / 2, middle_a, middle_b, joint->middle);
    }
}

void Group::extrapolate_end(double t, double h) {
    for (GluedFmu* fmu : fmus_)
        for (GluedFmu::PortState& state : fmu->states)
            state.end =
                extrapolated(state.begin, state.acceleration.head<3>(), state.acceleration.tail<3>(), h);
    evaluate_end(t, h);
}

void Group::place_wrenches(double h) {
    for (GluedFmu* fmu : fmus_) {
        fmu->fix_axes(h);
        for (GluedFmu::PortState& state : fmu->states)
            state.wrench = {};
    }
    for (GluedJoint* joint : joints_) {
        const RowVector half = joint->c0 + 0.5 * joint->c1, whole = joint->c0 + joint->c1;
        for (int side = 0; side < 2; ++side) {
            const GluedJoint::End& end = joint->sides[static_cast<std::size_t>(side)];
            WrenchCurve& wrench = joint->wrench[static_cast<std::size_t>(side)];
            wrench = wrench_through(GluedJoint::gradient(joint->begin, side).transpose() * joint->c0,
                                    GluedJoint::gradient(joint->middle, side).transpose() * half,
                                    GluedJoint::gradient(joint->end, side).transpose() * whole);
            if (end.fmu)
                end.fmu->states[end.port].wrench += wrench;
        }
    }
}

void Group::accept(double, double h) {
    last_h_ = h;
    for (GluedJoint* joint : joints_) {
        joint->last_c0 = joint->c0;
        joint->last_c1 = joint->c1;
        joint->last_c2 = joint->c2;
        joint->last_c3 = joint->c3;
        joint->begin = joint->end;
    }
    for (GluedFmu* fmu : fmus_)
        for (GluedFmu::PortState& state : fmu->states) {
            state.acceleration = acceleration_at_end(state.begin, state.end, h);
            state.begin = state.end;
            state.work_before = state.work;
        }
}

void Group::change_rows(std::size_t j, const RowTransform& T) {
    for (RowVector* c : joints_[j]->last())
        *c = (T * *c).eval();
}

void Group::write(ByteWriter& bytes) const {
    bytes.put(last_h_);
    bytes.put(least_step_);
    basis_.write(bytes);
    for (const GluedJoint* joint : joints_) {
        for (const RowVector* c : {&joint->last_c0, &joint->last_c1, &joint->last_c2, &joint->last_c3})
            put(bytes, *c);
    }
}

void Group::read(ByteReader& bytes) {
    last_h_ = bytes.get<double>();
    least_step_ = bytes.get<double>();
    basis_.read(bytes);
    for (GluedJoint* joint : joints_) {
        for (RowVector* c : joint->last())
            get(bytes, *c);
    }
}

} // namespace tenon::glue
