#include "tools/glue/signal_error.hpp"

#include "tools/master/schemes/error_control.hpp"

#include <algorithm>
#include <cmath>

namespace tenon::glue {

SignalError::SignalError(const master::Ensemble& ensemble, const std::vector<std::unique_ptr<GluedFmu>>& fmus)
    : ensemble_(ensemble), halves_(ensemble.signals.next.size(), 0),
      nominal_(master::output_nominals(ensemble)),
      has_outputs_(std::ranges::any_of(nominal_, [](double nominal) { return nominal > 0; })) {
    for (const auto& fmu : fmus) {
        if (fmu->participant().input_count == 0)
            continue;
        fmus_.push_back(fmu.get());
        ports_.resize(ports_.size() + fmu->ports().size());
    }
}

void SignalError::note_halves() {
    halves_ = ensemble_.signals.next;
    auto port = ports_.begin();
    for (const GluedFmu* fmu : fmus_)
        for (const GluedFmu::PortState& state : fmu->states)
            *port++ = state.end;
    is_known_ = true;
}

double SignalError::ports_error(double h) const {
    double error = 0;
    auto port = ports_.begin();
    for (const GluedFmu* fmu : fmus_)
        for (const GluedFmu::PortState& state : fmu->states) {
            const PortMotion& halves = *port++;
            error = std::max(error, (state.end.p_WP - halves.p_WP).norm() +
                                        h * ((state.end.v_WP - halves.v_WP).norm() +
                                             (state.end.w_WP - halves.w_WP).norm()));
        }
    return error / (2 * ensemble_.system.system.master.tolerance);
}

double SignalError::estimate(double h) const {
    if (!is_known_)
        return 0;
    const double power = std::pow(2, ensemble_.curves.order() + 1);
    double error = ports_error(h);
    for (std::size_t i = 0; i < nominal_.size(); ++i) {
        if (nominal_[i] == 0)
            continue;
        const double whole = ensemble_.signals.next[i];
        const double allowed =
            ensemble_.system.system.master.tolerance * std::max(std::abs(whole), nominal_[i]);
        error = std::max(error, std::abs(whole - halves_[i]) / allowed);
    }
    return error * power / (power - 1);
}

} // namespace tenon::glue
