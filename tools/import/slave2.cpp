// FMI 2.0: life, steps and derivatives.

#include "tools/import/slave2.hpp"

#include "tools/import/resource_uri.hpp"
#include "tools/import/slave_directory.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdlib>
#include <limits>

namespace tenon::fmi {

Slave2::Slave2(const SlaveParts& parts, const InstanceOptions& options)
    : VersionedSlave(parts, options), callbacks_{log, std::calloc, std::free,
                                                 can().runs_asynchronously ? nullptr : step_finished,
                                                 environment()} {
    const CallOfFmu call(number(), Function::instantiate);
    check_version("fmi2GetVersion", f_.get_version(), "2.0");
    // What fmi2GetTypesPlatform says is left to check: there has only ever been one set of types, and some call it otherwise.
    const std::string uri = resource_uri(parts.resources);
    instance_ = f_.instantiate(options.name.c_str(), fmi2CoSimulation, description().token.c_str(),
                               uri.c_str(), &callbacks_, options.visible, options.logging);
    if (!instance_)
        fail_without_instance("fmi2Instantiate", options.logging);
}

Slave2::~Slave2() { free_instance(); }

void Slave2::log(fmi2ComponentEnvironment environment, fmi2String instance, fmi2Status status,
                 fmi2String category, fmi2String message, ...) {
    const std::shared_ptr<LogRelay> relay = find_relay(environment, instance);
    if (!relay)
        return; // nobody knows whose message this is
    std::va_list arguments;
    va_start(arguments, message);
    relay->pass_formatted(status, category, message, arguments);
    va_end(arguments);
}

/// Some FMUs call it without having said that they run asynchronously, and without looking whether it is there.
void Slave2::step_finished(fmi2ComponentEnvironment, fmi2Status) {}

Status Slave2::lacks(std::string_view call) {
    return is_fatal() ? Status::fatal : refuse(call, "FMI 2.0 has no such function");
}

EventResult Slave2::update_discrete_states() {
    EventResult result;
    result.status = lacks("update_discrete_states");
    return result;
}

Status Slave2::enter_initialization(double start, std::optional<double> stop,
                                    std::optional<double> tolerance) {
    if (!may_call(Function::setup_experiment))
        return Status::fatal;
    const Status setup = done(f_.setup_experiment(instance_, tolerance.has_value(), tolerance.value_or(0),
                                                  start, stop.has_value(), stop.value_or(0)));
    if (setup > Status::warning)
        return setup;
    enter(Function::enter_initialization);
    return std::max(setup, done(f_.enter_initialization_mode(instance_)));
}

StepResult Slave2::step(double time, double h, bool no_rollback_before) {
    StepResult result{.status = Status::fatal, .reached = time};
    if (!may_call(Function::do_step))
        return result;
    result.status = done(f_.do_step(instance_, time, h, no_rollback_before));
    if (result.status <= Status::warning)
        result.reached = time + h;
    else if (result.status == Status::discard)
        find_out_how_far(time, h, result);
    return result;
}

/// After Discard: the time that the FMU came to, and whether it wants to end, where it can tell.
void Slave2::find_out_how_far(double time, double h, StepResult& result) {
    double last = std::numeric_limits<double>::quiet_NaN();
    fmi2Boolean terminated = fmi2False;
    enter(Function::get_status);
    const Status answer = done(f_.get_real_status(instance_, fmi2LastSuccessfulTime, &last));
    if (const auto reached = time_in_step(last, time, h); reached && answer <= Status::warning) {
        result.reached = *reached;
        result.early = true;
    }
    if (may_call(Function::get_status) &&
        done(f_.get_boolean_status(instance_, fmi2Terminated, &terminated)) <= Status::warning)
        result.terminate = terminated != fmi2False;
    if (is_fatal())
        result.status = Status::fatal;
}

Status Slave2::set_input_derivatives(std::span<const Reference> references,
                                     std::span<const std::int32_t> orders, std::span<const double> values) {
    constexpr const char* call = "fmi2SetRealInputDerivatives";
    if (!may_call(Function::derivatives))
        return Status::fatal;
    if (!can().interpolates_inputs)
        return refuse(call, "the FMU does not interpolate inputs (canInterpolateInputs)");
    if (orders.size() != references.size() || values.size() != references.size())
        return refuse_count(call, std::min(orders.size(), values.size()), references.size());
    return done(f_.set_input_derivatives(instance_, references.data(), references.size(), orders.data(),
                                         values.data()));
}

Status Slave2::get_output_derivatives(std::span<const Reference> references,
                                      std::span<const std::int32_t> orders, std::span<double> values) {
    constexpr const char* call = "fmi2GetRealOutputDerivatives";
    if (!may_call(Function::derivatives))
        return Status::fatal;
    if (can().max_output_derivative_order == 0)
        return refuse(call, "the FMU has no derivatives of outputs (maxOutputDerivativeOrder)");
    if (orders.size() != references.size() || values.size() != references.size())
        return refuse_count(call, std::min(orders.size(), values.size()), references.size());
    return done(f_.get_output_derivatives(instance_, references.data(), references.size(), orders.data(),
                                          values.data()));
}

Status Slave2::directional_derivative(std::span<const Reference> unknowns, std::span<const Reference> knowns,
                                      std::span<const double> seed, std::span<double> sensitivity) {
    constexpr const char* call = "fmi2GetDirectionalDerivative";
    if (!may_call(Function::derivatives))
        return Status::fatal;
    if (!can().directional_derivatives)
        return refuse(call, "the FMU has no directional derivatives (providesDirectionalDerivative)");
    if (seed.size() != knowns.size())
        return refuse_count(call, seed.size(), knowns.size());
    if (sensitivity.size() != unknowns.size())
        return refuse_count(call, sensitivity.size(), unknowns.size());
    return done(f_.get_directional_derivative(instance_, unknowns.data(), unknowns.size(), knowns.data(),
                                              knowns.size(), seed.data(), sensitivity.data()));
}

} // namespace tenon::fmi
