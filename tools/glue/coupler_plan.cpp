#include "tools/glue/coupler_plan.hpp"

#include "core/math/error.hpp"
#include "tools/files/errors.hpp"
#include "tools/files/temporary_folder.hpp"
#include "tools/files/text_file.hpp"
#include "tools/glue/coupler_fmu.hpp"
#include "tools/glue/port.hpp"
#include "tools/master/initialization.hpp"
#include "tools/system/ssp/writer.hpp"
#include "tools/system/terminals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace tenon::glue {
namespace {

using system::CheckedSystem;
using system::GlueJoint;
using system::PortKind;
using system::ScalarPlace;
using system::Side;
using system::SspCoupler;

constexpr double stiffness_part = 0.05, damping_part = 0.35;
/// Rows that yield by less than this part of the most compliant one have no freedom: any stiffness holds them.
constexpr double rigid = 1e-9;
constexpr const char* cannot_start = "no coupler: the FMUs could not be started when this was saved";
constexpr const char* shared_port =
    "no coupler: SSP has one source for an input, and the port has another joint already";
constexpr const char* own_axes = "no coupler: a frame of Modelica has its forces in its own axes";
constexpr const char* guessed = "stiffness for 1 kg and 1 kg.m2: the FMUs do not tell their compliance";
constexpr const char* arrays = "FMI 3.0 arrays: SSP 1.0 has no connectors for them that other tools know";

/// A port with its place in the plan.
struct PlannedPort : Port {
    PortMotion start;
    Eigen::Index first = 0; ///< of its coordinates among all
};

class Planner {
  public:
    Planner(const CheckedSystem& checked, const master::MasterOptions& options)
        : checked_(checked), ensemble_(without_joints(checked), options) {
        ensemble_.make_slaves(options, nullptr);
        master::initialize(ensemble_);
        for (const GlueJoint& joint : checked.system.joints)
            for (const Side* side : {&joint.a, &joint.b})
                if (side->fmu)
                    add_port(*side);
        compliance_ = Matrix::Zero(coordinates_, coordinates_);
        told_.assign(checked.fmus.size(), false);
        for (std::size_t fmu = 0; fmu < checked.fmus.size(); ++fmu)
            told_[fmu] = measure(fmu);
    }

    std::vector<SspCoupler> plan() {
        make_joints();
        const Vector give = row_sums();
        std::vector<SspCoupler> couplers;
        Eigen::Index row = 0;
        for (std::size_t i = 0; i < joints_.size(); ++i) {
            couplers.push_back(coupler(i, give.segment(row, joints_[i].rows())));
            row += joints_[i].rows();
        }
        return couplers;
    }

  private:
    static CheckedSystem without_joints(CheckedSystem checked) {
        checked.system.joints.clear();
        return checked;
    }

    // ---- ports and their motion at the start ----

    void add_port(const Side& side) {
        const auto key = std::pair(*side.fmu, side.terminal);
        if (ports_.contains(key))
            return;
        PlannedPort port{find_port(checked_, side), {}, 0};
        const std::vector<double> values = read(port.fmu, port.motion);
        port.start = motion_from(values.data(), port.kind);
        port.first = coordinates_;
        coordinates_ += port.coordinates();
        ports_.emplace(key, std::move(port));
    }

    // ---- values of an FMU ----

    fmi::Slave& slave(std::size_t fmu) { return *ensemble_.participants[fmu]->slave; }

    std::vector<double> read_variable(std::size_t fmu, std::size_t variable) {
        std::vector<double> values(checked_.elements(fmu, variable));
        const fmi::Reference reference = checked_.fmus[fmu]->description().variables[variable].reference;
        if (slave(fmu).get(std::span(&reference, 1), values) > fmi::Status::warning)
            throw Error(ErrorKind::computation,
                        fmt::format("fmu '{}' gives no value for '{}'", checked_.system.fmus[fmu].name,
                                    checked_.fmus[fmu]->description().variables[variable].name));
        return values;
    }

    std::vector<double> read(std::size_t fmu, const std::vector<ScalarPlace>& places) {
        std::map<std::size_t, std::vector<double>> variables;
        std::vector<double> values;
        for (const ScalarPlace& place : places) {
            std::vector<double>& variable = variables[place.variable];
            if (variable.empty())
                variable = read_variable(fmu, place.variable);
            values.push_back(variable[place.element]);
        }
        return values;
    }

