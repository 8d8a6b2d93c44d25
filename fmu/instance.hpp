#pragma once
// An instance of an FMU: values by slot, steps, copies of its state, derivatives. FMI 2.0 and 3.0 are two thin skins over
// this; it knows neither. Failures are Errors that name the quantity; the skins turn them into statuses.

#include "core/simulation/simulation.hpp"
#include "fmu/blueprint.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tenon::fmu {

/// Where an instance is in the life that both versions of FMI prescribe.
enum class Phase : std::uint8_t { instantiated, initialization, step, terminated, error };

/// The value of an input over the coming step, value + rate s + acceleration s^2 / 2.
struct InputValue {
    double value = 0, rate = 0, acceleration = 0;
    bool operator==(const InputValue&) const = default;
};

/// What the outside has said so far.
struct Situation {
    Phase phase = Phase::instantiated;
    bool moving = false;         ///< has left initialization
    bool experiment_set = false; ///< start and stop are known
    double start = 0, time = 0;
    std::optional<double> stop;
    std::vector<double> parameters;
    std::vector<InputValue> inputs;
    bool inputs_set = false;      ///< since they last came into force
    bool derivatives_set = false; ///< of inputs, for the coming step
};

/// Everything that a continuation depends on. The last three count where the instance is moving.
struct Snapshot {
    Situation now;
    std::vector<double>
        built_with; ///< parameters in force; those of `now` come into force with the next step
    std::vector<InputValue> applied; ///< inputs in force, the same
    State state;
};

/// While a step is under way (FMI 3.0): asks for inputs at a time within it, and tells of finished internal steps.
class StepObserver {
  public:
    virtual ~StepObserver() = default;
    /// Inputs at `time`, which is within the internal step that comes next, are to be set with Instance::set.
    virtual void inputs_wanted(double time) = 0;
    /// An internal step has ended at `time`; a returned time ends the whole step there.
    virtual std::optional<double> finished(double time) = 0;
};

class Instance {
  public:
    explicit Instance(Blueprint blueprint);

    const Blueprint& blueprint() const { return blueprint_; }
    const Interface& interface() const { return blueprint_.interface; }
    Phase phase() const { return now_.phase; }
    void set_phase(Phase phase) { now_.phase = phase; }

    double get(std::size_t slot);
    /// Parameters and inputs only; throws Error(usage) for others and for values that are not finite.
    void set(std::size_t slot, double value);
    /// Derivative of order 1 or 2 of an input over the coming step.
    void set_input_derivative(std::size_t slot, int order, double value);
    /// Derivative of order 1 of a result by time; zero where the state does not know it, and above order 1.
    double output_derivative(std::size_t slot, int order);

    void set_experiment(double start, std::optional<double> stop);
    /// Finds the start state; afterwards the instance moves. Returns a remark for the log, empty where there is none.
    std::string start();
    /// From `time` (the last end, to rounding) by h, in internal steps. Returns the time reached: time + h, or where the
    /// observer wanted to stop. On failure the instance is as before.
    double step(double time, double h, StepObserver* observer = nullptr);
    double time() const { return now_.time; }
    bool experiment_set() const { return now_.experiment_set; }

    void reset();
    void save(Snapshot& snapshot) const;
    void restore(const Snapshot& snapshot);
    std::vector<unsigned char> to_bytes(const Snapshot& snapshot) const;
    Snapshot from_bytes(std::span<const unsigned char> bytes) const;

    /// d unknowns / d knowns * seed at the current time and inputs; while initializing, parameters are knowns too.
    void directional_derivative(std::span<const std::size_t> unknowns, std::span<const std::size_t> knowns,
                                std::span<const double> seed, std::span<double> sensitivity);
    /// seed^T * d unknowns / d knowns.
    void adjoint_derivative(std::span<const std::size_t> unknowns, std::span<const std::size_t> knowns,
                            std::span<const double> seed, std::span<double> sensitivity);

  private:
    Simulation& simulation();
    Simulation& up_to_date();
    const std::vector<double>& results();
    /// The same model without a search for its equilibrium: for what goes on from a state.
    static Model as_drawn(Model model);
    void build(const std::vector<double>& parameters, bool goes_on);
    const std::vector<double>& response(std::span<const std::size_t> knowns, std::span<const double> seed);
    void add_start_response(const Variable& variable, std::size_t parameter, double seed);
    /// The response to a parameter by differences, added; `few`: three of them instead of five.
    void add_differences(std::size_t parameter, double change, bool few, double seed);
    void require_step(double time, double h) const;
    void apply_inputs();
    void follow(StepObserver& observer, double from, double to);
    double advance(double local_end, StepObserver* observer);
    const Variable& variable(std::size_t slot) const;

    Blueprint blueprint_;
    Situation now_;
    std::unique_ptr<Simulation> simulation_;
    std::vector<double> built_with_;  ///< parameters of simulation_
    std::vector<InputValue> applied_; ///< inputs as simulation_ has them
    State before_;                    ///< the step under way, as the next two
    std::vector<InputValue> inputs_before_, applied_before_;
    std::vector<double> results_, rates_;
    bool results_valid_ = false;
    std::vector<std::array<double, 3>> samples_; ///< of inputs within an internal step
    std::vector<double> seed_, response_, part_; ///< of derivatives
};

} // namespace tenon::fmu
