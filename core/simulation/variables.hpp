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

/// A port as results and the work through it need it: pose, velocities and accelerations in world axes.
struct PortMotion {
    Vec3 r, v, w, a, al;
    Mat3 R;
};

class ResultVariables {
  public:
    explicit ResultVariables(const Mechanism& mechanism);
    const std::vector<Variable>& list() const { return list_; }
    /// `rigid` evaluated at the state, a (of its chart) and lambda its accelerations and reactions
    /// (M a = Q + G^T lambda), `port_work` as in the state.
    void read(const RigidEquations& rigid, const Vector& a, const Vector& lambda, const Vector& port_work,
              const Totals& totals, std::span<double> values) const;
    /// Derivatives of all variables along changes da, dlambda of accelerations and reactions, the state held.
    void read_response(const RigidEquations& rigid, const Vector& da, const Vector& dlambda,
                       std::span<double> values) const;
    /// Derivatives of all variables by time: of positions, rates, works of ports; zero where the state does not give them
    /// (reactions, energies, violations). `port_power` as the work's rate.
    void read_rates(const RigidEquations& rigid, const Vector& a, const Vector& port_power,
                    std::span<double> values) const;
    PortMotion port(const RigidEquations& rigid, int port, const Vector& a) const;

  private:
    struct Reaction {
        Vec3 force, torque;
    };
    Reaction reaction(const RigidEquations& rigid, const MechanismLink& link, const Vector& lambda) const;
    void add(const std::string& name, const std::string& unit, const std::string& description,
             int group = -1);
    void add_vector(const std::string& name, const std::string& unit, const std::string& description,
                    int size = 3, int group = -1);

    const Mechanism& mechanism_;
    std::vector<Variable> list_;
    void repeat(std::span<double> values) const;

    struct Repeated {
        std::size_t index;
        double scale; ///< from the variable's unit to the one the user wants
    };
    std::vector<Repeated> alias_; ///< what the model's outputs repeat, last in the list
};

} // namespace tenon
