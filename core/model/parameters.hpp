#pragma once
// The numbers of a model by name: `--set` of the command line, and the parameters of an FMU.

#include "core/model/model.hpp"
#include "core/model/quantity.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tenon {

struct Parameter {
    std::string name;
    std::string unit; ///< SI, as FMI spells it; "1" for a pure number
    std::string description;
    double value = 0;
    bool tunable =
        false; ///< may be changed while the machine moves: masses, springs, friction, loads, gravity
    std::optional<Quantity> array = {}; ///< of the first element of an array, whose others follow: the whole
};

/// All of them, in the order of the model: gravity[1..3]; of bodies mass, com, inertia, position, velocity and
/// angular_velocity; of joints friction.coulomb and friction.viscous; of drivers offset, rate, amplitude, frequency
/// and phase; of forces what their type has; then solver.step, solver.stop, solver.tolerance and those options
/// that the model gives and that are numbers or switches (1 or 0). What a table or an input replaces is left out.
std::vector<Parameter> parameters(const Model& model);

/// Throws Error(usage) for an unknown name, with a suggestion, and for a value that is not finite. Whether the
/// model is still possible afterwards is for validate() to say. `solver.<word>` is taken as an option of the
/// integrator; the registry of integrators, which the model does not know, decides whether there is such an option.
void set_parameter(Model& model, const std::string& name, double value);

struct ParameterChange {
    std::size_t index = 0; ///< in parameters(model)
    double value = 0;
};
/// The same for several at once, by index.
void set_parameters(Model& model, std::span<const ParameterChange> changes);

} // namespace tenon
