// How glue begins: ports, the assembly of parts that start apart, joints.

#include "core/math/digits.hpp"
#include "core/math/error.hpp"
#include "tools/glue/assembly.hpp"
#include "tools/glue/glue.hpp"
#include "tools/master/failure_text.hpp"
#include "tools/system/check_context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tenon::glue {
namespace {

using system::GlueJoint;
using system::Side;

/// As in model files (docs/contract.md section 2): what starts farther apart is a mistake.
constexpr double most_metres = 0.01, most_radians = 0.0174532925199433, most_rate = 0.01;
/// What the first step closes without being noticed.
constexpr double small_gap = 1e-7;
/// Moves below this, m or rad, are rounding of the assembly.
constexpr double least_move = 1e-9;
/// Of the axes of a port.
constexpr double most_skew = 1e-6;

std::vector<std::unique_ptr<GluedFmu>> glued_fmus(master::Ensemble& ensemble) {
    std::map<std::size_t, std::vector<Port>> ports;
    for (const GlueJoint& joint : ensemble.system.system.joints)
        for (const Side* side : {&joint.a, &joint.b}) {
            if (!side->fmu)
                continue;
            std::vector<Port>& of = ports[*side->fmu];
            if (std::ranges::any_of(of, [&](const Port& port) { return port.terminal == side->terminal; }))
                continue;
            of.push_back(find_port(ensemble.system, *side));
        }
    std::vector<std::unique_ptr<GluedFmu>> fmus;
    for (auto& [fmu, of] : ports)
        fmus.push_back(std::make_unique<GluedFmu>(ensemble, std::move(of)));
    return fmus;
}

std::string gap_text(const PortJoint::Gap& gap) {
    return fmt::format("{} m and {} rad", fmt::format("{:.3g}", gap.metres),
                       fmt::format("{:.3g}", gap.radians));
}

/// The compliance of a port: whether there is a direction in which no force moves it. Entries are scaled by the diagonal, since metres
/// and radians are in it.
bool is_held(const Mat6& compliance) {
    constexpr double least_give = 1e-9;
    const Vec6 size = compliance.diagonal();
    if (!(size.minCoeff() > 0))
        return true;
    const Vec6 scale = size.cwiseSqrt().cwiseInverse();
    const Mat6 scaled =
        scale.asDiagonal() * (0.5 * (compliance + compliance.transpose())) * scale.asDiagonal();
    return !(Eigen::SelfAdjointEigenSolver<Mat6>(scaled, Eigen::EigenvaluesOnly).eigenvalues().minCoeff() >
             least_give);
}

/// Where an FMU's world is in the master's: its parameters world_r and world_R.
struct World {
    ValueSet values;
    std::vector<std::size_t> r, R;
};

std::optional<World> world_of(const system::CheckedSystem& system, std::size_t fmu) {
    const system::VariableIndex index(system.fmus[fmu]->description());
    World world;
    for (const auto& [name, places, count] :
         {std::tuple("world_r", &world.r, 3u), std::tuple("world_R", &world.R, 9u)}) {
        const system::Selection found = index.find(name, {});
        if (found.places.size() != count)
            return {};
        for (const system::ScalarPlace& place : found.places) {
            const fmi::Variable& variable = index.variable(place.variable);
            if (variable.causality != fmi::Causality::parameter || variable.type != fmi::Type::float64)
                return {};
            places->push_back(world.values.add(system, fmu, place));
        }
    }
    return world;
}

} // namespace

Glue::Glue(master::Ensemble& ensemble)
    : ensemble_(ensemble), fmus_(glued_fmus(ensemble)), fmu_of_(ensemble.participants.size(), nullptr),
      joints_(ensemble.system.system.joints.size()), ledger_(ensemble.system.system.joints.size()),
      doubling_(ensemble, fmus_), signal_error_(ensemble, fmus_),
      states_(ensemble.system.system.joints.size()) {
    settings_.tolerance = ensemble.system.system.master.tolerance;
    settings_.converged = ensemble.system.system.master.corrections == "converged";
    settings_.adaptive = ensemble.system.system.master.adaptive;
    settings_.cubic = ensemble.system.system.master.polynomial == "cubic";
    for (const auto& fmu : fmus_)
        fmu_of_[fmu->number()] = fmu.get();
    ensemble.report.method = "glue";
}

