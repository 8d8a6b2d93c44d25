#pragma once
// A slave whose calls leave a trace.

#include "tools/check/call_trace.hpp"
#include "tools/import/slave.hpp"

#include <memory>

namespace tenon::fmi {

/// "OK", "Discard": as in the standard, without its prefix.
std::string_view status_name(Status status);

/// Passes every call on, with its name and the numbers that matter in the trace meanwhile.
class TracingSlave : public Slave {
  public:
    TracingSlave(std::unique_ptr<Slave> slave, CallTrace& trace);
    ~TracingSlave() override;
    TracingSlave(const TracingSlave&) = delete;
    TracingSlave& operator=(const TracingSlave&) = delete;
    const Description& description() const override;

    Status set_debug_logging(bool on, std::span<const std::string> categories) override;
    Status enter_initialization(double start, std::optional<double> stop,
                                std::optional<double> tolerance) override;
    Status exit_initialization() override;
    Status enter_configuration() override;
    Status exit_configuration() override;
    Status terminate() override;
    Status reset() override;
    using Slave::get;
    using Slave::set;
    Status get(Type type, std::span<const Reference> references, void* values, std::size_t count) override;
    Status set(Type type, std::span<const Reference> references, const void* values,
               std::size_t count) override;
    Status set_input_derivatives(std::span<const Reference> references, std::span<const std::int32_t> orders,
                                 std::span<const double> values) override;
    Status get_output_derivatives(std::span<const Reference> references, std::span<const std::int32_t> orders,
                                  std::span<double> values) override;
    StepResult step(double time, double h, bool no_rollback_before) override;
    Status enter_event_mode() override;
    EventResult update_discrete_states() override;
    Status enter_step_mode() override;
    Status save(StateHandle& state) override;
    Status restore(StateHandle state) override;
    Status discard(StateHandle& state) override;
    Status serialize(StateHandle state, std::vector<unsigned char>& bytes) override;
    Status deserialize(std::span<const unsigned char> bytes, StateHandle& state) override;
    Status directional_derivative(std::span<const Reference> unknowns, std::span<const Reference> knowns,
                                  std::span<const double> seed, std::span<double> sensitivity) override;
    Status adjoint_derivative(std::span<const Reference> unknowns, std::span<const Reference> knowns,
                              std::span<const double> seed, std::span<double> sensitivity) override;

  private:
    std::unique_ptr<Slave> slave_;
    CallTrace& trace_;
    std::string_view fmi_;   ///< prefix of the functions' names
    std::string_view state_; ///< "FMUstate" or "FMUState"
};

} // namespace tenon::fmi
