// tenon simulate MODEL.toml: runs a model in the core.

#include "core/math/error.hpp"
#include "core/simulation/simulation.hpp"
#include "tools/files/errors.hpp"
#include "tools/files/text_file.hpp"
#include "tools/model_file/model_reader.hpp"
#include "tools/results/recorder.hpp"
#include "tools/results/scene_writer.hpp"
#include "tools/verbs/console.hpp"
#include "tools/verbs/energy_scale.hpp"
#include "tools/verbs/failure.hpp"
#include "tools/verbs/interrupt.hpp"
#include "tools/verbs/model_run.hpp"
#include "tools/verbs/names.hpp"
#include "tools/verbs/outputs.hpp"
#include "tools/verbs/settings.hpp"
#include "tools/verbs/summary.hpp"
#include "tools/verbs/verb.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <optional>

namespace tenon::verbs {
namespace {

/// The words as given; numbers are read by run() so that their errors are ours.
struct Options {
    std::string model, integrator, step, stop, out, every = "1", json;
    std::vector<std::string> set, vars;
    bool quiet = false;
    bool verbose = false;

    Verbosity verbosity() const {
        return quiet ? Verbosity::quiet : verbose ? Verbosity::verbose : Verbosity::normal;
    }
};

/// Start states corrected by less than this are as they were given, but for rounding.
constexpr double least_correction = 1e-9;

/// One `tenon simulate`, from the words to the summary.
class SimulateRun {
  public:
    explicit SimulateRun(const Options& options) : options_(options) {
        options_.out = output_file(options_.out);
        options_.json = output_file(options_.json);
    }

    void run() {
        const WriteSignalGuard guard;
        std::optional<Failure> failure;
        try {
            compute();
        } catch (...) {
            failure = as_failure(std::current_exception(), file_ ? &*file_ : nullptr);
        }
        note_progress();
        summary_.status = status_of(failure);
        summary_.message = failure ? failure->what() + kept() : warning_;
        write_summary(failure.has_value());
        if (begun_ && options_.verbosity() != Verbosity::quiet && !is_stdout(options_.out) &&
            !is_stdout(options_.json))
            print_summary();
        if (failure)
            throw Failure(failure->code(), summary_.message);
    }

  private:
    void compute() {
        const std::filesystem::path scene = with_scene() ? scene_path(options_.out) : std::filesystem::path();
        refuse_same_files({{"the model", options_.model},
                           {"--out", options_.out},
                           {"the scene file beside --out", scene},
                           {"--json", options_.json}});
        refuse_input_names({{"--out", options_.out}, {"--json", options_.json}});
        json_is_usable_ = true;
        require_result_name(options_.out);
        const long every = parse_count(options_.every, "--every");
        Changes changes{options_.integrator, {}, {}, options_.set};
        if (!options_.step.empty())
            changes.step = parse_positive(options_.step, "--step");
        if (!options_.stop.empty())
            changes.stop = parse_nonnegative(options_.stop, "--stop");

        file_ = read_model_file(options_.model);
        Model& model = file_->model;
        summary_.model = model.name;
        const std::vector<InputValue> inputs = apply(changes, model);
        summary_.integrator = model.solver.integrator;
        summary_.step = model.solver.step;
        summary_.stop = model.solver.stop;

        simulation_.emplace(model);
        set_inputs(*simulation_, inputs);
        require_finite_start(*simulation_);
        const Schedule schedule = make_schedule();
        if (const std::string remark = schedule.remark(); !remark.empty())
            print_warning(fmt::format("{}: {}", options_.model, remark));
        open_outputs(scene);
        step_through(schedule, every);
        if (writer_)
            writer_->close();
    }

    /// Too many steps are the fault of the model file where no option changed step or stop.
    Schedule make_schedule() const {
        const SolverSettings& solver = simulation_->model().solver;
        try {
            return {simulation_->time(), solver.step, solver.stop};
        } catch (const Failure& failure) {
            const bool by_option =
                !options_.step.empty() || !options_.stop.empty() ||
                std::any_of(options_.set.begin(), options_.set.end(), [](const std::string& word) {
                    return word.starts_with("solver.step=") || word.starts_with("solver.stop=");
                });
            if (by_option)
                throw;
            throw Error(ErrorKind::model, failure.what(), "solver.step");
        }
    }

    bool with_scene() const { return !options_.out.empty() && !is_stream(options_.out); }

