#pragma once
// Runs an integrator on a user's own equations with a fixed step and watches the invariants. Nothing is retried:
// NotConverged reaches the test.

#include "core/equations/own_equations.hpp"
#include "core/integrators/integrator_types.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>

namespace tenon::tests {

struct OwnRun {
    const OwnEquations* own = nullptr;
    std::string integrator = {};
    double step = 0.01;
    double stop = 1;
    double tolerance = 1e-10;
    std::map<std::string, OptionValue> options = {};
    double rank_threshold = DenseKkt::default_threshold;
    /// Called at the start and after every step.
    std::function<void(const State&)> watch = {};
};

/// Largest over the run: constraint residuals in the 2-norm and by their largest row; energies minus that of the start,
/// minus the work done.
struct OwnRecord {
    State state;
    long steps = 0, iterations = 0, most_iterations = 0;
    double phi = 0, phi_dot = 0; ///< 2-norm
    double row = 0, row_dot = 0; ///< largest row
    double energy = 0, least_energy = 0, most_energy = 0, start_energy = 0;
    double largest_rise = -std::numeric_limits<double>::infinity(); ///< of the energy in one step
    double smallest_singular_value = std::numeric_limits<double>::infinity();

    double energy_error() const { return std::max(-least_energy, most_energy); }
    double iterations_per_step() const {
        return static_cast<double>(iterations) / static_cast<double>(steps);
    }
};

/// `record` is kept up to date, so that it tells how far a run got that threw.
inline void run_own(const OwnRun& run, const Vector& q0, const Vector& v0, OwnRecord& record) {
    SolverSettings given;
    given.integrator = run.integrator;
    given.step = run.step;
    given.stop = run.stop;
    given.tolerance = run.tolerance;
    given.options = run.options;
    const Settings settings = resolve_settings(given);
    const auto integrator = find_integrator(run.integrator)->make(settings);
    std::unique_ptr<OwnRates> rates;
    std::unique_ptr<OwnResiduals> residuals;
    if (integrator->implicit())
        residuals = std::make_unique<OwnResiduals>(*run.own);
    else
        rates = std::make_unique<OwnRates>(*run.own, run.rank_threshold);
    integrator->attach({rates.get(), residuals.get()});

    record = {};
    State& state = record.state;
    state.q = q0;
    state.v = v0;
    integrator->start(state);

    OwnRates referee(*run.own);
    const auto look = [&] {
        referee.evaluate_rows(state.time, state.q, state.v);
        record.phi = std::max(record.phi, referee.position_residual().norm());
        record.phi_dot = std::max(record.phi_dot, referee.velocity_residual().norm());
        record.row = std::max(record.row, referee.position_residual().lpNorm<Eigen::Infinity>());
        record.row_dot = std::max(record.row_dot, referee.velocity_residual().lpNorm<Eigen::Infinity>());
        const double energy = referee.kinetic() + referee.potential();
        if (record.steps == 0)
            record.start_energy = energy;
        const double before = record.energy;
        record.energy = energy - record.start_energy - state.work;
        if (record.steps > 0)
            record.largest_rise = std::max(record.largest_rise, record.energy - before);
        record.least_energy = std::min(record.least_energy, record.energy);
        record.most_energy = std::max(record.most_energy, record.energy);
        if (rates && rates->singular_values().size() > 0)
            record.smallest_singular_value =
                std::min(record.smallest_singular_value, rates->singular_values().minCoeff());
        if (run.watch)
            run.watch(state);
    };
    look();
    const long steps = std::lround(run.stop / run.step);
    for (long i = 0; i < steps; ++i) {
        const int iterations = integrator->step(state, run.step);
        ++record.steps;
        record.iterations += iterations;
        record.most_iterations = std::max<long>(record.most_iterations, iterations);
        look();
    }
}

inline OwnRecord run_own(const OwnRun& run, const Vector& q0, const Vector& v0) {
    OwnRecord record;
    run_own(run, q0, v0, record);
    return record;
}

} // namespace tenon::tests
