#pragma once
// A slave whose calls leave a trace.

#include "tools/check/call_trace.hpp"
#include "tools/import/slave.hpp"

#include <memory>

namespace tenon::check {

/// "OK", "Discard": as in the standard, without its prefix.
std::string_view status_name(fmi::Status status);

/// Passes every call on, with its name and the numbers that matter in the trace meanwhile.
class TracingSlave : public fmi::Slave {
  public:
    TracingSlave(std::unique_ptr<fmi::Slave> slave, CallTrace& trace);
    ~TracingSlave() override;
    TracingSlave(const TracingSlave&) = delete;
    TracingSlave& operator=(const TracingSlave&) = delete;
    const fmi::Description& description() const override;

    fmi::Status set_debug_logging(bool on, std::span<const std::string> categories) override;
    fmi::Status enter_initialization(double start, std::optional<double> stop,
                                     std::optional<double> tolerance) override;
    fmi::Status exit_initialization() override;
    fmi::Status enter_configuration() override;
    fmi::Status exit_configuration() override;
    fmi::Status terminate() override;
    fmi::Status reset() override;
    using fmi::Slave::get;
    using fmi::Slave::set;
    fmi::Status get(fmi::Type type, std::span<const fmi::Reference> references, void* values,
                    std::size_t count) override;
    fmi::Status set(fmi::Type type, std::span<const fmi::Reference> references, const void* values,
                    std::size_t count) override;
    fmi::Status set_input_derivatives(std::span<const fmi::Reference> references,
                                      std::span<const std::int32_t> orders,
                                      std::span<const double> values) override;
    fmi::Status get_output_derivatives(std::span<const fmi::Reference> references,
                                       std::span<const std::int32_t> orders,
                                       std::span<double> values) override;
    fmi::StepResult step(double time, double h, bool no_rollback_before) override;
    fmi::Status enter_event_mode() override;
    fmi::EventResult update_discrete_states() override;
    fmi::Status enter_step_mode() override;
    fmi::Status save(fmi::StateHandle& state) override;
    fmi::Status restore(fmi::StateHandle state) override;
    fmi::Status discard(fmi::StateHandle& state) override;
    fmi::Status serialize(fmi::StateHandle state, std::vector<unsigned char>& bytes) override;
    fmi::Status deserialize(std::span<const unsigned char> bytes, fmi::StateHandle& state) override;
    fmi::Status directional_derivative(std::span<const fmi::Reference> unknowns,
                                       std::span<const fmi::Reference> knowns, std::span<const double> seed,
                                       std::span<double> sensitivity) override;
    fmi::Status adjoint_derivative(std::span<const fmi::Reference> unknowns,
                                   std::span<const fmi::Reference> knowns, std::span<const double> seed,
                                   std::span<double> sensitivity) override;

  private:
    std::unique_ptr<fmi::Slave> slave_;
    CallTrace& trace_;
    std::string_view fmi_;   ///< prefix of the functions' names
    std::string_view state_; ///< "FMUstate" or "FMUState"
};

} // namespace tenon::check
