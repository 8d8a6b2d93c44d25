#pragma once

#include "tools/import/functions2.hpp"
#include "tools/import/versioned_slave.hpp"

namespace tenon::fmi {

/// A slave of FMI 2.0. Throws LoadError where the FMU gives no instance.
class Slave2 final : public VersionedSlave<Functions2> {
  public:
    Slave2(const SlaveParts& parts, const InstanceOptions& options);
    ~Slave2() override;

    Status enter_initialization(double start, std::optional<double> stop,
                                std::optional<double> tolerance) override;
    Status enter_configuration() override { return lacks("enter_configuration"); }
    Status exit_configuration() override { return lacks("exit_configuration"); }

    Status get(Type type, std::span<const Reference> references, void* values, std::size_t count) override;
    Status set(Type type, std::span<const Reference> references, const void* values,
               std::size_t count) override;
    Status set_input_derivatives(std::span<const Reference> references, std::span<const std::int32_t> orders,
                                 std::span<const double> values) override;
    Status get_output_derivatives(std::span<const Reference> references, std::span<const std::int32_t> orders,
                                  std::span<double> values) override;

    StepResult step(double time, double h, bool no_rollback_before) override;

    Status enter_event_mode() override { return lacks("enter_event_mode"); }
    EventResult update_discrete_states() override;
    Status enter_step_mode() override { return lacks("enter_step_mode"); }

    Status directional_derivative(std::span<const Reference> unknowns, std::span<const Reference> knowns,
                                  std::span<const double> seed, std::span<double> sensitivity) override;
    Status adjoint_derivative(std::span<const Reference>, std::span<const Reference>, std::span<const double>,
                              std::span<double>) override {
        return lacks("adjoint_derivative");
    }

  private:
    static void log(fmi2ComponentEnvironment environment, fmi2String instance, fmi2Status status,
                    fmi2String category, fmi2String message, ...);

    static void step_finished(fmi2ComponentEnvironment environment, fmi2Status status);

    Status lacks(std::string_view call);
    Status get_enumerations(std::span<const Reference> references, std::int64_t* values);
    Status get_booleans(std::span<const Reference> references, bool* values);
    Status get_strings(std::span<const Reference> references, std::string* values);
    Status set_enumerations(std::span<const Reference> references, const std::int64_t* values);
    Status set_booleans(std::span<const Reference> references, const bool* values);
    Status set_strings(std::span<const Reference> references, const std::string* values);
    void find_out_how_far(double time, double h, StepResult& result);

    fmi2CallbackFunctions callbacks_;  ///< kept: some FMUs remember the pointer
    std::vector<fmi2Integer> numbers_; ///< booleans and enumerations on their way, as strings_
};

} // namespace tenon::fmi
