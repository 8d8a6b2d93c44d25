// What a glued run says: gaps, works, energies, columns of results; and its checkpoints.

#include "core/math/bytes.hpp"
#include "core/math/digits.hpp"
#include "core/model/joints/joint_types.hpp"
#include "tools/glue/glue.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace tenon::glue {
namespace {

/// Work that a joint creates or loses is worth a warning above this part of what went through it, and of what the machine has
/// moved: a joint to the ground lets next to nothing through.
constexpr double tolerated_part = 1e-3;
constexpr double ledger_rounding = 1e-9; // J
constexpr double energy_limit = 0.2, energy_rounding = 1e-9;

constexpr double node = 0.387298334620741689; // half of sqrt(3/5)

/// Integral of the driver's multiplier times its rate over the step, by Gauss.
double driver_work(const GluedJoint& joint, double t, double h) {
    if (!joint.joint.driven())
        return 0;
    const Eigen::Index last = joint.rows() - 1;
    double work = 0;
    for (const auto& [s, weight] :
         {std::pair(0.5 - node, 5.0 / 18), std::pair(0.5, 8.0 / 18), std::pair(0.5 + node, 5.0 / 18)})
        work += weight * joint.multipliers(s)[last] * joint.joint.driver(t + s * h).rate;
    return h * work;
}

} // namespace

void Glue::enter_work(double t, double h) {
    for (const auto& joint : joints_) {
        std::array<double, 2> work{};
        for (int side = 0; side < 2; ++side) {
            const auto i = static_cast<std::size_t>(side);
            const GluedJoint::End& end = joint->sides[i];
            if (!end.fmu)
                continue; // the world does not move
            const GluedFmu::PortState& state = end.fmu->states[end.port];
            work[i] = joint->own_work[i] ? state.work - state.work_before
                                         : work_over_step(joint->wrench[i], state.begin, state.end, h);
        }
        const double driver = driver_work(*joint, t, h);
        ledger_.add(joint->number, work[0], work[1], driver);
        JointState& state = states_[joint->number];
        state.driver_work += driver;
        state.throughput += std::max(std::abs(work[0]), std::abs(work[1]));
    }
}

/// At the end of a step of length h. The angle is taken on the turn where the rates at both ends of the step bring it.
void Glue::observe(GluedJoint& joint, double h) {
    JointState& state = states_[joint.number];
    const PortJoint::Gap gap = joint.joint.gap(joint.begin);
    state.gap = std::max(gap.metres, gap.radians);
    state.largest_gap = std::max(state.largest_gap, state.gap);
    state.rate_gap = std::max(state.rate_gap, joint.begin.rate.cwiseAbs().maxCoeff());
    const PortMotion &a = joint.motion_begin(0), &b = joint.motion_begin(1);
    if (joint.joint.has_angle() || joint.joint.has_distance()) {
        const double rate = joint.joint.coordinate_rate(a, b, state.coordinate);
        state.coordinate = joint.joint.coordinate(a, b, state.coordinate + 0.5 * h * (state.rate + rate));
        state.rate = rate;
    }
    if (joint.joint.has_angle() && joint.joint.has_distance()) {
        state.distance = joint.joint.distance(a, b);
        state.speed = joint.joint.distance_rate(a, b);
    }
}

/// E - E0 - (work of the FMUs' own inputs, drivers and dissipation) - (work of prescribed motions in joints).
void Glue::observe_energy() {
    double energy = 0, work = 0;
    for (const auto& fmu : fmus_) {
        if (!fmu->has_energy())
            return;
        energy += fmu->energy();
        work += fmu->work();
        for (const GluedFmu::PortState& state : fmu->states)
            work -= state.work;
    }
    for (const JointState& state : states_)
        work += state.driver_work;
    if (!energy_.known)
        energy_ = {.known = true, .start = energy - work, .work = work};
    const double error = energy - work - energy_.start;
    energy_.now = energy;
    energy_.largest_error = std::max(energy_.largest_error, std::abs(error));
    energy_.exchanged += std::abs(work - energy_.work);
    energy_.work = work;
    double kinetic = 0;
    for (const auto& fmu : fmus_)
        kinetic += fmu->kinetic_energy();
    if (std::isnan(kinetic)) // one does not tell: nothing to compare with
        return;
    // Energy out of nothing is not a measure of itself.
    energy_.kinetic = std::max(energy_.kinetic, kinetic - std::max(error, 0.0));
    judge_energy(error);
}

/// Every FMU of ours judges its own steps; this is for what comes and goes between them.
void Glue::judge_energy(double error) const {
    const double moved = energy_.kinetic + energy_.exchanged;
    const double limit = energy_limit * moved + energy_rounding * std::abs(energy_.now);
    if (std::abs(error) <= limit || ensemble_.system.system.master.accept_divergence)
        return;
    throw Error(
        ErrorKind::computation,
        fmt::format("the motion has diverged: at t = {} s the energy of all glued FMUs together is "
                    "off by {} J (limit {} J, {:.3g} % of the {} J that the machine has moved so "
                    "far); a smaller step of the master is the first thing to try, then one inside the FMUs",
                    digits(time_), rounded(error), rounded(limit), 100 * energy_limit, rounded(moved)));
}

