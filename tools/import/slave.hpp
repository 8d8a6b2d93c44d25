#pragma once
// An instance of an FMU for Co-Simulation, the same for FMI 2.0 and 3.0, in this process or in another.
// Calls return the FMU's status and never throw for it; what the FMU logs goes to the sink given at instantiation.

#include "modelDescription/description.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tenon::fmi {

enum class Status { ok, warning, discard, error, fatal };

using Reference = std::uint32_t; ///< a value reference

/// What a step did. `reached` is the time it came to: the end of the step unless `early` or partial.
struct StepResult {
    Status status = Status::ok;
    bool early = false;     ///< 3.0 earlyReturn; 2.0 Discard with a last successful time
    bool event = false;     ///< event handling needed (3.0)
    bool terminate = false; ///< the FMU wants the simulation to end
    double reached = 0;
};
static_assert(sizeof(StepResult) == 16); // is returned in two registers, which small FMUs notice

/// What update_discrete_states found (3.0).
struct EventResult {
    Status status = Status::ok;
    bool again = false, terminate = false;
    std::optional<double> next_event;
};

/// Copy of the state of a slave, held by the slave's library; see Slave::save.
using StateHandle = void*;

/// Called while a step of an FMI 3.0 slave is under way.
struct IntermediateUpdate {
    double time = 0;
    bool set_requested = false, get_allowed = false, step_finished = false, can_return_early = false;
};
/// Returns a time to return early at, or nothing. May call get() and set() of the slave as the update allows.
using IntermediateCallback = std::function<std::optional<double>(const IntermediateUpdate&)>;

/// Gets each message of an FMU. `category` may be empty. The text is the FMU's: print it escaped.
using LogSink = std::function<void(Status, const std::string& category, const std::string& message)>;

struct InstanceOptions {
    std::string name = "instance";
    bool visible = false;
    bool logging = false;
    bool event_mode = false;             ///< 3.0, where the FMU has it
    bool early_return = false;           ///< 3.0: the FMU may return early from a step
    std::vector<Reference> intermediate; ///< 3.0: requiredIntermediateVariables
    IntermediateCallback intermediate_update;
    LogSink log;
};

class Slave {
  public:
    virtual ~Slave() = default; ///< frees the instance, unless it was fatal
    virtual const Description& description() const = 0;

    virtual Status set_debug_logging(bool on, std::span<const std::string> categories) = 0;
    /// 2.0: SetupExperiment and EnterInitializationMode.
    virtual Status enter_initialization(double start, std::optional<double> stop,
                                        std::optional<double> tolerance) = 0;
    virtual Status exit_initialization() = 0;
    virtual Status enter_configuration() = 0; ///< 3.0 only, error otherwise
    virtual Status exit_configuration() = 0;
    virtual Status terminate() = 0;
    virtual Status reset() = 0;

    /// Values of several variables of one type, arrays element after element. `values` points to `count` elements: float,
    /// double, (u)intN_t, bool for boolean and clock, int64_t for enumeration, std::string for string and binary.
    virtual Status get(Type type, std::span<const Reference> references, void* values, std::size_t count) = 0;
    virtual Status set(Type type, std::span<const Reference> references, const void* values,
                       std::size_t count) = 0;
    Status get(std::span<const Reference> references, std::span<double> values) {
        return get(Type::float64, references, values.data(), values.size());
    }
    Status set(std::span<const Reference> references, std::span<const double> values) {
        return set(Type::float64, references, values.data(), values.size());
    }

    /// 2.0 only: derivative of order orders[i] (1, 2, ...) of input i over the coming step.
    virtual Status set_input_derivatives(std::span<const Reference> references,
                                         std::span<const std::int32_t> orders,
                                         std::span<const double> values) = 0;
    virtual Status get_output_derivatives(std::span<const Reference> references,
                                          std::span<const std::int32_t> orders, std::span<double> values) = 0;

    virtual StepResult step(double time, double h, bool no_rollback_before = false) = 0;

    virtual Status enter_event_mode() = 0; ///< 3.0 only, as the next two
    virtual EventResult update_discrete_states() = 0;
    virtual Status enter_step_mode() = 0;

    /// Makes a copy of the state, or overwrites the one that `state` holds. Null before the first save.
    virtual Status save(StateHandle& state) = 0;
    virtual Status restore(StateHandle state) = 0;
    virtual Status discard(StateHandle& state) = 0; ///< frees the copy; null afterwards
    virtual Status serialize(StateHandle state, std::vector<unsigned char>& bytes) = 0;
    virtual Status deserialize(std::span<const unsigned char> bytes, StateHandle& state) = 0;

    /// sensitivity = d unknowns / d knowns * seed; arrays element after element.
    virtual Status directional_derivative(std::span<const Reference> unknowns,
                                          std::span<const Reference> knowns, std::span<const double> seed,
                                          std::span<double> sensitivity) = 0;
    /// sensitivity = seed^T * d unknowns / d knowns (3.0 only).
    virtual Status adjoint_derivative(std::span<const Reference> unknowns, std::span<const Reference> knowns,
                                      std::span<const double> seed, std::span<double> sensitivity) = 0;
};

} // namespace tenon::fmi
