// How an FMU is run by the checks: start, communication step and tolerance.

#include "tools/check/target.hpp"

#include <algorithm>
#include <cmath>

namespace tenon::check {
namespace {

/// Steps that a whole experiment is divided into where the description gives no step size.
constexpr double usual_steps = 100;

} // namespace

Experiment choose_experiment(const fmi::Description& description) {
    const fmi::DefaultExperiment& given = description.experiment;
    Experiment chosen;
    chosen.start = given.start.value_or(0);
    chosen.tolerance = given.tolerance;
    const double stop = given.stop.value_or(chosen.start + 1);
    const double length = stop > chosen.start && std::isfinite(stop) ? stop - chosen.start : 1.0;
    chosen.step = given.step && *given.step > 0 ? *given.step : length / usual_steps;
    if (const auto internal = description.capabilities.fixed_internal_step; internal && *internal > 0)
        chosen.step = *internal * std::max(1.0, std::round(chosen.step / *internal));
    chosen.event_mode = description.capabilities.event_mode &&
                        std::any_of(description.variables.begin(), description.variables.end(),
                                    [](const fmi::Variable& variable) {
                                        return variable.type == fmi::Type::clock || variable.clocked;
                                    });
    return chosen;
}

} // namespace tenon::check
