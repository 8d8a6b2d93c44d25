#pragma once
// What is changed in a model before it is simulated: integrator, step, stop time, parameters, inputs.

#include "core/model/model.hpp"
#include "core/simulation/simulation.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tenon::run {

struct ModelChanges {
    std::string integrator; ///< empty: as the model says
    std::optional<double> step;
    std::optional<double> stop;
    bool accept_divergence = false; ///< true: as solver.accept_divergence
    std::vector<std::string> set;   ///< name=value each
};

/// An input of the model, held at a constant value, in the unit of that name: that of its [[input]] where it is one, SI where
/// it is the input's own name.
struct InputValue {
    std::string name;
    double value = 0;
};

/// Changes the model and returns those of `set` that are inputs; Error(usage) with a suggestion for an unknown name
/// or a wrong value, also where the model is no longer possible (--set crank.mass=-1).
std::vector<InputValue> apply(const ModelChanges& changes, Model& model);

/// Takes another integrator, leaving behind the options and coordinates that it does not know; Error(usage) where
/// there is none of that name.
void choose_integrator(Model& model, const std::string& name);

/// Error(usage) where one input is given by two names.
void set_inputs(Simulation& simulation, const std::vector<InputValue>& values);

} // namespace tenon::run
