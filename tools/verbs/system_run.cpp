#include "tools/verbs/system_run.hpp"

#include "core/math/error.hpp"
#include "tools/files/errors.hpp"
#include "tools/files/text_file.hpp"
#include "tools/glue/coupler_plan.hpp"
#include "tools/results/checkpoint_keeper.hpp"
#include "tools/results/content_marks.hpp"
#include "tools/results/scene_writer.hpp"
#include "tools/results/system_scene.hpp"
#include "tools/verbs/failure.hpp"
#include "tools/verbs/fmu_end.hpp"
#include "tools/verbs/fmu_messages.hpp"
#include "tools/verbs/interrupt.hpp"
#include "tools/verbs/master_options.hpp"
#include "tools/verbs/outputs.hpp"
#include "tools/verbs/system_changes.hpp"
#include "tools/verbs/system_loop.hpp"
#include "tools/verbs/system_summary.hpp"

#include <fmt/format.h>

namespace tenon::verbs {
namespace {

std::string shown(const std::filesystem::path& path) { return printable(path.string(), 4096); }

class SystemRun {
  public:
    explicit SystemRun(const RunPlan& plan) : plan_(plan) {}

    void run() {
        const WriteSignalGuard guard;
        std::optional<Failure> failure;
        try {
            compute();
        } catch (const fmi::LoadError& error) {
            failure.emplace(ExitCode::input, error.what());
        } catch (...) {
            failure = as_failure(std::current_exception());
        }
        finish(failure);
        if (failure)
            throw Failure(failure->code(), summary_.message);
    }

  private:
    using Clock = std::chrono::steady_clock;

    void finish(const std::optional<Failure>& failure) {
        finished_ = true;
        if (progress_)
            progress_->clear();
        note_progress();
        summary_.status = status_of(failure);
        if (failure)
            summary_.message = plan_.as_given(failure->what() + kept());
        if (messages_)
            messages_->finish(summary_.message);
        write_summary(failure.has_value());
        if (!says_something())
            return;
        if (plan_.only_save && !failure)
            say_that_nothing_was_run();
        if (!plan_.only_save && started_) {
            say_late_remarks();
            print_end();
        }
    }

    void print_end() const {
        if (was_finished() && summary_.status == "done") {
            fmt::print("finished already, at t = {:.12g} s: there is nothing left to do\n",
                       summary_.end_time);
            return;
        }
        SystemSummary shown = summary_;
        shown.out = plan_.as_given(summary_.out);
        shown.checkpoint = plan_.as_given(summary_.checkpoint);
        print_summary(shown, plan_.verbosity == Verbosity::verbose, stdout);
    }

    bool was_finished() const { return plan_.from && plan_.from->finished; }

    /// An FMU has called exit: what there is of results is kept, and the line says who it was.
    void end_by_exit(const std::string& fmu) {
        const Failure failure(ExitCode::computation,
                              fmt::format("fmu '{}' has ended the process by calling exit; --isolate runs "
                                          "each FMU in a process of its own",
                                          printable(fmu)));
        if (!finished_)
            finish(failure);
        print_error(summary_.message.empty() ? failure.what() : summary_.message);
    }

    void compute() {
        check_names();
        system::CheckedSystem checked = checked_system(plan_.settings);
        note_system(checked);
        std::vector<results::ContentMark> content;
        if (!plan_.checkpoint.empty())
            content = checked_content(checked);
        if (!plan_.save.empty()) {
            save_ssp(checked, plan_.save, glue::plan_couplers(checked, where_fmus_run(checked)));
            summary_.saved = plan_.save;
        }
        if (plan_.only_save)
            return start_only(std::move(checked));
        // A short step may hold too few steps of a glued FMU.
        const Schedule schedule(
            checked.system.master.start, checked.system.master.step, checked.system.master.stop,
            checked.system.joints.empty() ? Schedule::Last::shorter : Schedule::Last::longer);
        if (const std::string remark = schedule.remark(); !remark.empty())
            print_warning(plan_.as_given(fmt::format("{}: {}", shown(plan_.settings.system), remark)));
        make_master(std::move(checked));
        open_outputs(std::move(content));
        begun_ = Clock::now();
        start();
        started_ = true;
        if (has_scene_file())
            write_scene_file(); // not before: results of an earlier run keep theirs where this one does not start
        say_remarks();
        step_through(schedule);
        if (recorder_)
            recorder_->close();
        master_->terminate();
    }

