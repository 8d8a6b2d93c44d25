#pragma once
// What an FMU of Tenon shows to the outside: its variables, in an order that model and version decide alone. The exporter
// writes it to modelDescription.xml, the binary finds it again from the model; nothing else ties them together.

#include "core/simulation/simulation.hpp"
#include "fmu/parameters.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tenon::fmu {

enum class Role { time, parameter, input, output };

/// A scalar or an array. Its elements are slots: consecutive numbers over all variables. FMI 3.0 refers to variables by
/// their index, FMI 2.0 to elements by their slot.
struct Variable {
    std::string name;
    std::vector<int> dimensions; ///< empty: a scalar
    Role role = Role::output;
    ValueType type = ValueType::real;
    std::string enumeration;
    std::string unit; ///< empty: none
    std::string description;
    bool tunable = false;
    std::size_t slot = 0, elements = 1;
    std::size_t source = 0;    ///< of its first element among parameters, inputs or results
    std::vector<double> start; ///< of parameters and inputs
    int group = -1;            ///< as in core/simulation: what it acts on, or follows, at once
    std::optional<std::size_t> derivative_of;

    /// "x" of a scalar; "x[2]" or "R[1,3]" of an element.
    std::string element_name(std::size_t element) const;
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
    /// Which inputs, and time, a variable follows at once: indices of variables, ascending.
    std::vector<std::size_t> dependencies(const Variable& variable) const;
    bool depends(const Variable& variable, const Variable& known) const;

  private:
    struct Element {
        std::string name, unit, description, enumeration;
        ValueType type = ValueType::real;
        bool tunable = false;
        double start = 0;
        int group = -1;
        std::size_t source = 0;
    };
    void add(Role role, const std::vector<Element>& elements);
    void link_derivatives();
    void require_unique() const;

    std::vector<Variable> variables_;
    std::vector<std::size_t> owner_;
    std::vector<double> input_starts_;
    std::vector<char> timed_; ///< groups that follow time
    std::size_t slots_ = 0;
};

} // namespace tenon::fmu
