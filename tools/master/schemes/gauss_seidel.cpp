// Gauss-Seidel: the participants step one after the other, in the order of the system. Each gets the outputs at the end of
// the step of those before it, and at the start of those behind it:
//
//     u_i = curve through W_ij y_j(t + h), W_ij y_j(t), ...   for j < i    (order 0: the value at the end)
//           curve through W_ij y_j(t), W_ij y_j(t - h), ...   for j >= i
//
// The same order as Jacobi, with a smaller error and more stability where the order suits the system.

#include "tools/master/schemes/curve_step.hpp"
#include "tools/master/schemes/scheme_types.hpp"

namespace tenon::master {
namespace {

class GaussSeidel final : public Scheme {
  public:
    explicit GaussSeidel(Ensemble& ensemble);

    Outcome advance(double t, double h) override;

  private:
    Outcome with_constants(double t, double h);
    unsigned along_curve(Participant& participant, double t, double h);

    Ensemble& ensemble_;
    std::vector<std::vector<std::size_t>>
        known_;                ///< for each participant the inputs that come from those before it
    std::vector<double> ends_; ///< inputs at the end of the step, where they are known
};

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

} // namespace

SchemeType schemes::gauss_seidel() {
    return {.name = "gauss-seidel", .make = make_scheme<GaussSeidel>, .parallel = false};
}

} // namespace tenon::master
