// The ordinary run: what every importer does first, and what the other checks repeat.

#include "tools/check/dynamic_checks.hpp"
#include "tools/check/session.hpp"

#include <chrono>
#include <cmath>

namespace tenon::check {
namespace {

constexpr int usual_steps = 40, fewest_steps = 4;
constexpr double longest_first_run = 1.0; ///< seconds
constexpr double longest_run = 0.1;       ///< seconds of the runs that are repeated in each check

/// What the first run tells the parent, step by step: a crash keeps what was known before.
struct Progress {
    int steps = 0;
    double setup_seconds = 0, step_seconds = 0;

    Packer packed() const { return Packer().put(steps).put(setup_seconds).put(step_seconds); }
    static Progress unpacked(const std::string& bytes) {
        Unpacker unpacker(bytes);
        Progress progress;
        unpacker.get(progress.steps);
        unpacker.get(progress.setup_seconds);
        unpacker.get(progress.step_seconds);
        return progress;
    }
};

/// True where all numbers are finite; otherwise the first that is not has been reported.
bool look_at_values(Probe& probe, Session& session) {
    const std::vector<double> values = session.watch().floats(session.sample());
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!std::isfinite(values[i])) {
            probe.error("not-finite",
                        fmt::format("{} = {} at t = {}, with status OK", session.watch().float_names()[i],
                                    values[i], session.time()),
                        "a step that gives no numbers must return an error");
            return false;
        }
    return true;
}

/// The independent variable must be the time that the master knows. False where it is not, which has been reported.
bool look_at_time(Probe& probe, Session& session) {
    const auto& variables = probe.description().variables;
    const auto independent =
        std::find_if(variables.begin(), variables.end(), [](const fmi::Variable& variable) {
            return variable.causality == fmi::Causality::independent && variable.type == fmi::Type::float64;
        });
    if (independent == variables.end())
        return true;
    double value = 0;
    probe.require(session.slave().get(std::span(&independent->reference, 1), std::span(&value, 1)));
    if (std::abs(value - session.time()) <= 1e-9 * std::max(1.0, std::abs(session.time())))
        return true;
    probe.error("time-variable",
                fmt::format("{} = {} after the step to t = {}", independent->name, value, session.time()),
                "the independent variable is the time of the last communication point");
    return false;
}

void explain_end(Probe& probe, const Session& session) {
    if (session.stopped_halfway())
        probe.warning(
            "partial-step",
            fmt::format("fmi2DoStep stops within the step from t = {} (Discard, with an earlier "
                        "fmi2LastSuccessfulTime)",
                        session.time()),
            "masters without rollback end there; better make the whole step, and handle events inside");
    else if (session.ended())
        probe.note("ends",
                   fmt::format("asks for the end of the simulation in the step from t = {}", session.time()));
}

void run_with_start_values(Probe& probe) {
    const Clock::time_point begun = Clock::now();
    Session session(probe, {.excited = false});
    session.initialize();
    bool finite = look_at_values(probe, session), in_time = true;
    Progress progress;
    progress.setup_seconds = seconds_since(begun);
    const Clock::time_point stepping = Clock::now();
    while (progress.steps < usual_steps &&
           (progress.steps < fewest_steps || seconds_since(stepping) < longest_first_run)) {
        session.step();
        if (session.ended())
            break;
        finite = finite && look_at_values(probe, session);
        in_time = in_time && look_at_time(probe, session);
        ++progress.steps;
        progress.step_seconds = seconds_since(stepping) / progress.steps;
        probe.answer(progress.packed());
    }
    explain_end(probe, session);
    session.terminate();
}

void run_with_moving_inputs(Probe& probe) {
    try {
        Session session(probe, {.excited = true});
        session.initialize();
        session.run(probe.experiment().steps);
        session.terminate();
        probe.answer(Packer().put(true));
    } catch (const CallFailed& failure) {
        probe.note("inputs-held",
                   fmt::format("inputs that move by 1 % are refused; they stay at their start values: {}",
                               failure.what()));
    }
}

int repeated_steps(const Progress& progress) {
    const double affordable = longest_run / std::max(progress.step_seconds, 1e-9);
    const int wanted = affordable < usual_steps ? static_cast<int>(affordable) : usual_steps;
    return std::min(progress.steps, std::max(wanted, fewest_steps));
}

} // namespace

bool check_run(Runner& runner) {
    runner.begin("run");
    const Runner::Answer first = runner.in_child(run_with_start_values);
    if (!first.finished || first.data.empty())
        return false;
    const Progress progress = Progress::unpacked(first.data.back());
    Experiment& experiment = runner.target().experiment;
    experiment.steps = repeated_steps(progress);
    experiment.setup_seconds = progress.setup_seconds;
    experiment.step_seconds = progress.step_seconds;
    if (!Inputs(runner.description()).empty())
        experiment.excited = !runner.in_child(run_with_moving_inputs).data.empty();
    return true;
}

} // namespace tenon::check
