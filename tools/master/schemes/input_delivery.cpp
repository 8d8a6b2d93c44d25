#include "tools/master/schemes/input_delivery.hpp"

#include <algorithm>

namespace tenon::master {
namespace {

bool is_smooth(const Participant& participant, const Port& port) {
    const fmi::Variable& variable = participant.description->variables[port.variable];
    return port.block == Port::shared && variable.variability == fmi::Variability::continuous &&
           (participant.delivery == Delivery::derivatives || variable.intermediate_update);
}

Delivery delivery_of(const fmi::Description& description, int order) {
    if (order == 0)
        return Delivery::constant;
    if (description.version == fmi::Version::fmi2)
        return description.capabilities.interpolates_inputs ? Delivery::derivatives : Delivery::constant;
    return description.capabilities.intermediate_update ? Delivery::callback : Delivery::constant;
}

} // namespace

InputDelivery::InputDelivery(const Wiring& wiring, const InputCurves& curves, Participants& participants)
    : wiring_(wiring), curves_(curves), participants_(participants) {
    for (const auto& participant : participants)
        participant->delivery = delivery_of(*participant->description, curves.order());
    for (const Port& port : wiring.inputs()) {
        Participant& participant = *participants[port.participant];
        if (participant.delivery == Delivery::constant || !is_smooth(participant, port))
            continue;
        participant.smooth_references.push_back(port.reference);
        for (std::size_t i = 0; i < port.count; ++i)
            participant.smooth_slots.push_back(port.first + i);
    }
    for (const auto& participant : participants) {
        if (participant->smooth_slots.empty())
            participant->delivery = Delivery::constant;
        const bool derivatives = participant->delivery == Delivery::derivatives;
        participant->smooth_values.resize(participant->smooth_slots.size() *
                                          (derivatives ? static_cast<std::size_t>(curves.order()) : 1));
        if (!derivatives)
            continue;
        const std::vector<fmi::Reference> once = participant->smooth_references;
        participant->smooth_references.clear();
        for (int order = 1; order <= curves.order(); ++order) {
            participant->smooth_references.insert(participant->smooth_references.end(), once.begin(),
                                                  once.end());
            participant->smooth_orders.resize(participant->smooth_references.size(), order);
        }
    }
}

void InputDelivery::complete(fmi::InstanceOptions& options, Participant& participant) const {
    if (participant.delivery != Delivery::callback)
        return;
    options.intermediate = participant.smooth_references;
    options.intermediate_update = [this, &participant](const fmi::IntermediateUpdate& now) {
        return update(participant, now);
    };
}

std::optional<double> InputDelivery::update(Participant& participant,
                                            const fmi::IntermediateUpdate& now) const {
    if (!now.set_requested)
        return {};
    const double s = now.time - curves_.start();
    for (std::size_t i = 0; i < participant.smooth_slots.size(); ++i)
        participant.smooth_values[i] = curves_.at(participant.smooth_slots[i], s);
    if (!participant.succeeded(
            "Set", participant.slave->set(std::span<const fmi::Reference>(participant.smooth_references),
                                          std::span<const double>(participant.smooth_values))))
        participant.callback_failed = true;
    return {};
}

bool InputDelivery::send_derivatives(Participant& participant) const {
    const std::size_t n = participant.smooth_slots.size();
    for (std::size_t i = 0; i < participant.smooth_values.size(); ++i)
        participant.smooth_values[i] =
            curves_.derivative(participant.smooth_slots[i % n], participant.smooth_orders[i]);
    return participant.succeeded("SetRealInputDerivatives",
                                 participant.slave->set_input_derivatives(participant.smooth_references,
                                                                          participant.smooth_orders,
                                                                          participant.smooth_values));
}

bool InputDelivery::send(Participant& participant, double h, double* inputs) const {
    const std::size_t first = participant.first_input, last = first + participant.input_count;
    for (std::size_t i = first; i < last; ++i)
        inputs[i] = feeds_through_ && (*feeds_through_)[i] ? curves_.at(i, h) : curves_.mean(i, h);
    for (const std::size_t slot : participant.smooth_slots)
        inputs[slot] = curves_.value(slot);
    if (!participant.send(inputs))
        return false;
    return participant.delivery != Delivery::derivatives || send_derivatives(participant);
}

std::vector<std::string> InputDelivery::constant_only() const {
    std::vector<std::string> names;
    for (const Port& port : wiring_.inputs()) {
        const Participant& participant = *participants_[port.participant];
        const bool can_change = port.block == Port::shared && wiring_.continuous()[port.first];
        if (curves_.order() > 0 && can_change &&
            std::ranges::find(participant.smooth_slots, port.first) == participant.smooth_slots.end() &&
            std::ranges::find(names, participant.name) == names.end())
            names.push_back(participant.name);
    }
    return names;
}

} // namespace tenon::master