    bool set(std::size_t fmu, const ScalarPlace& place, double value) {
        std::vector<double> values = read_variable(fmu, place.variable);
        values[place.element] = value;
        const fmi::Reference reference =
            checked_.fmus[fmu]->description().variables[place.variable].reference;
        return slave(fmu).set(std::span<const fmi::Reference>(&reference, 1), values) <= fmi::Status::warning;
    }

    // ---- compliance ----

    /// H of an FMU by unit efforts on its ports, to which accelerations are affine. False: it does not tell, and counts as 1.
    bool measure(std::size_t fmu) {
        std::vector<const PlannedPort*> ports;
        for (const auto& [key, port] : ports_)
            if (port.fmu == fmu)
                ports.push_back(&port);
        const bool tells =
            std::ranges::all_of(ports, [](const PlannedPort* port) { return !port->acceleration.empty(); });
        for (const PlannedPort* port : ports)
            for (Eigen::Index c = 0; c < port->coordinates(); ++c)
                compliance_(port->first + c, port->first + c) = 1;
        if (!tells || ports.empty())
            return ports.empty();
        const Matrix before = compliance_;
        double largest = 0;
        for (const PlannedPort* port : ports)
            for (Eigen::Index c = 0; c < port->coordinates(); ++c)
                largest = std::max(largest, push(fmu, ports, *port, c));
        if (largest > 0)
            return true;
        compliance_ = before; // outputs that do not follow inputs before the next step
        return false;
    }

    double push(std::size_t fmu, const std::vector<const PlannedPort*>& ports, const PlannedPort& port,
                Eigen::Index c) {
        const ScalarPlace& effort = port.effort[static_cast<std::size_t>(c)];
        std::vector<std::vector<double>> at_rest;
        for (const PlannedPort* other : ports)
            at_rest.push_back(read(fmu, other->acceleration));
        const double old = read(fmu, {effort}).front();
        if (!set(fmu, effort, old + 1))
            return 0;
        double largest = 0;
        for (std::size_t i = 0; i < ports.size(); ++i) {
            const std::vector<double> now = read(fmu, ports[i]->acceleration);
            for (std::size_t k = 0; k < now.size(); ++k) {
                const double change = now[k] - at_rest[i][k];
                compliance_(ports[i]->first + static_cast<Eigen::Index>(k), port.first + c) = change;
                largest = std::max(largest, std::abs(change));
            }
        }
        set(fmu, effort, old);
        return largest;
    }

    // ---- joints ----

    const PlannedPort* port(const Side& side) const {
        return side.fmu ? &ports_.at(std::pair(*side.fmu, side.terminal)) : nullptr;
    }

    PortMotion start(const GlueJoint& joint, const Side& side, const Side& other) const {
        return side.fmu ? port(side)->start : world_side(joint, port(other)->start);
    }

    void make_joints() {
        for (const GlueJoint& joint : checked_.system.joints) {
            const PortKind kind = (joint.a.fmu ? port(joint.a) : port(joint.b))->kind;
            joints_.emplace_back(spec_of(joint), kind, start(joint, joint.a, joint.b),
                                 start(joint, joint.b, joint.a));
        }
    }

    /// g_i of the header, with the rows B of all joints over the coordinates of all ports: G = B H B^T.
    Vector row_sums() const {
        Eigen::Index rows = 0;
        for (const PortJoint& joint : joints_)
            rows += joint.rows();
        Matrix B = Matrix::Zero(rows, coordinates_);
        Eigen::Index row = 0;
        PortJointRows now;
        for (std::size_t i = 0; i < joints_.size(); ++i) {
            const GlueJoint& joint = checked_.system.joints[i];
            joints_[i].evaluate(checked_.system.master.start, joints_[i].start_a(), joints_[i].start_b(),
                                now);
            for (const auto& [side, gradient] : {std::pair(&joint.a, &now.Ba), std::pair(&joint.b, &now.Bb)})
                if (const PlannedPort* p = port(*side))
                    B.block(row, p->first, joints_[i].rows(), p->coordinates()) +=
                        gradient->leftCols(p->coordinates());
            row += joints_[i].rows();
        }
        const Matrix G = B * compliance_ * B.transpose();
        const double most = G.diagonal().maxCoeff();
        Vector scale = G.diagonal().cwiseMax(0).cwiseSqrt();
        for (double& s : scale)
            if (!(s * s > rigid * most))
                s = most > 0 ? std::sqrt(most) : 1;
        const Vector inverse = scale.cwiseInverse();
        const Vector sums = (inverse.asDiagonal() * G * inverse.asDiagonal()).cwiseAbs().rowwise().sum();
        return scale.cwiseAbs2().cwiseProduct(sums.cwiseMax(1)); // a rigid row has no sum
    }

