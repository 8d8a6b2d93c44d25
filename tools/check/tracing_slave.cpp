#include "tools/check/tracing_slave.hpp"

#include <array>

namespace tenon::check {
namespace {

/// The part of a function's name that says the type; FMI 2.0 knows four of them.
std::string_view type_name(fmi::Version version, fmi::Type type) {
    static constexpr std::array<std::string_view, 15> names = {
        "Float32", "Float64", "Int8",    "UInt8",  "Int16",  "UInt16", "Int32", "UInt32",
        "Int64",   "UInt64",  "Boolean", "String", "Binary", "Int64",  "Clock"};
    if (version == fmi::Version::fmi3)
        return names[static_cast<std::size_t>(type)];
    return type == fmi::Type::float64   ? "Real"
           : type == fmi::Type::boolean ? "Boolean"
           : type == fmi::Type::string  ? "String"
                                        : "Integer";
}

} // namespace

std::string_view status_name(fmi::Status status) {
    static constexpr std::array<std::string_view, 5> names = {"OK", "Warning", "Discard", "Error", "Fatal"};
    return names[static_cast<std::size_t>(status)];
}

TracingSlave::TracingSlave(std::unique_ptr<fmi::Slave> slave, CallTrace& trace)
    : slave_(std::move(slave)), trace_(trace),
      fmi_(slave_->description().version == fmi::Version::fmi2 ? "fmi2" : "fmi3"),
      state_(fmi_ == "fmi2" ? "FMUstate" : "FMUState") {}

TracingSlave::~TracingSlave() {
    const TracedCall call(trace_, "{}FreeInstance", fmi_);
    slave_.reset();
}

const fmi::Description& TracingSlave::description() const { return slave_->description(); }

fmi::Status TracingSlave::set_debug_logging(bool on, std::span<const std::string> categories) {
    const TracedCall call(trace_, "{}SetDebugLogging({})", fmi_, on);
    return slave_->set_debug_logging(on, categories);
}

fmi::Status TracingSlave::enter_initialization(double start, std::optional<double> stop,
                                               std::optional<double> tolerance) {
    const TracedCall call(trace_, "{}EnterInitializationMode{}", fmi_,
                          fmi_ == "fmi2" ? " or fmi2SetupExperiment" : "");
    return slave_->enter_initialization(start, stop, tolerance);
}

fmi::Status TracingSlave::exit_initialization() {
    const TracedCall call(trace_, "{}ExitInitializationMode", fmi_);
    return slave_->exit_initialization();
}

fmi::Status TracingSlave::enter_configuration() {
    const TracedCall call(trace_, "{}EnterConfigurationMode", fmi_);
    return slave_->enter_configuration();
}

fmi::Status TracingSlave::exit_configuration() {
    const TracedCall call(trace_, "{}ExitConfigurationMode", fmi_);
    return slave_->exit_configuration();
}

fmi::Status TracingSlave::terminate() {
    const TracedCall call(trace_, "{}Terminate", fmi_);
    return slave_->terminate();
}

fmi::Status TracingSlave::reset() {
    const TracedCall call(trace_, "{}Reset", fmi_);
    return slave_->reset();
}

fmi::Status TracingSlave::get(fmi::Type type, std::span<const fmi::Reference> references, void* values,
                              std::size_t count) {
    const TracedCall call(trace_, "{}Get{}(n = {})", fmi_, type_name(description().version, type),
                          references.size());
    return slave_->get(type, references, values, count);
}

fmi::Status TracingSlave::set(fmi::Type type, std::span<const fmi::Reference> references, const void* values,
                              std::size_t count) {
    const TracedCall call(trace_, "{}Set{}(n = {})", fmi_, type_name(description().version, type),
                          references.size());
    return slave_->set(type, references, values, count);
}

fmi::Status TracingSlave::set_input_derivatives(std::span<const fmi::Reference> references,
                                                std::span<const std::int32_t> orders,
                                                std::span<const double> values) {
    const TracedCall call(trace_, "{}SetRealInputDerivatives", fmi_);
    return slave_->set_input_derivatives(references, orders, values);
}

fmi::Status TracingSlave::get_output_derivatives(std::span<const fmi::Reference> references,
                                                 std::span<const std::int32_t> orders,
                                                 std::span<double> values) {
    const TracedCall call(trace_, "{}Get{}OutputDerivatives", fmi_, fmi_ == "fmi2" ? "Real" : "");
    return slave_->get_output_derivatives(references, orders, values);
}

fmi::StepResult TracingSlave::step(double time, double h, bool no_rollback_before) {
    const TracedCall call(trace_, "{}DoStep(t = {}, h = {})", fmi_, time, h);
    return slave_->step(time, h, no_rollback_before);
}

fmi::Status TracingSlave::enter_event_mode() {
    const TracedCall call(trace_, "{}EnterEventMode", fmi_);
    return slave_->enter_event_mode();
}

fmi::EventResult TracingSlave::update_discrete_states() {
    const TracedCall call(trace_, "{}UpdateDiscreteStates", fmi_);
    return slave_->update_discrete_states();
}

fmi::Status TracingSlave::enter_step_mode() {
    const TracedCall call(trace_, "{}EnterStepMode", fmi_);
    return slave_->enter_step_mode();
}

fmi::Status TracingSlave::save(fmi::StateHandle& state) {
    const TracedCall call(trace_, "{}Get{}", fmi_, state_);
    return slave_->save(state);
}

fmi::Status TracingSlave::restore(fmi::StateHandle state) {
    const TracedCall call(trace_, "{}Set{}", fmi_, state_);
    return slave_->restore(state);
}

fmi::Status TracingSlave::discard(fmi::StateHandle& state) {
    const TracedCall call(trace_, "{}Free{}", fmi_, state_);
    return slave_->discard(state);
}

fmi::Status TracingSlave::serialize(fmi::StateHandle state, std::vector<unsigned char>& bytes) {
    const TracedCall call(trace_, "{}Serialize{}", fmi_, state_);
    return slave_->serialize(state, bytes);
}

fmi::Status TracingSlave::deserialize(std::span<const unsigned char> bytes, fmi::StateHandle& state) {
    const TracedCall call(trace_, "{}{}{}({} bytes)", fmi_, fmi_ == "fmi2" ? "DeSerialize" : "Deserialize",
                          state_, bytes.size());
    return slave_->deserialize(bytes, state);
}

fmi::Status TracingSlave::directional_derivative(std::span<const fmi::Reference> unknowns,
                                                 std::span<const fmi::Reference> knowns,
                                                 std::span<const double> seed,
                                                 std::span<double> sensitivity) {
    const TracedCall call(trace_, "{}GetDirectionalDerivative({} of {})", fmi_, unknowns.size(),
                          knowns.size());
    return slave_->directional_derivative(unknowns, knowns, seed, sensitivity);
}

fmi::Status TracingSlave::adjoint_derivative(std::span<const fmi::Reference> unknowns,
                                             std::span<const fmi::Reference> knowns,
                                             std::span<const double> seed, std::span<double> sensitivity) {
    const TracedCall call(trace_, "{}GetAdjointDerivative({} of {})", fmi_, unknowns.size(), knowns.size());
    return slave_->adjoint_derivative(unknowns, knowns, seed, sensitivity);
}

} // namespace tenon::check
