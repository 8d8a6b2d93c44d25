#include "tools/check/dynamic_checks.hpp"

#include <algorithm>
#include <array>

namespace tenon::check {
namespace {

std::string always(const fmi::Description&) { return {}; }

std::string unless(bool fit, const char* why_not) { return fit ? std::string() : std::string(why_not); }

std::string with_state(const fmi::Description& d) {
    return unless(d.capabilities.get_and_set_state, "the FMU does not claim to get and set its state");
}
std::string with_serialization(const fmi::Description& d) {
    return unless(d.capabilities.get_and_set_state && d.capabilities.serialize_state,
                  "the FMU does not claim to serialize its state");
}
std::string with_instances(const fmi::Description& d) {
    return unless(!d.capabilities.only_once_per_process, "the FMU allows only one instance in a process");
}
std::string with_variable_step(const fmi::Description& d) {
    return unless(d.capabilities.variable_step && !d.capabilities.fixed_internal_step,
                  "the FMU does not claim to handle variable step sizes");
}
std::string with_event_mode(const fmi::Description& d) {
    return unless(d.capabilities.event_mode, "the FMU does not claim to have event mode");
}
std::string with_derivatives(const fmi::Description& d) {
    return unless(d.capabilities.directional_derivatives,
                  "the FMU does not claim to have directional derivatives");
}
std::string with_adjoint(const fmi::Description& d) {
    return unless(d.capabilities.adjoint_derivatives && d.capabilities.directional_derivatives,
                  "the FMU does not claim to have both directional and adjoint derivatives");
}
std::string with_inputs(const fmi::Description& d) {
    return unless(std::any_of(d.variables.begin(), d.variables.end(),
                              [](const fmi::Variable& v) {
                                  return v.causality == fmi::Causality::input && v.type == fmi::Type::float64;
                              }),
                  "the FMU has no real inputs");
}

constexpr std::array<DynamicCheck, 25> checks{{
    {"token", "a wrong token is refused", check_token, always, false},
    {"logger",
     "messages come with the right environment and a declared category; without a logger nothing crashes",
     check_logger, always, false},
    {"forbidden-calls", "calls that the state does not allow return an error", check_forbidden_calls, always,
     false},
    {"arguments", "arguments that mean nothing return an error", check_arguments, always, false},
    {"unload", "the library can be loaded and unloaded again and again", check_unloading, with_instances,
     false},
    {"start-values", "parameters have the values that the description says", check_start_values, always},
    {"determinism", "two runs are equal in every bit", check_determinism, always},
    {"reset", "after a reset the run is the first one again", check_reset, always},
    {"instances", "two instances that step in turn do not disturb each other", check_instances,
     with_instances},
    {"threads", "two instances in two threads do not disturb each other", check_threads, with_instances},
    {"rollback", "a restored state continues bit for bit", check_rollback, with_state},
    {"initial-state", "a state of initialization mode can be restored", check_initial_state, with_state},
    {"step-flag", "a step is one whatever noSetFMUStatePriorToCurrentPoint says", check_step_flag, always},
    {"saving", "a run in which states are saved is the same as one without", check_saving, with_state},
    {"copies", "many states can be kept at the same time", check_copies, with_state},
    {"serialization", "a state continues bit for bit in another process", check_serialization,
     with_serialization},
    {"broken-bytes", "bytes of a state that are not what was written are refused", check_broken_bytes,
     with_serialization},
    {"step-arguments", "steps of no size and at wrong times are refused", check_step_arguments, always},
    {"step-size", "results do not depend on the step size more than its error explains", check_step_size,
     with_variable_step},
    {"event-mode", "a run with event mode succeeds", check_event_mode, with_event_mode},
    {"derivatives", "directional derivatives are those of the outputs", check_directional_derivatives,
     with_derivatives},
    {"adjoint", "adjoint derivatives are those of the directional ones", check_adjoint_derivatives,
     with_adjoint},
    {"dependencies", "feedthrough is declared", check_dependencies, always},
    {"nan", "NaN at an input is not answered with plausible numbers", check_nan, with_inputs},
    {"memory", "memory does not grow over 10 000 steps", check_memory, always},
}};

} // namespace

std::span<const DynamicCheck> dynamic_checks() { return checks; }

} // namespace tenon::check
