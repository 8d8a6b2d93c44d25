#include "tools/master/wiring.hpp"

#include "modelDescription/words.hpp"
#include "tools/master/value_names.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace tenon::master {
namespace {

constexpr std::size_t line_of_doubles = 8; ///< in a cache line

std::size_t next_line(std::size_t slot) {
    return (slot + line_of_doubles - 1) / line_of_doubles * line_of_doubles;
}

/// The block for a type, made where there is none yet.
std::size_t block_of(std::vector<ValueBlock>& blocks, fmi::Type type) {
    for (std::size_t i = 0; i < blocks.size(); ++i)
        if (blocks[i].type() == type)
            return i;
    blocks.emplace_back(type);
    return blocks.size() - 1;
}

/// What an input is until a wire sets it: an element of an array may have none.
const fmi::Start& start_of(const system::CheckedSystem& system, const Port& port) {
    for (const system::CheckedSystem::Assignment& assignment : system.assignments[port.participant])
        if (assignment.variable == port.variable)
            return assignment.values;
    return system.fmus[port.participant]->description().variables[port.variable].start;
}

Port make_port(const system::CheckedSystem& system, std::size_t fmu, std::size_t variable) {
    const fmi::Variable& v = system.fmus[fmu]->description().variables[variable];
    return {.participant = fmu,
            .variable = variable,
            .type = v.type,
            .reference = v.reference,
            .count = static_cast<std::size_t>(system.elements(fmu, variable))};
}

/// The ports of one participant, which are next to each other.
std::span<Port> ports_of(std::vector<Port>& ports, std::size_t participant) {
    const auto [first, last] =
        std::equal_range(ports.begin(), ports.end(), Port{.participant = participant},
                         [](const Port& a, const Port& b) { return a.participant < b.participant; });
    return {first, last};
}

} // namespace

Wiring::Wiring(const system::CheckedSystem& system, Participants& participants, Signals& signals)
    : system_(system) {
    find_ports();
    place_ports(participants, signals);
    make_wires(participants);
}

void Wiring::find_ports() {
    std::set<std::pair<std::size_t, std::size_t>> from, to;
    for (const system::CheckedSystem::Wire& wire : system_.wires) {
        from.emplace(wire.from_fmu, wire.from_variable);
        to.emplace(wire.to_fmu, wire.to_variable);
    }
    for (const auto& [fmu, variable] : from)
        outputs_.push_back(make_port(system_, fmu, variable));
    for (const auto& [fmu, variable] : to)
        inputs_.push_back(make_port(system_, fmu, variable));
}

void Wiring::place_ports(Participants& participants, Signals& signals) {
    for (const auto& participant : participants) {
        place_inputs(*participant, ports_of(inputs_, participant->number), signals);
        place_outputs(*participant, ports_of(outputs_, participant->number), signals);
    }
    signals.next = signals.now;
    continuous_.resize(signals.inputs.size(), false);
    nominal_.resize(signals.inputs.size(), 1);
}

void Wiring::place_inputs(Participant& participant, std::span<Port> ports, Signals& signals) {
    participant.first_input = signals.inputs.size();
    for (Port& port : ports) {
        const fmi::Variable& variable = participant.description->variables[port.variable];
        if (port.type != fmi::Type::float64) {
            port.block = block_of(participant.other_inputs, port.type);
            port.first = participant.other_inputs[port.block].add(port.reference, port.count);
            participant.other_inputs[port.block].assign(port.first, start_of(system_, port));
            continue;
        }
        port.first = signals.inputs.size();
        signals.inputs.resize(port.first + port.count);
        participant.input_references.push_back(port.reference);
        if (const auto* start = std::get_if<std::vector<double>>(&start_of(system_, port)))
            std::copy_n(start->begin(), std::min(start->size(), port.count),
                        signals.inputs.begin() + static_cast<std::ptrdiff_t>(port.first));
        continuous_.resize(signals.inputs.size(), variable.variability == fmi::Variability::continuous);
        nominal_.resize(signals.inputs.size(), nominal_value(variable));
    }
    participant.input_count = signals.inputs.size() - participant.first_input;
    const std::size_t end = next_line(signals.inputs.size());
    signals.inputs.resize(end);
    continuous_.resize(end, false);
    nominal_.resize(end, 1);
}

void Wiring::place_outputs(Participant& participant, std::span<Port> ports, Signals& signals) {
    participant.first_output = signals.now.size();
    for (Port& port : ports) {
        if (port.type != fmi::Type::float64) {
            port.block = block_of(participant.other_outputs, port.type);
            port.first = participant.other_outputs[port.block].add(port.reference, port.count);
            continue;
        }
        port.first = signals.now.size();
        signals.now.resize(port.first + port.count);
        participant.output_references.push_back(port.reference);
    }
    participant.output_count = signals.now.size() - participant.first_output;
    signals.now.resize(next_line(signals.now.size()));
}

