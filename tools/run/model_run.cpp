#include "tools/run/model_run.hpp"

#include "core/integrators/integrator_types.hpp"
#include "core/simulation/judge.hpp"
#include "tools/files/output_file.hpp"
#include "tools/results/scene_writer.hpp"
#include "tools/run/names.hpp"
#include "tools/run/number_text.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace tenon::run {
namespace {

/// Rows to the recorder, the rest to the watcher.
class ModelObserver : public Observer {
  public:
    ModelObserver(results::Recorder* recorder, Watcher& watcher, std::function<void(double)> note)
        : recorder_(recorder), watcher_(watcher), note_(std::move(note)) {}

    void row(double time, std::span<const double> values) override { recorder_->write(time, values); }
    void stepped(double time) override {
        note_(time);
        watcher_.stepped(time);
    }
    bool stops() override { return watcher_.stops(); }

  private:
    results::Recorder* recorder_;
    Watcher& watcher_;
    std::function<void(double)> note_;
};

} // namespace

std::filesystem::path scene_beside(const std::filesystem::path& out) {
    return out.empty() || is_stream(out) ? std::filesystem::path() : results::scene_path(out);
}

ModelRun::ModelRun(ModelRequest request) : request_(std::move(request)) {
    summary_.of = Summary::Of::model;
    summary_.file = request_.model;
    summary_.name = request_.model.stem().string();
    summary_.out = request_.out;
}

Ending ModelRun::run(Watcher& watcher) {
    try {
        const Ending ending = compute(watcher);
        summary_.status = ending == Ending::interrupted ? "interrupted" : "done";
        return ending;
    } catch (const Error& error) {
        throw file_ ? file_->placed(error) : error;
    }
}

Ending ModelRun::compute(Watcher& watcher) {
    file_ = read_model_file(request_.model);
    Model& model = file_->model;
    summary_.name = model.name;
    inputs_ = apply(request_.changes, model);
    for (const std::string& warning : file_->warnings())
        watcher.warn(warning);
    summary_.method = model.solver.integrator;
    summary_.step = model.solver.step;
    summary_.stop = model.solver.stop;
    summary_.tolerance = model.solver.tolerance;

    simulation_.emplace(model);
    set_inputs(*simulation_, inputs_);
    if (request_.iterations)
        simulation_->bound_iterations(*request_.iterations);
    require_finite_start(*simulation_);
    const Schedule schedule = make_schedule();
    if (const std::string remark = schedule.remark(); !remark.empty())
        watcher.warn(fmt::format("{}: {}", shown(request_.model), remark));
    watcher.prepare();
    open_results();
    const Ending ending = step_through(schedule, watcher);
    if (recorder_ && ending == Ending::done)
        recorder_->close();
    return ending;
}

/// Too many steps are the fault of the model file where nothing else has changed step or stop.
Schedule ModelRun::make_schedule() const {
    const SolverSettings& solver = simulation_->model().solver;
    const ModelChanges& changes = request_.changes;
    try {
        return {simulation_->time(), solver.step, solver.stop};
    } catch (const Error& error) {
        if (changes.step || changes.stop || std::ranges::any_of(changes.set, [](const std::string& word) {
                return word.starts_with("solver.step=") || word.starts_with("solver.stop=");
            }))
            throw;
        throw Error(ErrorKind::model, error.what(), "solver.step");
    }
}

/// Everything that can refuse to be written refuses here, before the first step.
void ModelRun::open_results() {
    std::vector<std::string> names;
    for (const Column& column : simulation_->all_columns())
        names.push_back(column.name);
    if (request_.vars.empty())
        names.resize(simulation_->columns().size());
    columns_ = select(request_.vars, names);
    summary_.columns = static_cast<long>(columns_.size());
    if (request_.out.empty())
        return;
    results::ResultHeading heading{simulation_->model().name, "{}", {}};
    for (const std::size_t i : columns_) {
        const Column& column = simulation_->all_columns()[i];
        heading.columns.push_back({column.name, column.unit, column.description});
    }
    recorder_ = results::new_recorder(request_.out, heading);
    if (const std::filesystem::path scene = scene_beside(request_.out); !scene.empty())
        results::write_scene(scene, simulation_->model(), heading.columns);
}

Ending ModelRun::step_through(const Schedule& schedule, Watcher& watcher) {
    const auto note = [this] {
        reached_ = simulation_->time();
        report_ = simulation_->report();
    };
    note();
    watcher.begins(simulation_->time(), summary_.stop);
    begun_ = Clock::now();
    summary_.started = true;
    std::unique_ptr<Simulation> twin;
    if (request_.refine) {
        twin = std::make_unique<Simulation>(simulation_->model());
        set_inputs(*twin, inputs_);
    }
    WatchedModel machine(*simulation_, columns_, request_.realtime ? 0 : schedule.steps(), std::move(twin));
    start_pace(request_.realtime, simulation_->time());
    ModelObserver observer(recorder_.get(), watcher, [&](double time) {
        note();
        keep_pace(time, watcher);
    });
    LoopOptions options;
    options.every = request_.every;
    options.rows = recorder_ != nullptr;
    Ending ending = Ending::done;
    try {
        ending = run_loop(machine, schedule, options, observer);
    } catch (const Error& error) {
        summary_.position_error = machine.estimate();
        summary_.refined_difference = machine.difference();
        if (!std::string_view(error.what()).starts_with(divergence_words))
            throw;
        throw Error(error.kind(),
                    fmt::format("{}; {}{}", error.what(), advice(),
                                report_.divergence.empty() ? "; --accept-divergence goes on" : ""),
                    error.element());
    }
    judge_accuracy(machine, watcher);
    return ending;
}

