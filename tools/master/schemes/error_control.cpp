#include "tools/master/schemes/error_control.hpp"

#include <algorithm>
#include <cmath>

namespace tenon::master {

std::vector<double> output_nominals(const Ensemble& ensemble) {
    std::vector<double> nominal(ensemble.signals.now.size(), 0);
    for (const Port& port : ensemble.wiring.outputs())
        if (port.block == Port::shared)
            std::fill_n(nominal.begin() + static_cast<std::ptrdiff_t>(port.first), port.count,
                        nominal_value(
                            ensemble.participants[port.participant]->description->variables[port.variable]));
    return nominal;
}

ErrorControl::ErrorControl(Ensemble& ensemble, Scheme& scheme)
    : ensemble_(ensemble), scheme_(scheme), order_(ensemble.curves.order() + 1),
      tolerance_(ensemble.system.system.master.tolerance), before_(ensemble.signals.now),
      whole_(ensemble.signals.now), nominal_(output_nominals(ensemble)) {}

Outcome ErrorControl::advance(double t, double h) {
    Outcome outcome = scheme_.advance(t, h);
    if (!outcome.is_plain() || nominal_.empty())
        return outcome; // an event is not a matter of accuracy; without connections there is no error
    before_ = ensemble_.signals.now;
    whole_ = ensemble_.signals.next;
    if (!ensemble_.restore(outcome.failure))
        return outcome;
    outcome = halves(t, h);
    if (!outcome.failure && !outcome.early)
        outcome.error = estimate();
    if (outcome.failure || !outcome.together || outcome.error > 1)
        ensemble_.signals.now = before_;
    return outcome;
}

Outcome ErrorControl::halves(double t, double h) {
    Outcome outcome = scheme_.advance(t, h / 2);
    if (!outcome.is_plain()) {
        outcome.early = !outcome.failure; // an event in the middle: the step ends there
        return outcome;
    }
    ensemble_.commit();
    if (!ensemble_.save(outcome.failure))
        return outcome;
    outcome = scheme_.advance(t + h / 2, h / 2);
    ensemble_.drop();
    if (outcome.early)
        outcome.together = false; // half a step behind the start is no place to stop at
    return outcome;
}

double ErrorControl::estimate() const {
    const double known = std::pow(2, order_) - 1;
    double error = 0;
    for (std::size_t i = 0; i < nominal_.size(); ++i) {
        if (nominal_[i] == 0)
            continue;
        const double fine = ensemble_.signals.next[i];
        const double allowed = tolerance_ * std::max(std::abs(fine), nominal_[i]);
        error = std::max(error, std::abs(fine - whole_[i]) / known / allowed);
    }
    // Zero would mean that there is no estimate.
    return std::max(error, std::numeric_limits<double>::min());
}

double ErrorControl::better_step(double h, double error) const {
    constexpr double safety = 0.9, least = 0.2, most = 5;
    return h * std::clamp(safety * std::pow(error, -1.0 / (order_ + 1)), least, most);
}

} // namespace tenon::master