void Wiring::make_wires(const Participants& participants) {
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> from, to;
    for (std::size_t i = 0; i < outputs_.size(); ++i)
        from[{outputs_[i].participant, outputs_[i].variable}] = i;
    for (std::size_t i = 0; i < inputs_.size(); ++i)
        to[{inputs_[i].participant, inputs_[i].variable}] = i;
    for (const system::CheckedSystem::Wire& wire : system_.wires) {
        const std::size_t source = from[{wire.from_fmu, wire.from_variable}],
                          target = to[{wire.to_fmu, wire.to_variable}];
        wires_.push_back({source, outputs_[source].first + wire.from_element, target,
                          inputs_[target].first + wire.to_element, &wire});
    }
    std::ranges::stable_sort(wires_, {}, &Wire::to);

    std::size_t i = 0;
    for (const auto& participant : participants) {
        copy_ranges_.push_back({copies_.size(), 0});
        line_ranges_.push_back({lines_.size(), 0});
        other_ranges_.push_back({others_.size(), 0});
        held_ranges_.push_back({held_.size(), 0});
        for (; i < wires_.size() && inputs_[wires_[i].to].participant == participant->number; ++i)
            sort_in(i, participant->event_mode);
        copy_ranges_.back().last = copies_.size();
        line_ranges_.back().last = lines_.size();
        other_ranges_.back().last = others_.size();
        held_ranges_.back().last = held_.size();
    }
}

void Wiring::sort_in(std::size_t number, bool event_mode) {
    const Wire& wire = wires_[number];
    const Port &from = outputs_[wire.from], &to = inputs_[wire.to];
    const bool plain = from.block == Port::shared && to.block == Port::shared;
    const bool continuous = to.block == Port::shared && continuous_[to.first];
    const auto source = static_cast<std::uint32_t>(wire.from_index),
               target = static_cast<std::uint32_t>(wire.to_index);
    if (event_mode && !continuous)
        held_.push_back(number);
    else if (!plain)
        others_.push_back(number);
    else if (wire.what->factor == 1 && wire.what->offset == 0)
        copies_.push_back({source, target});
    else
        lines_.push_back({source, target, wire.what->factor, wire.what->offset});
}

std::span<const Wiring::Wire> Wiring::wires_to(std::size_t port) const {
    const auto range = std::ranges::equal_range(wires_, port, {}, &Wire::to);
    return {range.begin(), range.end()};
}

Scalar Wiring::value(const Wire& wire, const Participants& participants, const double* outputs) const {
    const Port &from = outputs_[wire.from], &to = inputs_[wire.to];
    Scalar value = from.block == Port::shared
                       ? Scalar(outputs[wire.from_index])
                       : participants[from.participant]->other_outputs[from.block].scalar(wire.from_index);
    if (fmi::is_float(to.type)) {
        const double number = std::visit(
            []<class T>(const T& x) {
                if constexpr (std::is_same_v<T, std::string>)
                    return std::numeric_limits<
                        double>::quiet_NaN(); // the check of the system refuses such wires
                else
                    return static_cast<double>(x);
            },
            value);
        return wire.what->factor * number + wire.what->offset;
    }
    if (const auto* number = std::get_if<std::int64_t>(&value))
        for (const auto& [source, target] : wire.what->map)
            if (*number == source)
                return target;
    return value;
}

bool Wiring::transfer(const Wire& wire, Participants& participants, const double* outputs, double* inputs,
                      bool* changed) const {
    const Port& to = inputs_[wire.to];
    const Scalar fresh = value(wire, participants, outputs);
    if (to.block == Port::shared) {
        double& place = inputs[wire.to_index];
        if (changed && place != std::get<double>(fresh))
            *changed = true;
        place = std::get<double>(fresh);
        return true;
    }
    ValueBlock& block = participants[to.participant]->other_inputs[to.block];
    if (changed && block.scalar(wire.to_index) != fresh)
        *changed = true;
    return block.assign(wire.to_index, fresh);
}

bool Wiring::gather_list(const std::vector<std::size_t>& wires, Range range, std::size_t participant,
                         Participants& participants, const double* outputs, double* inputs, Failure& failure,
                         bool* changed) const {
    for (std::size_t i = range.first; i < range.last; ++i)
        if (!transfer(wires_[wires[i]], participants, outputs, inputs, changed)) {
            failure = {.kind = Failure::Kind::no_fit, .participant = participant, .slot = wires[i]};
            return false;
        }
    return true;
}

std::string Wiring::name(const std::vector<Port>& ports, std::size_t slot) const {
    for (const Port& port : ports)
        if (port.block == Port::shared && slot >= port.first && slot < port.first + port.count)
            return value_name(system_, port.participant, port.variable, slot - port.first);
    return "?";
}

std::string Wiring::wire_target_name(std::size_t wire) const {
    const system::CheckedSystem::Wire& what = *wires_[wire].what;
    return value_name(system_, what.to_fmu, what.to_variable, what.to_element);
}

} // namespace tenon::master
