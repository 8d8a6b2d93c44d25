#include "tools/glue/glued_fmu.hpp"

#include "tools/glue/failures.hpp"

#include <algorithm>
#include <cmath>

namespace tenon::glue {
namespace {

constexpr std::size_t most_motion_values = 18;

std::vector<std::size_t> places(ValueSet& set, const system::CheckedSystem& system, std::size_t fmu,
                                const std::vector<system::ScalarPlace>& of) {
    std::vector<std::size_t> at;
    for (const system::ScalarPlace& place : of)
        at.push_back(set.add(system, fmu, place));
    return at;
}

Eigen::Index row(std::size_t port, std::size_t coordinate) {
    return static_cast<Eigen::Index>(port) * port_coordinates + static_cast<Eigen::Index>(coordinate);
}

} // namespace

GluedFmu::GluedFmu(master::Ensemble& ensemble, std::vector<Port> ports)
    : states(ports.size()), ensemble_(ensemble), participant_(*ensemble.participants[ports.front().fmu]),
      ports_(std::move(ports)) {
    const std::size_t fmu = participant_.number;
    ValueSet efforts;
    has_accelerations_ = true;
    for (const Port& port : ports_) {
        motion_at_.push_back(places(motion_, ensemble.system, fmu, port.motion));
        effort_at_.push_back(places(efforts, ensemble.system, fmu, port.effort));
        acceleration_at_.push_back(places(acceleration_, ensemble.system, fmu, port.acceleration));
        work_at_.push_back(port.work ? motion_.add(ensemble.system, fmu, *port.work) : nowhere);
        has_accelerations_ = has_accelerations_ && !port.acceleration.empty();
    }
    place_efforts(efforts);
    find_energy();
    const bool single = ports_.size() == 1 && !ports_.front().inverse_mass.empty();
    if (single)
        inverse_mass_at_ = places(inverse_mass_, ensemble.system, fmu, ports_.front().inverse_mass);
    if (has_accelerations_)
        source_ = participant_.description->capabilities.directional_derivatives
                      ? ComplianceSource::derivatives
                  : single ? ComplianceSource::member
                           : ComplianceSource::feedthrough;
    const auto size = static_cast<Eigen::Index>(ports_.size()) * port_coordinates;
    compliance = compliance_end = Matrix::Zero(size, size);
    wrenches = Vector::Zero(size);
    seed_.resize(efforts_.w0.size());
    sensitivity_.resize(acceleration_.values.size());
    motion_values_.resize(most_motion_values);
}

/// FMI 2.0 does not say up to which order an FMU takes derivatives of inputs: one of Tenon takes two, and lines are the least that
/// others who take any can mean by it.
void GluedFmu::place_efforts(const ValueSet& efforts) {
    const fmi::Description& description = *participant_.description;
    const fmi::Capabilities& can = description.capabilities;
    using enum Efforts::Delivery;
    if (description.version == fmi::Version::fmi2) {
        const bool of_tenon = description.generation_tool.starts_with("Tenon");
        efforts_.place(efforts.references, efforts.values.size(),
                       can.interpolates_inputs ? derivatives : halves, of_tenon ? 2 : 1);
        return;
    }
    const bool sets_within =
        can.intermediate_update && std::ranges::all_of(efforts.references, [&](fmi::Reference reference) {
            return std::ranges::any_of(description.variables, [&](const fmi::Variable& variable) {
                return variable.reference == reference && variable.intermediate_update;
            });
        });
    efforts_.place(efforts.references, efforts.values.size(), sets_within ? callback : halves, 3);
}

/// The callback of a step sets the efforts, too.
void GluedFmu::complete(fmi::InstanceOptions& options) {
    const std::span<const fmi::Reference> references = efforts_.intermediate();
    if (references.empty())
        return;
    options.intermediate.insert(options.intermediate.end(), references.begin(), references.end());
    options.intermediate_update = [this, signals = std::move(options.intermediate_update)](
                                      const fmi::IntermediateUpdate& now) -> std::optional<double> {
        if (now.set_requested &&
            !participant_.succeeded("Set", efforts_.send_at(*participant_.slave, now.time)))
            participant_.callback_failed = true;
        return signals ? signals(now) : std::nullopt;
    };
}

void GluedFmu::find_energy() {
    const system::VariableIndex index(*participant_.description);
    const auto place_of = [&](const char* name) {
        const system::Selection found = index.find(name, {});
        const bool is_number = found.places.size() == 1 &&
                               index.variable(found.places.front().variable).type == fmi::Type::float64;
        return is_number ? motion_.add(ensemble_.system, participant_.number, found.places.front()) : nowhere;
    };
    const std::array at = {place_of("energy.total"), place_of("energy.work")};
    kinetic_at_ = place_of("energy.kinetic");
    if (at[0] != nowhere && at[1] != nowhere &&
        std::ranges::all_of(ports_, [](const Port& port) { return port.work.has_value(); }))
        energy_at_ = at;
}

// ---- steps ----

void GluedFmu::fix_axes(double h) {
    for (std::size_t p = 0; p < ports_.size(); ++p)
        if (ports_[p].own_axes) {
            states[p].middle_axes = middle(states[p].begin, states[p].end, h).R_WP;
            states[p].end_axes = states[p].end.R_WP;
        }
}

/// In the axes of the port where it wants them: through the three nodes, each turned with the pose there.
WrenchCurve GluedFmu::delivered(std::size_t port) const {
    const PortState& state = states[port];
    if (!ports_[port].own_axes)
        return state.wrench;
    const auto turned = [&](const Mat3& axes, double s) {
        const Vec6 wrench = state.wrench.at(s);
        Vec6 own;
        own << axes.transpose() * wrench.head<3>(), axes.transpose() * wrench.tail<3>();
        return own;
    };
    return wrench_through(turned(state.begin.R_WP, 0), turned(state.middle_axes, 0.5),
                          turned(state.end_axes, 1));
}

void GluedFmu::place_wrenches(double t, double h) {
    Efforts& efforts = efforts_;
    efforts.start = t;
    efforts.length = h;
    for (std::vector<double>* w : {&efforts.w0, &efforts.w1, &efforts.w2, &efforts.w3})
        std::ranges::fill(*w, 0.0);
    for (std::size_t p = 0; p < ports_.size(); ++p) {
        const WrenchCurve whole = delivered(p);
        const WrenchCurve wrench = efforts.order() == 1   ? whole.linear()
                                   : efforts.order() == 2 ? whole.quadratic()
                                                          : whole;
        for (std::size_t c = 0; c < effort_at_[p].size(); ++c) {
            const std::size_t at = effort_at_[p][c];
            const auto i = static_cast<Eigen::Index>(c);
            efforts.w0[at] += wrench.w0[i]; // ports may share inputs
            efforts.w1[at] += wrench.w1[i];
            efforts.w2[at] += wrench.w2[i];
            efforts.w3[at] += wrench.w3[i];
        }
    }
}

bool GluedFmu::send_signals(double h) {
    double* inputs = ensemble_.signals.inputs.data();
    return ensemble_.curves.order() == 0 ? participant_.send(inputs)
                                         : ensemble_.delivery.send(participant_, h, inputs);
}

unsigned GluedFmu::advance(double t, double h) {
    Efforts& efforts = efforts_;
    fmi::Slave& slave = *participant_.slave;
    place_wrenches(t, h);
    if (!send_signals(h))
        return master::flag_failed;
    if (efforts.delivery() != Efforts::Delivery::halves)
        return participant_.succeeded("Set", efforts.send(slave)) ? participant_.advance(t, h)
                                                                  : unsigned{master::flag_failed};
    if (!participant_.variable_step)
        return participant_.succeeded("Set", efforts.send_mean(slave)) ? participant_.advance(t, h)
                                                                       : unsigned{master::flag_failed};
    if (!participant_.succeeded("Set", efforts.send_half(slave, false)))
        return master::flag_failed;
    if (const unsigned flags = participant_.advance(t, h / 2); flags != 0)
        return flags | master::flag_early; // whatever it wants, it wants it here
    if (!participant_.succeeded("Set", efforts.send_half(slave, true)))
        return master::flag_failed;
    const double middle = t + h / 2;
    return participant_.advance(middle, t + h - middle);
}

unsigned GluedFmu::step(double t, double h) {
    const master::Participant::Sample sample(participant_);
    const unsigned flags = advance(t, h);
    if (flags & master::flag_failed)
        return flags;
    if (!participant_.receive(ensemble_.signals.next.data()) || !read_motion())
        return flags | master::flag_failed;
    return flags;
}

unsigned GluedFmu::try_step(double t, double h) {
    if (!participant_.restore(ensemble_.level()))
        return master::flag_failed;
    const master::Participant::Sample sample(participant_);
    const unsigned flags = advance(t, h);
    if (flags & master::flag_early) {
        participant_.failure = {
            .kind = master::Failure::Kind::standstill, .participant = participant_.number, .h = h};
        return flags | master::flag_failed;
    }
    if (flags & master::flag_failed || !read_motion())
        return flags | master::flag_failed;
    return flags;
}

// ---- values ----

bool GluedFmu::read_motion() {
    if (!participant_.succeeded("Get",
                                participant_.slave->get(std::span<const fmi::Reference>(motion_.references),
                                                        std::span<double>(motion_.values))))
        return false;
    for (std::size_t p = 0; p < ports_.size(); ++p) {
        const std::vector<std::size_t>& at = motion_at_[p];
        for (std::size_t i = 0; i < at.size(); ++i) {
            motion_values_[i] = motion_.values[at[i]];
            if (!std::isfinite(motion_values_[i]))
                return lost(p, motion_values_[i]);
        }
        states[p].end = motion_from(motion_values_.data(), ports_[p].kind);
        if (ports_[p].own_axes) {
            states[p].end.R_WP.transposeInPlace();
            states[p].end.w_WP = states[p].end.R_WP * states[p].end.w_WP;
        }
        if (work_at_[p] != nowhere)
            states[p].work = motion_.values[work_at_[p]];
    }
    return true;
}

bool GluedFmu::read_accelerations() {
    if (!participant_.succeeded(
            "Get", participant_.slave->get(std::span<const fmi::Reference>(acceleration_.references),
                                           std::span<double>(acceleration_.values))))
        return false;
    for (std::size_t p = 0; p < ports_.size(); ++p)
        for (std::size_t c = 0; c < acceleration_at_[p].size(); ++c) {
            const double value = acceleration_.values[acceleration_at_[p][c]];
            if (!std::isfinite(value))
                return lost(p, value);
            states[p].acceleration[static_cast<Eigen::Index>(c)] = value;
        }
    return true;
}

bool GluedFmu::read_end_accelerations() {
    const std::vector<PortState> before = states;
    if (!send_end_efforts() || !read_accelerations())
        return false;
    for (std::size_t p = 0; p < states.size(); ++p) {
        states[p].acceleration_end = states[p].acceleration;
        states[p].acceleration = before[p].acceleration;
    }
    return true;
}

bool GluedFmu::send_end_efforts() {
    const Efforts& efforts = efforts_;
    return participant_.succeeded("Set",
                                  efforts_.send_at(*participant_.slave, efforts.start + efforts.length));
}

bool GluedFmu::hold_efforts(double t) {
    place_wrenches(t, 1);
    return participant_.succeeded("Set", efforts_.send_at(*participant_.slave, t));
}

bool GluedFmu::read_free_accelerations() {
    return participant_.succeeded("Set", efforts_.send_zero(*participant_.slave)) && read_accelerations();
}

// ---- compliance ----

bool GluedFmu::measure_compliance(Matrix& result) {
    result.setZero();
    if (!read_compliance(result))
        return false;
    for (std::size_t p = 0; p < ports_.size(); ++p)
        if (!result.middleRows<port_coordinates>(row(p, 0)).allFinite())
            return lost(p, NAN);
    return true;
}

bool GluedFmu::lost(std::size_t port, double value) {
    participant_.failure = lost_port(participant_.number, port, value);
    return false;
}

bool GluedFmu::read_compliance(Matrix& result) {
    switch (source_) {
    case ComplianceSource::none:
        return true;
    case ComplianceSource::derivatives:
        return by_derivatives(result);
    case ComplianceSource::feedthrough:
        return by_feedthrough(result);
    case ComplianceSource::member:
        break;
    }
    if (!participant_.succeeded(
            "Get", participant_.slave->get(std::span<const fmi::Reference>(inverse_mass_.references),
                                           std::span<double>(inverse_mass_.values))))
        return false;
    const int n = ports_.front().coordinates();
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k)
            result(i, k) = inverse_mass_.values[inverse_mass_at_[static_cast<std::size_t>(i * n + k)]];
    return true;
}

