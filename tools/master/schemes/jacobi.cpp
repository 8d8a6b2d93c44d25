// Jacobi: all participants step at the same time, each with the others' outputs at the step's start,
//
//     x_i(t + h) = step_i(x_i(t), u_i),   u_i = curve through W_i y(t), W_i y(t - h), ...
//
// Error of order k + 1 with curves of order k. The only scheme whose steps are all independent, hence the one for threads.

#include "tools/master/schemes/curve_step.hpp"
#include "tools/master/schemes/scheme_types.hpp"

namespace tenon::master {
namespace {

class Jacobi final : public Scheme {
  public:
    explicit Jacobi(Ensemble& ensemble) : ensemble_(ensemble) {}

    Outcome advance(double t, double h) override;

  private:
    Outcome with_constants(double t, double h);

    Ensemble& ensemble_;
};

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

} // namespace

SchemeType schemes::jacobi() {
    return {.name = "jacobi", .make = make_scheme<Jacobi>, .beside_joints = true};
}

} // namespace tenon::master