    /// Everything that can refuse to be written refuses here, before the first step.
    void open_outputs(const std::filesystem::path& scene) {
        json_is_usable_ = false;
        if (!options_.json.empty())
            require_writable(options_.json);
        json_is_usable_ = true;
        std::vector<std::string> names;
        for (const Column& column : simulation_->all_columns())
            names.push_back(column.name);
        if (options_.vars.empty())
            names.resize(simulation_->columns().size());
        columns_ = select(options_.vars, names);
        if (options_.out.empty())
            return;
        results::ResultHeading heading{simulation_->model().name, "{}", {}};
        for (const std::size_t i : columns_) {
            const Column& column = simulation_->all_columns()[i];
            heading.columns.push_back({column.name, column.unit, column.description});
        }
        writer_ = results::new_recorder(options_.out, heading);
        if (!scene.empty())
            write_scene(scene, simulation_->model(), heading.columns);
    }

    void step_through(const Schedule& schedule, long every) {
        const InterruptGuard interrupt;
        EnergyScale scale(*simulation_);
        Progress progress(simulation_->time(), summary_.stop, options_.verbosity() != Verbosity::quiet);
        std::vector<double> row(columns_.size());
        LoopHooks hooks;
        hooks.progress = [&](double time) {
            scale.follow(*simulation_);
            progress.show(time);
        };
        hooks.stop = [&] { return interrupt.raised(); };
        hooks.on_request = !columns_.empty() && columns_.back() >= simulation_->columns().size();
        if (writer_)
            hooks.row = [&](double time, std::span<const double> values) {
                std::transform(columns_.begin(), columns_.end(), row.begin(),
                               [&](std::size_t i) { return values[i]; });
                writer_->write(time, row);
            };
        begun_ = Clock::now();
        Ending ending = Ending::done;
        try {
            ending = run_loop(*simulation_, schedule, every, hooks, reached_);
        } catch (const Error& error) {
            if (!scale.diverged(reached_.report))
                throw;
            throw Error(error.kind(), fmt::format("{}; {}", error.what(), divergence()), error.element());
        }
        progress.clear();
        if (scale.diverged(reached_.report)) {
            warning_ = fmt::format("{}: {}", options_.model, divergence());
            print_warning(warning_);
        }
        if (ending == Ending::interrupted)
            throw Failure(ExitCode::interrupted, fmt::format("{}: interrupted at t = {:.12g} s of {} s",
                                                             options_.model, reached_.time, summary_.stop));
    }

    std::string divergence() const {
        return fmt::format("the run has diverged: the energy error is {} J (energy at the start {} J); "
                           "the step is too large for {} (step = {} s), try --step {} or --integrator {}",
                           short_number(reached_.report.max_energy_error),
                           short_number(reached_.report.energy_start), summary_.integrator, summary_.step,
                           short_number(summary_.step / 10),
                           summary_.integrator == "energy-decaying" ? "projection" : "energy-decaying");
    }

    /// What there is of results after a failure, for the message.
    std::string kept() {
        if (!writer_)
            return {};
        try {
            writer_->close();
        } catch (const std::exception& error) {
            return fmt::format("; {}", error.what());
        }
        if (writer_->rows() == 0)
            return {};
        return fmt::format("; {} up to t = {:.12g} kept in {}", counted(writer_->rows(), "row"),
                           writer_->last_time(), options_.out);
    }

    void note_progress() {
        summary_.file = options_.model;
        if (summary_.model.empty())
            summary_.model = std::filesystem::path(options_.model).stem().string();
        if (!begun_)
            return;
        const RunReport& report = reached_.report;
        const StartReport& start = simulation_->start();
        summary_.end_time = reached_.time;
        summary_.steps = report.steps;
        summary_.iterations = report.iterations;
        summary_.halvings = report.halvings;
        summary_.wall_seconds = std::chrono::duration<double>(Clock::now() - *begun_).count();
        summary_.max_position_violation = report.max_position_violation;
        summary_.max_velocity_violation = report.max_velocity_violation;
        summary_.energy_start = report.energy_start;
        summary_.energy_end = report.energy;
        summary_.max_energy_error = report.max_energy_error;
        summary_.rank_deficiency = start.rank_deficiency;
        summary_.degrees_of_freedom = start.degrees_of_freedom;
        summary_.redundant_joints = start.redundant_joints;
        summary_.position_correction = start.position_correction;
        summary_.velocity_correction = start.velocity_correction;
    }

    /// After a failure the first error is the one to report, so that a second one here is only a warning.
    void write_summary(bool failed) {
        if (options_.json.empty() || !json_is_usable_)
            return;
        try {
            write_text_file(options_.json, to_json(summary_));
        } catch (const std::exception& error) {
            if (!failed)
                throw;
            print_warning(error.what());
        }
    }