master::MasterOptions with_joints(master::MasterOptions options) {
    options.joint_scheme = [](master::Ensemble& ensemble) { return std::make_unique<Glue>(ensemble); };
    return options;
}

void Glue::complete(fmi::InstanceOptions& options, master::Participant& participant) {
    if (GluedFmu* fmu = fmu_of_[participant.number])
        fmu->complete(options);
}

void Glue::require(bool success, const GluedFmu& fmu, double t) const {
    if (!success)
        throw Error(ErrorKind::computation, describe(ensemble_, t, fmu.participant().failure),
                    fmu.participant().name);
}

void Glue::read_motions(double t) {
    for (const auto& fmu : fmus_) {
        require(fmu->read_motion(), *fmu, t);
        for (std::size_t p = 0; p < fmu->states.size(); ++p) {
            GluedFmu::PortState& state = fmu->states[p];
            state.begin = state.end;
            state.work_before = state.work;
            const double skew =
                (state.begin.R_WP.transpose() * state.begin.R_WP - Mat3::Identity()).cwiseAbs().maxCoeff();
            if (fmu->ports()[p].kind == system::PortKind::frame && !(skew <= most_skew))
                throw Error(
                    ErrorKind::computation,
                    fmt::format("{}: the axes R of its port '{}' are not a rotation: R^T R differs from "
                                "1 by {:.2g} (limit {})",
                                ensemble_.who(fmu->number()), printable(fmu->ports()[p].terminal), skew,
                                most_skew),
                    fmu->participant().name);
        }
    }
}

/// Joints with the ports as they are: their angles count from here.
void Glue::build() {
    for (std::size_t number = 0; number < joints_.size(); ++number) {
        const std::array<GluedJoint::End, 2> ends = ends_of(number);
        const auto begin = [&](std::size_t i) {
            const GluedJoint::End &end = ends[i], &other = ends[1 - i];
            return end.fmu ? end.fmu->states[end.port].begin
                           : world_side(ensemble_.system.system.joints[number],
                                        other.fmu->states[other.port].begin);
        };
        build(number, begin(0), begin(1));
    }
}

void Glue::build(std::size_t number, const PortMotion& a, const PortMotion& b) {
    const std::array<GluedJoint::End, 2> ends = ends_of(number);
    const GluedJoint::End& end = ends[0].fmu ? ends[0] : ends[1];
    joints_[number] = std::make_unique<GluedJoint>(
        GluedJoint{.number = number,
                   .joint = PortJoint(spec_of(ensemble_.system.system.joints[number]),
                                      end.fmu->ports()[end.port].kind, a, b),
                   .sides = ends,
                   .own_work = {has_own_work(ends[0]), has_own_work(ends[1])}});
    ledger_.set_measured(number, joints_[number]->own_work[0], joints_[number]->own_work[1]);
}

GluedJoint::End Glue::end_of(const Side& side) const {
    if (!side.fmu)
        return {};
    GluedFmu& fmu = *fmu_of_[*side.fmu];
    const auto port = std::ranges::find(fmu.ports(), side.terminal, &Port::terminal);
    return {&fmu, static_cast<std::size_t>(port - fmu.ports().begin())};
}

std::array<GluedJoint::End, 2> Glue::ends_of(std::size_t number) const {
    const GlueJoint& joint = ensemble_.system.system.joints[number];
    return {end_of(joint.a), end_of(joint.b)};
}

/// The work of a port with several joints cannot be told apart, nor that of ports with the same inputs for their forces.
bool Glue::has_own_work(const GluedJoint::End& end) const {
    if (!end.fmu || !end.fmu->ports()[end.port].work)
        return false;
    const system::ScalarPlace first = end.fmu->ports()[end.port].effort.front();
    int count = 0;
    for (const GlueJoint& joint : ensemble_.system.system.joints)
        for (const Side* side : {&joint.a, &joint.b})
            if (side->fmu == end.fmu->number()) {
                const system::ScalarPlace other = end.fmu->ports()[end_of(*side).port].effort.front();
                count += other.variable == first.variable && other.element == first.element;
            }
    return count == 1;
}

