#pragma once

#include "tools/import/functions3.hpp"
#include "tools/import/versioned_slave.hpp"

namespace tenon::fmi {

/// A slave of FMI 3.0. Throws LoadError where the FMU gives no instance.
class Slave3 final : public VersionedSlave<Functions3> {
  public:
    Slave3(const SlaveParts& parts, const InstanceOptions& options);
    ~Slave3() override;

    Status enter_initialization(double start, std::optional<double> stop,
                                std::optional<double> tolerance) override;
    Status enter_configuration() override;
    Status exit_configuration() override;

    Status get(Type type, std::span<const Reference> references, void* values, std::size_t count) override;
    Status set(Type type, std::span<const Reference> references, const void* values,
               std::size_t count) override;
    Status set_input_derivatives(std::span<const Reference>, std::span<const std::int32_t>,
                                 std::span<const double>) override {
        return is_fatal() ? Status::fatal : refuse("set_input_derivatives", "FMI 3.0 has no such function");
    }
    Status get_output_derivatives(std::span<const Reference> references, std::span<const std::int32_t> orders,
                                  std::span<double> values) override;

    StepResult step(double time, double h, bool no_rollback_before) override;

    Status enter_event_mode() override;
    EventResult update_discrete_states() override;
    Status enter_step_mode() override;

    Status directional_derivative(std::span<const Reference> unknowns, std::span<const Reference> knowns,
                                  std::span<const double> seed, std::span<double> sensitivity) override;
    Status adjoint_derivative(std::span<const Reference> unknowns, std::span<const Reference> knowns,
                              std::span<const double> seed, std::span<double> sensitivity) override;

  private:
    static void log(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                    fmi3String message);
    static void update(fmi3InstanceEnvironment environment, fmi3Float64 time, fmi3Boolean set_requested,
                       fmi3Boolean get_allowed, fmi3Boolean step_finished, fmi3Boolean can_return_early,
                       fmi3Boolean* early_return_requested, fmi3Float64* early_return_time);

    Status refuse_event_mode(std::string_view call);
    Status get_strings(std::span<const Reference> references, std::string* values, std::size_t count);
    Status get_binaries(std::span<const Reference> references, std::string* values, std::size_t count);
    Status set_strings(std::span<const Reference> references, const std::string* values, std::size_t count);
    Status set_binaries(std::span<const Reference> references, const std::string* values, std::size_t count);

    IntermediateCallback intermediate_update_;
    bool event_mode_, early_return_;
    std::vector<fmi3Binary> binaries_; ///< on their way, as strings_
    std::vector<std::size_t> sizes_;
};

} // namespace tenon::fmi