/// What is said of a run that came to its end: whether it can be believed, and how far.
void ModelRun::judge_accuracy(const WatchedModel& machine, Watcher& watcher) {
    const auto warn = [&](const std::string& text) {
        if (summary_.message.empty())
            summary_.message = fmt::format("{}: {}", shown(request_.model), text);
        watcher.warn(fmt::format("{}: {}", shown(request_.model), text));
    };
    summary_.position_error = machine.estimate();
    summary_.refined_difference = machine.difference();
    summary_.motion = machine.motion();
    if (report_.unconverged > 0)
        warn(fmt::format("{} did not converge in {} and went on with what there was, {} m or rad off at most "
                         "as their last increments say; try more --iterations, or a smaller --step",
                         counted(report_.unconverged, "step"), counted(*request_.iterations, "iteration"),
                         short_number(report_.largest_unconverged)));
    if (!report_.divergence.empty()) {
        summary_.diverged = true;
        warn(fmt::format("the run has diverged: {}; {}", report_.divergence, advice()));
        return;
    }
    if (const double error = std::max(report_.max_energy_error, report_.max_energy_correction);
        error > doubtful_energy * report_.energy_scale)
        warn(fmt::format(
            "the energy error is {} J, {:.2g} % of the {} J that the machine has moved; try --step {}",
            short_number(error), 100 * error / report_.energy_scale, short_number(report_.energy_scale),
            short_number(summary_.step / 2)));
    summary_.leap = machine.leap();
    const bool has_moved = machine.motion() > summary_.tolerance * machine.extent(); // at rest rounding leaps
    if (summary_.leap.doubtful() && has_moved)
        warn(fmt::format("velocities leap at t = {} s ({} J of {} J in one step): at a singular position the "
                         "machine may have "
                         "gone on on another branch; try --integrator {}, or another step",
                         short_number(summary_.leap.time), short_number(summary_.leap.energy),
                         short_number(summary_.leap.kinetic),
                         summary_.method == "explicit-correction" ? "projection" : "explicit-correction"));
    const bool measured = request_.refine && machine.twin_failure().empty();
    const PositionError& off = measured ? summary_.refined_difference : summary_.position_error;
    if (!machine.twin_failure().empty())
        warn(fmt::format("with half the step the run fails: {}", machine.twin_failure()));
    // What the equations of a step are not solved to cannot be seen; a machine at rest moves by rounding alone.
    if (off.metres <= summary_.tolerance * machine.extent())
        return;
    if (const std::string doubt = position_doubt(off, summary_.motion, measured); !doubt.empty())
        warn(fmt::format("{}; try --step {}{}", doubt, short_number(summary_.step / 2),
                         measured ? "" : ", and --refine, which measures it"));
}

/// A smaller step first: it helped on three of the four machines of docs/divergence.md; then a method that was not refused there. What
/// refuses `projection` are stiff springs: of seven such machines another method ran all at the same step, and itself at a tenth of it four.
std::string ModelRun::advice() const {
    const IntegratorType& type = *find_integrator(summary_.method);
    const std::string smaller = fmt::format("--step {}", short_number(summary_.step / 10));
    const std::string other = "--integrator " + type.instead;
    return fmt::format("{} runs with step = {} s, try {}, then {}", summary_.method, summary_.step,
                       type.instead_first ? other : smaller, type.instead_first ? smaller : other);
}

const Summary& ModelRun::summary() {
    if (!summary_.started)
        return summary_;
    summary_.start = simulation_->start();
    summary_.rank_deficiency = summary_.start.rank_deficiency;
    summary_.end_time = reached_;
    summary_.steps = report_.steps;
    summary_.iterations = report_.iterations;
    summary_.halvings = report_.halvings;
    summary_.wall_seconds = seconds();
    summary_.unconverged = report_.unconverged;
    summary_.largest_unconverged = report_.largest_unconverged;
    if (pace_)
        summary_.pace = pace_->report();
    summary_.max_position_violation = report_.max_position_violation;
    summary_.max_velocity_violation = report_.max_velocity_violation;
    summary_.energy_start = report_.energy_start;
    summary_.energy_end = report_.energy;
    summary_.max_energy_error = report_.max_energy_error;
    summary_.energy_scale = report_.energy_scale;
    summary_.max_energy_correction = report_.max_energy_correction;
    summary_.rows = recorder_ ? recorder_->rows() : 0;
    return summary_;
}

} // namespace tenon::run