    /// What a run would begin with, so that it can be said. Where it is saved that is all: FMUs for other machines will do.
    void start_only(system::CheckedSystem checked) {
        if (!plan_.save.empty())
            return;
        make_master(std::move(checked));
        begun_ = Clock::now();
        start();
        started_ = true;
        say_remarks();
        master_->terminate();
    }

    /// In this process or in others; what they say there is said again in the run.
    master::MasterOptions where_fmus_run(const system::CheckedSystem& checked) const {
        master::MasterOptions options;
        options.make_slave = master_options(plan_, checked).make_slave;
        return options;
    }

    void check_names() {
        const std::filesystem::path scene =
            has_scene_file() ? scene_path(plan_.settings.out) : std::filesystem::path();
        const auto refuse_with = [&](const NamedFile& checkpoint) {
            refuse_same_files({{"the system", plan_.settings.system},
                               {"--out", plan_.settings.out},
                               {"the scene file beside --out", scene},
                               checkpoint,
                               {"--json", plan_.json},
                               {"--log", plan_.log},
                               {"--save", plan_.save}});
        };
        refuse_with({"--checkpoint", plan_.checkpoint});
        // Not with the first: a kill between two generations leaves one file with both names.
        if (!plan_.checkpoint.empty())
            refuse_with({"the older checkpoint", results::previous_checkpoint(plan_.checkpoint)});
        json_is_usable_ = true;
    }

    bool has_scene_file() const { return !plan_.settings.out.empty() && !is_stream(plan_.settings.out); }

    bool says_something() const {
        return plan_.verbosity != Verbosity::quiet && !is_stdout(plan_.settings.out) &&
               !is_stdout(plan_.json) && !is_stdout(plan_.log);
    }

    void note_system(const system::CheckedSystem& checked) {
        summary_.system = checked.system.name;
        summary_.method = checked.system.master.method;
        summary_.automatic = summary_.method == "auto";
        summary_.step = checked.system.master.step;
        summary_.stop = checked.system.master.stop;
    }

    /// What the checkpoints say about the files; where one is continued, the files must be as they were.
    std::vector<results::ContentMark> checked_content(const system::CheckedSystem& checked) const {
        if (!plan_.from)
            return results::content_marks(checked);
        if (const std::string difference = results::content_difference(plan_.from->content, checked);
            !difference.empty())
            throw Failure(ExitCode::input,
                          fmt::format("{}: {} since the checkpoint {} was written; start a new run",
                                      shown(plan_.settings.system), difference, shown(plan_.checkpoint)));
        return plan_.from->content;
    }

    void make_master(system::CheckedSystem checked) {
        messages_.emplace(plan_.log, [this] {
            if (progress_)
                progress_->clear();
        });
        master::MasterOptions options = master_options(plan_, checked);
        options.log = [this](const std::string& fmu, fmi::Status status, const std::string& text) {
            messages_->add(fmu, status, text);
        };
        master_.emplace(std::move(checked), options);
        require_matches(plan_.settings.vars, *master_);
        require_states(plan_, *master_);
    }

    /// Everything that can refuse to be written refuses here, before the first step. Slaves have been made: their processes
    /// must not inherit the lock.
    void open_outputs(std::vector<results::ContentMark> content) {
        json_is_usable_ = false;
        if (!plan_.json.empty())
            require_writable(plan_.json);
        json_is_usable_ = true;
        if (!plan_.checkpoint.empty()) {
            results::Checkpoint about;
            about.program = TENON_VERSION;
            about.settings = plan_.settings;
            about.content = std::move(content);
            about.wall_seconds = plan_.from ? plan_.from->wall_seconds : 0;
            results::require_checkpoint_place(plan_.checkpoint);
            refuse_unfinished(plan_);
            keeper_.emplace(plan_.checkpoint, plan_.checkpoint_every, std::move(about));
            if (plan_.older_generation)
                results::adopt_previous_checkpoint(plan_.checkpoint);
        }
        if (!plan_.settings.out.empty() && !plan_.from)
            recorder_ = results::new_recorder(plan_.settings.out, heading());
    }