/// Those of the movable FMUs whose ports are all compliant in all six directions. A part that is held inside, on the ground or by a driver, does
/// not; it stays where it is.
std::vector<char> Glue::free_ones(const std::vector<char>& movable, double t) {
    std::vector<char> free = movable;
    for (std::size_t i = 0; i < fmus_.size(); ++i) {
        GluedFmu& fmu = *fmus_[i];
        if (!free[i] || fmu.source() == ComplianceSource::none)
            continue;
        require(fmu.measure_compliance(fmu.compliance), fmu, t);
        for (std::size_t p = 0; p < fmu.ports().size(); ++p)
            if (is_held(fmu.compliance.block<port_coordinates, port_coordinates>(
                    static_cast<Eigen::Index>(p) * port_coordinates,
                    static_cast<Eigen::Index>(p) * port_coordinates)))
                free[i] = false;
    }
    return free;
}

/// "moved: 'hand' by 0.003 m and 0 rad"
std::string Glue::moves_text(const AssemblyResult& result) const {
    std::string text;
    for (std::size_t i = 0; i < fmus_.size(); ++i) {
        const double turned = log_so3(result.moves[i].R_WV).norm();
        double moved = 0; // of the port that comes farthest
        for (const GluedFmu::PortState& state : fmus_[i]->states)
            moved = std::max(
                moved,
                (result.moves[i].R_WV * state.begin.p_WP + result.moves[i].p_WV - state.begin.p_WP).norm());
        if (std::max(moved, turned) > least_move)
            text += fmt::format("{}'{}' by {:.3g} m and {:.3g} rad", text.empty() ? "moved: " : ", ",
                                printable(fmus_[i]->participant().name), moved, turned);
    }
    return text;
}

