#include "tools/master/port_exchange.hpp"

#include "core/math/error.hpp"
#include "tools/master/failure_text.hpp"

#include <cmath>

namespace tenon::master {
namespace {

[[noreturn]] void fail(const Ensemble& ensemble, const Failure& failure) {
    throw Error(ErrorKind::computation, describe(ensemble, ensemble.system.system.master.start, failure),
                ensemble.participants[failure.participant]->name);
}

Participant& owner(Ensemble& ensemble, const Port& port) { return *ensemble.participants[port.participant]; }

} // namespace

bool read_port(Ensemble& ensemble, std::size_t output) {
    const Port& port = ensemble.wiring.outputs()[output];
    Participant& participant = owner(ensemble, port);
    if (port.block != Port::shared)
        return participant.succeeded("Get", participant.other_outputs[port.block].get(
                                                *participant.slave, port.reference, port.first, port.count));
    const std::span values(ensemble.signals.now.data() + port.first, port.count);
    if (!participant.succeeded("Get", participant.slave->get({&port.reference, 1}, values)))
        return false;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!std::isfinite(values[i])) {
            participant.failure = {.kind = Failure::Kind::not_finite,
                                   .participant = port.participant,
                                   .slot = port.first + i,
                                   .value = values[i]};
            return false;
        }
    return true;
}

bool set_port(Ensemble& ensemble, std::size_t input) {
    const Port& port = ensemble.wiring.inputs()[input];
    Participant& participant = owner(ensemble, port);
    if (port.block != Port::shared)
        return participant.succeeded("Set", participant.other_inputs[port.block].set(
                                                *participant.slave, port.reference, port.first, port.count));
    const std::span<const double> values(ensemble.signals.inputs.data() + port.first, port.count);
    return participant.succeeded("Set", participant.slave->set(std::span(&port.reference, 1), values));
}

void require_read(Ensemble& ensemble, std::size_t output) {
    if (!read_port(ensemble, output))
        fail(ensemble, owner(ensemble, ensemble.wiring.outputs()[output]).failure);
}

void require_set(Ensemble& ensemble, std::size_t input) {
    if (!set_port(ensemble, input))
        fail(ensemble, owner(ensemble, ensemble.wiring.inputs()[input]).failure);
}

void require_transfer(Ensemble& ensemble, const Wiring::Wire& wire, bool* changed) {
    if (!ensemble.wiring.transfer(wire, ensemble.participants, ensemble.signals.now.data(),
                                  ensemble.signals.inputs.data(), changed))
        fail(ensemble, {.kind = Failure::Kind::no_fit,
                        .participant = ensemble.wiring.inputs()[wire.to].participant,
                        .slot = static_cast<std::size_t>(&wire - ensemble.wiring.wires().data())});
}

void require_fed(Ensemble& ensemble, std::size_t input) {
    for (const Wiring::Wire& wire : ensemble.wiring.wires_to(input))
        require_transfer(ensemble, wire);
    require_set(ensemble, input);
}

} // namespace tenon::master