std::vector<master::Column> Glue::columns() const {
    std::vector<master::Column> columns;
    const auto add = [&](const std::string& name, const char* unit, const char* what) {
        columns.push_back({name, unit, what, fmi::Type::float64});
    };
    for (const system::GlueJoint& joint : ensemble_.system.system.joints) {
        for (int i = 1; i <= 3; ++i)
            add(fmt::format("{}.f_0[{}]", joint.name, i), "N", "force on side b");
        for (int i = 1; i <= 3; ++i)
            add(fmt::format("{}.t_0[{}]", joint.name, i), "N.m", "torque on side b at its port");
        const JointType* type = is_flange(joint) ? nullptr : find_joint_type(joint.type);
        if (type && (type->has_angle || type->has_distance)) {
            add(joint.name + (type->has_angle ? ".angle" : ".distance"), type->has_angle ? "rad" : "m",
                type->has_angle ? "angle of side b relative to side a, zero at the start"
                                : "distance along the axis, zero at the start, or length");
            add(joint.name + ".rate", type->has_angle ? "rad/s" : "m/s",
                type->has_angle ? "rate of the angle" : "rate of the distance");
            if (type->has_angle && type->has_distance) {
                add(joint.name + ".distance", "m", "distance along the axis, zero at the start");
                add(joint.name + ".speed", "m/s", "rate of the distance");
            }
        }
        add(joint.name + ".gap", "m", "how far the joint is open, the largest of its rows, m or rad");
        add(joint.name + ".work_a", "J", "work done on side a through the joint since the start");
        add(joint.name + ".work_b", "J", "work done on side b through the joint since the start");
    }
    return columns;
}

bool Glue::is_flange(const system::GlueJoint& joint) const {
    const GluedJoint::End end = end_of(joint.a.fmu ? joint.a : joint.b);
    return end.fmu->ports()[end.port].kind != system::PortKind::frame;
}

void Glue::values(std::span<double> values) const {
    std::size_t at = 0;
    for (const auto& joint : joints_) {
        const JointState& state = states_[joint->number];
        const Vec6 wrench = joint->begin.Bb.transpose() * joint->last_multipliers();
        for (int i = 0; i < 6; ++i)
            values[at++] = wrench[i];
        if (joint->joint.has_angle() || joint->joint.has_distance()) {
            values[at++] = state.coordinate;
            values[at++] = state.rate;
            if (joint->joint.has_angle() && joint->joint.has_distance()) {
                values[at++] = state.distance;
                values[at++] = state.speed;
            }
        }
        values[at++] = state.gap;
        values[at++] = ledger_.joints()[joint->number].a;
        values[at++] = ledger_.joints()[joint->number].b;
    }
}

void Glue::report(master::MasterReport& report) const {
    report.joints.clear();
    report.rank_deficiency = 0;
    report.max_gap = report.max_gap_rate = 0;
    if (groups_.empty())
        return; // not started
    report.joints.resize(joints_.size());
    std::vector<std::string> methods;
    for (const auto& group : groups_) {
        const std::string method(group->method().name);
        if (std::ranges::find(methods, method) == methods.end())
            methods.push_back(method);
        report.rank_deficiency += group->deficiency();
        for (std::size_t j = 0; j < group->joints().size(); ++j) {
            const std::size_t number = group->joints()[j]->number;
            const JointWork& work = ledger_.joints()[number];
            const JointState& state = states_[number];
            const int rows = group->joints()[j]->rows();
            const double tolerated =
                tolerated_part * std::max(state.throughput, energy_.kinetic + energy_.exchanged) +
                ledger_rounding;
            master::JointReport& one = report.joints[number];
            one = {.name = ensemble_.system.system.joints[number].name,
                   .method = method,
                   .gap = state.largest_gap,
                   .work_a = work.a,
                   .work_b = work.b,
                   .driver_work = state.driver_work,
                   .residual = work.residual,
                   .largest_residual = work.largest_step,
                   .measured_a = group->joints()[j]->own_work[0],
                   .measured_b = group->joints()[j]->own_work[1],
                   .rows = rows,
                   .redundant =
                       group->basis().is_found() ? rows - group->basis().rank(static_cast<int>(j)) : 0,
                   .creates_energy = work.residual > tolerated,
                   .loses_energy = -work.residual > tolerated};
            report.max_gap = std::max(report.max_gap, state.largest_gap);
            report.max_gap_rate = std::max(report.max_gap_rate, state.rate_gap);
        }
    }
    if (!methods.empty())
        report.method = fmt::format("{}", fmt::join(methods, ", "));
    if (energy_.known) {
        report.energy_start = energy_.start;
        report.energy_end = energy_.now;
        report.max_energy_error = energy_.largest_error;
        if (std::isfinite(energy_.kinetic))
            report.energy_scale = energy_.kinetic + energy_.exchanged;
    }
    report.position_error = doubling_.estimate(time_);
    report.position_error_at = doubling_.worst();
    report.motion = doubling_.motion();
}

