#pragma once
// The result variables of a machine: names, units and values, in the order of the result file.

#include "core/equations/rigid_equations.hpp"
#include "core/simulation/simulation.hpp"

namespace tenon {

/// What is not in the kinematics and the reactions.
struct Totals {
    double kinetic = 0, potential = 0, work = 0;
    double position_violation = 0, velocity_violation = 0, acceleration_violation = 0;
    double iterations = 0;
};

class ResultVariables {
  public:
    explicit ResultVariables(const Mechanism& mechanism);
    const std::vector<Variable>& list() const { return list_; }
    /// `rigid` evaluated at the state, lambda its reactions (M a = Q + G^T lambda).
    void read(const RigidEquations& rigid, const Vector& lambda, const Totals& totals, std::span<double> values) const;

  private:
    void add(const std::string& name, const std::string& unit, const std::string& description);
    void add_vector(const std::string& name, const std::string& unit, const std::string& description, int size = 3);

    const Mechanism& mechanism_;
    std::vector<Variable> list_;
    std::vector<std::size_t> alias_; ///< indices that the model's outputs repeat
};

} // namespace tenon