    void print_summary() const {
        using Align = TextTable::Align;
        TextTable table({Align::left, Align::left});
        const RunSummary& s = summary_;
        table.add({"model", s.model});
        table.add({"integrator", fmt::format("{}, step {} s", s.integrator, s.step)});
        table.add({"end time", fmt::format("{:.12g} s", s.end_time)});
        table.add(
            {"steps",
             fmt::format("{}, {} ({:.3g} a step)", s.steps, counted(s.iterations, "iteration"),
                         s.steps ? static_cast<double>(s.iterations) / static_cast<double>(s.steps) : 0.0)});
        if (s.halvings > 0)
            table.add({"halved", counted(s.halvings, "step")});
        table.add({"joint violation",
                   fmt::format("{} m or rad, {} m/s or rad/s", short_number(s.max_position_violation),
                               short_number(s.max_velocity_violation))});
        table.add({"energy", fmt::format("{} J at the start, {} J at the end", short_number(s.energy_start),
                                         short_number(s.energy_end))});
        table.add({"energy error", fmt::format("{} J", short_number(s.max_energy_error))});
        table.add({"wall time",
                   fmt::format("{}{}", duration(s.wall_seconds),
                               s.steps ? fmt::format(", {} a step",
                                                     duration(s.wall_seconds / static_cast<double>(s.steps)))
                                       : std::string())});
        if (std::max(s.position_correction, s.velocity_correction) > least_correction)
            table.add({"start corrected by",
                       fmt::format("{} m or rad, {} m/s or rad/s, most at '{}'",
                                   short_number(s.position_correction), short_number(s.velocity_correction),
                                   simulation_->start().corrected_joint)});
        if (!warning_.empty())
            table.add({"warning", "diverged: these results describe nothing"});
        if (options_.verbosity() == Verbosity::verbose)
            add_details(table);
        if (writer_ && writer_->rows() > 0)
            table.add({"results", fmt::format("{} ({}, {})", options_.out, counted(writer_->rows(), "row"),
                                              counted(static_cast<long>(columns_.size()) + 1, "column"))});
        table.print(stdout);
    }

    void add_details(TextTable& table) const {
        const StartReport& start = simulation_->start();
        table.add({"degrees of freedom",
                   fmt::format("{}, {}", start.degrees_of_freedom, counted(start.rows, "constraint row"))});
        table.add({"redundant rows", start.redundant_joints.empty()
                                         ? std::to_string(start.rank_deficiency)
                                         : fmt::format("{} ({})", start.rank_deficiency,
                                                       fmt::join(start.redundant_joints, ", "))});
        table.add({"tolerance", fmt::format("{}", simulation_->model().solver.tolerance)});
    }

    using Clock = std::chrono::steady_clock;
    Options options_;
    RunSummary summary_;
    Reached reached_;
    std::string warning_;         ///< of a run that came to its end, but not to a result
    bool json_is_usable_ = false; ///< it names no other file of this run and is not known to be unwritable
    std::optional<ModelFile> file_;
    std::optional<Simulation> simulation_;
    std::vector<std::size_t> columns_; ///< those of Simulation::all_columns() that become columns
    std::unique_ptr<results::Recorder> writer_;
    std::optional<Clock::time_point> begun_;
};

} // namespace

Verb add_simulate(CLI::App& tenon) {
    auto options = std::make_shared<Options>();
    CLI::App* command = tenon.add_subcommand("simulate", "Run a model and show how well it went");
    command->add_option("MODEL", options->model, "The model file (TOML)")->required();
    command
        ->add_option("--integrator", options->integrator, "The method; 'tenon info --integrators' lists them")
        ->type_name("NAME");
    command->add_option("--step", options->step, "Step size in seconds")->type_name("H");
    command->add_option("--stop", options->stop, "Stop time in seconds")->type_name("T");
    command
        ->add_option("--out", options->out,
                     "Write the results here: .csv, or .h5 or .hdf5 for HDF5; FILE.scene.json beside it")
        ->type_name("FILE");
    command->add_option("--every", options->every, "Only every Nth step becomes a row")->type_name("N");
    command
        ->add_option(
            "--vars", options->vars,
            "Only variables like this become columns: 'crank.*', '*.angle,energy.*' (repeatable); some, "
            "as 'crank.a_0*' and 'crank.R*', only in this way")
        ->type_name("PATTERN")
        ->allow_extra_args(false);
    command
        ->add_option("--set", options->set,
                     "Change a parameter, an option of the solver or an input: --set crank.mass=2 --set "
                     "solver.step=1e-4 (repeatable); 'tenon info MODEL --verbose' lists them")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
    command->add_option("--json", options->json, "Write a machine-readable summary, also when the run fails")
        ->type_name("FILE");
    CLI::Option* quiet = command->add_flag("--quiet", options->quiet, "Say nothing but warnings and errors");
    command->add_flag("--verbose", options->verbose, "Say more")->excludes(quiet);
    command->footer(
        "Example: tenon simulate crank.toml --step 1e-4 --stop 2 --set crank.mass=3 --out crank.csv");
    return {command, [options] { SimulateRun(*options).run(); }, write_refusal};
}

} // namespace tenon::verbs
