#pragma once
// What an FMU of Tenon shows to the outside: its variables, in an order that model and version decide alone. The exporter
// writes it to modelDescription.xml, the binary finds it again from the model; nothing else ties them together.

#include "core/model/quantity.hpp"
#include "core/simulation/simulation.hpp"
#include "fmu/parameters.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tenon::fmu {

enum class Role { time, parameter, input, output };

/// A scalar or an array. Its elements are slots: consecutive numbers over all variables. FMI 3.0 refers to variables by
/// their index + 1 (with the mark of scalars: to elements by slot + 1), FMI 2.0 to elements by their slot. Without a unit, the unit is empty.
struct Variable : Quantity {
    Role role = Role::output;
    ValueType type = ValueType::real;
    std::string enumeration = {};
    bool tunable = false;
    std::size_t slot = 0;
    std::size_t source = 0;         ///< of its first element among parameters, inputs or results
    std::vector<double> start = {}; ///< of parameters and inputs
    int group = -1;                 ///< as in core/simulation: what it has feedthrough to, or from
    std::optional<std::size_t> derivative_of = {};
};

class Interface {
  public:
    /// Throws Error(model) where two variables would have one name.
    Interface(const Simulation& start, const Parameters& parameters);

    const std::vector<Variable>& variables() const { return variables_; }
    std::size_t slots() const { return slots_; }
    /// Start values of all inputs of the simulation, those known by another name included.
    const std::vector<double>& input_starts() const { return input_starts_; }
    /// The variable that a slot belongs to.
    std::size_t variable_of(std::size_t slot) const { return owner_[slot]; }
    /// Which inputs, and time, a variable depends on directly (feedthrough): indices of variables, ascending.
    std::vector<std::size_t> dependencies(const Variable& variable) const;
    bool depends(const Variable& variable, const Variable& known) const;

  private:
    void add_parameters(const Parameters& parameters);
    void add_inputs(const Simulation& start);
    void add_results(const Simulation& start);
    /// Gives the variable its slots.
    void add(Variable variable);
    void require_unique() const;

    std::vector<Variable> variables_;
    std::vector<std::size_t> owner_;
    std::vector<double> input_starts_;
    std::vector<char> timed_; ///< groups that follow time
    std::size_t slots_ = 0;
};

} // namespace tenon::fmu