bool GluedFmu::by_derivatives(Matrix& result) {
    for (std::size_t p = 0; p < ports_.size(); ++p)
        for (std::size_t c = 0; c < effort_at_[p].size(); ++c) {
            std::ranges::fill(seed_, 0.0);
            seed_[effort_at_[p][c]] = 1;
            if (!participant_.succeeded("GetDirectionalDerivative",
                                        participant_.slave->directional_derivative(acceleration_.references,
                                                                                   efforts_.references(),
                                                                                   seed_, sensitivity_)))
                return false;
            for (std::size_t q = 0; q < ports_.size(); ++q)
                for (std::size_t k = 0; k < acceleration_at_[q].size(); ++k)
                    result(row(q, k), row(p, c)) = sensitivity_[acceleration_at_[q][k]];
        }
    return true;
}

/// Accelerations are affine in the efforts.
bool GluedFmu::by_feedthrough(Matrix& result) {
    std::vector<Vec6> free;
    const std::vector<PortState> before = states;
    if (!read_free_accelerations())
        return false;
    for (const PortState& state : states)
        free.push_back(state.acceleration);
    for (std::size_t p = 0; p < ports_.size(); ++p)
        for (std::size_t c = 0; c < effort_at_[p].size(); ++c) {
            if (!participant_.succeeded("Set", efforts_.send_unit(*participant_.slave, effort_at_[p][c])) ||
                !read_accelerations())
                return false;
            for (std::size_t q = 0; q < ports_.size(); ++q)
                result.block<6, 1>(row(q, 0), row(p, c)) = states[q].acceleration - free[q];
        }
    for (std::size_t p = 0; p < ports_.size(); ++p)
        states[p].acceleration = before[p].acceleration;
    return true;
}

} // namespace tenon::glue
