#pragma once
// A machine in motion: assembles the start state, steps, and offers every variable of docs/contract.md section 3.
// The command line and the FMU see the core through this class alone.

#include "core/equations/state.hpp"
#include "core/model/model.hpp"
#include "core/model/quantity.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tenon {

/// A result of a machine.
struct Variable : Quantity {
    /// Which connected part of the machine (bodies joined to each other, the world aside) an input acts on at once, or whose
    /// accelerations a result follows at once (reactions, efforts, accelerations of ports); or `drivers_group`: the inputs of drivers,
    /// which act on no body at once, and what compares the machine with them.
    int group = no_group;
    int rate_of = -1;        ///< index of the variable whose derivative by time this is; -1: none
    std::size_t column = 0;  ///< of its first element
    bool on_request = false; ///< in results only where somebody asks for it

    static constexpr int no_group = -1, any_group = -2, drivers_group = -3;
};

/// An element of a variable: a column of a result.
struct Column {
    std::string name, unit, description;
};

/// A number that can be set from outside. Elements of an array follow each other.
struct Input {
    std::string name, unit, description;
    int group = Variable::no_group; ///< as of variables
    std::optional<Quantity> array;  ///< of the first element of an array: the whole
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
    double shortest_part = 0;    ///< of the last step, s
    /// What energy errors are compared with (core/simulation/judge.hpp), when the error was largest: kinetic energy, what springs
    /// hold, what was exchanged.
    double energy_scale = 0;
    /// Energy that the method has put in by itself so that its balance closes, the largest so far (explicit-correction).
    double max_energy_correction = 0;
    long unconverged = 0;           ///< steps that were accepted at the bound of their iterations,
    double largest_unconverged = 0; ///< and the largest of their last increments, metres or radians
    /// The first step that cannot be believed, where steps are accepted all the same; empty where there was none.
    std::string divergence;
};

/// `none`: for small changes of a model that is known to be good, as differences make them: an inertia may then be a little
/// impossible.
enum class Checks { all, none };

class Simulation {
  public:
    /// Validates, compiles and assembles the model. Throws Error(model), or Error(computation) when the start
    /// state cannot be found.
    explicit Simulation(const Model& model, Checks checks = Checks::all);
    /// A model changed a little, not checked. Where the original starts at its equilibrium this one is held near it, along
    /// directions in which nothing holds the original (equilibrium.hpp). Throws Error(computation).
    Simulation(const Model& model, const Simulation& original);
    ~Simulation();
    Simulation(Simulation&&) noexcept;
    Simulation& operator=(Simulation&&) noexcept;

    const Model& model() const;
    const StartReport& start() const;
    const RunReport& report() const;

    double time() const;
    /// One step of the integrator from `time()` to time() + h; halves it inside where it does not converge, or where its energy or
    /// its velocities cannot be believed (judge.hpp). On failure throws Error(computation) that names element, quantity, value and
    /// limit; the state is unchanged. With the solver's option `accept_divergence` such steps are accepted and noted in the report.
    void step(double h);
    /// At most so many iterations a step from now on; one that has not converged by then is accepted as it is and counted in the
    /// report. Throws Error(usage) where the method has no such iteration.
    void bound_iterations(int most);

    /// All result variables in the order of their columns; those on request are last.
    const std::vector<Variable>& variables() const;
    /// Their elements: the columns of a result, without `time`, and those that may follow them on request.
    std::span<const Column> columns() const;
    std::span<const Column> columns_on_request() const;
    const std::vector<Column>& all_columns() const; ///< both
    /// Values of columns(), or of all_columns(), whichever size `values` has, at time().
    void read(std::span<double> values) const;

    /// Inputs: drivers and loads with input = true, ports, flanges, and those that the model gives another name.
    const std::vector<Input>& inputs() const;
    /// What an input is before it is set.
    double input_start(int index) const;
    /// Whether a part has drivers or loads that are functions of time.
    bool group_follows_time(int group) const;
    /// From now on the input is value + rate s + acceleration s^2 / 2, s the time since this call.
    void set_input(int index, double value, double rate = 0, double acceleration = 0);

    /// Derivatives of all variables along a change of inputs (`seed` by input, aliases included), the state held:
    /// for reactions, efforts and accelerations of ports, which have feedthrough; the rest is zero. Exact; changes nothing.
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
    /// The same with what the run had shown by then: as if the steps since had not been made.
    void restore(const State& state, const RunReport& report);
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