    results::ResultHeading heading() const {
        results::ResultHeading heading{master_->system().system.name, results::to_json(plan_.settings), {}};
        for (const master::Column& column : master_->columns())
            heading.columns.push_back({column.name, column.unit, column.description});
        return heading;
    }

    void write_scene_file() const {
        const results::SystemScene scene = results::system_scene(master_->system());
        for (const std::string& remark : scene.remarks)
            print_warning(remark);
        Model nothing;
        nothing.name = master_->system().system.name;
        write_scene(scene_path(plan_.settings.out), scene.machine.value_or(nothing), heading().columns);
    }

    void start() {
        if (!plan_.from) {
            master_->initialize();
            if (keeper_)
                results::remove_checkpoints(
                    plan_.checkpoint); // of another run, before its results are written over
            return;
        }
        try {
            master_->restore(plan_.from->master);
        } catch (const Error& error) {
            throw Error(error.kind(), fmt::format("{}: {}", shown(plan_.checkpoint), error.what()),
                        error.element());
        }
        if (!plan_.settings.out.empty())
            recorder_ = results::continued_recorder(plan_.settings.out, heading(), plan_.from->results);
    }

    void say_that_nothing_was_run() const {
        if (!summary_.report.joints.empty())
            print_glue(summary_, stdout);
        fmt::print("{}\n", plan_.save.empty() ? "The system is in order; nothing was run."
                                              : fmt::format("Wrote {}; nothing was run.", plan_.save));
    }

    void say_remarks() {
        if (!says_something() || was_finished())
            return;
        for (const std::string& remark : master_->system().system.remarks)
            fmt::print("{}\n", printable(remark, 1000));
        for (const std::string& remark : master_->report().remarks)
            fmt::print("{}\n", printable(remark, 1000));
        if (plan_.from)
            fmt::print("going on at t = {:.12g} s of {} s\n", master_->time(), summary_.stop);
        fmt::print("\n");
        std::fflush(stdout);
        said_ = master_->report().remarks.size();
    }

    /// What the master has changed on its way.
    void say_late_remarks() const {
        for (std::size_t i = said_; i < summary_.report.remarks.size(); ++i)
            print_warning(printable(summary_.report.remarks[i], 1000));
    }

    void step_through(const Schedule& schedule) {
        const InterruptGuard interrupt;
        const long done = !plan_.from ? 0 : plan_.from->finished ? schedule.steps() : plan_.from->step;
        if (plan_.from && !plan_.from->finished)
            require_place(schedule, done);
        SystemLoop loop(*master_, schedule, plan_.settings.every, recorder_.get(), done);
        progress_.emplace(master_->time(), summary_.stop, plan_.verbosity != Verbosity::quiet);
        SystemHooks hooks;
        hooks.progress = [&](double time) { progress_->show(time); };
        hooks.stop = [&] { return interrupt.raised(); };
        if (keeper_) {
            hooks.checkpoint_due = [&] { return keeper_->is_due(); };
            hooks.checkpoint = [&](long step, bool finished) {
                keeper_->write(*master_, step, finished, recorder_.get());
                summary_.checkpoint = plan_.checkpoint.string();
            };
            hooks.checkpoint_after_failure = [&](long step) { checkpoint_after_failure(step); };
        }
        const std::size_t remarks = master_->report().remarks.size();
        const SystemEnding ending = loop.run(hooks);
        progress_->clear();
        if (ending == SystemEnding::ended_early)
            note_early_end(remarks);
        if (ending == SystemEnding::interrupted)
            throw Failure(ExitCode::interrupted,
                          fmt::format("{}: interrupted at t = {:.12g} s of {} s",
                                      shown(plan_.settings.system), master_->time(), summary_.stop));
    }

