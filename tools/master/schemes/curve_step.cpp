#include "tools/master/schemes/curve_step.hpp"

namespace tenon::master {

unsigned step_along_curves(Ensemble& ensemble, std::span<const std::size_t> members, double t, double h) {
    double *inputs = ensemble.signals.inputs.data(), *next = ensemble.signals.next.data();
    return ensemble.team.collect(members.size(), [&](std::size_t i) -> unsigned {
        Participant& participant = *ensemble.participants[members[i]];
        const Participant::Sample sample(participant);
        if (!ensemble.delivery.send(participant, h, inputs))
            return flag_failed;
        return participant.step_and_receive(t, h, next);
    });
}

bool begin_curves(Ensemble& ensemble, double t, Failure& failure) {
    Signals& signals = ensemble.signals;
    if (!ensemble.gather(signals.now.data(), failure))
        return false;
    ensemble.curves.begin(t, signals.inputs);
    ensemble.curves.extrapolate(0, signals.inputs.size());
    return true;
}

bool needs_correction(const Ensemble& ensemble) {
    return ensemble.curves.order() == 2 && ensemble.curves.known() == 1 && ensemble.all_roll_back();
}

Outcome corrected(Ensemble& ensemble, double t, double h) {
    Signals& signals = ensemble.signals;
    Outcome outcome;
    if (!ensemble.gather(signals.next.data(), outcome.failure) || !ensemble.restore(outcome.failure))
        return outcome;
    for (std::size_t slot = 0; slot < signals.inputs.size(); ++slot)
        ensemble.curves.interpolate(slot, signals.inputs[slot], h);
    return ensemble.outcome(step_along_curves(ensemble, ensemble.everybody(), t, h), t, h);
}

} // namespace tenon::master
