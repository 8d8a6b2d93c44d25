// FMI 3.0: life, steps, events and derivatives.

#include "tools/import/slave3.hpp"

#include "tools/import/slave_directory.hpp"

#include <algorithm>
#include <limits>

namespace tenon::fmi {

Slave3::Slave3(const SlaveParts& parts, const InstanceOptions& options)
    : VersionedSlave(parts, options), intermediate_update_(options.intermediate_update),
      event_mode_(options.event_mode && can().event_mode), early_return_(options.early_return) {
    const CallOfFmu call(number(), Function::instantiate);
    check_version("fmi3GetVersion", f_.get_version(), "3.0");
    const std::string resources = parts.resources.string() + "/";
    instance_ = f_.instantiate(
        options.name.c_str(), description().token.c_str(), parts.has_resources ? resources.c_str() : nullptr,
        options.visible, options.logging, event_mode_, early_return_, options.intermediate.data(),
        options.intermediate.size(), environment(), log, intermediate_update_ ? update : nullptr);
    if (!instance_)
        fail_without_instance("fmi3InstantiateCoSimulation", options.logging);
}

Slave3::~Slave3() { free_instance(); }

void Slave3::log(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                 fmi3String message) {
    if (const std::shared_ptr<LogRelay> relay = find_relay(environment, nullptr))
        relay->pass(status, category, message);
}

void Slave3::update(fmi3InstanceEnvironment environment, fmi3Float64 time, fmi3Boolean set_requested,
                    fmi3Boolean get_allowed, fmi3Boolean step_finished, fmi3Boolean can_return_early,
                    fmi3Boolean* early_return_requested, fmi3Float64* early_return_time) {
    if (early_return_requested)
        *early_return_requested = fmi3False;
    auto* slave = dynamic_cast<Slave3*>(find_slave(environment));
    if (!slave || !slave->intermediate_update_)
        return;
    const std::uint64_t call = call_slot->call.load(std::memory_order_relaxed);
    try {
        const std::optional<double> end =
            slave->intermediate_update_({time, set_requested, get_allowed, step_finished, can_return_early});
        if (end && can_return_early && early_return_requested && early_return_time) {
            *early_return_requested = fmi3True;
            *early_return_time = *end;
        }
    } catch (...) {
        slave->relay().keep(std::current_exception());
    }
    call_slot->call.store(call, std::memory_order_relaxed); // the callback may have called the library itself
}

Status Slave3::enter_initialization(double start, std::optional<double> stop,
                                    std::optional<double> tolerance) {
    if (!may_call(Function::enter_initialization))
        return Status::fatal;
    return done(f_.enter_initialization_mode(instance_, tolerance.has_value(), tolerance.value_or(0), start,
                                             stop.has_value(), stop.value_or(0)));
}

Status Slave3::enter_configuration() {
    return !may_call(Function::enter_configuration) ? Status::fatal
                                                    : done(f_.enter_configuration_mode(instance_));
}
Status Slave3::exit_configuration() {
    return !may_call(Function::exit_configuration) ? Status::fatal
                                                   : done(f_.exit_configuration_mode(instance_));
}

StepResult Slave3::step(double time, double h, bool no_rollback_before) {
    StepResult result{.status = Status::fatal, .reached = time};
    if (!may_call(Function::do_step))
        return result;
    bool event = false, terminate = false, early = false;
    double last = std::numeric_limits<double>::quiet_NaN();
    result.status =
        done(f_.do_step(instance_, time, h, no_rollback_before, &event, &terminate, &early, &last));
    if (result.status > Status::warning)
        return result; // Discard: nothing has changed; otherwise there is nothing to rely on
    result.early = early;
    result.event = event;
    result.terminate = terminate;
    // Without an early return the master stays on its own grid, whatever the internal steps are.
    result.reached = time + h;
    if (!early)
        return result;
    const std::optional<double> reached = time_in_step(last, time, h);
    result.reached = reached.value_or(time);
    if (!reached)
        result.status = blame(fmt::format(
            "fmi3DoStep returned early at {}, which is not in the step from {} to {}", last, time, time + h));
    else if (!early_return_)
        relay().say(Status::warning, "fmi3DoStep returned early, although it was not allowed to");
    return result;
}

Status Slave3::refuse_event_mode(std::string_view call) {
    return refuse(call, can().event_mode ? "the instance was made without event mode"
                                         : "the FMU has no event mode (hasEventMode)");
}

Status Slave3::enter_event_mode() {
    if (!may_call(Function::enter_event_mode))
        return Status::fatal;
    return event_mode_ ? done(f_.enter_event_mode(instance_)) : refuse_event_mode("fmi3EnterEventMode");
}

EventResult Slave3::update_discrete_states() {
    EventResult result;
    result.status = Status::fatal;
    if (!may_call(Function::update_discrete_states))
        return result;
    if (!event_mode_) {
        result.status = refuse_event_mode("fmi3UpdateDiscreteStates");
        return result;
    }
    bool nominals_changed = false, states_changed = false, has_next = false;
    double next = 0;
    result.status = done(f_.update_discrete_states(instance_, &result.again, &result.terminate,
                                                   &nominals_changed, &states_changed, &has_next, &next));
    if (has_next && result.status <= Status::warning)
        result.next_event = next;
    return result;
}

Status Slave3::enter_step_mode() {
    if (!may_call(Function::enter_step_mode))
        return Status::fatal;
    return event_mode_ ? done(f_.enter_step_mode(instance_)) : refuse_event_mode("fmi3EnterStepMode");
}

Status Slave3::get_output_derivatives(std::span<const Reference> references,
                                      std::span<const std::int32_t> orders, std::span<double> values) {
    constexpr const char* call = "fmi3GetOutputDerivatives";
    if (!may_call(Function::derivatives))
        return Status::fatal;
    if (can().max_output_derivative_order == 0)
        return refuse(call, "the FMU has no derivatives of outputs (maxOutputDerivativeOrder)");
    if (orders.size() != references.size())
        return refuse_count(call, orders.size(), references.size());
    return done(f_.get_output_derivatives(instance_, references.data(), references.size(), orders.data(),
                                          values.data(), values.size()));
}

Status Slave3::directional_derivative(std::span<const Reference> unknowns, std::span<const Reference> knowns,
                                      std::span<const double> seed, std::span<double> sensitivity) {
    if (!may_call(Function::derivatives))
        return Status::fatal;
    if (!can().directional_derivatives)
        return refuse("fmi3GetDirectionalDerivative",
                      "the FMU has no directional derivatives (providesDirectionalDerivatives)");
    return done(f_.get_directional_derivative(instance_, unknowns.data(), unknowns.size(), knowns.data(),
                                              knowns.size(), seed.data(), seed.size(), sensitivity.data(),
                                              sensitivity.size()));
}

Status Slave3::adjoint_derivative(std::span<const Reference> unknowns, std::span<const Reference> knowns,
                                  std::span<const double> seed, std::span<double> sensitivity) {
    if (!may_call(Function::derivatives))
        return Status::fatal;
    if (!can().adjoint_derivatives)
        return refuse("fmi3GetAdjointDerivative",
                      "the FMU has no adjoint derivatives (providesAdjointDerivatives)");
    return done(f_.get_adjoint_derivative(instance_, unknowns.data(), unknowns.size(), knowns.data(),
                                          knowns.size(), seed.data(), seed.size(), sensitivity.data(),
                                          sensitivity.size()));
}

} // namespace tenon::fmi