    /// The two parts of a checkpoint, steps done and state of the master, must belong together.
    void require_place(const Schedule& schedule, long done) const {
        const double time = master_->time();
        if (done < schedule.steps() && time >= schedule.time(done) && time < schedule.time(done + 1))
            return;
        throw Failure(ExitCode::input,
                      fmt::format("{}: the checkpoint makes no sense: {} of {} steps are done, and t = {} s",
                                  shown(plan_.checkpoint), done, schedule.steps(), time));
    }

    /// The failure is what is reported; that its state could not be kept is a remark.
    void checkpoint_after_failure(long step) {
        progress_->clear();
        try {
            keeper_->write(*master_, step, false, recorder_.get());
            summary_.checkpoint = plan_.checkpoint.string();
        } catch (const std::exception& error) {
            print_warning(fmt::format("no checkpoint of t = {:.12g} s: {}", master_->time(), error.what()));
        }
    }

    /// An FMU has ended the simulation, or the last step was not of a size that all can take: the master says which.
    void note_early_end(std::size_t remarks_before) {
        summary_.message = fmt::format("the run ended at t = {:.12g} s, before the stop time {} s",
                                       master_->time(), summary_.stop);
        const std::vector<std::string>& remarks = master_->report().remarks;
        for (std::size_t i = remarks_before; i < remarks.size(); ++i)
            summary_.message += "; " + remarks[i];
        print_warning(summary_.message);
    }

    /// What there is after a failure, for the message.
    std::string kept() {
        std::string text;
        if (recorder_) {
            try {
                recorder_->close();
            } catch (const std::exception& error) {
                text = fmt::format("; {}", error.what());
            }
            if (recorder_->rows() > 0)
                text += fmt::format("; {} up to t = {:.12g} kept in {}", counted(recorder_->rows(), "row"),
                                    recorder_->last_time(), shown(plan_.settings.out));
        }
        if (!summary_.checkpoint.empty())
            text += fmt::format("; continue with: tenon resume {}", shown(plan_.checkpoint));
        return text;
    }

    void note_progress() {
        summary_.file = plan_.settings.system.string();
        if (summary_.system.empty())
            summary_.system = plan_.settings.system.stem().string();
        summary_.out = plan_.settings.out.string();
        summary_.earlier_seconds = plan_.from ? plan_.from->wall_seconds : 0;
        if (!master_)
            return;
        summary_.report = master_->report();
        summary_.method = summary_.report.method;
        if (!started_)
            return;
        summary_.end_time = master_->time();
        summary_.wall_seconds = std::chrono::duration<double>(Clock::now() - begun_).count();
        summary_.columns = static_cast<long>(master_->columns().size());
        summary_.rows = recorder_ ? recorder_->rows() : 0;
    }

    /// After a failure the first error is the one to report, so that a second one here is only a warning.
    void write_summary(bool failed) {
        if (plan_.json.empty() || !json_is_usable_)
            return;
        try {
            write_text_file(plan_.json, to_json(summary_));
        } catch (const std::exception& error) {
            if (!failed)
                throw;
            print_warning(error.what());
        }
    }

    const RunPlan& plan_;
    SystemSummary summary_;
    bool json_is_usable_ = false; ///< it names no other file of this run and is not known to be unwritable
    std::optional<Progress> progress_;
    std::optional<FmuMessages> messages_;
    FmuEndGuard fmu_end_{[this](const std::string& fmu) { end_by_exit(fmu); }};
    std::optional<master::Master> master_;
    std::unique_ptr<results::Recorder> recorder_;
    std::optional<results::CheckpointKeeper> keeper_;
    Clock::time_point begun_;
    bool started_ = false;  ///< all FMUs are initialised
    std::size_t said_ = 0;  ///< remarks of the master
    bool finished_ = false; ///< everything is written and said
};

} // namespace

void run_planned(const std::function<RunPlan()>& make, const std::string& json,
                 const std::vector<std::string>& others) {
    std::optional<RunPlan> plan;
    try {
        plan = make();
    } catch (...) {
        const Failure failure = as_failure(std::current_exception());
        std::vector<std::string> words = others;
        words.insert(words.end(), {"--json", json});
        if (!json.empty())
            write_system_refusal(failure.what(), words);
        throw failure;
    }
    SystemRun(*plan).run();
}

} // namespace tenon::verbs
