#pragma once
// The registry of integrators: one line a method, one file each. Numbers are those of the FMI enumeration
// and are never reused.

#include "core/integrators/integrator.hpp"
#include "core/model/model.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tenon {

struct IntegratorOption {
    std::string name;
    OptionValue fallback;           ///< its default; for a number NaN means "chosen by the method"
    std::vector<std::string> words; ///< what a word may be; empty for numbers and switches
    double least = 0;               ///< limits of a number, inclusive
    double most = 1e300;
    std::string description;
};

struct IntegratorType {
    int number = 0;
    std::string name;
    std::string summary;
    std::vector<std::string> coordinates; ///< the first is the default
    std::vector<IntegratorOption> options;
    std::unique_ptr<Integrator> (*make)(const Settings&);
    /// What to try next where its steps cannot be believed and smaller ones do not help (docs/divergence.md).
    std::string instead = "energy-preserving";
    bool instead_first = false; ///< before a smaller step
    bool keeps_energy = false;  ///< by a potential: elastic efforts without one are refused
};

/// In the order of their numbers.
const std::vector<IntegratorType>& integrator_types();
/// Null where there is no such method.
const IntegratorType* find_integrator(std::string_view name);
/// Checks integrator, coordinates, step, tolerance and options against the registry and fills in defaults;
/// throws Error(model) naming the key, the value and what is allowed.
Settings resolve_settings(const SolverSettings& given);

} // namespace tenon