    /// Why it cannot be connected; empty: it can.
    std::string obstacle(const GlueJoint& joint) {
        for (const Side* side : {&joint.a, &joint.b}) {
            if (!side->fmu)
                continue;
            if (port(*side)->own_axes)
                return own_axes;
            if (used_.contains(std::pair(*side->fmu, side->terminal)))
                return shared_port;
        }
        return {};
    }

    std::string remark(const GlueJoint& joint) const {
        std::string text;
        const auto add = [&](bool wanted, const char* what) {
            if (wanted)
                text += (text.empty() ? "" : "; ") + std::string(what);
        };
        const auto any = [&](auto&& holds) {
            return (joint.a.fmu && holds(*joint.a.fmu)) || (joint.b.fmu && holds(*joint.b.fmu));
        };
        add(any([&](std::size_t fmu) { return !told_[fmu]; }), guessed);
        add(any([&](std::size_t fmu) {
                return checked_.fmus[fmu]->description().version == fmi::Version::fmi3;
            }),
            arrays);
        return text;
    }

    SspCoupler coupler(std::size_t number, const Vector& give) {
        const GlueJoint& joint = checked_.system.joints[number];
        SspCoupler result;
        result.remark = obstacle(joint);
        if (!result.remark.empty())
            return result;
        result.remark = remark(joint);
        CouplerData data;
        data.kind = (joint.a.fmu ? port(joint.a) : port(joint.b))->kind;
        data.joint = spec_of(joint);
        data.start_a = joints_[number].start_a();
        data.start_b = joints_[number].start_b();
        const double h = checked_.system.master.step;
        for (const double g : give) {
            data.stiffness.push_back(stiffness_part / (h * h * g));
            data.damping.push_back(damping_part / (h * g));
        }
        data.token = coupler_token(data);
        result.fmu = packed(data);
        for (const Side* side : {&joint.a, &joint.b})
            if (side->fmu)
                connect(data, side == &joint.a ? 0 : 1, *side, result);
        return result;
    }

    /// The variables of a side come in the order of the port's members.
    void connect(const CouplerData& data, int side_number, const Side& side, SspCoupler& result) {
        const PlannedPort& p = *port(side);
        used_.insert(std::pair(*side.fmu, side.terminal));
        std::size_t motion = 0, effort = 0;
        for (const CouplerVariable& variable : coupler_variables(data)) {
            if (variable.role == CouplerVariable::Role::parameter || variable.side != side_number)
                continue;
            const bool to_coupler = variable.role == CouplerVariable::Role::motion;
            result.wires.push_back(
                {p.fmu, to_coupler ? p.motion[motion++] : p.effort[effort++], variable.name, to_coupler});
        }
    }

    static std::string packed(const CouplerData& data) {
        const TemporaryFolder folder;
        const std::filesystem::path file = folder.path() / "coupler.fmu";
        write_archive(file, coupler_content(data));
        return read_text_file(file, std::size_t{1} << 26);
    }

    const CheckedSystem& checked_;
    master::Ensemble ensemble_;
    std::map<std::pair<std::size_t, std::string>, PlannedPort> ports_;
    std::set<std::pair<std::size_t, std::string>> used_;
    Eigen::Index coordinates_ = 0;
    Matrix compliance_;
    std::vector<char> told_; ///< FMUs whose compliance was found
    std::vector<PortJoint> joints_;
};

} // namespace

std::vector<SspCoupler> plan_couplers(const CheckedSystem& system, const master::MasterOptions& options) {
    if (system.system.joints.empty())
        return {};
    const auto none = [&] {
        SspCoupler coupler;
        coupler.remark = cannot_start;
        return std::vector<SspCoupler>(system.system.joints.size(), coupler);
    };
    // What goes wrong here is said by the run itself; the system can be saved all the same.
    try {
        return Planner(system, options).plan();
    } catch (const fmi::LoadError&) {
        return none();
    } catch (const Error&) {
        return none();
    } catch (const InputError&) {
        return none();
    }
}

} // namespace tenon::glue