// ---- checkpoints ----

namespace {

void put(ByteWriter& bytes, const PortMotion& motion) {
    for (const Vec3* vector : {&motion.p_WP, &motion.v_WP, &motion.w_WP})
        bytes.put(std::span<const double>(vector->data(), 3));
    bytes.put(std::span<const double>(motion.R_WP.data(), 9));
}

void get(ByteReader& bytes, PortMotion& motion) {
    for (Vec3* vector : {&motion.p_WP, &motion.v_WP, &motion.w_WP})
        bytes.get(std::span<double>(vector->data(), 3));
    bytes.get(std::span<double>(motion.R_WP.data(), 9));
}

} // namespace

void Glue::write(ByteWriter& bytes) const {
    bytes.put(time_);
    // Where the ports were at the start: the joints are made from it.
    for (const auto& joint : joints_) {
        put(bytes, joint->joint.start_a());
        put(bytes, joint->joint.start_b());
        bytes.put(joint->joint.is_swapped());
    }
    for (const auto& fmu : fmus_) {
        bytes.put(fmu->source() == ComplianceSource::none);
        bytes.put(std::span<const double>(fmu->compliance.data(),
                                          static_cast<std::size_t>(fmu->compliance.size())));
        for (const GluedFmu::PortState& state : fmu->states) {
            put(bytes, state.begin);
            bytes.put(std::span<const double>(state.acceleration.data(), 6));
            bytes.put(state.work_before);
        }
    }
    for (const auto& group : groups_)
        group->write(bytes);
    for (std::size_t i = 0; i < states_.size(); ++i) {
        const JointState& s = states_[i];
        const JointWork& w = ledger_.joints()[i];
        for (const double value :
             {s.gap, s.largest_gap, s.rate_gap, s.coordinate, s.rate, s.distance, s.speed, s.driver_work,
              s.throughput, w.a, w.b, w.residual, w.largest_step})
            bytes.put(value);
    }
    bytes.put(energy_.known);
    for (const double value : {energy_.start, energy_.now, energy_.largest_error, energy_.kinetic,
                               energy_.exchanged, energy_.work})
        bytes.put(value);
    doubling_.write(bytes);
}

void Glue::read(ByteReader& bytes) {
    struct Start {
        PortMotion a, b;
        bool swapped = false;
    };
    time_ = bytes.get<double>();
    std::vector<Start> starts(ensemble_.system.system.joints.size());
    for (Start& start : starts) {
        get(bytes, start.a);
        get(bytes, start.b);
        start.swapped = bytes.get<bool>();
    }
    const bool is_new = groups_.empty();
    for (std::size_t i = 0; i < starts.size(); ++i) {
        if (is_new)
            build(i, starts[i].a, starts[i].b);
        joints_[i]->joint.set_swapped(starts[i].swapped);
    }
    for (const auto& fmu : fmus_) {
        if (bytes.get<bool>())
            fmu->distrust();
        bytes.get(
            std::span<double>(fmu->compliance.data(), static_cast<std::size_t>(fmu->compliance.size())));
        for (GluedFmu::PortState& state : fmu->states) {
            get(bytes, state.begin);
            state.end = state.begin;
            bytes.get(std::span<double>(state.acceleration.data(), 6));
            state.work = state.work_before = bytes.get<double>();
        }
    }
    for (const auto& joint : joints_) {
        joint->joint.evaluate(time_, joint->motion_begin(0), joint->motion_begin(1), joint->begin);
        joint->end = joint->begin;
    }
    if (is_new)
        make_groups();
    for (const auto& group : groups_)
        group->read(bytes);
    for (std::size_t i = 0; i < states_.size(); ++i) {
        JointState& s = states_[i];
        JointWork& w = ledger_.joints()[i];
        for (double* value :
             {&s.gap, &s.largest_gap, &s.rate_gap, &s.coordinate, &s.rate, &s.distance, &s.speed,
              &s.driver_work, &s.throughput, &w.a, &w.b, &w.residual, &w.largest_step})
            *value = bytes.get<double>();
    }
    energy_.known = bytes.get<bool>();
    for (double* value : {&energy_.start, &energy_.now, &energy_.largest_error, &energy_.kinetic,
                          &energy_.exchanged, &energy_.work})
        *value = bytes.get<double>();
    doubling_.read(bytes);
}

} // namespace tenon::glue
