#pragma once
// A machine in motion: assembles the start state, steps, and offers every variable of CONTRACT section 3.
// The command line and the FMU see the core through this class alone.

#include "core/equations/state.hpp"
#include "core/model/model.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tenon {

struct Variable {
    std::string name;
    std::string unit; ///< SI, as FMI spells it: "m", "m/s", "rad", "N.m", "J", "1"
    std::string description;
    /// Which connected part of the machine (bodies joined to each other, the world aside) an input acts on at once, or whose
    /// accelerations a result follows at once (reactions, efforts, accelerations of ports); -1: none, -2: any.
    int group = -1;

    static constexpr int any_group = -2;
};

/// What assembly found.
struct StartReport {
    int degrees_of_freedom = 0;
    int rows = 0;            ///< constraint rows of all joints and drivers
    int rank_deficiency = 0; ///< rows that follow from the others wherever the machine fits
    std::vector<std::string> redundant_joints;
    double position_correction =
        0; ///< largest correction of a row, metres or radians; 0 when nothing was moved
    double velocity_correction = 0;
    std::string corrected_joint; ///< where the largest correction was
};

/// What the run has shown so far.
struct RunReport {
    long steps = 0;
    long iterations = 0;
    double max_position_violation = 0;
    double max_velocity_violation = 0;
    double energy_start = 0;
    double energy = 0;
    double max_energy_error = 0; ///< largest |E - E0 - work|
    int halvings = 0;            ///< steps that had to be halved
    /// The energy that the machine exchanges, roughly: what it starts with, what its weight can do over its own size, and
    /// what inputs, drivers and dissipative forces have moved in and out since.
    double energy_scale = 0;

    /// The energy error is half of all that was exchanged, or not a number: these results are meaningless.
    bool diverged() const;
};

/// `none`: for small changes of a model that is known to be good, as differences make them: an inertia may then be a little
/// impossible.
enum class Checks { all, none };

class Simulation {
  public:
    /// Validates, compiles and assembles the model. Throws Error(model), or Error(computation) when the start
    /// state cannot be found.
    explicit Simulation(const Model& model, Checks checks = Checks::all);
    ~Simulation();
    Simulation(Simulation&&) noexcept;
    Simulation& operator=(Simulation&&) noexcept;

    const Model& model() const;
    const StartReport& start() const;
    const RunReport& report() const;

    double time() const;
    /// One step of the integrator from `time()` to time() + h; halves it inside where it does not converge. On
    /// failure throws Error(computation) that names element, quantity, value and limit; the state is unchanged.
    void step(double h);

    /// All result variables in the order of the result file, without `time`.
    const std::vector<Variable>& variables() const;
    /// Their values at time(); `values` has the size of variables().
    void read(std::span<double> values) const;

    /// Inputs: drivers and loads with input = true; `unit` as above.
    const std::vector<Variable>& inputs() const;
    /// What an input is before it is set.
    double input_start(int index) const;
    /// Whether a part has drivers or loads that are functions of time.
    bool group_follows_time(int group) const;
    /// From now on the input is value + rate s + acceleration s^2 / 2, s the time since this call.
    void set_input(int index, double value, double rate = 0, double acceleration = 0);

    /// Derivatives of all variables along a change of inputs (`seed` by input, aliases included), the state held:
    /// reactions, efforts and accelerations of ports follow at once, the rest is zero. Exact; changes nothing.
    void input_response(std::span<const double> seed, std::span<double> values);

    /// The same for the time itself, inputs and state held: what drivers and tables over time change. By central
    /// differences, to about ten digits.
    void time_response(std::span<double> values);

    /// Derivatives of all variables by time along the motion: of positions, angles, velocities, rates and works of ports.
    /// Of the others (reactions, accelerations, energies, violations) the state does not know them: zero.
    void read_rates(std::span<double> values) const;

    /// The state as one value: saved, stepped, restored, stepped gives bit-identical numbers.
    const State& state() const;
    void restore(const State& state);
    /// Takes over the state of a simulation of the same machine with other numbers (a tuned mass, a softer spring):
    /// positions and velocities go on, accelerations and reactions follow the new numbers.
    void take_over(const State& state);
    /// Versioned, checksummed; from_bytes refuses what is truncated, altered or of another model or build.
    std::vector<unsigned char> to_bytes() const;
    void from_bytes(std::span<const unsigned char> bytes);

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace tenon
