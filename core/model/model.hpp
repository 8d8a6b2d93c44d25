#pragma once
// A machine: what a model file says, checked and in SI units, and nothing else.

#include "core/model/body.hpp"
#include "core/model/driver.hpp"
#include "core/model/force.hpp"
#include "core/model/joint.hpp"
#include "core/model/port.hpp"
#include "core/model/road.hpp"

#include <map>
#include <string>
#include <variant>
#include <vector>

namespace tenon {

/// A name that the user gives to a variable of the model ([[input]] `to`, [[output]] `from`).
struct Alias {
    std::string name;
    std::string variable;
    std::string unit;
    std::string description;

    bool operator==(const Alias&) const = default;
};

template <class Visit> void members(Is<Alias> auto& alias, Visit&& visit) {
    auto& [name, variable, unit, description] = alias;
    visit(name, variable, unit, description);
}

/// An option of an integrator: number, switch or word.
using OptionValue = std::variant<double, bool, std::string>;

struct SolverSettings {
    std::string integrator = "projection";
    double step = 1e-3;
    double stop = 10;
    double tolerance = 1e-8;
    std::string coordinates; ///< empty: the integrator's first
    std::map<std::string, OptionValue> options;

    bool operator==(const SolverSettings&) const = default;
};

template <class Visit> void members(Is<SolverSettings> auto& solver, Visit&& visit) {
    auto& [integrator, step, stop, tolerance, coordinates, options] = solver;
    visit(integrator, step, stop, tolerance, coordinates, options);
}

struct Model {
    std::string name = "model";
    std::string description;
    Vec3 gravity = Vec3(0, 0, -9.81);
    std::vector<Body> bodies;
    std::vector<Joint> joints;
    std::vector<Driver> drivers;
    std::vector<Road> roads;
    std::vector<Force> forces;
    std::vector<Port> ports;
    std::vector<Flange> flanges;
    std::vector<Alias> inputs;
    std::vector<Alias> outputs;
    SolverSettings solver;

    const std::string& body_name(int index) const;

    bool operator==(const Model&) const = default;
};

template <class Visit> void members(Is<Model> auto& model, Visit&& visit) {
    auto& [name, description, gravity, bodies, joints, drivers, roads, forces, ports, flanges, inputs,
           outputs, solver] = model;
    visit(name, description, as_direction(gravity), bodies, joints, drivers, roads, forces, ports, flanges,
          inputs, outputs, solver);
}

} // namespace tenon
