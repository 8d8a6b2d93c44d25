#include "tools/master/schemes/gauss_seidel.hpp"

#include "tools/master/schemes/curve_step.hpp"

namespace tenon::master {

GaussSeidel::GaussSeidel(Ensemble& ensemble)
    : ensemble_(ensemble), known_(ensemble.participants.size()), ends_(ensemble.signals.inputs.size()) {
    for (const Wiring::Wire& wire : ensemble.wiring.wires())
        if (wire.what->from_fmu < wire.what->to_fmu &&
            ensemble.wiring.inputs()[wire.to].block == Port::shared)
            known_[wire.what->to_fmu].push_back(wire.to_index);
}

Outcome GaussSeidel::advance(double t, double h) {
    Signals& signals = ensemble_.signals;
    const bool curves = ensemble_.curves.order() > 0;
    Outcome outcome;
    if (curves && !begin_curves(ensemble_, t, outcome.failure))
        return outcome;
    signals.next = signals.now;
    if (!curves)
        return with_constants(t, h);
    unsigned flags = 0;
    for (const auto& participant : ensemble_.participants) {
        flags |= along_curve(*participant, t, h);
        if (flags & flag_failed)
            break;
    }
    outcome = ensemble_.outcome(flags, t, h);
    return outcome.is_plain() && needs_correction(ensemble_) ? corrected(ensemble_, t, h) : outcome;
}

Outcome GaussSeidel::with_constants(double t, double h) {
    const Wiring& wiring = ensemble_.wiring;
    double *inputs = ensemble_.signals.inputs.data(), *next = ensemble_.signals.next.data();
    unsigned flags = 0;
    for (const auto& participant : ensemble_.participants) {
        const std::size_t i = participant->number;
        wiring.gather(i, next, inputs);
        if (wiring.has_others() &&
            !wiring.gather_others(i, ensemble_.participants, next, inputs, participant->failure))
            return ensemble_.outcome(flag_failed, t, h);
        flags |= participant->exchange(inputs, t, h, next);
        if (flags & flag_failed)
            break;
    }
    return ensemble_.outcome(flags, t, h);
}

unsigned GaussSeidel::along_curve(Participant& participant, double t, double h) {
    const Wiring& wiring = ensemble_.wiring;
    double *inputs = ensemble_.signals.inputs.data(), *next = ensemble_.signals.next.data();
    const std::size_t i = participant.number;
    wiring.gather(i, next, ends_.data());
    if (wiring.has_others() &&
        !wiring.gather_others(i, ensemble_.participants, next, ends_.data(), participant.failure))
        return flag_failed;
    for (const std::size_t slot : known_[i])
        ensemble_.curves.interpolate(slot, ends_[slot], h);
    const Participant::Sample sample(participant);
    return ensemble_.delivery.send(participant, h, inputs) ? participant.step_and_receive(t, h, next)
                                                           : unsigned{flag_failed};
}

} // namespace tenon::master
