#include "tools/master/schemes/jacobi.hpp"

#include "tools/master/schemes/curve_step.hpp"

namespace tenon::master {

Outcome Jacobi::advance(double t, double h) {
    if (ensemble_.curves.order() == 0)
        return with_constants(t, h);
    Outcome outcome;
    if (!begin_curves(ensemble_, t, outcome.failure))
        return outcome;
    outcome = ensemble_.outcome(step_along_curves(ensemble_, ensemble_.everybody(), t, h), t, h);
    return outcome.is_plain() && needs_correction(ensemble_) ? corrected(ensemble_, t, h) : outcome;
}

Outcome Jacobi::with_constants(double t, double h) {
    const Wiring& wiring = ensemble_.wiring;
    const Participants& participants = ensemble_.participants;
    const double* now = ensemble_.signals.now.data();
    double *inputs = ensemble_.signals.inputs.data(), *next = ensemble_.signals.next.data();
    if (wiring.has_others()) {
        Outcome outcome;
        if (!ensemble_.gather(now, outcome.failure))
            return outcome;
    }
    const unsigned flags = ensemble_.team.collect(participants.size(), [&](std::size_t i) {
        wiring.gather(i, now, inputs);
        return participants[i]->exchange(inputs, t, h, next);
    });
    return ensemble_.outcome(flags, t, h);
}

} // namespace tenon::master
