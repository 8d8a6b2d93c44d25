#pragma once
// Runs a machine with a method and compares it with a curve: variables at given times.

#include "core/integrators/integrator_types.hpp"
#include "core/math/error.hpp"
#include "core/math/rotation.hpp"
#include "core/simulation/simulation.hpp"
#include "tests/support/folders.hpp"
#include "tools/model_file/model_reader.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace tenon::tests {

/// Small numbers are worth reading in a failure's message.
inline const int digits_in_messages = Catch::StringMaker<double>::precision = 17;

/// How a machine is to be run.
struct Method {
    std::string integrator = {};
    std::map<std::string, OptionValue> options = {};
    std::string coordinates = {};
    double tolerance = 1e-10;
};

/// The names of the registry.
inline std::vector<std::string> all_methods() {
    std::vector<std::string> names;
    for (const IntegratorType& type : integrator_types())
        names.push_back(type.name);
    return names;
}

/// examples/<name>.toml.
inline Model example(const std::string& name) {
    return read_model(source_folder() + "/examples/" + name + ".toml");
}

inline Model with(Model model, const Method& method, double step, double stop) {
    model.solver = {};
    model.solver.integrator = method.integrator;
    model.solver.options = method.options;
    model.solver.coordinates = method.coordinates;
    model.solver.tolerance = method.tolerance;
    model.solver.step = step;
    model.solver.stop = stop;
    return model;
}

/// The result variables of a simulation by name.
class Results {
  public:
    explicit Results(const Simulation& simulation)
        : simulation_(&simulation), values_(simulation.columns().size()) {
        for (std::size_t i = 0; i < simulation.columns().size(); ++i)
            index_[simulation.columns()[i].name] = i;
    }
    /// Reads all of them now.
    void refresh() { simulation_->read(values_); }
    double operator()(const std::string& name) const { return values_[index(name)]; }
    double operator()(std::size_t index) const { return values_[index]; }
    std::size_t index(const std::string& name) const {
        const auto found = index_.find(name);
        if (found == index_.end())
            throw std::runtime_error("no variable '" + name + "'");
        return found->second;
    }
    Vec3 vector(const std::string& name) const {
        return {(*this)(name + "[1]"), (*this)(name + "[2]"), (*this)(name + "[3]")};
    }
    Mat3 rotation(const std::string& body) const {
        return from_quaternion({(*this)(body + ".q[1]"), (*this)(body + ".q[2]"), (*this)(body + ".q[3]"),
                                (*this)(body + ".q[4]")});
    }
    double energy() const { return (*this)("energy.total"); }

  private:
    const Simulation* simulation_;
    std::vector<double> values_;
    std::map<std::string, std::size_t> index_;
};

/// Steps until `stop`; `look` sees the start and every step.
inline void run(Simulation& simulation, double step, double stop,
                const std::function<void(const Simulation&)>& look = {}) {
    const long steps = std::lround(stop / step);
    if (look)
        look(simulation);
    for (long i = 0; i < steps; ++i) {
        simulation.step(step);
        if (look)
            look(simulation);
    }
}

/// Variables at times; the first column of a row is its time.
struct Curve {
    std::vector<std::string> names;
    std::vector<std::vector<double>> rows;
};

/// What a run was like. `failure` is what the core said when it gave up, else empty.
struct Outcome {
    double error = 0; ///< largest distance from the curve (Euclidean over its variables)
    double end_time = 0;
    RunReport report;
    StartReport start;
    std::string failure;
};

/// Compares with all rows of the curve up to `stop`; their times must be multiples of the step.
inline Outcome follow(const Model& model, const Method& method, double step, double stop,
                      const Curve& curve) {
    Outcome out;
    Simulation simulation(with(model, method, step, stop));
    out.start = simulation.start();
    Results results(simulation);
    std::vector<std::size_t> columns;
    for (const std::string& name : curve.names)
        columns.push_back(results.index(name));
    const long steps = std::lround(stop / step);
    std::size_t next = 0;
    try {
        for (long i = 0;; ++i) {
            while (next < curve.rows.size() && std::lround(curve.rows[next][0] / step) == i) {
                const std::vector<double>& row = curve.rows[next];
                if (std::abs(row[0] - static_cast<double>(i) * step) > 1e-6 * step)
                    throw std::runtime_error("the curve's times are no multiples of the step");
                results.refresh();
                double square = 0;
                for (std::size_t c = 0; c < columns.size(); ++c)
                    square += std::pow(results(columns[c]) - row[c + 1], 2);
                out.error = std::max(out.error, std::sqrt(square));
                ++next;
            }
            if (i == steps)
                break;
            simulation.step(step);
        }
    } catch (const Error& error) {
        out.failure = error.what();
        out.error = std::numeric_limits<double>::infinity();
    }
    out.end_time = simulation.time();
    out.report = simulation.report();
    return out;
}

/// The order that errors at a step and at half of it show.
inline double order(double coarse, double fine) { return std::log2(coarse / fine); }

} // namespace tenon::tests
