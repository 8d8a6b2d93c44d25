#include "tools/verbs/integrator_comparison.hpp"

#include "core/integrators/integrator_types.hpp"
#include "core/math/error.hpp"
#include "core/simulation/judge.hpp"
#include "core/simulation/run_loop.hpp"
#include "tools/files/errors.hpp"
#include "tools/model_file/model_reader.hpp"
#include "tools/run/model_changes.hpp"
#include "tools/verbs/exit_code.hpp"
#include "tools/verbs/interrupt.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <optional>

namespace tenon::verbs {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// All of it takes about this long; a run that needs more of it than its share stops where it is, and says so.
constexpr double seconds_in_all = 17;

/// What counts as kept: gaps of the joints and of their velocities, and the energy error over what is exchanged.
constexpr double kept_gap = 1e-8;
constexpr double kept_rate = 1e-6;
constexpr double kept_energy = 1e-6;

double since(Clock::time_point begun) { return std::chrono::duration<double>(Clock::now() - begun).count(); }

/// Ends a run after `seconds`, or with Ctrl-C.
class Patience : public Observer {
  public:
    Patience(double seconds, const InterruptGuard& interrupt) : seconds_(seconds), interrupt_(interrupt) {}
    bool stops() override { return interrupt_.raised() || since(begun_) > seconds_; }

  private:
    Clock::time_point begun_ = Clock::now();
    double seconds_;
    const InterruptGuard& interrupt_;
};

/// One example with one integrator, for at most `seconds`.
Outcome run_one(const ModelFile& file, const std::string& integrator, double seconds,
                const InterruptGuard& interrupt) {
    Model model = file.model;
    run::choose_integrator(model, integrator);
    Outcome outcome;
    outcome.example = fs::path(file.file).stem().string();
    outcome.integrator = integrator;
    outcome.step = model.solver.step;
    outcome.stop = model.solver.stop;
    std::optional<Simulation> simulation;
    Clock::time_point begun = Clock::now();
    try {
        simulation.emplace(model);
        const Schedule schedule(simulation->time(), model.solver.step, model.solver.stop);
        SteppedModel machine(*simulation, {});
        LoopOptions options;
        options.rows = false;
        begun = Clock::now();
        Patience patience(seconds, interrupt);
        if (run_loop(machine, schedule, options, patience) == Ending::interrupted)
            outcome.note =
                interrupt.raised() ? "interrupted" : fmt::format("stopped after {}", duration(seconds));
    } catch (const Error& error) {
        outcome.message = error.what();
        outcome.diverged = outcome.message.starts_with(divergence_words);
        outcome.note = outcome.diverged ? "diverged" : "gave up";
    }
    if (!simulation)
        return outcome;
    const RunReport& report = simulation->report();
    outcome.end_time = simulation->time();
    outcome.violation = report.max_position_violation;
    outcome.velocity_violation = report.max_velocity_violation;
    outcome.energy_error = report.max_energy_error;
    outcome.energy_scale = report.energy_scale;
    if (report.steps > 0)
        outcome.seconds_per_step = since(begun) / static_cast<double>(report.steps);
    return outcome;
}

/// Two digits say enough about an error.
std::string rough(double value) { return std::isfinite(value) ? fmt::format("{:.1e}", value) : "-"; }

void print_outcomes(const ModelFile& file, const Simulation& simulation, const std::vector<Outcome>& outcomes,
                    bool verbose) {
    const StartReport& start = simulation.start();
    fmt::print("\n{}  {}\n", styled(file.model.name, Style::bold, stdout),
               printable(file.model.description, 200));
    fmt::print(
        "  bodies: {}, joints: {}, degrees of freedom: {}, redundant rows: {}, step: {} s, energy: {} J\n",
        file.model.bodies.size(), file.model.joints.size(), start.degrees_of_freedom, start.rank_deficiency,
        short_number(file.model.solver.step), short_number(simulation.report().energy_start));
    TextTable table(
        {Align::left, Align::right, Align::right, Align::right, Align::right, Align::right, Align::left,
         Align::left},
        {"integrator", "end [s]", "joint gap", "its rate", "energy error [J]", "time per step", "kept", ""});
    for (const Outcome& outcome : outcomes)
        table.add({outcome.integrator, short_number(outcome.end_time), rough(outcome.violation),
                   rough(outcome.velocity_violation), rough(outcome.energy_error),
                   duration(outcome.seconds_per_step), outcome.kept(), outcome.note});
    table.print(stdout, 2);
    if (verbose)
        for (const Outcome& outcome : outcomes)
            if (!outcome.message.empty())
                fmt::print("  {}: {}\n", outcome.integrator, printable(outcome.message, 1000));
}

} // namespace

std::string Outcome::kept() const {
    if (diverged || !message.empty())
        return "-";
    const bool joints = violation <= kept_gap && velocity_violation <= kept_rate;
    const bool energy = energy_error <= kept_energy * energy_scale;
    return joints && energy ? "joints, energy" : joints ? "joints" : energy ? "energy" : "-";
}

void compare_integrators(const fs::path& folder, const std::vector<std::string>& names, Verbosity verbosity,
                         std::vector<Outcome>& all) {
    const bool quiet = verbosity == Verbosity::quiet;
    if (!quiet)
        fmt::print("Machines with every integrator, and what each kept: 'joints' where no gap is above "
                   "{:.0e} (m, rad) "
                   "and its rate\nnot above {:.0e} (m/s, rad/s), 'energy' where its error is below {:.0e} of "
                   "what the "
                   "machine exchanges.\n",
                   kept_gap, kept_rate, kept_energy);
    const InterruptGuard interrupt;
    const Clock::time_point begun = Clock::now();
    std::size_t runs_left = names.size() * integrator_types().size();
    const auto share = [&] { // of the time that is left
        return std::max(0.02, (seconds_in_all - since(begun)) / static_cast<double>(runs_left));
    };
    for (const std::string& name : names) {
        const ModelFile file = read_model_file(folder / (name + ".toml"));
        std::vector<Outcome> outcomes;
        for (const IntegratorType& type : integrator_types())
            if (!interrupt.raised()) {
                outcomes.push_back(run_one(file, type.name, share(), interrupt));
                --runs_left;
            }
        all.insert(all.end(), outcomes.begin(), outcomes.end());
        if (!quiet) {
            print_outcomes(file, Simulation(file.model), outcomes, verbosity == Verbosity::verbose);
            std::fflush(stdout);
        }
        if (interrupt.raised())
            throw Failure(ExitCode::interrupted, "interrupted");
    }
}

void write(JsonWriter& json, const Outcome& outcome) {
    json.object().member("example", outcome.example).member("integrator", outcome.integrator);
    json.member("step", outcome.step).member("stop", outcome.stop).member("end_time", outcome.end_time);
    json.member("max_position_violation", outcome.violation);
    json.member("max_velocity_violation", outcome.velocity_violation);
    json.member("max_energy_error", outcome.energy_error).member("energy_scale", outcome.energy_scale);
    json.member("seconds_per_step", outcome.seconds_per_step).member("kept", outcome.kept());
    json.member("note", outcome.note).member("message", outcome.message).end();
}

} // namespace tenon::verbs
