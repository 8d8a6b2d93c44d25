#include "core/integrators/integrator_types.hpp"

#include "core/math/digits.hpp"
#include "core/math/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenon {

// Each is defined in the file of its method.
using Maker = std::unique_ptr<Integrator>(const Settings& settings);
Maker make_projection, make_conserving, make_conserving_projection, make_augmented_lagrangian,
    make_energy_preserving, make_energy_decaying, make_explicit_correction, make_baumgarte, make_munthe_kaas,
    make_gauss_newmark;

namespace {

constexpr double automatic = std::numeric_limits<double>::quiet_NaN();

IntegratorOption penalty() {
    return {"penalty", automatic, {},
            1e-300,    1e300,     "penalty of all constraint rows; by itself: scaled with mass / step^2"};
}

IntegratorOption projections() {
    return {
        "projections", 10.0, {}, 1, 100, "largest number of velocity and acceleration projections per step"};
}

/// Of every method.
IntegratorOption accept_divergence() {
    return {"accept_divergence",
            false,
            {},
            0,
            0,
            "go on where the energy or the velocities of a step cannot be believed"};
}

/// Of every method, too: what happens before the first step.
IntegratorOption start() {
    return {"start",
            std::string("given"),
            {"given", "equilibrium"},
            0,
            0,
            "where the machine starts: as the model gives it, or at its equilibrium with the velocities that "
            "are given"};
}

std::vector<IntegratorType> with_common_options(std::vector<IntegratorType> types) {
    for (IntegratorType& type : types) {
        type.options.push_back(accept_divergence());
        type.options.push_back(start());
    }
    return types;
}

IntegratorOption metric(const char* fallback) {
    return {"metric",
            std::string(fallback),
            {"mass", "tangent"},
            0,
            0,
            "what projections are orthogonal in: the mass matrix, or the tangent with springs and dampers"};
}

std::string list(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words)
        out += (out.empty() ? "" : ", ") + word;
    return out;
}

[[noreturn]] void refuse(const std::string& key, const std::string& what) {
    throw Error(ErrorKind::model, what, "solver." + key);
}

} // namespace

const std::vector<IntegratorType>& integrator_types() {
    // number, name, summary, coordinates, options, maker, what to try instead
    static const std::vector<IntegratorType> types = with_common_options({
        {1,
         "projection",
         "augmented Lagrangian, trapezoidal rule, velocity and acceleration projections",
         {"natural"},
         {penalty(), projections(), metric("tangent")},
         make_projection,
         "conserving-projection",
         true},
        {2,
         "conserving",
         "augmented Lagrangian that conserves energy",
         {"natural"},
         {penalty()},
         make_conserving,
         "energy-preserving",
         false,
         true},
        {3,
         "conserving-projection",
         "energy-conserving step, then velocity projection",
         {"natural"},
         {penalty(), projections(), metric("mass")},
         make_conserving_projection,
         "energy-preserving",
         false,
         true},
        {4,
         "augmented-lagrangian",
         "no stabilisation: kept to show the drift",
         {"natural"},
         {penalty()},
         make_augmented_lagrangian},
        {5,
         "energy-preserving",
         "mid-point scheme with exact multipliers; energy to round-off",
         {"natural"},
         {},
         make_energy_preserving,
         "munthe-kaas",
         false,
         true},
        {6,
         "energy-decaying",
         "third-order scheme that damps what the step does not resolve",
         {"natural"},
         {{"dissipation", 1.0, {}, 0, 1, "0 conserves, 1 damps the highest frequencies at once"}},
         make_energy_decaying,
         "energy-preserving",
         false,
         true},
        {7,
         "explicit-correction",
         "explicit, constraints and energy corrected every step",
         {"natural", "lie"},
         {{"energy", true, {}, 0, 0, "correct the energy too"},
          {"form",
           std::string("post"),
           {"post", "start", "stage"},
           0,
           0,
           "where in the step corrections act"}},
         make_explicit_correction},
        {8,
         "baumgarte",
         "explicit with Baumgarte's stabilisation, for comparison",
         {"natural", "lie"},
         {{"gain", automatic, {}, 0, 1e300, "both gains, 1/s; by itself 1 / step"}},
         make_baumgarte},
        {9,
         "munthe-kaas",
         "Runge-Kutta of order 4 on the Lie group",
         {"lie"},
         {{"stabilisation",
           std::string("nonlinear"),
           {"none", "nonlinear", "linear"},
           0,
           0,
           "how the step is brought back to the constraints"}},
         make_munthe_kaas},
        {10,
         "gauss-newmark",
         "Tseng and Hulbert's iteration with Newmark or generalised alpha",
         {"natural", "lie"},
         {{"rho", 1.0, {}, 0, 1, "spectral radius at infinite frequency; 1 is Newmark's method"},
          {"beta", automatic, {}, 0, 1, "Newmark's beta (rho = 1 only); by itself 1/4"}},
         make_gauss_newmark,
         "munthe-kaas"},
    });
    return types;
}