std::vector<master::Placement> Glue::assembly(double t) {
    read_motions(t);
    build();
    std::vector<AssemblyPort> ports;
    std::map<std::pair<const GluedFmu*, std::size_t>, int> at;
    std::vector<std::optional<World>> worlds;
    std::vector<char> movable;
    for (const auto& fmu : fmus_) {
        worlds.push_back(world_of(ensemble_.system, fmu->number()));
        movable.push_back(worlds.back().has_value());
        for (std::size_t p = 0; p < fmu->ports().size(); ++p) {
            at[{fmu.get(), p}] = static_cast<int>(ports.size());
            ports.push_back({movable.size() - 1, fmu->states[p].begin});
        }
    }
    std::vector<AssemblyLink> links;
    PortJointRows rows;
    PortJoint::Gap largest;
    std::size_t worst = 0;
    for (const auto& joint : joints_) {
        const auto port = [&](int side) {
            const GluedJoint::End& end = joint->sides[static_cast<std::size_t>(side)];
            return end.fmu ? at.at({end.fmu, end.port}) : -1;
        };
        links.push_back({&joint->joint, port(0), port(1)});
        joint->joint.evaluate_for_assembly(t, joint->motion_begin(0), joint->motion_begin(1), rows);
        const PortJoint::Gap gap = joint->joint.gap(rows);
        if (std::max(gap.metres, gap.radians) > std::max(largest.metres, largest.radians)) {
            largest = gap;
            worst = joint->number;
        }
    }
    if (std::max(largest.metres, largest.radians) <= small_gap)
        return {};
    const GlueJoint& open = ensemble_.system.system.joints[worst];
    if (largest.metres > most_metres || largest.radians > most_radians)
        system::refuse(ensemble_.system.system, open,
                       fmt::format("joint '{}': a gap of {} at the start (limit {} m, 1 degree): side a is "
                                   "at {}, side b at {}; place an FMU "
                                   "by its parameters world_r and world_R",
                                   printable(open.name), gap_text(largest), most_metres,
                                   digits(joints_[worst]->motion_begin(0).p_WP),
                                   digits(joints_[worst]->motion_begin(1).p_WP)));
    AssemblyResult result = assemble(links, ports, free_ones(movable, t), 1e-12, t);
    if (!result.converged && !(result.gap_after <= small_gap)) // what is held has to move after all
        result = assemble(links, ports, movable, 1e-12, t);
    if (!result.converged && !(result.gap_after <= small_gap))
        system::refuse(ensemble_.system.system, open,
                       fmt::format("joint '{}': a gap of {} at the start, and no placement of the FMUs that "
                                   "have world_r and world_R "
                                   "closes it ({} m or rad are left)",
                                   printable(open.name), gap_text(largest),
                                   fmt::format("{:.3g}", result.gap_after)));
    ensemble_.remark(fmt::format("parts put together by moving their worlds: joint '{}' had a gap of {}; {}",
                                 printable(open.name), gap_text(largest), moves_text(result)));
    std::vector<master::Placement> placements;
    for (std::size_t i = 0; i < fmus_.size(); ++i) {
        if (!worlds[i])
            continue;
        World& world = *worlds[i];
        fmi::Slave& slave = *fmus_[i]->participant().slave;
        require(fmus_[i]->participant().succeeded(
                    "Get", slave.get(std::span<const fmi::Reference>(world.values.references),
                                     std::span<double>(world.values.values))),
                *fmus_[i], t);
        Vec3 r;
        Mat3 R;
        for (int k = 0; k < 3; ++k)
            r[k] = world.values.values[world.r[static_cast<std::size_t>(k)]];
        for (int k = 0; k < 9; ++k)
            R(k / 3, k % 3) = world.values.values[world.R[static_cast<std::size_t>(k)]];
        r = result.moves[i].R_WV * r + result.moves[i].p_WV;
        R = result.moves[i].R_WV * R;
        for (int k = 0; k < 3; ++k)
            world.values.values[world.r[static_cast<std::size_t>(k)]] = r[k];
        for (int k = 0; k < 9; ++k)
            world.values.values[world.R[static_cast<std::size_t>(k)]] = R(k / 3, k % 3);
        placements.push_back({fmus_[i]->number(), world.values.references, world.values.values});
    }
    return placements;
}

void Glue::start(double t) {
    time_ = t;
    read_motions(t); // the joints are those of assembly(): angles count from before parts were put together
    check_compliance(t);
    make_groups();
    for (const auto& group : groups_) {
        if (!group->solve_start(t))
            throw Error(ErrorKind::computation, describe(ensemble_, t, group->failure(0)));
        if (group->deficiency() > 0)
            ensemble_.remark(fmt::format(
                "{}: {} of {} rows are redundant or move nothing; reactions there are not unique",
                group->names(), group->deficiency(),
                std::accumulate(group->joints().begin(), group->joints().end(), 0,
                                [](int sum, const GluedJoint* joint) { return sum + joint->rows(); })));
    }
    for (const auto& joint : joints_) {
        joint->end = joint->begin;
        check_gap(*joint);
        observe(*joint, 0);
    }
    observe_energy();
    doubling_.start();
}

void Glue::check_gap(const GluedJoint& joint) const {
    const GlueJoint& asked = ensemble_.system.system.joints[joint.number];
    const PortJoint::Gap gap = joint.joint.gap(joint.begin);
    if (std::max(gap.metres, gap.radians) > 10 * small_gap)
        system::refuse(ensemble_.system.system, asked,
                       fmt::format("joint '{}': a gap of {} is left after the parts were put together",
                                   printable(asked.name), gap_text(gap)));
    if (const double rate = joint.begin.rate.cwiseAbs().maxCoeff(); rate > most_rate)
        system::refuse(ensemble_.system.system, asked,
                       fmt::format("joint '{}': its sides start with velocities that it does not allow ({} "
                                   "m/s or rad/s, limit {}); set "
                                   "start velocities in the FMUs that fit",
                                   printable(asked.name), fmt::format("{:.3g}", rate), most_rate));
}

} // namespace tenon::glue
