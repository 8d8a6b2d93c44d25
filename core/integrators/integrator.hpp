#pragma once
// The interface of all methods. A method sees equations, never a body or a joint.

#include "core/equations/state.hpp"
#include "core/model/model.hpp"

#include <map>
#include <string>
#include <string_view>

namespace tenon {

class ExplicitEquations;
class ImplicitEquations;

/// Settings checked against the registry, defaults filled in.
struct Settings {
    std::string integrator;
    std::string coordinates;
    double step = 1e-3;
    double stop = 10;
    double tolerance = 1e-8;
    std::map<std::string, OptionValue> options;

    double number(const std::string& name) const { return std::get<double>(options.at(name)); }
    bool flag(const std::string& name) const { return std::get<bool>(options.at(name)); }
    const std::string& word(const std::string& name) const { return std::get<std::string>(options.at(name)); }
};

/// Thrown by a step that does not converge; the stepper tries a shorter one. `row` is the worst constraint or -1.
struct NotConverged {
    std::string quantity;
    double value = 0;
    double limit = 0;
    int row = -1;
};

/// Which face of a machine a method works on; the other pointer is null.
struct Face {
    ExplicitEquations* rates = nullptr;
    ImplicitEquations* residuals = nullptr;
};

class Integrator {
  public:
    virtual ~Integrator() = default;
    virtual bool implicit() const = 0;
    /// Allocates what steps need. Called once, before anything else.
    virtual void attach(const Face& face) = 0;
    /// Fills a, lambda and memory of a state whose time, q and v are consistent.
    virtual void start(State& state) = 0;
    /// One step of length h: replaces time, q, v, a, lambda, memory, work. Returns the iterations it took.
    /// On NotConverged the state is as it was or garbage: the caller restores it. Allocates nothing.
    virtual int step(State& state, double h) = 0;
    /// Whether velocities offered as results are projected onto the constraints (implicit methods; the state is not).
    virtual bool projects_results() const { return true; }
    /// Whether it damps on purpose what the step does not resolve: what springs hold may then be lost.
    virtual bool dissipates() const { return false; }
    /// At most so many iterations a step; one that has not converged by then is accepted as it is. False where nothing iterates.
    virtual bool bound_iterations(int /*most*/) { return false; }
    /// The last increment of a step that was accepted so, metres or radians; 0 where it has converged.
    virtual double unconverged() const { return 0; }
    /// Inputs or parameters have changed discontinuously: what was remembered of accelerations is renewed.
    virtual void inputs_changed(State& state) { start(state); }
};

} // namespace tenon