const IntegratorType* find_integrator(std::string_view name) {
    for (const IntegratorType& type : integrator_types()) {
        if (type.name == name)
            return &type;
    }
    return nullptr;
}

Settings resolve_settings(const SolverSettings& given) {
    const IntegratorType* type = find_integrator(given.integrator);
    if (type == nullptr) {
        std::vector<std::string> names;
        for (const IntegratorType& t : integrator_types())
            names.push_back(t.name);
        refuse("integrator", "unknown integrator '" + given.integrator + "'; there are " + list(names));
    }
    if (!(given.step > 0) || !std::isfinite(given.step))
        refuse("step", "step must be positive (" + digits(given.step) + " s)");
    if (!(given.stop >= 0) || !std::isfinite(given.stop))
        refuse("stop", "stop must not be negative (" + digits(given.stop) + " s)");
    if (!(given.tolerance > 0) || !(given.tolerance <= 1))
        refuse("tolerance", "tolerance must be in (0, 1] (" + digits(given.tolerance) + ")");
    Settings out{type->name, given.coordinates, given.step, given.stop, given.tolerance, {}};
    if (out.coordinates.empty())
        out.coordinates = type->coordinates.front();
    else if (std::find(type->coordinates.begin(), type->coordinates.end(), out.coordinates) ==
             type->coordinates.end())
        refuse("coordinates", "integrator '" + type->name + "' works in coordinates " +
                                  list(type->coordinates) + ", not in '" + out.coordinates + "'");
    for (const IntegratorOption& option : type->options)
        out.options[option.name] = option.fallback;
    for (const auto& [name, value] : given.options) {
        const IntegratorOption* option = nullptr;
        std::vector<std::string> names;
        for (const IntegratorOption& o : type->options) {
            option = o.name == name ? &o : option;
            names.push_back(o.name);
        }
        if (option == nullptr)
            refuse(name, "integrator '" + type->name + "' has no option '" + name + "'; it has " +
                             (names.empty() ? std::string("none") : list(names)));
        if (value.index() != option->fallback.index()) {
            const char* kinds[] = {"a number", "true or false", "a word"};
            refuse(name, "option '" + name + "' must be " + kinds[option->fallback.index()]);
        }
        if (const double* number = std::get_if<double>(&value);
            number != nullptr && !(*number >= option->least && *number <= option->most)) {
            refuse(name, "option '" + name + "' is " + digits(*number) + ", allowed are " +
                             digits(option->least) + " to " + digits(option->most));
        }
        if (const std::string* word = std::get_if<std::string>(&value);
            word != nullptr &&
            std::find(option->words.begin(), option->words.end(), *word) == option->words.end()) {
            refuse(name, "option '" + name + "' is '" + *word + "', allowed are " + list(option->words));
        }
        out.options[name] = value;
    }
    return out;
}

} // namespace tenon
